// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomics on the block's own shared memory. An address counts where the text shows it: `&s[i].x`,
// `s + i`, references to such a place, pointers that never get another value, and parameters of
// device functions that all calls give such addresses; so are members of the object of a method
// that is called of such objects alone. Whatever else an address may be is taken for global memory.
//
// Where pointers are to volatile memory, the same tells which of them need not be.
#include "analyse/analyses.h"

#include <algorithm>
#include <map>
#include <set>

#include "clang/AST/ExprCXX.h"

#include "analyse/marks.h"
#include "parse/compiled_code.h"

namespace cu2cpp {
namespace {

const clang::VarDecl* localNamed(const clang::Expr* e) {
  const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e->IgnoreParens());
  const auto* variable = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
  return variable && variable->hasLocalStorage() &&
                 (variable->isLocalVarDecl() || llvm::isa<clang::ParmVarDecl>(variable))
             ? variable
             : nullptr;
}

/// A method that is called only where its name is written: of other methods, some are called
/// without it, as a range's begin() is, or by another's name.
bool isNamedWhereCalled(const clang::CXXMethodDecl* method) {
  return !method->isVirtual() && !method->isStatic() && method->getIdentifier() &&
         !method->getParent()->isLambda() && method->getName() != "begin" &&
         method->getName() != "end" && method->getName() != "get" &&
         !method->getName().starts_with("await_");
}

/// A function that no other file can call: without -rdc=true nvcc, and so cu2cpp
/// (rewrite_variables.cpp), keeps device functions to their file. Instances of a template in a
/// header may be other files' too, and so may methods there.
bool isOfThisFile(const clang::FunctionDecl* function, bool separateCompilation) {
  if (!hasMark(function, "device") || hasMark(function, "host") || function->isExternC())
    return false;
  const clang::SourceManager& sources = function->getASTContext().getSourceManager();
  if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function))
    return isNamedWhereCalled(method) && !separateCompilation &&
           sources.isInMainFile(sources.getExpansionLoc(definitionOf(function)->getLocation()));
  if (!function->isExternallyVisible())
    return true;
  return !separateCompilation && function->getStorageClass() == clang::SC_None &&
         (!function->isTemplateInstantiation() ||
          sources.isInMainFile(sources.getExpansionLoc(definitionOf(function)->getLocation())));
}

/// What function bodies do to each local pointer.
struct PointerUses {
  unsigned all = 0;
  unsigned known = 0; ///< it is read, moved along, or assigned
  std::vector<const clang::Expr*> assigned;
};

/// What calls give each parameter of pointer or reference type, of which objects methods are
/// called, and by which names functions are called.
struct Arguments {
  std::map<const clang::ParmVarDecl*, std::vector<const clang::Expr*>> given;
  std::map<const clang::FunctionDecl*, std::vector<const clang::MemberExpr*>> objects;
  std::set<const clang::Expr*> names;

  void add(const clang::CallExpr* call, const clang::Expr* name) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const clang::FunctionDecl* definition = callee ? callee->getDefinition() : nullptr;
    // The first argument of an operator that is a method is its object.
    if (!definition || (llvm::isa<clang::CXXOperatorCallExpr>(call) &&
                        llvm::isa<clang::CXXMethodDecl>(definition)))
      return;
    names.insert(name);
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(name))
      objects[definition].push_back(member);
    for (unsigned i = 0; i < call->getNumArgs() && i < definition->getNumParams(); ++i)
      if (const clang::ParmVarDecl* parameter = definition->getParamDecl(i);
          parameter->getType()->isPointerType() || parameter->getType()->isReferenceType())
        given[parameter].push_back(call->getArg(i));
  }
};

