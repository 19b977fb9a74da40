// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analyse/element_heads.h"

#include <algorithm>

#include "llvm/ADT/FoldingSet.h"

#include "analyse/marks.h"
#include "analyse/pure_functions.h"
#include "analyse/region_parts.h"
#include "analyse/slopes.h"

namespace cu2cpp {

bool ElementHeads::isOfBlock(const clang::Expr* e) const {
  return uniformity_.isUniform(e, Scope::Block) && !Uniformity::readsMemory(e);
}

bool ElementHeads::areAlike(const clang::Expr* a, const clang::Expr* b) const {
  llvm::FoldingSetNodeID here, there;
  a->Profile(here, function_.decl->getASTContext(), true);
  b->Profile(there, function_.decl->getASTContext(), true);
  return here == there;
}

bool ElementHeads::isIndexType(clang::QualType type, const clang::ASTContext& context) {
  return !type->isDependentType() && type->isIntegerType() && !type->isBooleanType() &&
         !type.isVolatileQualified() && context.getTypeSize(type) >= 32;
}

std::optional<ElementHead> ElementHeads::headOf(const clang::ForStmt* loop, bool anyLimit) const {
  const auto* init = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
  const auto* variable = init && init->isSingleDecl()
                             ? llvm::dyn_cast<clang::VarDecl>(init->getSingleDecl())
                             : nullptr;
  const LocalVariable* local = variable ? uniformity_.find(variable) : nullptr;
  const auto* test = llvm::dyn_cast_or_null<clang::BinaryOperator>(
      loop->getCond() ? loop->getCond()->IgnoreParenImpCasts() : nullptr);
  const auto* step = llvm::dyn_cast_or_null<clang::BinaryOperator>(
      loop->getInc() ? loop->getInc()->IgnoreParens() : nullptr);
  if (!local || local->escapes || !variable->hasInit() ||
      !isIndexType(variable->getType(), variable->getASTContext()) || !test ||
      (test->getOpcode() != clang::BO_LT && !(anyLimit && test->getOpcode() == clang::BO_LE)) ||
      namedBy(test->getLHS()) != variable || !(anyLimit || isOfBlock(test->getRHS())) || !step ||
      step->getOpcode() != clang::BO_AddAssign || local->assignments.size() != 1 ||
      local->assignments.front() != step || !isOfBlock(step->getRHS()) ||
      loop->getConditionVariable() || loop->getBeginLoc().isMacroID() ||
      !uniformity_.risesTo(test, variable))
    return std::nullopt;
  return ElementHead{variable, test->getRHS()};
}

const clang::Expr* ElementHeads::valueOf(const clang::Expr* e) const {
  const clang::VarDecl* variable = namedBy(e);
  const LocalVariable* local = variable ? uniformity_.find(variable) : nullptr;
  return local && !local->modified && !local->escapes && variable->hasInit() &&
                 isIndexType(variable->getType(), variable->getASTContext())
             ? variable->getInit()
             : nullptr;
}

bool ElementHeads::isThreadPart(const clang::Expr* e, llvm::StringRef part, unsigned depth) const {
  e = e->IgnoreParenImpCasts();
  if (const auto* pseudo = llvm::dyn_cast<clang::PseudoObjectExpr>(e))
    e = pseudo->getResultExpr()->IgnoreParenImpCasts();
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e)) {
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(member->getBase()->IgnoreParenImpCasts());
    return use && builtinOf(use->getDecl()) == ThreadIdx &&
           (part.empty() || member->getMemberDecl()->getName() == part);
  }
  const clang::Expr* value = valueOf(e);
  return value && depth < 8 && isThreadPart(value, part, depth + 1);
}

