// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device functions with loops that would run best outside of the loop over threads are written out
// where they are called, where only compilers read the translation:
//
//   __device__ float3 pull(float4 me, float3 a) {
//     for (int i = 0; i < blockDim.x; ++i)
//       a = interact(a, me, tile[i]);
//     return a;
//   }
//   acc = pull(me, acc);     ->     { float3 a = acc; for (int i = 0; i < blockDim.x; ++i)
//                                     a = interact(a, me, tile[i]); acc = (a); }
//
// So are functions in which threads meet, and those that kernels give lambdas or arrays of a
// thread's own to.
//
// A loop that a kernel calls is run by one thread after the other; one that stands in it can be
// taken out of the loop over threads. The other plain forms then find everything in one place.
// Parameters that stay as they are become the variables that they are given. Lines stay the user's,
// so all is on one.
#include "analyse/plain_calls.h"

#include <algorithm>
#include <set>

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"

#include "analyse/instance_calls.h"
#include "analyse/marks.h"
#include "analyse/region_parts.h"
#include "parse/body_macros.h"
#include "parse/raw_tokens.h"

namespace cu2cpp {

namespace calls {

std::set<std::string> identifiersIn(const std::string& text, bool members) {
  std::set<std::string> out;
  const std::string closed = text + "\n";
  bool ofMember = false;
  for (const RawToken& token : rawTokens(closed)) {
    if (token.kind == clang::tok::raw_identifier && (members || !ofMember))
      out.insert(token.text.str());
    ofMember = token.text == "." || token.text == "->";
  }
  return out;
}

bool canBeSet(clang::QualType type) {
  const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
  return type->isScalarType() ||
         (record && record->hasTrivialDefaultConstructor() && record->isTriviallyCopyable());
}

/// The returns in a loop, if each of them leaves this loop alone.
static std::optional<std::set<const clang::ReturnStmt*>> returnsLeaving(const clang::Stmt* loop) {
  class Returns : public SyntaxVisitor {
  public:
    std::set<const clang::ReturnStmt*> all;
    bool VisitReturnStmt(clang::ReturnStmt* s) override {
      all.insert(s);
      return true;
    }
  };
  class Inner : public SyntaxVisitor {
  public:
    bool returns = false;
    bool VisitStmt(clang::Stmt* s) override {
      if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt,
                    clang::SwitchStmt>(s)) {
        Returns in;
        in.TraverseStmt(s);
        returns |= !in.all.empty();
      }
      return !returns;
    }
  } inner;
  const auto* f = llvm::dyn_cast<clang::ForStmt>(loop);
  const auto* w = llvm::dyn_cast<clang::WhileStmt>(loop);
  const auto* d = llvm::dyn_cast<clang::DoStmt>(loop);
  if (!f && !w && !d)
    return std::nullopt;
  Returns in;
  in.TraverseStmt(const_cast<clang::Stmt*>(loop));
  inner.TraverseStmt(const_cast<clang::Stmt*>(f ? f->getBody() : w ? w->getBody() : d->getBody()));
  return inner.returns ? std::nullopt : std::optional(std::move(in.all));
}

bool returnsPlainly(const clang::CompoundStmt* list, const std::set<const clang::ReturnStmt*>& all,
                    EarlyReturns& early) {
  std::size_t found = 0;
  for (const clang::Stmt* s : list->body()) {
    if (llvm::isa<clang::ReturnStmt>(s)) {
      ++found;
      if (s != list->body_back())
        return false;
      continue;
    }
    if (const auto leaving = returnsLeaving(s); leaving && !leaving->empty()) {
      early.behind.push_back(s);
      early.inLoops.insert(leaving->begin(), leaving->end());
      found += leaving->size();
      continue;
    }
    const auto* branch = llvm::dyn_cast<clang::IfStmt>(s);
    if (!branch || branch->getElse() || branch->hasInitStorage() || branch->hasVarStorage())
      continue;
    const clang::Stmt* then = branch->getThen();
    if (const auto* inner = llvm::dyn_cast<clang::CompoundStmt>(then);
        inner && !inner->body_empty())
      then = inner->body_back();
    if (llvm::isa<clang::ReturnStmt>(then)) {
      early.behind.push_back(branch);
      ++found;
    }
  }
  return found == all.size();
}

} // namespace calls

namespace {

using namespace calls;

/// Whether a function and all that it calls wait for nobody, and it does not call itself.
bool meetsNobody(const FunctionFacts& f, const Facts& facts, const clang::FunctionDecl* top,
                 unsigned depth = 0) {
  if (depth > 6 || !f.collectives.empty() || !f.assembly.empty() || f.indirectCalls)
    return false;
  return std::all_of(f.callees.begin(), f.callees.end(), [&](const clang::FunctionDecl* callee) {
    const FunctionFacts* known = facts.find(callee);
    if (!known)
      return syncScope(callee) == Scope::None;
    return known->decl != top && meetsNobody(*known, facts, top, depth + 1);
  });
}

/// Whether a name stands for something else in another function or line.
bool tellsItsPlace(llvm::StringRef name) {
  return name == "assert" || name == "__LINE__" || name == "__func__" || name == "__FUNCTION__" ||
         name == "__PRETTY_FUNCTION__";
}

/// Which functions are written out: those in which no threads meet, those in which some do, those
/// that are given lambdas, or those that are given arrays of a thread's own.
enum class Which { Loops, Meetings, Given, Owned };

class WritingOut {
public:
  WritingOut(const PlainBody& body, const Facts& facts, const SharedWithOthers& shared, Which which)
      : body_(body), shared_(shared), caller_(body, facts), which_(which) {}