/// All places that name a function.
class FunctionNames : public CompiledCode {
public:
  using CompiledCode::CompiledCode;
  std::map<const clang::FunctionDecl*, std::set<const clang::Expr*>> uses;

  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override { return note(use, use->getDecl()); }
  bool VisitMemberExpr(clang::MemberExpr* use) override { return note(use, use->getMemberDecl()); }

private:
  bool note(const clang::Expr* use, const clang::ValueDecl* of) {
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(of))
      if (const clang::FunctionDecl* definition = function->getDefinition())
        uses[definition].insert(use);
    return true;
  }
};

/// A call of a marked atomic function.
struct AtomicCall {
  const clang::DeclRefExpr* name = nullptr;
  std::vector<const clang::Expr*> addresses; ///< in each of a template's instances
  bool always = true;                        ///< the name means the atomic function in all of them
};

class BodyVisitor : public SyntaxVisitor {
public:
  BodyVisitor(const clang::SourceManager& sources) : sources_(sources) {}
  std::map<const clang::VarDecl*, PointerUses> pointers;
  std::map<clang::SourceLocation, AtomicCall> calls; ///< by where the name is written
  Arguments arguments;
  std::map<const clang::CXXThisExpr*, const clang::FunctionDecl*> objects; ///< whose they are

  void look(const clang::FunctionDecl* body) {
    method_ = llvm::dyn_cast<clang::CXXMethodDecl>(body);
    TraverseStmt(body->getBody());
  }
  bool VisitCXXThisExpr(clang::CXXThisExpr* object) override {
    // Those of lambdas and of classes within the body are others' objects.
    if (method_ && object->getType()->getPointeeCXXRecordDecl() == method_->getParent())
      objects[object] = method_->getDefinition();
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    if (const clang::VarDecl* variable = localNamed(use))
      ++pointers[variable].all;
    return true;
  }
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) override {
    if (cast->getCastKind() == clang::CK_LValueToRValue)
      noteKnown(cast->getSubExpr());
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* op) override {
    if (op->isIncrementDecrementOp())
      noteKnown(op->getSubExpr());
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    if (op->getOpcode() == clang::BO_Assign || op->isCompoundAssignmentOp())
      if (const clang::VarDecl* variable = noteKnown(op->getLHS()))
        if (op->getOpcode() == clang::BO_Assign)
          pointers[variable].assigned.push_back(op->getRHS());
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::Expr* callee = call->getCallee()->IgnoreParenImpCasts();
    if (llvm::isa<clang::MemberExpr>(callee))
      arguments.add(call, callee);
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(callee);
    if (!name)
      return true;
    arguments.add(call, name);
    const auto place = placeOf(name->getBeginLoc());
    if (!place.isValid())
      return true;
    const auto* qualifier = name->getQualifier();
    const bool plain = !qualifier || qualifier->getKind() == clang::NestedNameSpecifier::Global;
    AtomicCall& noted = calls[place];
    noted.name = name;
    if (plain && call->getNumArgs() > 0 && hasMark(name->getDecl(), "in_block"))
      noted.addresses.push_back(call->getArg(0));
    else
      noted.always = false;
    return true;
  }

private:
  const clang::VarDecl* noteKnown(const clang::Expr* e) {
    const clang::VarDecl* variable = localNamed(e);
    if (variable)
      ++pointers[variable].known;
    return variable;
  }
  /// Where a token is written; invalid inside a macro's own text, which other places may use with
  /// other addresses.
  clang::SourceLocation placeOf(clang::SourceLocation at) const {
    while (at.isMacroID()) {
      if (!sources_.isMacroArgExpansion(at))
        return {};
      at = sources_.getImmediateSpellingLoc(at);
    }
    return at;
  }
  const clang::SourceManager& sources_;
  const clang::CXXMethodDecl* method_ = nullptr;
};

