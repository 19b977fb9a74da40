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
// A loop that a kernel calls is run by one thread after the other; one that stands in it can be
// taken out of the loop over threads. The other plain forms then find everything in one place.
// Parameters that stay as they are become the variables that they are given. Lines stay the user's,
// so all is on one.
#include "analyse/plain_calls.h"

#include <algorithm>
#include <set>

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"

#include "analyse/marks.h"
#include "parse/body_macros.h"
#include "parse/raw_tokens.h"

namespace cu2cpp {
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

/// All identifiers in a piece of text; `members` says whether those of members are among them.
std::set<std::string> identifiersIn(const std::string& text, bool members = true) {
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

/// Whether a type's variables can be declared and set later.
bool canBeSet(clang::QualType type) {
  const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
  return type->isScalarType() ||
         (record && record->hasTrivialDefaultConstructor() && record->isTriviallyCopyable());
}

/// Whether `if (...) return x;` guards, at a body's top, and its end are all of its returns.
bool returnsPlainly(const clang::CompoundStmt* list, const CalledBody& contents,
                    std::vector<const clang::IfStmt*>& guards) {
  std::size_t found = 0;
  for (const clang::Stmt* s : list->body()) {
    if (llvm::isa<clang::ReturnStmt>(s)) {
      ++found;
      if (s != list->body_back())
        return false;
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
      guards.push_back(branch);
      ++found;
    }
  }
  return found == contents.returns.size();
}

class WritingOut {
public:
  WritingOut(const PlainBody& body, const Facts& facts, const SharedWithOthers& shared)
      : body_(body), shared_(shared), caller_(body, facts) {}

  void run() {
    const auto range = body_.text.rangeOf(body_.function->getSourceRange());
    if (!range)
      return;
    constexpr unsigned mostText = 40000;
    if (range->end - range->begin > mostText)
      return;
    names_ = identifiersIn(textOf(*range));
    std::set<const clang::Stmt*> changed;
    for (const clang::CallExpr* call : body_.contents.calls) {
      const auto site = siteOf(call, body_.variables.parents());
      if (site && !changed.count(site->statement) && write(*site))
        changed.insert(site->statement);
    }
  }

private:
  /// A function whose body is to stand in a call's place, and what becomes of its text.
  struct Called {
    const FunctionFacts& facts;
    const clang::FunctionDecl* definition;
    FileRange range; ///< of its body
    CalledBody contents;
    std::vector<const clang::IfStmt*> guards; ///< `if (...) return x;`
    TokenChanges changes = {};
    TemplateTexts ofTemplate = {};
    std::map<const clang::VarDecl*, std::string> renamed = {};
    std::string head = {}; ///< declares its parameters
  };

  std::string declared(clang::QualType type, const std::string& name) const {
    std::string out;
    llvm::raw_string_ostream stream(out);
    type.print(stream, body_.unit.context().getPrintingPolicy(), name);
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
    if (!f || f->kernel || !f->device || !callee->hasBody(definition) ||
        (definition->isDependentContext() && !caller_.inTemplate) ||
        llvm::isa<clang::CXXMethodDecl>(callee) || callee->isVariadic() ||
        callee->hasAttr<clang::NoInlineAttr>() || definition->hasAttr<clang::NoInlineAttr>() ||
        f->decl->getNumParams() != definition->getNumParams() ||
        definition->getNumParams() != site.call->getNumArgs() ||
        definition->getDeclContext()->getRedeclContext() !=
            body_.function->getDeclContext()->getRedeclContext() ||
        !meetsNobody(*f, caller_.facts, f->decl) || f->decl == definitionOf(body_.function))
      return std::nullopt;
    const auto* list = llvm::dyn_cast<clang::CompoundStmt>(definition->getBody());
    const auto range = list ? body_.text.rangeOf(list->getSourceRange()) : std::nullopt;
    if (!range || list->getLBracLoc().isMacroID() || list->getRBracLoc().isMacroID() ||
        (range->file == place.file ? range->end > place.begin
                                   : shared_.headers || definesMacros(place.file, *range)))
      return std::nullopt;
    if (list->body_empty() || changesMacros(*range, place))
      return std::nullopt;
    Called called{*f, definition, *range, CalledBody(list), {}};
    if (!called.contents.fits || !returnsPlainly(list, called.contents, called.guards) ||
        !(exchanges(caller_, definition, site.call) || pays(caller_, *f, definition, site.call)))
      return std::nullopt;
    const clang::QualType type = definition->getReturnType();
    const bool returns = !type->isVoidType();
    if (caller_.inTemplate && (returns || !site.alone))
      return std::nullopt;
    if (returns && !llvm::isa<clang::ReturnStmt>(list->body_back()))
      return std::nullopt;
    if (returns && (type->isReferenceType() || !canBeSet(type.getUnqualifiedType())))
      return std::nullopt;
    return called;
  }

  /// Writes one call out; false if it stays.
  bool write(const CallSite& site) {
    const auto place = body_.text.rangeOf(site.statement->getSourceRange());
    if (!place || site.statement->getBeginLoc().isMacroID() ||
        site.statement->getEndLoc().isMacroID())
      return false;
    auto called = find(site, *place);
    if (!called || !keepNames(*called))
      return false;
    auto written = templateTexts(caller_, called->facts, called->definition, site.call);
    if (!written || !replaceTemplateParameters(caller_, *written, called->range, called->changes))
      return false;
    called->ofTemplate = std::move(*written);
    if (!giveParameters(site, *called) || !rename(*called))
      return false;
    // The result.
    const clang::QualType type = called->definition->getReturnType();
    const bool direct = isDirect(site, type);
    const std::string result = type->isVoidType() || site.alone ? std::string()
                               : direct
                                   ? site.result->getNameAsString()
                                   : freeName(called->definition->getNameAsString() + "_result");
    if (!setResult(*called, result))
      return false;
    const auto text = onOneLine(body_.text, called->range, called->changes);
    return text && put(site, *place, *text, result, direct, type);
  }

  /// Whether what the body's text means by its names is the same in the caller.
  bool keepNames(Called& called) {
    std::set<std::string> own;
    for (const clang::VarDecl* variable : called.contents.declared)
      own.insert(variable->getNameAsString());
    for (const clang::ParmVarDecl* parameter : called.definition->parameters())
      own.insert(parameter->getNameAsString());
    if (const auto* pattern = called.facts.decl->getDescribedFunctionTemplate())
      for (const clang::NamedDecl* parameter : *pattern->getTemplateParameters())
        own.insert(parameter->getNameAsString());
    if (!dropShared(called.contents, called.changes, own))
      return false;
    const std::set<std::string> callers = body_.declaredNames();
    for (const std::string& name : identifiersIn(textOf(called.range), false))
      if (name == "decltype" || (!own.count(name) && callers.count(name)))
        return false;
    return true;
  }

  /// Finds what each parameter is called in the caller, and declares those that need variables of
  /// their own.
  bool giveParameters(const CallSite& site, Called& called) {
    const FunctionFacts& f = called.facts;
    const Uniformity inside(f.decl, {}, &caller_.facts);
    for (unsigned i = 0; i < called.definition->getNumParams(); ++i) {
      const clang::ParmVarDecl* parameter = called.definition->getParamDecl(i);
      const clang::Expr* argument = site.call->getArg(i);
      const LocalVariable* local = inside.find(f.decl->getParamDecl(i));
      if (llvm::isa<clang::CXXDefaultArgExpr>(argument))
        return false;
      if (std::string given = standsFor(caller_, parameter, local, argument, called.contents);
          !given.empty()) {
        called.renamed[parameter] = std::move(given);
        continue;
      }
      const auto written = body_.text.rangeOf(argument->getSourceRange());
      const auto text = written && body_.text.isWhole(argument)
                            ? onOneLine(body_.text, *written, {})
                            : std::nullopt;
      if (!text)
        return false;
      if (sharedElement(caller_, parameter, argument) &&
          exchanges(caller_, called.definition, site.call)) {
        called.renamed[parameter] = *text;
        continue;
      }
      if (parameter->getName().empty()) {
        if (argument->HasSideEffects(body_.unit.context()))
          return false;
        continue;
      }
      clang::QualType declaredType = parameter->getType();
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

  /// Writes the caller's names for variables and parameters.
  bool rename(Called& called) {
    const FileRange& range = called.range;
    for (const clang::VarDecl* variable : called.contents.declared) {
      called.renamed[variable] = freeName(variable->getNameAsString());
      const auto at = body_.text.positionOf(variable->getLocation());
      if (!at || at->file != range.file)
        return false;
      called.changes.instead[at->offset] = called.renamed[variable];
    }
    for (const clang::DeclRefExpr* use : called.contents.uses) {
      const auto name = called.renamed.find(llvm::cast<clang::VarDecl>(use->getDecl()));
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
  bool isDirect(const CallSite& site, clang::QualType type) const {
    return site.result && !type->isVoidType() && site.result->hasLocalStorage() &&
           !site.result->getType()->isReferenceType() &&
           !site.result->getType().isVolatileQualified() &&
           body_.unit.context().hasSameUnqualifiedType(site.result->getType(), type) &&
           (site.declares || !isGiven(site.result, site.call));
  }

  /// Has returns set the result, and what follows a guard stand in its other side; braces around
  /// all.
  bool setResult(Called& called, const std::string& result) const {
    const FileRange& range = called.range;
    for (const clang::ReturnStmt* s : called.contents.returns) {
      const auto at = body_.text.positionOf(s->getReturnLoc());
      if (!at || at->file != range.file)
        return false;
      called.changes.instead[at->offset] = result.empty() ? "" : result + " =";
    }
    unsigned open = 0;
    for (const clang::IfStmt* guard : called.guards) {
      const auto end = endOfStatement(guard);
      if (!end || end->file != range.file)
        return false;
      called.changes.behind[end->offset] = " else {";
      ++open;
    }
    called.changes.instead[range.begin] = "{ " + called.head;
    called.changes.instead[range.end - 1] = std::string(open, '}') + "}";
    return true;
  }

  /// Writes the body's text before the statement, or in its place.
  bool put(const CallSite& site, FileRange place, const std::string& text,
           const std::string& result, bool direct, clang::QualType type) {
    unsigned end = place.end;
    if (!llvm::isa<clang::DeclStmt>(site.statement)) {
      const auto semicolon = behindSemicolon(body_.text, place);
      if (!semicolon)
        return false;
      end = *semicolon;
    }
    std::string out;
    if (!result.empty() && (!direct || site.declares))
      out = declared(type.getUnqualifiedType(), result) + "; ";
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
  bool isGiven(const clang::VarDecl* variable, const clang::CallExpr* call) const {
    const LocalVariable* local = body_.variables.find(variable);
    if (!local || local->escapes)
      return true;
    for (unsigned i = 0; i < call->getNumArgs(); ++i) {
      PlainVisitor names;
      names.TraverseStmt(const_cast<clang::Expr*>(call->getArg(i)));
      const clang::FunctionDecl* callee = call->getDirectCallee();
      if (names.usesOf(variable) > 0 && callee->getParamDecl(i)->getType()->isReferenceType())
        return true;
    }
    return false;
  }

  /// The place of a statement's last token.
  std::optional<FilePosition> endOfStatement(const clang::IfStmt* s) const {
    if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(s->getThen()))
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
        declared |= other && isShared(other) && isDynamic(other) &&
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
  std::set<std::string> names_; ///< all identifiers in the caller's text
};

} // namespace

void writeOutCalls(const PlainBody& body, const Facts& facts, const SharedWithOthers& shared) {
  if (!body.contents.lambdas && !llvm::isa<clang::CXXMethodDecl>(body.function))
    WritingOut(body, facts, shared).run();
}

} // namespace cu2cpp