  void run() {
    const auto range = body_.text.rangeOf(body_.function->getSourceRange());
    if (!range)
      return;
    constexpr unsigned mostText = 40000;
    if (range->end - range->begin > mostText)
      return;
    const PlainChanges before = body_.changes;
    while (!writeAll(*range))
      body_.changes = before;
  }

private:
  /// A function whose body is to stand in a call's place, and what becomes of its text.
  struct Called {
    const FunctionFacts& facts;
    const clang::FunctionDecl* definition;
    FileRange range; ///< of its body
    CalledBody contents;
    EarlyReturns early = {};
    std::string left = {}; ///< tells whether a return left a loop
    TokenChanges changes = {};
    TemplateTexts ofTemplate = {};
    std::map<const clang::ValueDecl*, std::string> renamed = {};
    std::string head = {};                         ///< declares its parameters
    const clang::ParmVarDecl* continued = nullptr; ///< isContinued()
    std::vector<std::string> hoisted = {};         ///< declarations for the caller's top
    std::set<std::string> own = {};                ///< names that it declares
    std::string object = {};                       ///< `b.` of `b.each(...)`
    bool unique = false;                           ///< no other call is of this instance
    std::set<unsigned> forwarded = {};             ///< places of F in `std::forward<F>(f)`
  };

  /// Writes out all calls that can be; false if a function is to stay whose shared memory would be
  /// in two places.
  bool writeAll(const FileRange& range) {
    names_ = identifiersIn(textOf(range));
    hoisted_.clear();
    calls_.clear();
    std::map<const clang::FunctionDecl*, unsigned> written;
    for (const clang::CallExpr* call : body_.contents.calls)
      if (const FunctionFacts* f = factsOf(call))
        ++calls_[f->decl];
    std::set<const clang::Stmt*> changed;
    for (const clang::CallExpr* call : body_.contents.calls) {
      const auto site = siteOf(call, body_.variables.parents());
      if (!site || (which_ == Which::Given && isInLambda(site->statement)) ||
          changed.count(site->statement) || !write(*site))
        continue;
      changed.insert(site->statement);
      ++written[factsOf(call)->decl];
    }
    for (const auto& [function, count] : written)
      if (ownsShared_.count(function) && count != calls_.at(function))
        return !stays_.insert(function).second;
    return true;
  }
  bool isInLambda(const clang::Stmt* s) const {
    for (; s; s = body_.variables.parents().getParent(s))
      if (llvm::isa<clang::LambdaExpr>(s))
        return true;
    return false;
  }
  const FunctionFacts* factsOf(const clang::CallExpr* call) const {
    const clang::FunctionDecl* callee = calleeOf(caller_, call);
    return callee ? caller_.facts.find(callee) : nullptr;
  }

  std::string declared(clang::QualType type, const std::string& name) const {
    std::string out;
    llvm::raw_string_ostream stream(out);
    clang::PrintingPolicy policy(body_.unit.context().getPrintingPolicy());
    policy.SuppressUnwrittenScope = true; // `(anonymous namespace)::`
    type.print(stream, policy, name);
    return out;
  }

  /// A name that the caller does not use.
  std::string freeName(const std::string& name) {
    if (names_.insert(name).second)
      return name;
    for (unsigned i = 1;; ++i)
      if (std::string other = name + "_" + std::to_string(i); names_.insert(other).second)
        return other;
  }

  /// What is called, if a call of it may be written out at all and a kernel gains from it.
  std::optional<Called> find(const CallSite& site, const FileRange& place) const {
    const clang::FunctionDecl* callee = calleeOf(caller_, site.call);
    const FunctionFacts* f = callee ? caller_.facts.find(callee) : nullptr;
    const clang::FunctionDecl* definition = nullptr;
    const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
    if (which_ == Which::Loops && method && !method->isStatic() && !method->isConst())
      return std::nullopt;
    if (!f || f->kernel || !f->device || !callee->hasBody(definition) ||
        (definition->isDependentContext() && !caller_.inTemplate) || callee->isVariadic() ||
        callee->hasAttr<clang::NoInlineAttr>() || definition->hasAttr<clang::NoInlineAttr>() ||
        f->decl->getNumParams() != definition->getNumParams() ||
        (definition->getNumParams() != 0 && !givenTo(definition, 0, site.call)) ||
        f->decl == definitionOf(body_.function) || stays_.count(f->decl) ||
        !mayBeWritten(*f, site.call))
      return std::nullopt;
    const auto* list = llvm::dyn_cast<clang::CompoundStmt>(definition->getBody());
    const auto range = list ? body_.text.rangeOf(list->getSourceRange()) : std::nullopt;
    if (!range || list->getLBracLoc().isMacroID() || list->getRBracLoc().isMacroID() ||
        (range->file == place.file ? range->end > place.begin
                                   : shared_.headers || definesMacros(place.file, *range)))
      return std::nullopt;
    if (list->body_empty() || changesMacros(*range, place))
      return std::nullopt;
    Called called{*f, definition, *range, CalledBody(list)};
    const auto object = objectOf(site.call, definition);
    if (!object || (called.contents.ofObject && object->empty()))
      return std::nullopt;
    called.object = *object;
    if (!called.contents.fits || !returnsPlainly(list, called.contents.returns, called.early) ||
        (which_ != Which::Loops && !called.early.inLoops.empty()))
      return std::nullopt;
    const bool owns = !called.contents.ownShared.empty();
    if ((which_ == Which::Meetings && !called.early.behind.empty()) ||
        (which_ == Which::Owned && (owns || !givesOwnArray(definition, site.call))) ||
        (which_ == Which::Loops ? owns || !(exchanges(caller_, definition, site.call) ||
                                            pays(caller_, *f, definition, site.call))
                                : owns && reachesOtherwise(caller_, *f)))
      return std::nullopt;
    const clang::QualType type = definition->getReturnType();
    const bool returns = !type->isVoidType();
    if (caller_.inTemplate && (which_ == Which::Loops || which_ == Which::Owned) &&
        (returns || !site.alone))
      return std::nullopt;
    if (returns && !llvm::isa<clang::ReturnStmt>(list->body_back()))
      return std::nullopt;
    if (returns && !isSetByReturn(type, site.call))
      return std::nullopt;
    return called;
  }