bool ElementHeads::isLinear(const clang::Expr* e, const clang::VarDecl* own, unsigned depth) const {
  e = behindWideCasts(e);
  if (depth > 16 || !isIndexType(e->getType(), function_.decl->getASTContext()))
    return false;
  if (isOfBlock(e) || isThreadPart(e, "") || isRankInBlock(e) || (own && namedBy(e) == own))
    return true;
  if (const clang::Expr* value = valueOf(e))
    return isLinear(value, own, depth + 1);
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
  if (!op)
    return false;
  const bool both =
      isLinear(op->getLHS(), own, depth + 1) && isLinear(op->getRHS(), own, depth + 1);
  return both && (op->getOpcode() == clang::BO_Add || op->getOpcode() == clang::BO_Sub ||
                  (op->getOpcode() == clang::BO_Mul &&
                   (isOfBlock(op->getLHS()) || isOfBlock(op->getRHS()))));
}

std::optional<unsigned> ElementHeads::stepInRow(const clang::Expr* e, const clang::VarDecl* own,
                                                unsigned depth) const {
  e = behindWideCasts(e);
  if (depth > 16)
    return std::nullopt;
  if (isOfBlock(e) || (own && namedBy(e) == own) || isThreadPart(e, "y") || isThreadPart(e, "z"))
    return 0;
  if (isThreadPart(e, "x") || isRankInBlock(e))
    return 1;
  if (const clang::Expr* value = valueOf(e))
    return stepInRow(value, own, depth + 1);
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
  if (!op)
    return std::nullopt;
  const auto left = stepInRow(op->getLHS(), own, depth + 1),
             right = stepInRow(op->getRHS(), own, depth + 1);
  if (!left || !right)
    return std::nullopt;
  switch (op->getOpcode()) {
  case clang::BO_Add:
    return *left + *right <= 1 ? std::optional(*left + *right) : std::nullopt;
  case clang::BO_Sub:
    return *right == 0 ? left : std::nullopt;
  case clang::BO_Mul:
    return *left == 0 && *right == 0 ? std::optional(0u) : std::nullopt;
  default:
    return std::nullopt;
  }
}

bool ElementHeads::isPartOfRank(const clang::Expr* e, bool remainder, const clang::VarDecl* own,
                                unsigned depth) const {
  e = behindWideCasts(e);
  if (depth > 16 || !isIndexType(e->getType(), function_.decl->getASTContext()))
    return false;
  if (const clang::Expr* value = valueOf(e))
    return isPartOfRank(value, remainder, own, depth + 1);
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
  if (!op)
    return false;
  const clang::Expr *left = op->getLHS(), *right = op->getRHS();
  const auto isKnown = [&](const clang::Expr* part) {
    return isOfBlock(part) || (own && namedBy(part) == own);
  };
  switch (op->getOpcode()) {
  case clang::BO_Add:
    return (isKnown(left) && isPartOfRank(right, remainder, own, depth + 1)) ||
           (isKnown(right) && isPartOfRank(left, remainder, own, depth + 1));
  case clang::BO_Sub:
    return isKnown(right) && isPartOfRank(left, remainder, own, depth + 1);
  case clang::BO_Div:
  case clang::BO_Shr:
    return !remainder && isThreadPart(behindWideCasts(left), "x") && isOfBlock(right);
  case clang::BO_Rem:
  case clang::BO_And:
    return remainder && isThreadPart(behindWideCasts(left), "x") && isOfBlock(right);
  default:
    return false;
  }
}

bool ElementHeads::isPure(const clang::FunctionDecl* callee) const {
  if (facts_.find(callee))
    return isPureFunction(callee, facts_);
  if (syncScope(callee) != Scope::None || hasMark(callee, "thread") ||
      hasMark(callee, "in_block") || callee->isVariadic() ||
      callee->getReturnType()->isVoidType() || llvm::isa<clang::CXXMethodDecl>(callee))
    return false;
  return std::all_of(callee->param_begin(), callee->param_end(), [](const auto* parameter) {
    const clang::QualType type = parameter->getType();
    return !(type->isPointerType() || type->isReferenceType()) ||
           type->getPointeeType().isConstQualified();
  });
}

} // namespace cu2cpp
