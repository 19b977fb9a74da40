// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device functions are given the built-in variables that they name:
//
//   __device__ int row() { ... threadIdx.y }    __device__ int row(const uint3 threadIdx) { ... }
//   out[row()] = 0;                             out[row(threadIdx)] = 0;
//
// or are written where they are called, if they only compute something from built-in variables:
//
//   __device__ int id() { return blockIdx.x * 64 + threadIdx.x; }
//   int i = id();                               int i = blockIdx.x * 64 + threadIdx.x;
//
// Likewise methods, which calls in templates may name for several classes: all of these are given
// the same then.
//
// No thread has to tell a function which thread it is then, and loops over threads know how the
// results differ.
// Needs: findFunctions(). Leaves: functions that are more than called, and what waits.
#include "analyse/plain_builtins.h"

#include <algorithm>

#include "clang/AST/DeclTemplate.h"

#include "analyse/group_calls.h"
#include "analyse/marks.h"

namespace cu2cpp {
namespace {

/// Every place where the user's code names a function, and the calls among them.
class NamedFunctions : public SyntaxVisitor {
public:
  explicit NamedFunctions(const SourceUnit& unit) : unit_(unit) {}

  std::map<clang::SourceLocation, std::set<const clang::FunctionDecl*>> names;
  std::map<clang::SourceLocation, const clang::CallExpr*> calls;
  std::map<const clang::CallExpr*, const clang::VarDecl*> initialised;
  std::set<clang::SourceLocation> variables; ///< what an instance may call in a method's place
  std::map<clang::SourceLocation, std::string>
      dependent;                     ///< names of members that only instances know
  std::set<std::string> specialised; ///< names of methods with other versions

  bool shouldVisitTemplateInstantiations() const override { return true; }
  bool TraverseDecl(clang::Decl* decl) override {
    return !decl || !unit_.mayHoldUserCode(decl) || SyntaxVisitor::TraverseDecl(decl);
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(use->getDecl()))
      names[use->getLocation()].insert(definitionOf(function));
    else
      variables.insert(use->getLocation());
    return true;
  }
  bool VisitMemberExpr(clang::MemberExpr* member) override {
    if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(member->getMemberDecl()))
      names[member->getMemberLoc()].insert(definitionOf(method));
    else
      variables.insert(member->getMemberLoc());
    return true;
  }
  bool VisitCXXDependentScopeMemberExpr(clang::CXXDependentScopeMemberExpr* member) override {
    dependent[member->getMemberLoc()] = member->getMember().getAsString();
    return true;
  }
  bool VisitDependentScopeDeclRefExpr(clang::DependentScopeDeclRefExpr* use) override {
    dependent[use->getLocation()] = use->getDeclName().getAsString();
    return true;
  }
  bool VisitFunctionDecl(clang::FunctionDecl* function) override {
    if (llvm::isa<clang::CXXMethodDecl>(function) &&
        function->getTemplateSpecializationKind() != clang::TSK_Undeclared &&
        function->getTemplateSpecializationKind() != clang::TSK_ImplicitInstantiation)
      specialised.insert(function->getNameAsString());
    return true;
  }
  bool VisitOverloadExpr(clang::OverloadExpr* overloads) override {
    for (const clang::NamedDecl* candidate : overloads->decls()) {
      candidate = candidate->getUnderlyingDecl();
      if (const auto* pattern = llvm::dyn_cast<clang::FunctionTemplateDecl>(candidate))
        candidate = pattern->getTemplatedDecl();
      if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(candidate))
        names[overloads->getNameLoc()].insert(definitionOf(function));
    }
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    calls.emplace(namePlace(call), call);
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (const clang::Expr* value = variable->getInit())
      if (const auto* call = llvm::dyn_cast<clang::CallExpr>(value->IgnoreImpCasts()))
        initialised[call] = variable;
    return true;
  }

private:
  const SourceUnit& unit_;
};

/// Whether a body has functions of its own, to which parameters of it are strangers.
bool holdsFunctions(const clang::Stmt* s) {
  if (!s)
    return false;
  if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s))
    for (const clang::Decl* decl : declaration->decls())
      if (llvm::isa<clang::TagDecl>(decl))
        return true;
  return llvm::isa<clang::LambdaExpr>(s) ||
         std::any_of(s->child_begin(), s->child_end(), holdsFunctions);
}

/// Whether an expression is computed from built-in variables and numbers alone.
bool isOfBuiltins(const clang::Stmt* s) {
  if (s->getBeginLoc().isMacroID() || s->getEndLoc().isMacroID())
    return false;
  if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(s))
    return builtinOf(use->getDecl()) != 0;
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(s);
      op && (op->isAssignmentOp() || op->isCommaOp()))
    return false;
  return llvm::isa<clang::BinaryOperator, clang::ParenExpr, clang::IntegerLiteral,
                   clang::ImplicitCastExpr, clang::MemberExpr>(s) &&
         std::all_of(s->child_begin(), s->child_end(), isOfBuiltins);
}