  /// Whether a function is declared elsewhere than the caller.
  bool isElsewhere(const clang::FunctionDecl* definition) const {
    return definition->getDeclContext()->getRedeclContext() !=
           body_.function->getDeclContext()->getRedeclContext();
  }
  bool mayBeWritten(const FunctionFacts& f, const clang::CallExpr* call) const {
    switch (which_) {
    case Which::Loops:
    case Which::Owned:
      return meetsNobody(f, caller_.facts, f.decl);
    case Which::Meetings:
      return mayMeetElsewhere(f, caller_.facts);
    case Which::Given:
      return isKnown(f, caller_.facts, f.decl) && gainsByLambdas(caller_, f, call);
    }
    return false;
  }

  /// Whether what a function returns is a variable's new value, in all instances of the caller.
  bool isSetByReturn(clang::QualType type, const clang::CallExpr* call) const {
    if (!type->isDependentType())
      return !type->isReferenceType() && canBeSet(type.getUnqualifiedType());
    const FunctionFacts* known = caller_.facts.find(body_.function);
    const auto callees =
        known ? calleesOf(call, *known) : std::vector<const clang::FunctionDecl*>();
    return !callees.empty() &&
           std::all_of(callees.begin(), callees.end(), [](const clang::FunctionDecl* callee) {
             const clang::QualType returned = callee->getReturnType();
             return !returned->isDependentType() && !returned->isReferenceType() &&
                    canBeSet(returned.getUnqualifiedType());
           });
  }

  /// Writes one call out; false if it stays.
  bool write(const CallSite& site) {
    const auto place = body_.text.rangeOf(site.statement->getSourceRange());
    if (!place || site.statement->getBeginLoc().isMacroID() ||
        site.statement->getEndLoc().isMacroID())
      return false;
    auto called = find(site, *place);
    if (!called || !keepNames(*called) || !qualifyNames(*called))
      return false;
    dropForwarding(*called);
    auto written = templateTexts(caller_, called->facts, called->definition, site.call);
    if (!written || !addClassTexts(caller_, called->definition, *written) ||
        !replaceTemplateParameters(caller_, *written, called->forwarded, called->range,
                                   called->changes))
      return false;
    called->ofTemplate = std::move(*written);
    if (!giveParameters(site, *called) || !nameShared(*called) || !rename(*called) ||
        !moveShared(*called))
      return false;
    // The result.
    clang::QualType type = called->definition->getReturnType();
    if (isElsewhere(called->definition) && !type->isDependentType())
      type = type.getCanonicalType();
    const bool direct = isDirect(site, *called);
    const std::string result = type->isVoidType() || site.alone ? std::string()
                               : direct                         ? site.result->getNameAsString()
                                        : freeName(nameOf(called->definition) + "_result");
    if (!setResult(*called, result, direct && !site.declares))
      return false;
    const auto text = onOneLine(body_.text, called->range, called->changes);
    const auto declaration =
        replacedIn(declared(type.getUnqualifiedType(), result), called->ofTemplate);
    if (!text || !declaration || !put(site, *place, *text, result, direct, *declaration))
      return false;
    putShared(*called);
    return true;
  }

  /// Whether what the body's text means by its names is the same in the caller.
  bool keepNames(Called& called) {
    std::set<std::string> own;
    for (const clang::VarDecl* variable : called.contents.declared)
      own.insert(variable->getNameAsString());
    for (const clang::BindingDecl* part : called.contents.bindings)
      own.insert(part->getNameAsString());
    for (const clang::DeclStmt* s : called.contents.ownShared)
      own.insert(llvm::cast<clang::VarDecl>(s->getSingleDecl())->getNameAsString());
    for (const clang::ParmVarDecl* parameter : called.definition->parameters())
      own.insert(parameter->getNameAsString());
    if (const auto* pattern = called.facts.decl->getDescribedFunctionTemplate())
      for (const clang::NamedDecl* parameter : *pattern->getTemplateParameters())
        own.insert(parameter->getNameAsString());
    if (const auto* made = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(
            called.definition->getDeclContext()))
      for (const clang::NamedDecl* parameter :
           *made->getSpecializedTemplate()->getTemplateParameters())
        own.insert(parameter->getNameAsString());
    // A member may have been named before a variable hides it.
    if (std::any_of(called.contents.members.begin(), called.contents.members.end(),
                    [&](const std::string& member) { return own.count(member) != 0; }) ||
        !dropShared(called.contents, called.changes, own))
      return false;
    const std::set<std::string> callers = body_.declaredNames();
    for (const std::string& name : identifiersIn(textOf(called.range), false))
      if (name == "decltype" || (which_ != Which::Loops && tellsItsPlace(name)) ||
          (!own.count(name) && callers.count(name) &&
           nameElsewhere(name, called) == std::optional(name)))
        return false;
    called.own = std::move(own);
    return true;
  }
  std::optional<std::string> nameElsewhere(const std::string& name, const Called& called) const {
    return isElsewhere(called.definition)
               ? calls::nameElsewhere(name, called.definition, called.object, body_)
               : name;
  }
  /// Writes names of the function's namespaces as they are called in the caller.
  bool qualifyNames(Called& called) const {
    if (!isElsewhere(called.definition))
      return true;
    bool qualified = false;
    const std::string text = textOf(called.range) + "\n";
    const std::vector<RawToken> tokens = rawTokens(text);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const RawToken& token = tokens[i];
      const bool ofOther = qualified;
      qualified = token.text == "." || token.text == "->" || token.text == "::";
      const std::string name = token.text.str();
      if (token.kind != clang::tok::raw_identifier || ofOther || called.own.count(name))
        continue;
      if (name == "this") {
        // `*this` is nothing but the object: nothing can be multiplied with its address.
        if (!called.object.empty() && i > 0 && tokens[i - 1].text == "*") {
          called.changes.instead[called.range.begin + tokens[i - 1].offset] = "";
          called.changes.instead[called.range.begin + token.offset] =
              called.object.substr(0, called.object.size() - 1);
          continue;
        }
        if (called.object.empty() || i + 1 >= tokens.size() || tokens[i + 1].text != "->")
          return false;
        called.changes.instead[called.range.begin + token.offset] = called.object;
        called.changes.instead[called.range.begin + tokens[i + 1].offset] = "";
        continue;
      }
      const auto written = nameElsewhere(name, called);
      if (!written)
        return false;
      if (*written != name)
        called.changes.instead[called.range.begin + token.offset] = *written;
    }
    return true;
  }

