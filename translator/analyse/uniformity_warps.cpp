// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Uniformity: the ways in which programs name a warp and count its threads.
#include "analyse/uniformity.h"

#include <optional>

#include "analyse/marks.h"

namespace cu2cpp {

namespace {

/// Whether no specialisation of a function template gets a number below zero for a parameter.
bool isGivenNoNegative(const clang::FunctionDecl* function,
                       const clang::NonTypeTemplateParmDecl* parameter) {
  clang::FunctionTemplateDecl* made = function->getDescribedFunctionTemplate();
  if (!made || parameter->getDepth() != made->getTemplateParameters()->getDepth())
    return false;
  bool any = false;
  for (const clang::FunctionDecl* one : made->specializations()) {
    const clang::TemplateArgumentList* given = one->getTemplateSpecializationArgs();
    if (!given || parameter->getIndex() >= given->size())
      return false;
    const clang::TemplateArgument& value = given->get(parameter->getIndex());
    if (value.getKind() != clang::TemplateArgument::Integral || value.getAsIntegral().isNegative())
      return false;
    any = true;
  }
  return any;
}

} // namespace

bool Uniformity::isNeverNegative(const clang::Expr* e, unsigned depth) const {
  e = e->IgnoreParenCasts();
  if (depth > 12)
    return false;
  if (const auto* literal = llvm::dyn_cast<clang::IntegerLiteral>(e))
    return !literal->getValue().isNegative();
  if (const auto* pseudo = llvm::dyn_cast<clang::PseudoObjectExpr>(e))
    return isNeverNegative(pseudo->getResultExpr(), depth + 1);
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e)) {
    switch (op->getOpcode()) {
    case clang::BO_Add:
    case clang::BO_Mul:
    case clang::BO_Div:
    case clang::BO_Rem:
    case clang::BO_And:
    case clang::BO_Or:
    case clang::BO_Shl:
    case clang::BO_Shr:
      return isNeverNegative(op->getLHS(), depth + 1) && isNeverNegative(op->getRHS(), depth + 1);
    default:
      return false;
    }
  }
  const bool withoutSign =
      e->getType()->isUnsignedIntegerType() && !llvm::isa<clang::UnaryOperator>(e);
  const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e);
  const auto* variable = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
  if (variable && variable->getName() == "warpSize")
    return true;
  if (const auto* parameter =
          use ? llvm::dyn_cast<clang::NonTypeTemplateParmDecl>(use->getDecl()) : nullptr)
    return withoutSign || isGivenNoNegative(kernel_, parameter);
  if (!variable || !variable->hasInit() || builtinOf(variable))
    return withoutSign;
  const LocalVariable* local = find(variable);
  return isNeverNegative(variable->getInit(), depth + 1) &&
         (withoutSign || !local || !local->modified);
}

/// Whether a value is a multiple of 32 if the rows of blocks are: a product with blockDim.x or such
/// a number, or a sum of such.
bool Uniformity::isWholeWarps(const clang::Expr* e, unsigned depth) const {
  e = e->IgnoreParenCasts();
  if (depth > 12)
    return false;
  if (isThreadsIn(e))
    return true;
  if (const auto* member = llvm::dyn_cast<clang::PseudoObjectExpr>(e))
    return isWholeWarps(member->getResultExpr(), depth + 1);
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e)) {
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(member->getBase()->IgnoreParenImpCasts());
    return use && builtinOf(use->getDecl()) == BlockDim &&
           member->getMemberDecl()->getName() == "x";
  }
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e)) {
    const bool left = isWholeWarps(op->getLHS(), depth + 1);
    if (op->getOpcode() == clang::BO_Mul)
      return left || isWholeWarps(op->getRHS(), depth + 1);
    return op->getOpcode() == clang::BO_Add && left && isWholeWarps(op->getRHS(), depth + 1);
  }
  clang::Expr::EvalResult number;
  if (!e->isValueDependent() && e->EvaluateAsInt(number, kernel_->getASTContext()))
    return number.Val.getInt().trunc(5) == 0;
  if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
    const LocalVariable* local = variable ? find(variable) : nullptr;
    return local && !local->modified && !local->escapes && variable->hasInit() &&
           isWholeWarps(variable->getInit(), depth + 1);
  }
  return false;
}

/// Whether a value counts threads in the order of warps, from a multiple of 32: threadIdx.x, a
/// thread's rank in its block or in the grid.
bool Uniformity::countsThreads(const clang::Expr* e, unsigned depth) const {
  e = e->IgnoreParenCasts();
  if (depth > 12)
    return false;
  if (const auto* member = llvm::dyn_cast<clang::PseudoObjectExpr>(e))
    return countsThreads(member->getResultExpr(), depth + 1);
  if (isRankInBlock(e))
    return true;
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e)) {
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(member->getBase()->IgnoreParenImpCasts());
    return use && builtinOf(use->getDecl()) == ThreadIdx &&
           member->getMemberDecl()->getName() == "x";
  }
  if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
    const LocalVariable* local = variable ? find(variable) : nullptr;
    return local && !local->modified && variable->hasInit() &&
           countsThreads(variable->getInit(), depth + 1);
  }
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
  if (!op || op->getOpcode() != clang::BO_Add)
    return false;
  return (countsThreads(op->getLHS(), depth + 1) && isWholeWarps(op->getRHS(), depth + 1)) ||
         (countsThreads(op->getRHS(), depth + 1) && isWholeWarps(op->getLHS(), depth + 1));
}

/// The ways in which programs name a warp: threadIdx.x / 32, tid >> 5, tid & ~31, threadIdx.y. True
/// if rows of threads are multiples of a warp long; what is built on it is checked when the program
/// runs.
bool Uniformity::sameInWarp(const clang::Expr* expression) const {
  const clang::Expr* e = expression->IgnoreParenImpCasts();
  const auto constant = [&](const clang::Expr* value) -> std::optional<long long> {
    value = value->IgnoreParenImpCasts();
    if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(value))
      if (use->getDecl()->getNameAsString() == "warpSize")
        return 32;
    clang::Expr::EvalResult result;
    if (value->isValueDependent() || !value->EvaluateAsInt(result, kernel_->getASTContext()))
      return std::nullopt;
    return result.Val.getInt().tryExtValue();
  };
  if (const auto* member = llvm::dyn_cast<clang::PseudoObjectExpr>(e))
    return sameInWarp(member->getResultExpr());
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e)) {
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(member->getBase()->IgnoreParenImpCasts());
    return rows_ && use && builtinOf(use->getDecl()) == ThreadIdx &&
           member->getMemberDecl()->getName() != "x";
  }
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
  if (!op)
    return false;
  if (!countsThreads(op->getLHS()))
    return false;
  const auto right = constant(op->getRHS());
  if (!right)
    return false;
  switch (op->getOpcode()) {
  case clang::BO_Div:
    return *right >= 32 && *right % 32 == 0;
  case clang::BO_Shr:
    return *right >= 5 && *right < 32;
  case clang::BO_And:
    return (*right & 31) == 0;
  default:
    return false;
  }
}

} // namespace cu2cpp
