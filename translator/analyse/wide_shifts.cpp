// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analyse/wide_shifts.h"

#include <optional>
#include <set>

#include "analyse/region_parts.h"
#include "parse/syntax_visitor.h"

namespace cu2cpp {
namespace {

using clang::BinaryOperator;

const BinaryOperator* operation(const clang::Expr* e, clang::BinaryOperatorKind kind) {
  const auto* op = llvm::dyn_cast<BinaryOperator>(e->IgnoreParenCasts());
  return op && op->getOpcode() == kind ? op : nullptr;
}

class Finder : public SyntaxVisitor {
public:
  Finder(const clang::ASTContext& context, std::set<const clang::Expr*>& rotations)
      : context_(context), rotations_(rotations) {}
  std::vector<const clang::Expr*> counts;

  bool VisitBinaryOperator(BinaryOperator* op) override {
    const auto kind = op->getOpcode();
    if (kind == clang::BO_Or || kind == clang::BO_Add || kind == clang::BO_Xor)
      skipRotation(op);
    else if (kind == clang::BO_Sub && isOne(op->getRHS()))
      addMask(op);
    else if (op->isShiftOp() || kind == clang::BO_ShlAssign || kind == clang::BO_ShrAssign)
      if (!rotations_.count(op))
        addRest(op);
    return true;
  }

private:
  std::optional<std::uint64_t> constant(const clang::Expr* e) const {
    clang::Expr::EvalResult result;
    if (e->isValueDependent() || !e->EvaluateAsInt(result, context_))
      return std::nullopt;
    return result.Val.getInt().getLimitedValue();
  }
  bool isOne(const clang::Expr* e) const { return constant(e) == std::uint64_t(1); }

  /// `x << n | x >> (32 - n)`: with n = 0 either reading gives x.
  void skipRotation(const BinaryOperator* op) {
    const BinaryOperator* left = operation(op->getLHS(), clang::BO_Shl);
    const BinaryOperator* right = operation(op->getRHS(), clang::BO_Shr);
    if (!left || !right) {
      left = operation(op->getRHS(), clang::BO_Shl);
      right = operation(op->getLHS(), clang::BO_Shr);
    }
    if (!left || !right)
      return;
    if (areAlike(left->getLHS(), right->getLHS(), context_))
      rotations_.insert({left, right});
  }

  /// `(1 << n) - 1`
  void addMask(const BinaryOperator* op) {
    const BinaryOperator* shift = operation(op->getLHS(), clang::BO_Shl);
    if (shift && isOne(shift->getLHS()) && mayReach(shift, shift->getRHS()))
      counts.push_back(shift->getRHS());
  }

  /// `x << (32 - n)`, also `32 - n - m`
  void addRest(const BinaryOperator* op) {
    const BinaryOperator* difference = operation(op->getRHS(), clang::BO_Sub);
    while (difference && operation(difference->getLHS(), clang::BO_Sub))
      difference = operation(difference->getLHS(), clang::BO_Sub);
    if (!difference || !mayReach(op, op->getRHS()))
      return;
    const auto whole = constant(difference->getLHS());
    if (whole && *whole >= width(op))
      counts.push_back(op->getRHS());
  }

  /// The bits of a shift's value; none where a template parameter decides.
  std::uint64_t width(const BinaryOperator* shift) const {
    return context_.getTypeSize(shift->getLHS()->getType());
  }

  bool mayReach(const BinaryOperator* shift, const clang::Expr* count) const {
    if (shift->getLHS()->isTypeDependent() || count->isTypeDependent() ||
        count->isValueDependent() || !shift->getLHS()->getType()->isIntegerType() ||
        constant(count))
      return false;
    return !isBelow(count, width(shift));
  }

  /// Whether a count is a remainder or a masked value below the width, itself or as the value of a
  /// constant: `const int lane = threadIdx.x & 31`.
  bool isBelow(const clang::Expr* count, std::uint64_t width) const {
    count = count->IgnoreParenCasts();
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(count))
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl()))
        return variable->hasInit() && !llvm::isa<clang::ParmVarDecl>(variable) &&
               !variable->getInit()->isValueDependent() && isBelow(variable->getInit(), width);
    const auto* op = llvm::dyn_cast<BinaryOperator>(count);
    if (!op)
      return false;
    const auto limit = constant(op->getRHS());
    return limit && ((op->getOpcode() == clang::BO_Rem && *limit <= width) ||
                     (op->getOpcode() == clang::BO_And && *limit < width));
  }

  const clang::ASTContext& context_;
  std::set<const clang::Expr*>& rotations_;
};

} // namespace

std::vector<const clang::Expr*> findWideShifts(const SourceUnit& unit, const Facts& facts) {
  std::vector<const clang::Expr*> counts;
  for (const auto& [place, function] : facts.functions) {
    if (!function.device || !unit.isUser(function.decl->getLocation()))
      continue;
    for (const clang::FunctionDecl* body : function.bodies) {
      std::set<const clang::Expr*> rotations;
      Finder finder(body->getASTContext(), rotations);
      finder.TraverseStmt(body->getBody());
      counts.insert(counts.end(), finder.counts.begin(), finder.counts.end());
    }
  }
  return counts;
}

} // namespace cu2cpp