  /// `std::forward<F>(f)` of a lambda is the lambda.
  void dropForwarding(Called& called) const {
    const std::string text = textOf(called.range) + "\n";
    const std::vector<RawToken> tokens = rawTokens(text);
    const auto is = [&](std::size_t i, llvm::StringRef token) {
      return i < tokens.size() && tokens[i].text == token;
    };
    for (std::size_t i = 0; which_ == Which::Given && i + 8 < tokens.size(); ++i) {
      if (!is(i, "std") || !is(i + 1, "::") || !is(i + 2, "forward") || !is(i + 3, "<") ||
          !is(i + 5, ">") || !is(i + 6, "(") || !is(i + 8, ")") || !isLambda(called, tokens[i + 7]))
        continue;
      for (std::size_t at = i; at <= i + 8; ++at)
        if (at != i + 7)
          called.changes.instead[called.range.begin + tokens[at].offset] = "";
      called.forwarded.insert(called.range.begin + tokens[i + 4].offset);
    }
  }
  /// Whether a token names a parameter of a type that the function's template deduces.
  static bool isLambda(const Called& called, const RawToken& token) {
    const clang::FunctionDecl* pattern = called.facts.decl;
    for (const clang::ParmVarDecl* parameter : pattern->parameters())
      if (parameter->getName() == token.text)
        return parameter->getType()->isRValueReferenceType() &&
               parameter->getType()->getPointeeType()->isTemplateTypeParmType();
    return false;
  }

  /// Finds what each parameter is called in the caller, and declares those that need variables of
  /// their own.
  bool giveParameters(const CallSite& site, Called& called) {
    const FunctionFacts& f = called.facts;
    const Uniformity inside(f.decl, {}, &caller_.facts);
    for (unsigned i = 0; i < called.definition->getNumParams(); ++i) {
      const clang::ParmVarDecl* parameter = called.definition->getParamDecl(i);
      const clang::Expr* argument = givenTo(called.definition, i, site.call);
      const LocalVariable* local = inside.find(f.decl->getParamDecl(i));
      const auto* byDefault = llvm::dyn_cast<clang::CXXDefaultArgExpr>(argument);
      if (byDefault && !isLiteral(byDefault->getExpr()))
        return false;
      if (const clang::LambdaExpr* lambda = lambdaGiven(argument);
          lambda && which_ == Which::Given) {
        if (!giveLambda(parameter, argument, lambda, called))
          return false;
        continue;
      }
      if (which_ == Which::Meetings && parameter == returnedParameter(called.contents) &&
          isContinued(caller_, site, argument) && isDirect(site, called)) {
        called.renamed[parameter] = site.result->getNameAsString();
        called.continued = parameter;
        continue;
      }
      const clang::FunctionDecl* instance = site.call->getDirectCallee();
      const clang::QualType type = instance && i < instance->getNumParams()
                                       ? instance->getParamDecl(i)->getType()
                                       : parameter->getType();
      if (std::string given =
              byDefault || mayChange(argument, type)
                  ? std::string()
                  : standsFor(caller_, parameter, type, local, argument, called.contents);
          !given.empty()) {
        called.renamed[parameter] = std::move(given);
        continue;
      }
      const auto written = body_.text.rangeOf(argument->getSourceRange());
      const auto text = byDefault ? literalText(byDefault->getExpr())
                        : written && body_.text.isWhole(argument)
                            ? onOneLine(body_.text, *written, {})
                            : std::nullopt;
      if (!text)
        return false;
      if (const clang::Expr* element = sharedElement(caller_, parameter, argument);
          element && exchanges(caller_, called.definition, site.call)) {
        const auto place = body_.text.rangeOf(element->getSourceRange());
        const auto name = place ? onOneLine(body_.text, *place, {}) : std::nullopt;
        if (!name || !follow(called, parameter))
          return false;
        called.renamed[parameter] = *name;
        continue;
      }
      if (const clang::VarDecl* variable = variablePointedTo(caller_, parameter, type, argument)) {
        if (!follow(called, parameter))
          return false;
        called.renamed[parameter] = variable->getNameAsString();
        continue;
      }
      // A reference that lives while threads meet would be kept for each of them, unless it is
      // written as the element that it is (plain_references.cpp).
      clang::QualType declaredType = parameter->getType();
      if (which_ == Which::Given && isConstValue(declaredType, argument))
        declaredType = declaredType.getNonReferenceType();
      if (which_ != Which::Loops && declaredType->isReferenceType() &&
          !(which_ == Which::Meetings && isElementOfThread(declaredType, argument)))
        return false;
      if (parameter->getName().empty()) {
        if (argument->HasSideEffects(body_.unit.context()))
          return false;
        continue;
      }
      if (isElsewhere(called.definition) && !declaredType->isDependentType())
        declaredType = declaredType.getCanonicalType();
      if (!declaredType->isReferenceType() && local && !local->modified && !local->escapes)
        declaredType = declaredType.withConst();
      called.renamed[parameter] = freeName(parameter->getNameAsString());
      const auto declaration =
          replacedIn(declared(declaredType, called.renamed[parameter]), called.ofTemplate);
      if (!declaration ||
          (caller_.inTemplate && called.ofTemplate.count(called.renamed[parameter])))
        return false;
      called.head += *declaration + " = " + *text + "; ";
    }
    return true;
  }

