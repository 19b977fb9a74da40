// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places in a ring.
#include "analyse/rests.h"

#include "analyse/region_parts.h"

namespace cu2cpp {

bool isPartOf(const clang::Expr* sum, const clang::Expr* part, const clang::ASTContext& context) {
  if (areAlike(sum, part, context))
    return true;
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(sum->IgnoreParenImpCasts());
  return op && op->isAdditiveOp() &&
         isPartOf(op->getLHS(), part, context) !=
             (op->getOpcode() == clang::BO_Add && isPartOf(op->getRHS(), part, context));
}

/// Whether a sum has a small number among its parts: `x + 1`.
static bool addsLittle(const clang::Expr* sum, const clang::ASTContext& context) {
  constexpr std::int64_t most = 64;
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(sum->IgnoreParenImpCasts());
  if (!op || !op->isAdditiveOp())
    return false;
  const auto isLittle = [&](const clang::Expr* e) {
    const auto value = constantOf(e, context);
    return value && *value >= -most && *value <= most;
  };
  return isLittle(op->getLHS()) || isLittle(op->getRHS()) || addsLittle(op->getLHS(), context) ||
         addsLittle(op->getRHS(), context);
}

bool isRestOfSum(const clang::BinaryOperator* rest, const clang::ASTContext& context) {
  constexpr std::int64_t shortest = 64; // of rows: in others few threads have it as it is
  if (rest->getOpcode() != clang::BO_Rem)
    return false;
  const auto length = constantOf(rest->getRHS(), context);
  return (!length || *length > shortest) &&
         (isPartOf(rest->getLHS(), rest->getRHS(), context) || addsLittle(rest->getLHS(), context));
}

} // namespace cu2cpp
