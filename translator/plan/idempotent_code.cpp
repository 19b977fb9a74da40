// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/idempotent_code.h"

#include "clang/AST/ExprCXX.h"

#include "analyse/code_uses.h"
#include "analyse/marks.h"
#include "analyse/pure_functions.h"
#include "analyse/region_parts.h"

namespace cu2cpp {
namespace {

/// Whether all uses of a variable load it: nothing sets it, and nobody gets its address.
class OnlyLoaded : public SyntaxVisitor {
public:
  OnlyLoaded(const clang::VarDecl* variable, const clang::ParentMap& parents)
      : variable_(variable), parents_(parents) {}
  bool holds = true;
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    if (use->getDecl() != variable_)
      return true;
    const clang::Stmt* parent = parents_.getParent(use);
    while (llvm::isa_and_nonnull<clang::ParenExpr>(parent))
      parent = parents_.getParent(parent);
    const auto* cast = llvm::dyn_cast_or_null<clang::ImplicitCastExpr>(parent);
    return holds = holds && cast && cast->getCastKind() == clang::CK_LValueToRValue;
  }

private:
  const clang::VarDecl* variable_;
  const clang::ParentMap& parents_;
};

bool isArithmetic(clang::QualType type) {
  return type.getNonReferenceType()->isArithmeticType() ||
         type.getNonReferenceType()->isEnumeralType();
}

} // namespace

IdempotentCode::Root IdempotentCode::rootOf(const clang::VarDecl* variable) {
  if (own_.count(variable))
    return {Root::Own, variable};
  if (variable->getType()->isReferenceType() || variable->getType().isVolatileQualified())
    return {};
  return {Root::Variable, variable};
}

// A kernel's parameter is an address of the device's memory. Other pointers may be any variable's.
IdempotentCode::Root IdempotentCode::givenBy(const clang::Expr* pointer) const {
  const auto* load = llvm::dyn_cast<clang::ImplicitCastExpr>(pointer->IgnoreParens());
  const auto* use = load && load->getCastKind() == clang::CK_LValueToRValue
                        ? llvm::dyn_cast<clang::DeclRefExpr>(load->getSubExpr()->IgnoreParens())
                        : nullptr;
  const auto* parameter = use ? llvm::dyn_cast<clang::ParmVarDecl>(use->getDecl()) : nullptr;
  if (!parameter || !kernel_.kernel || parameter->getDeclContext() != kernel_.decl ||
      parameter->getType()->getPointeeType().isVolatileQualified())
    return {};
  OnlyLoaded uses(parameter, parents_);
  uses.TraverseStmt(kernel_.decl->getBody());
  return uses.holds ? Root{Root::Given, parameter} : Root{};
}

IdempotentCode::Root IdempotentCode::rootOf(const clang::Expr* place) {
  place = place->IgnoreParens();
  if (place->isTypeDependent() || place->getType().isVolatileQualified())
    return {};
  if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(place)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
    return variable ? rootOf(variable) : Root{};
  }
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(place))
    return !member->isArrow() && llvm::isa<clang::FieldDecl>(member->getMemberDecl())
               ? rootOf(member->getBase())
               : Root{};
  if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(place)) {
    if (!add(element->getIdx()))
      return {};
    const clang::Expr* base = element->getBase()->IgnoreParens();
    const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(base);
    if (cast && cast->getCastKind() == clang::CK_ArrayToPointerDecay)
      return rootOf(cast->getSubExpr());
    return givenBy(base);
  }
  if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(place))
    return op->getOpcode() == clang::UO_Deref ? givenBy(op->getSubExpr()) : Root{};
  return {};
}

bool IdempotentCode::read(const clang::Expr* place) {
  const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(place->IgnoreParens());
  if (use && (llvm::isa<clang::EnumConstantDecl, clang::NonTypeTemplateParmDecl>(use->getDecl()) ||
              builtinOf(use->getDecl())))
    return true;
  const Root root = rootOf(place);
  if (root.kind == Root::Unknown)
    return false;
  if (root.kind == Root::Own)
    return true;
  loaded_.insert(root);
  const auto stored = kernel_.regions->storage.find(root.variable);
  if (root.kind != Root::Variable || stored == kernel_.regions->storage.end())
    return true;
  // What is computed anew where it is asked for reads what it is made of.
  if (stored->second == Storage::Recomputed && recomputed_.insert(root.variable).second &&
      root.variable->hasInit())
    return add(root.variable->getInit());
  return stored->second != Storage::Strided && stored->second != Storage::Restated;
}

bool IdempotentCode::write(const clang::Expr* place) {
  const Root root = rootOf(place);
  if (root.kind == Root::Unknown)
    return false;
  if (root.kind != Root::Own)
    stored_.insert(root);
  return true;
}