  /// Whether a reference is to an element of a shared array which threads choose: `systems[warp]`.
  bool isElementOfThread(clang::QualType type, const clang::Expr* argument) const {
    const auto* element = caller_.kernel && type->isLValueReferenceType()
                              ? elementReferred(body_, type, argument)
                              : nullptr;
    return element && !indexOf(element)->HasSideEffects(body_.unit.context()) &&
           !llvm::isa<clang::IntegerLiteral>(indexOf(element)->IgnoreParenImpCasts());
  }

  /// `*p` of a pointer that is only followed is what stands for it.
  bool follow(Called& called, const clang::ParmVarDecl* parameter) const {
    if (!parameter->getType()->isPointerType())
      return true;
    for (const clang::UnaryOperator* op : called.contents.followed) {
      const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(op->getSubExpr()->IgnoreImpCasts());
      const auto at = use && use->getDecl() == parameter
                          ? body_.text.positionOf(op->getOperatorLoc())
                          : std::nullopt;
      if (use && use->getDecl() == parameter && (!at || at->file != called.range.file))
        return false;
      if (at)
        called.changes.instead[at->offset] = "";
    }
    return true;
  }

  /// Whether an argument by default is a number that means the same everywhere: `-FLT_MAX`.
  static bool isLiteral(const clang::Expr* e) {
    e = e->IgnoreParenImpCasts();
    const auto* sign = llvm::dyn_cast<clang::UnaryOperator>(e);
    if (sign && (sign->getOpcode() == clang::UO_Minus || sign->getOpcode() == clang::UO_Plus))
      e = sign->getSubExpr()->IgnoreParenImpCasts();
    return llvm::isa<clang::IntegerLiteral, clang::FloatingLiteral, clang::CXXBoolLiteralExpr>(e);
  }
  std::optional<std::string> literalText(const clang::Expr* e) const {
    std::string out;
    llvm::raw_string_ostream stream(out);
    e->printPretty(stream, nullptr, body_.unit.context().getPrintingPolicy());
    return out;
  }

  /// Declares a lambda that a function is given; one with a name stands for the parameter itself.
  bool giveLambda(const clang::ParmVarDecl* parameter, const clang::Expr* argument,
                  const clang::LambdaExpr* lambda, Called& called) {
    if (lambda->isMutable() || parameter->getName().empty())
      return false;
    if (const clang::VarDecl* variable = variableIn(argument)) {
      called.renamed[parameter] = variable->getNameAsString();
      return true;
    }
    const auto written = body_.text.rangeOf(lambda->getSourceRange());
    const auto text =
        written && !lambda->getBeginLoc().isMacroID() && !lambda->getEndLoc().isMacroID()
            ? onOneLine(body_.text, *written, {})
            : std::nullopt;
    if (!text)
      return false;
    called.unique = true;
    called.renamed[parameter] = freeName(givenLambda + parameter->getNameAsString());
    called.head += "const auto " + called.renamed[parameter] + " = " + *text + "; ";
    return true;
  }
  /// Whether a lambda that the function is given may change a variable whose value is an argument.
  bool mayChange(const clang::Expr* argument, clang::QualType type) const {
    const clang::VarDecl* variable = variableIn(argument);
    const LocalVariable* local = variable ? body_.variables.find(variable) : nullptr;
    return which_ == Which::Given && !type->isReferenceType() && variable &&
           !variable->getType()->isArrayType() && (!local || local->modified || local->escapes) &&
           !(llvm::isa<clang::ParmVarDecl>(variable) && !local);
  }
  /// Whether a parameter refers to nothing but an argument's value.
  static bool isConstValue(clang::QualType type, const clang::Expr* argument) {
    return type->isLValueReferenceType() && type->getPointeeType().isConstQualified() &&
           type->getPointeeType()->isArithmeticType() && !argument->isTypeDependent() &&
           argument->IgnoreImplicit()->isPRValue() &&
           argument->IgnoreImplicit()->getType()->isArithmeticType();
  }

  /// Writes the caller's names for variables and parameters.
  bool rename(Called& called) {
    const FileRange& range = called.range;
    const auto declare = [&](const clang::ValueDecl* decl) {
      called.renamed[decl] = freeName(decl->getNameAsString());
      const auto at = body_.text.positionOf(decl->getLocation());
      if (!at || at->file != range.file)
        return false;
      called.changes.instead[at->offset] = called.renamed[decl];
      return true;
    };
    if (!llvm::all_of(called.contents.declared, declare) ||
        !llvm::all_of(called.contents.bindings, declare))
      return false;
    std::vector<const clang::DeclRefExpr*> uses = called.contents.uses;
    uses.insert(uses.end(), called.contents.bindingUses.begin(), called.contents.bindingUses.end());
    for (const clang::DeclRefExpr* use : uses) {
      const auto name = called.renamed.find(use->getDecl());
      const auto at = body_.text.positionOf(use->getLocation());
      if (name == called.renamed.end())
        continue;
      // A macro's own text cannot name it.
      if (!at || at->file != range.file || at->offset < range.begin || at->offset >= range.end)
        return false;
      called.changes.instead[at->offset] = name->second;
    }
    return true;
  }