/// Answers whether an expression lies in shared memory.
class SharedPlaces {
public:
  SharedPlaces(const SourceUnit& unit, const BodyVisitor& bodies, bool separateCompilation)
      : pointers_(bodies.pointers), arguments_(bodies.arguments), objects_(bodies.objects),
        separateCompilation_(separateCompilation), names_(unit) {
    if (std::any_of(arguments_.given.begin(), arguments_.given.end(),
                    [&](const auto& given) {
                      return isOfThisFile(functionOf(given.first), separateCompilation_);
                    }) ||
        std::any_of(arguments_.objects.begin(), arguments_.objects.end(), [&](const auto& called) {
          return isOfThisFile(called.first, separateCompilation_);
        }))
      names_.TraverseDecl(unit.context().getTranslationUnitDecl());
  }

  /// pointsInto(): a pointer's value is an address in shared memory.
  bool pointsInto(const clang::Expr* e) {
    e = e->IgnoreParens();
    if (!e->getType()->isPointerType())
      return false;
    if (const auto* object = llvm::dyn_cast<clang::CXXThisExpr>(e))
      return isObject(object);
    if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(e)) {
      const clang::Expr* inner = cast->getSubExpr();
      switch (cast->getCastKind()) {
      case clang::CK_ArrayToPointerDecay:
        return liesIn(inner);
      case clang::CK_LValueToRValue:
        return isPointer(localNamed(inner));
      case clang::CK_NoOp:
      case clang::CK_BitCast:
      case clang::CK_DerivedToBase:
      case clang::CK_UncheckedDerivedToBase:
        return pointsInto(inner);
      default:
        return false;
      }
    }
    if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(e)) {
      if (op->getOpcode() == clang::UO_AddrOf)
        return liesIn(op->getSubExpr());
      return op->isIncrementDecrementOp() && isPointer(localNamed(op->getSubExpr()));
    }
    if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e))
      return op->isAdditiveOp() &&
             (op->getLHS()->getType()->isPointerType() ? pointsInto(op->getLHS())
                                                       : pointsInto(op->getRHS()));
    if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(e))
      return pointsInto(choice->getTrueExpr()) && pointsInto(choice->getFalseExpr());
    return false;
  }

  void startAnew() { answers_.clear(); }
  /// isPointer(): a local variable only ever holds addresses in shared memory.
  bool isPointer(const clang::VarDecl* variable) {
    if (!variable || !variable->getType()->isPointerType())
      return false;
    const auto known = answers_.find(variable);
    if (known != answers_.end())
      return known->second;
    answers_[variable] = true; // `p = p + 1` says nothing against it
    const auto found = pointers_.find(variable);
    const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(variable);
    bool is = parameter             ? isGivenOnly(parameter,
                                                  [&](const clang::Expr* given) { return pointsInto(given); })
              : variable->getInit() ? pointsInto(variable->getInit())
                                    : found != pointers_.end() && !found->second.assigned.empty();
    if (found != pointers_.end()) {
      is = is && found->second.all == found->second.known;
      for (const clang::Expr* value : found->second.assigned)
        is = is && pointsInto(value);
    }
    if (!is)
      forgetAnswers();
    return is;
  }