bool IdempotentCode::call(const clang::CallExpr* call) {
  const clang::FunctionDecl* callee = call->getDirectCallee();
  return callee && !llvm::isa<clang::CXXOperatorCallExpr, clang::CXXMemberCallExpr>(call) &&
         isArithmetic(callee->getReturnType()) &&
         llvm::all_of(callee->parameters(),
                      [](const clang::ParmVarDecl* parameter) {
                        const clang::QualType type = parameter->getType();
                        return isArithmetic(type) && (!type->isReferenceType() ||
                                                      type->getPointeeType().isConstQualified());
                      }) &&
         !hasMark(callee, "device") && callee->getNumParams() > 0 && isPureHeaderFunction(callee) &&
         llvm::all_of(call->arguments(), [&](const clang::Expr* one) { return add(one); });
}

bool IdempotentCode::declare(const clang::VarDecl* variable) {
  if (!variable->hasLocalStorage() || isShared(variable) ||
      variable->getType()->isReferenceType() || variable->getType().isVolatileQualified())
    return false;
  own(variable);
  return !variable->hasInit() || add(variable->getInit());
}

bool IdempotentCode::addAll(const clang::Stmt* s) {
  return llvm::all_of(s->children(), [&](const clang::Stmt* one) { return !one || add(one); });
}

bool IdempotentCode::add(const clang::Stmt* s) {
  if (const auto* e = llvm::dyn_cast<clang::Expr>(s)) {
    if (e->isTypeDependent())
      return false;
    if (e->isLValue() && llvm::isa<clang::DeclRefExpr, clang::MemberExpr, clang::ArraySubscriptExpr,
                                   clang::UnaryOperator>(e)) {
      const auto* op = llvm::dyn_cast<clang::UnaryOperator>(e);
      if (!op || op->getOpcode() == clang::UO_Deref)
        return read(e);
    }
  }
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(s)) {
    if (!op->isAssignmentOp())
      return !op->isPtrMemOp() && addAll(op);
    // Of numbers that are changed in place the old value is read.
    return (!op->isCompoundAssignmentOp() || read(op->getLHS())) && write(op->getLHS()) &&
           add(op->getRHS());
  }
  if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(s)) {
    if (op->isIncrementDecrementOp())
      return read(op->getSubExpr()) && write(op->getSubExpr());
    return op->getOpcode() != clang::UO_AddrOf && op->getOpcode() != clang::UO_Deref && addAll(op);
  }
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(s))
    // (Arrays that become pointers outside of a subscript go anywhere.)
    return (isArithmetic(cast->getType()) || cast->getCastKind() == clang::CK_LValueToRValue ||
            cast->getCastKind() == clang::CK_NoOp) &&
           cast->getCastKind() != clang::CK_LValueBitCast && addAll(cast);
  if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s))
    return llvm::all_of(declaration->decls(), [&](const clang::Decl* decl) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
      return variable && declare(variable);
    });
  if (const auto* one = llvm::dyn_cast<clang::CallExpr>(s))
    return call(one);
  if (const auto* construct = llvm::dyn_cast<clang::CXXConstructExpr>(s))
    return construct->getConstructor()->isTrivial() && addAll(construct);
  if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(s)) // a number's name
    return read(use);
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(s)) // threadIdx.x and the like
    return !member->isArrow() && llvm::isa<clang::FieldDecl>(member->getMemberDecl()) &&
           add(member->getBase());
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(s))
    return !branch->getInit() && !branch->getConditionVariable() && addAll(branch);
  if (llvm::isa<clang::CompoundStmt, clang::ForStmt, clang::WhileStmt, clang::DoStmt,
                clang::NullStmt, clang::BreakStmt, clang::ContinueStmt, clang::AttributedStmt,
                clang::ParenExpr, clang::ConditionalOperator, clang::IntegerLiteral,
                clang::FloatingLiteral, clang::CharacterLiteral, clang::CXXBoolLiteralExpr,
                clang::SubstNonTypeTemplateParmExpr, clang::ConstantExpr, clang::ExprWithCleanups>(
          s))
    return addAll(s);
  // Temporaries that a function like max(a, b) gets by reference.
  if (const auto* temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(s))
    return isArithmetic(temporary->getType()) && addAll(temporary);
  return false;
}

bool IdempotentCode::mayMeet(const Root& stored, const Root& loaded) const {
  if (stored.kind == Root::Given && loaded.kind == Root::Given)
    return true;
  if (stored.kind == Root::Given || loaded.kind == Root::Given) {
    const clang::VarDecl* other = stored.kind == Root::Given ? loaded.variable : stored.variable;
    // Neither shared nor local variables lie where it points, and nothing writes to constants.
    return !isShared(other) && !other->hasLocalStorage() && !hasMark(other, "constant") &&
           !isNamedConstant(other) && !other->getType().isConstQualified();
  }
  return stored.variable == loaded.variable ||
         (isShared(stored.variable) && isShared(loaded.variable) &&
          isDynamicShared(stored.variable) && isDynamicShared(loaded.variable));
}

bool IdempotentCode::holds() const {
  return llvm::none_of(stored_, [&](const Root& stored) {
    return llvm::any_of(loaded_, [&](const Root& loaded) { return mayMeet(stored, loaded); });
  });
}

} // namespace cu2cpp