  /// Whether the variable that a call's value is stored in can be set by the body itself.
  bool isDirect(const CallSite& site, const Called& called) const {
    const clang::QualType type = called.definition->getReturnType();
    return site.result && !type->isVoidType() && site.result->hasLocalStorage() &&
           !site.result->getType()->isReferenceType() &&
           !site.result->getType().isVolatileQualified() &&
           isWrittenAs(site.result->getType(), type, called) &&
           (site.declares || !isGiven(site.result, site.call, called.definition));
  }
  /// Whether a type of the caller is a function's type, with its template's arguments.
  bool isWrittenAs(clang::QualType mine, clang::QualType type, const Called& called) const {
    if (!type->isDependentType())
      return body_.unit.context().hasSameUnqualifiedType(mine, type);
    const auto written =
        replacedIn(declared(type.getUnqualifiedType(), "value"), called.ofTemplate);
    return written && *written == declared(mine.getUnqualifiedType(), "value");
  }

  /// A name that can be part of another: operators have none.
  static std::string nameOf(const clang::FunctionDecl* function) {
    return function->getIdentifier() ? function->getNameAsString() : "call";
  }

  /// Whether a value is the same at a function's beginning as at its end.
  bool isSameThroughout(const clang::Expr* e, const Called& called) const {
    e = e->IgnoreParenImpCasts();
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e))
      return llvm::isa<clang::FieldDecl>(member->getMemberDecl()) &&
             !e->getType().isVolatileQualified() &&
             llvm::isa<clang::CXXThisExpr>(member->getBase()->IgnoreParenImpCasts()) &&
             llvm::cast<clang::CXXMethodDecl>(called.definition)->isConst();
    if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(e))
      return op->getOpcode() == clang::UO_Minus && isSameThroughout(op->getSubExpr(), called);
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e);
    const auto* parameter = use ? llvm::dyn_cast<clang::ParmVarDecl>(use->getDecl()) : nullptr;
    if (parameter) {
      const Uniformity inside(called.definition, {}, &caller_.facts);
      const LocalVariable* local = inside.find(parameter);
      return parameter->getType()->isArithmeticType() && local && !local->modified &&
             !local->escapes;
    }
    return llvm::isa<clang::IntegerLiteral, clang::FloatingLiteral, clang::CXXBoolLiteralExpr>(e);
  }
  /// Has returns that leave a loop break it, with a variable that tells of it; what follows runs
  /// where it does not. If that is nothing but to return what is known before, it comes first.
  bool leaveLoops(Called& called, const std::string& result, bool isNamed) {
    if (called.early.inLoops.empty())
      return true;
    const auto* list = llvm::cast<clang::CompoundStmt>(called.definition->getBody());
    const auto* last = llvm::dyn_cast<clang::ReturnStmt>(list->body_back());
    const bool isFirst = !result.empty() && !isNamed && last && last->getRetValue() &&
                         called.early.behind.size() == 1 && list->size() > 1 &&
                         called.early.behind.front() == *(list->body_end() - 2) &&
                         isSameThroughout(last->getRetValue(), called);
    const std::string left = isFirst ? std::string() : freeName("left");
    for (const clang::ReturnStmt* s : called.early.inLoops) {
      const auto at = body_.text.positionOf(s->getReturnLoc());
      const auto range = body_.text.rangeOf(s->getSourceRange());
      const auto end = range ? behindSemicolon(body_.text, *range) : std::nullopt;
      if (!at || !end || range->file != called.range.file)
        return false;
      called.changes.instead[at->offset] =
          "{ " + (left.empty() ? "" : left + " = true; ") + (result.empty() ? "" : result + " =");
      called.changes.behind[*end - 1] = " break; }";
    }
    if (!isFirst) {
      called.head += "bool " + left + " = false; ";
      called.left = left;
      return true;
    }
    const clang::Stmt* loop = called.early.behind.front();
    const auto value = body_.text.rangeOf(last->getRetValue()->getSourceRange());
    const auto start = body_.text.positionOf(loop->getBeginLoc());
    const auto back = body_.text.rangeOf(last->getSourceRange());
    const auto end = back ? behindSemicolon(body_.text, *back) : std::nullopt;
    const auto text = value ? onOneLine(body_.text, *value, called.changes) : std::nullopt;
    if (!text || !start || !end || !body_.text.isWhole(last->getRetValue()) ||
        start->file != called.range.file || back->file != called.range.file)
      return false;
    const char* word = llvm::isa<clang::ForStmt>(loop)     ? "for"
                       : llvm::isa<clang::WhileStmt>(loop) ? "while"
                                                           : "do";
    if (!body_.text.buffer(start->file).substr(start->offset).starts_with(word))
      return false;
    called.changes.instead[start->offset] = result + " = " + *text + "; " + word;
    const std::string gone = textOf({back->file, back->begin, *end}) + "\n";
    for (const RawToken& token : rawTokens(gone))
      called.changes.instead[back->begin + token.offset] = "";
    called.contents.returns.erase(last);
    called.early.behind.clear();
    return true;
  }

  /// Has returns set the result, and what follows a guard stand in its other side; braces around
  /// all.
  bool setResult(Called& called, const std::string& result, bool isNamed) {
    const FileRange& range = called.range;
    if (!leaveLoops(called, result, isNamed))
      return false;
    for (const clang::ReturnStmt* s : called.contents.returns) {
      const auto at = body_.text.positionOf(s->getReturnLoc());
      if (!at || at->file != range.file)
        return false;
      if (called.early.inLoops.count(s))
        continue;
      called.changes.instead[at->offset] = result.empty() || called.continued ? "" : result + " =";
      // The variable has its value already.
      const auto value =
          called.continued ? body_.text.rangeOf(s->getRetValue()->getSourceRange()) : std::nullopt;
      if (called.continued &&
          (!value || value->file != range.file || textOf(*value) != called.continued->getName()))
        return false;
      if (value)
        called.changes.instead[value->begin] = "";
    }
    unsigned open = 0;
    for (const clang::Stmt* s : called.early.behind) {
      const auto end = endOfStatement(s);
      if (!end || end->file != range.file)
        return false;
      called.changes.behind[end->offset] +=
          llvm::isa<clang::IfStmt>(s) ? " else {" : " if (!" + called.left + ") {";
      ++open;
    }
    called.changes.instead[range.begin] = "{ " + called.head;
    called.changes.instead[range.end - 1] = std::string(open, '}') + "}";
    return true;
  }

  /// Writes the body's text before the statement, or in its place.
  bool put(const CallSite& site, FileRange place, const std::string& text,
           const std::string& result, bool direct, const std::string& declaration) {
    unsigned end = place.end;
    if (!llvm::isa<clang::DeclStmt>(site.statement)) {
      const auto semicolon = behindSemicolon(body_.text, place);
      if (!semicolon)
        return false;
      end = *semicolon;
    }
    std::string out;
    if (!result.empty() && (!direct || site.declares))
      out = declaration + "; ";
    out += text;
    if (!result.empty() && !direct) {
      const auto call = body_.text.rangeOf(site.call->getSourceRange());
      if (!call || call->file != place.file)
        return false;
      const llvm::StringRef all = body_.text.buffer(place.file);
      out += " " + all.slice(place.begin, call->begin).str() + result +
             all.slice(call->end, end).str();
    }
    if (!site.inList)
      out = "{ " + out + " }";
    const llvm::StringRef before = body_.text.buffer(place.file).slice(place.begin, end);
    auto& edits = body_.changes[place.file];
    const auto behind = edits.lower_bound(place.begin);
    if ((behind != edits.end() && behind->first < end) ||
        (behind != edits.begin() && std::prev(behind)->second.first > place.begin))
      return false;
    edits[place.begin] = {end, withLinesOf(before, out)};
    return true;
  }

  /// Whether a call gets a variable by reference or its address.
  bool isGiven(const clang::VarDecl* variable, const clang::CallExpr* call,
               const clang::FunctionDecl* callee) const {
    const LocalVariable* local = body_.variables.find(variable);
    if (!local || local->pointed)
      return true;
    for (unsigned i = 0; i < callee->getNumParams(); ++i) {
      PlainVisitor names;
      names.TraverseStmt(const_cast<clang::Expr*>(givenTo(callee, i, call)));
      if (names.usesOf(variable) > 0 && callee->getParamDecl(i)->getType()->isReferenceType())
        return true;
    }
    return false;
  }

  /// The place of a statement's last token.
  std::optional<FilePosition> endOfStatement(const clang::Stmt* s) const {
    const auto* branch = llvm::dyn_cast<clang::IfStmt>(s);
    const auto* f = llvm::dyn_cast<clang::ForStmt>(s);
    const auto* w = llvm::dyn_cast<clang::WhileStmt>(s);
    const clang::Stmt* inner = branch ? branch->getThen()
                               : f    ? f->getBody()
                               : w    ? w->getBody()
                                      : nullptr;
    if (const auto* list = llvm::dyn_cast_or_null<clang::CompoundStmt>(inner))
      return list->getRBracLoc().isMacroID() ? std::nullopt
                                             : body_.text.positionOf(list->getRBracLoc());
    const auto range = body_.text.rangeOf(s->getSourceRange());
    const auto semicolon = range ? behindSemicolon(body_.text, *range) : std::nullopt;
    if (!semicolon)
      return std::nullopt;
    return FilePosition{range->file, *semicolon - 1};
  }

  /// Dynamic shared memory that caller and function declare alike is the same.
  bool dropShared(const CalledBody& contents, TokenChanges& changes, std::set<std::string>& own) {
    for (const clang::DeclStmt* s : contents.shared) {
      const auto* variable = llvm::cast<clang::VarDecl>(s->getSingleDecl());
      bool declared = false;
      for (const clang::DeclStmt* mine : body_.contents.declarations) {
        const auto* other =
            mine->isSingleDecl() ? llvm::dyn_cast<clang::VarDecl>(mine->getSingleDecl()) : nullptr;
        declared |= other && isShared(other) && isDynamicShared(other) &&
                    other->getName() == variable->getName() &&
                    body_.variables.parents().getParent(mine) == body_.function->getBody() &&
                    body_.unit.context().hasSameType(other->getType(), variable->getType());
      }
      own.insert(variable->getNameAsString());
      if (!declared) {
        if (names_.count(variable->getNameAsString()))
          return false;
        continue;
      }
      const auto range = body_.text.rangeOf(s->getSourceRange());
      if (!range)
        return false;
      const std::string text = textOf(*range) + "\n";
      for (const RawToken& token : rawTokens(text))
        changes.instead[range->begin + token.offset] = "";
      if (!llvm::StringRef(text).rtrim().ends_with(";"))
        return false;
    }
    return true;
  }

  /// Finds what a function's own shared variables are called in the caller. Several calls share
  /// them, which the caller then declares at its top.
  bool nameShared(Called& called) {
    if (called.contents.ownShared.empty())
      return true;
    const clang::FunctionDecl* function = called.facts.decl;
    if (called.unique) {
      for (const clang::DeclStmt* s : called.contents.ownShared)
        called.contents.declared.push_back(llvm::cast<clang::VarDecl>(s->getSingleDecl()));
      return true;
    }
    ownsShared_.insert(function);
    std::string instance;
    for (const auto& [parameter, text] : called.ofTemplate) {
      if (text.empty() && calls_.at(function) > 1)
        return false;
      instance += parameter + "=" + text + ";";
    }
    for (const clang::DeclStmt* s : called.contents.ownShared) {
      const auto* variable = llvm::cast<clang::VarDecl>(s->getSingleDecl());
      if (calls_.at(function) == 1) {
        called.contents.declared.push_back(variable);
        continue;
      }
      auto [found, isNew] = hoisted_.emplace(std::pair(variable->getLocation(), instance), "");
      if (isNew)
        found->second = freeName(variable->getNameAsString());
      called.renamed[variable] = found->second;
      if (isNew)
        called.hoisted.push_back(found->second);
    }
    return true;
  }
  /// Takes the declarations of shared variables that the caller is to declare out of the text.
  bool moveShared(Called& called) {
    if (called.contents.ownShared.empty() || called.unique || calls_.at(called.facts.decl) == 1)
      return true;
    std::set<std::string> locals = body_.declaredNames();
    for (const clang::ParmVarDecl* parameter : body_.function->parameters())
      locals.erase(parameter->getNameAsString());
    if (const auto* pattern = body_.function->getDescribedFunctionTemplate())
      for (const clang::NamedDecl* parameter : *pattern->getTemplateParameters())
        locals.erase(parameter->getNameAsString());
    for (const clang::VarDecl* variable : called.contents.declared)
      locals.insert(called.renamed.at(variable));
    std::vector<std::string> texts;
    for (const clang::DeclStmt* s : called.contents.ownShared) {
      const auto* variable = llvm::cast<clang::VarDecl>(s->getSingleDecl());
      const std::string& name = called.renamed.at(variable);
      const auto range = body_.text.rangeOf(s->getSourceRange());
      const auto at = body_.text.positionOf(variable->getLocation());
      if (!range || !at || range->file != called.range.file || at->file != range->file)
        return false;
      called.changes.instead[at->offset] = name;
      const auto text = onOneLine(body_.text, *range, called.changes);
      if (!text || !llvm::StringRef(*text).rtrim().ends_with(";"))
        return false;
      for (const std::string& named : identifiersIn(*text, false))
        if (locals.count(named))
          return false;
      if (std::find(called.hoisted.begin(), called.hoisted.end(), name) != called.hoisted.end())
        texts.push_back(*text);
      const std::string own = textOf(*range) + "\n";
      for (const RawToken& token : rawTokens(own))
        called.changes.instead[range->begin + token.offset] = "";
    }
    called.hoisted = std::move(texts);
    return true;
  }
  void putShared(const Called& called) {
    const auto top = body_.text.positionOf(body_.function->getBody()->getBeginLoc());
    for (const std::string& declaration : called.hoisted) {
      auto& [end, text] = body_.changes[top->file][top->offset];
      end = top->offset + 1;
      text = (text.empty() ? "{" : text) + " " + declaration;
    }
  }

  std::string textOf(const FileRange& range) const {
    return body_.text.buffer(range.file).slice(range.begin, range.end).str();
  }

  /// Whether a macro that a function's text names changes behind it.
  bool changesMacros(const FileRange& range, const FileRange& place) const {
    if (range.file != place.file)
      return false;
    const auto changed = bodyMacros(body_.text.buffer(range.file), range.begin, place.begin).names;
    const auto named = identifiersIn(textOf(range));
    return std::any_of(changed.begin(), changed.end(),
                       [&](const std::string& name) { return named.count(name) != 0; });
  }
  /// Whether a file defines or undefines a macro that a header's function names.
  bool definesMacros(const std::string& file, const FileRange& range) const {
    const llvm::StringRef all = body_.text.buffer(file);
    const auto changed = bodyMacros(all, 0, unsigned(all.size())).names;
    const auto named = identifiersIn(textOf(range));
    return std::any_of(changed.begin(), changed.end(),
                       [&](const std::string& name) { return named.count(name) != 0; });
  }

  const PlainBody& body_;
  const SharedWithOthers& shared_;
  const Caller caller_;
  const Which which_;
  std::set<std::string> names_;                          ///< all identifiers in the caller's text
  std::map<const clang::FunctionDecl*, unsigned> calls_; ///< how often each function is called
  std::set<const clang::FunctionDecl*> ownsShared_;      ///< that declare shared variables
  std::set<const clang::FunctionDecl*> stays_;           ///< that are not to be written out
  /// What the shared variables of functions' instances are called at the caller's top.
  std::map<std::pair<clang::SourceLocation, std::string>, std::string> hoisted_;
};

} // namespace

void writeOutCalls(const PlainBody& body, const Facts& facts, const SharedWithOthers& shared) {
  if (!body.contents.lambdas && !llvm::isa<clang::CXXMethodDecl>(body.function))
    WritingOut(body, facts, shared, Which::Loops).run();
}

void writeOutMeetings(const PlainBody& body, const Facts& facts, const SharedWithOthers& shared) {
  if (!body.contents.lambdas)
    WritingOut(body, facts, shared, Which::Meetings).run();
}

void writeOutOwners(const PlainBody& body, const Facts& facts, const SharedWithOthers& shared) {
  if (!body.contents.lambdas)
    WritingOut(body, facts, shared, Which::Owned).run();
}

void writeOutGiven(const PlainBody& body, const Facts& facts, const SharedWithOthers& shared) {
  WritingOut(body, facts, shared, Which::Given).run();
}

} // namespace cu2cpp