private:
  /// liesIn(): an object lies in shared memory.
  bool liesIn(const clang::Expr* e) {
    e = e->IgnoreParens();
    if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
      if (!variable)
        return false;
      if (!variable->getType()->isReferenceType())
        return isShared(variable);
      if (const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(variable))
        return isGivenOnly(parameter, [&](const clang::Expr* given) { return liesIn(given); });
      return variable->isLocalVarDecl() && variable->hasLocalStorage() && variable->getInit() &&
             liesIn(variable->getInit());
    }
    if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(e))
      return pointsInto(element->getBase());
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e)) {
      if (!llvm::isa<clang::FieldDecl>(member->getMemberDecl()) ||
          member->getMemberDecl()->getType()->isReferenceType())
        return false;
      return member->isArrow() ? pointsInto(member->getBase()) : liesIn(member->getBase());
    }
    if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(e))
      return op->getOpcode() == clang::UO_Deref && pointsInto(op->getSubExpr());
    if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(e))
      return (cast->getCastKind() == clang::CK_LValueBitCast ||
              cast->getCastKind() == clang::CK_NoOp ||
              cast->getCastKind() == clang::CK_DerivedToBase ||
              cast->getCastKind() == clang::CK_UncheckedDerivedToBase) &&
             liesIn(cast->getSubExpr());
    return false;
  }

  /// Answers that were given on an assumption fall with it.
  void forgetAnswers() {
    for (auto& [other, answer] : answers_)
      answer = false;
  }

  static const clang::FunctionDecl* functionOf(const clang::ParmVarDecl* parameter) {
    return llvm::dyn_cast<clang::FunctionDecl>(parameter->getDeclContext());
  }
  /// Whether all calls of a function are seen.
  bool isSeen(const clang::FunctionDecl* function) const {
    const auto uses = names_.uses.find(function);
    return isOfThisFile(function, separateCompilation_) && uses != names_.uses.end() &&
           std::all_of(uses->second.begin(), uses->second.end(),
                       [&](const clang::Expr* use) { return arguments_.names.count(use) != 0; });
  }
  /// Whether all calls of its function are seen, and give a parameter only what fits.
  template <class Fits> bool isGivenOnly(const clang::ParmVarDecl* parameter, Fits fits) {
    const clang::FunctionDecl* function = functionOf(parameter);
    const auto given = arguments_.given.find(parameter);
    return function && given != arguments_.given.end() && isSeen(function) &&
           isAll(parameter, given->second, fits);
  }
  /// Whether a method is called only of objects in shared memory.
  bool isObject(const clang::CXXThisExpr* object) {
    const auto method = objects_.find(object);
    const auto called = method == objects_.end() ? arguments_.objects.end()
                                                 : arguments_.objects.find(method->second);
    return called != arguments_.objects.end() && isSeen(method->second) &&
           isAll(method->second, called->second, [&](const clang::MemberExpr* name) {
             return name->isArrow() ? pointsInto(name->getBase()) : liesIn(name->getBase());
           });
  }
  template <class What, class Fits>
  bool isAll(const clang::Decl* asked, const std::vector<What>& given, Fits fits) {
    // A function that calls itself passes on what it was given.
    if (!asked_.insert(asked).second)
      return true;
    const bool is = std::all_of(given.begin(), given.end(), fits);
    asked_.erase(asked);
    if (!is)
      forgetAnswers();
    return is;
  }

  const std::map<const clang::VarDecl*, PointerUses>& pointers_;
  const Arguments& arguments_;
  const std::map<const clang::CXXThisExpr*, const clang::FunctionDecl*>& objects_;
  const bool separateCompilation_;
  FunctionNames names_;
  std::map<const clang::VarDecl*, bool> answers_;
  std::set<const clang::Decl*> asked_;
};

} // namespace

void findSharedAtomics(const SourceUnit& unit, bool separateCompilation, Facts& facts) {
  if (facts.foreignShared)
    return;
  BodyVisitor visitor(unit.sources());
  for (const auto& [place, function] : facts.functions)
    for (const clang::FunctionDecl* body : function.bodies)
      if (!body->isDependentContext() && body->getBody())
        visitor.look(body);
  SharedPlaces shared(unit, visitor, separateCompilation);
  for (const auto& [place, call] : visitor.calls)
    if (call.always &&
        std::all_of(call.addresses.begin(), call.addresses.end(),
                    [&](const clang::Expr* address) { return shared.pointsInto(address); }))
      facts.sharedAtomics.push_back(call.name);
  std::map<clang::SourceLocation, bool> volatiles;
  for (const auto& [variable, uses] : visitor.pointers)
    if (variable->getType()->isPointerType() &&
        variable->getType()->getPointeeType().isVolatileQualified()) {
      const auto [known, isNew] = volatiles.try_emplace(variable->getLocation(), true);
      shared.startAnew(); // another variable's answer says nothing of this one
      known->second = known->second && shared.isPointer(variable);
    }
  for (const auto& [place, is] : volatiles)
    if (is)
      facts.sharedVolatiles.insert(place);
}

} // namespace cu2cpp