class BuiltinPasser {
public:
  BuiltinPasser(const SourceUnit& unit, const SourceText& text, const Facts& facts,
                const SharedWithOthers& shared, PlainChanges& changes)
      : unit_(unit), text_(text), facts_(facts), shared_(shared), changes_(changes), named_(unit) {}

  void run() {
    findWaiting();
    for (const auto& [place, caller] : facts_.functions) {
      // A lambda that captures nothing would have to ask for the thread itself.
      const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(caller.decl);
      const bool passes =
          caller.device && !caller.host && !(method && method->getParent()->isLambda());
      for (const UserCall& call : caller.calls)
        (passes ? byDevice_ : byOthers_).insert(call.at);
    }
    for (const auto& [place, f] : facts_.functions)
      if (mayChange(f))
        needs_[&f] = f.builtins;
    if (std::all_of(needs_.begin(), needs_.end(), [](const auto& n) { return n.second == 0; }))
      return;
    named_.TraverseDecl(unit_.context().getTranslationUnitDecl());
    keepNamedOtherwise();
    for (bool changed = true; changed;) {
      changed = false;
      const auto add = [&](const FunctionFacts* f, unsigned more) {
        unsigned& needs = needs_.at(f);
        changed |= (needs | more) != std::exchange(needs, needs | more);
      };
      for (const auto& [f, needs] : needs_)
        for (const clang::FunctionDecl* callee : f->callees)
          if (const auto other = needs_.find(facts_.find(callee)); other != needs_.end())
            add(f, other->second);
      for (const auto& [place, functions] : named_.names)
        if (functions.size() > 1 && needs_.count(facts_.find(*functions.begin())))
          for (const clang::FunctionDecl* one : functions)
            for (const clang::FunctionDecl* other : functions)
              add(facts_.find(one), needs_.at(facts_.find(other)));
    }
    for (const auto& [f, needs] : needs_)
      if (std::string result = resultOf(*f); !result.empty())
        results_[f] = std::move(result);
    std::set<const FunctionFacts*> called;
    for (const auto& [place, functions] : named_.names)
      for (const clang::FunctionDecl* function : functions) {
        called.insert(facts_.find(function));
        if (functions.size() > 1 || !isForItsValueAlone(place))
          results_.erase(facts_.find(function));
      }
    for (const auto& [f, needs] : needs_)
      if (needs != 0 && called.count(f)) {
        if (!results_.count(f))
          insert(parametersEnd(f->decl), f->decl->getNumParams() > 0, needs, true);
        else if (!llvm::isa<clang::CXXMethodDecl>(f->decl))
          markUnused(f->decl);
      }
    for (const auto& [place, functions] : named_.names)
      if (const auto found = needs_.find(facts_.find(*functions.begin()));
          found != needs_.end() && found->second != 0)
        change(named_.calls.at(place), *found->first, found->second);
  }

private:
  /// Functions stay that are more than called, and methods that other code may ask for by name.
  void keepNamedOtherwise() {
    std::set<std::string> names = named_.specialised;
    for (const auto& [place, name] : named_.dependent)
      if (!isPlainCall(place))
        names.insert(name);
    const auto keep = [&](const FunctionFacts* f) { return f && needs_.erase(f) > 0; };
    for (const auto& [place, f] : facts_.functions)
      if (llvm::isa<clang::CXXMethodDecl>(f.decl) && names.count(f.decl->getNameAsString()))
        keep(&f);
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& [place, functions] : named_.names)
        if (!isPlainCall(place) ||
            (functions.size() > 1 &&
             !std::all_of(functions.begin(), functions.end(), [&](const auto* function) {
               return llvm::isa<clang::CXXMethodDecl>(function) &&
                      needs_.count(facts_.find(function));
             })))
          for (const clang::FunctionDecl* function : functions)
            changed |= keep(facts_.find(function));
    }
  }

  /// Whether nothing else than the function's value is lost where a call is replaced by it.
  bool isForItsValueAlone(clang::SourceLocation place) const {
    const auto call = named_.calls.find(place);
    if (call == named_.calls.end() || !text_.rangeOf(call->second->getSourceRange()))
      return false;
    const clang::Expr* callee = call->second->getCallee()->IgnoreParenImpCasts();
    const clang::Expr* object = nullptr;
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(callee)) {
      object = member->getBase();
    } else if (const auto* dependent = llvm::dyn_cast<clang::CXXDependentScopeMemberExpr>(callee);
               dependent && !dependent->isImplicitAccess()) {
      if (dependent->isArrow())
        return false; // by an operator that may do something
      object = dependent->getBase();
    }
    return !object ||
           llvm::isa<clang::DeclRefExpr, clang::CXXThisExpr>(object->IgnoreParenImpCasts());
  }

  /// Functions that reach collectives have versions for all threads at once.
  void findWaiting() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& [place, f] : facts_.functions) {
        const bool waits =
            !f.collectives.empty() || f.own.scope != Scope::None || f.readsThread ||
            std::any_of(f.callees.begin(), f.callees.end(), [&](const clang::FunctionDecl* callee) {
              const FunctionFacts* known = facts_.find(callee);
              return known ? waiting_.count(known) != 0
                           : hasMark(callee, "device") && !hasMark(callee, "host");
            });
        changed |= waits && waiting_.insert(&f).second;
      }
    }
  }

  bool isEditable(clang::SourceLocation at) const {
    const auto place = text_.positionOf(at);
    return place && !at.isMacroID() && unit_.isUser(at) &&
           (!shared_.headers || place->file == unit_.mainFile());
  }

  bool mayChange(const FunctionFacts& f) const {
    const clang::FunctionDecl* decl = f.decl;
    if (f.kernel || !f.device || f.host || waiting_.count(&f) || f.builtinsOutsideBody ||
        !f.qualifiedUses.empty() || !f.assembly.empty() || !decl->getIdentifier() ||
        decl->isVariadic() || decl->isExternC() || decl->isOverloadedOperator() ||
        !decl->getBody() || holdsFunctions(decl->getBody()) || hasOtherDeclarations(decl))
      return false;
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(decl);
    if (method ? !mayChangeMethod(method) : !decl->getDeclContext()->isFileContext())
      return false;
    // Other files may call it.
    if (shared_.functions && !decl->isInlined() && decl->isExternallyVisible() &&
        !decl->getDescribedFunctionTemplate())
      return false;
    for (const clang::ParmVarDecl* parameter : decl->parameters())
      if (parameter->hasDefaultArg() || parameter->isParameterPack() ||
          parameter->getName() == "dim3" || parameter->getName() == "uint3")
        return false;
    const clang::SourceLocation end = parametersEnd(decl);
    return isEditable(decl->getLocation()) && isEditable(end) && !mayBeHidden(decl);
  }

  /// Whether only calls by its name reach a method.
  static bool mayChangeMethod(const clang::CXXMethodDecl* method) {
    const clang::CXXRecordDecl* record = method->getParent();
    const clang::DeclContext* around = record;
    for (; around->isRecord(); around = around->getParent())
      for (const char* type : {"uint3", "dim3"})
        if (!around->lookup(&method->getASTContext().Idents.get(type)).empty())
          return false;
    // Loops over ranges and structured bindings call these without naming them.
    const llvm::StringRef name = method->getName();
    const auto others = record->lookup(method->getDeclName());
    return !method->isVirtual() && !record->isLambda() && around->isFileContext() &&
           std::distance(others.begin(), others.end()) == 1 && name != "begin" && name != "end" &&
           name != "get";
  }

  static bool hasOtherDeclarations(const clang::FunctionDecl* decl) {
    if (decl->getPreviousDecl() || decl->getMostRecentDecl() != decl ||
        decl->isFunctionTemplateSpecialization())
      return true;
    const clang::FunctionTemplateDecl* pattern = decl->getDescribedFunctionTemplate();
    return pattern &&
           (pattern->getPreviousDecl() || pattern->getMostRecentDecl() != pattern ||
            std::any_of(pattern->spec_begin(), pattern->spec_end(),
                        [](const clang::FunctionDecl* instance) {
                          return instance->getTemplateSpecializationKind() !=
                                     clang::TSK_ImplicitInstantiation &&
                                 instance->getTemplateSpecializationKind() != clang::TSK_Undeclared;
                        }));
  }

  /// Whether code that #if hides, or a macro, may name a function.
  bool mayBeHidden(const clang::FunctionDecl* decl) const {
    for (const std::string& file : unit_.userFiles())
      for (const auto& range : unit_.skippedRanges(file))
        if (unit_.userText(file).slice(range.first, range.second).contains(decl->getName()))
          return true;
    return false;
  }

  static clang::SourceLocation parametersEnd(const clang::FunctionDecl* decl) {
    const clang::FunctionTypeLoc type = decl->getFunctionTypeLoc();
    return type ? type.getRParenLoc() : clang::SourceLocation();
  }

  bool isPlainCall(clang::SourceLocation place) const {
    const auto call = named_.calls.find(place);
    return call != named_.calls.end() && byDevice_.count(place) && !byOthers_.count(place) &&
           !named_.variables.count(place) && isEditable(place) &&
           isEditable(call->second->getBeginLoc()) && isEditable(call->second->getRParenLoc());
  }

  /// What a function of no parameters computes from built-in variables, if it does nothing else.
  std::string resultOf(const FunctionFacts& f) const {
    const auto* body = llvm::dyn_cast<clang::CompoundStmt>(f.decl->getBody());
    const auto* only =
        body && body->size() == 1 ? llvm::dyn_cast<clang::ReturnStmt>(body->body_front()) : nullptr;
    if (!only || !only->getRetValue() || f.decl->getNumParams() != 0 ||
        f.decl->getDescribedFunctionTemplate() || !f.decl->getReturnType()->isBuiltinType() ||
        !f.decl->getReturnType()->isIntegerType() || !isOfBuiltins(only->getRetValue()))
      return "";
    const auto range = text_.rangeOf(only->getRetValue()->getSourceRange());
    const std::string text = range ? text_.text(*range) : "";
    return text.find('\n') == std::string::npos && text.find("//") == std::string::npos ? text : "";
  }

  /// No call of it is left.
  void markUnused(const clang::FunctionDecl* decl) {
    if (const auto at = text_.positionOf(unit_.sources().getExpansionLoc(decl->getBeginLoc())))
      changes_[at->file][at->offset] = {at->offset, "[[maybe_unused]] "};
  }

  void insert(clang::SourceLocation parenthesis, bool behindOthers, unsigned needs, bool declares) {
    std::string all;
    for (const auto& [builtin, name] : {std::pair<unsigned, const char*>{ThreadIdx, "threadIdx"},
                                        {BlockIdx, "blockIdx"},
                                        {BlockDim, "blockDim"},
                                        {GridDim, "gridDim"}})
      if (needs & builtin)
        all += std::string(behindOthers || !all.empty() ? ", " : "") +
               (!declares                          ? ""
                : builtin & (ThreadIdx | BlockIdx) ? "const uint3 "
                                                   : "const dim3 ") +
               name;
    const auto at = text_.positionOf(parenthesis);
    changes_[at->file][at->offset] = {at->offset, all};
  }

  void change(const clang::CallExpr* call, const FunctionFacts& f, unsigned needs) {
    const auto written = results_.find(&f);
    if (written == results_.end())
      return insert(call->getRParenLoc(), call->getNumArgs() > 0, needs, false);
    const auto range = text_.rangeOf(call->getSourceRange());
    std::string result = written->second;
    const clang::QualType type = f.decl->getReturnType().getCanonicalType().getUnqualifiedType();
    if (!isConverted(call, f, type))
      result = "(" + type.getAsString(unit_.context().getPrintingPolicy()) + ")(" + result + ")";
    const llvm::StringRef buffer = text_.buffer(range->file);
    const llvm::StringRef before = buffer.take_front(range->begin).rtrim();
    const llvm::StringRef behind = buffer.drop_front(range->end).ltrim();
    const bool alone = (before.ends_with("(") && behind.starts_with(")")) ||
                       (before.ends_with(" =") && behind.starts_with(";"));
    changes_[range->file][range->begin] = {range->end, alone ? result : "(" + result + ")"};
  }

  /// Whether a function's result has its type, or gets it where the call stands.
  bool isConverted(const clang::CallExpr* call, const FunctionFacts& f,
                   clang::QualType type) const {
    const auto* body = llvm::cast<clang::CompoundStmt>(f.decl->getBody());
    const clang::Expr* value = llvm::cast<clang::ReturnStmt>(body->body_front())->getRetValue();
    if (unit_.context().hasSameUnqualifiedType(value->IgnoreParenImpCasts()->getType(), type))
      return true;
    const auto found = named_.initialised.find(call);
    return found != named_.initialised.end() &&
           found->second->getInitStyle() == clang::VarDecl::CInit &&
           !found->second->getType()->getContainedAutoType() &&
           unit_.context().hasSameUnqualifiedType(found->second->getType(), type);
  }

  const SourceUnit& unit_;
  const SourceText& text_;
  const Facts& facts_;
  const SharedWithOthers& shared_;
  PlainChanges& changes_;
  NamedFunctions named_;
  std::set<const FunctionFacts*> waiting_;
  std::set<clang::SourceLocation> byDevice_, byOthers_; ///< where functions are called
  std::map<const FunctionFacts*, unsigned> needs_;
  std::map<const FunctionFacts*, std::string> results_; ///< of functions that are written out
};

} // namespace

void passBuiltins(const SourceUnit& unit, const SourceText& text, const Facts& facts,
                  const SharedWithOthers& shared, PlainChanges& changes) {
  BuiltinPasser(unit, text, facts, shared, changes).run();
}

} // namespace cu2cpp
