// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles that are read through (read_through.cpp): what has to hold for a block to lie inside of the
// grid.
#include "analyse/read_through.h"

#include <algorithm>

namespace cu2cpp::copies {
namespace {

/// `const bool inside = x < nx;`
const clang::Expr* flagOf(const clang::Expr* e) {
  const clang::VarDecl* flag = namedBy(e);
  return flag && flag->getType()->isBooleanType() && flag->hasLocalStorage() &&
                 !llvm::isa<clang::ParmVarDecl>(flag)
             ? flag->getInit()
             : nullptr;
}

} // namespace

bool InsideGrid::demand(const Sum& sum, const Known& known) {
  std::vector<Sum> asked;
  const auto least = symbols_.extreme(sum, false, known.bounds, asked);
  if (!least)
    return false;
  for (const Sum& other : asked)
    conditions_.insert(symbols_.print(other) + " >= 0");
  if (const auto value = asConstant(*least))
    return *value >= 0;
  if (symbols_.isNeverNegative(*least))
    return true;
  conditions_.insert(symbols_.print(*least) + " >= 0");
  return true;
}

bool InsideGrid::compared(const clang::BinaryOperator* op, Known& known, Sum& left, Sum& right) {
  const auto a = sumOf(op->getLHS(), known), b = sumOf(op->getRHS(), known);
  if (!a || !b)
    return false;
  left = *a;
  right = *b;
  return true;
}

bool InsideGrid::demandOperands(const clang::BinaryOperator* op, const Sum& left, const Sum& right,
                                const Known& known) {
  if (op->getLHS()->getType()->isSignedIntegerType() &&
      op->getRHS()->getType()->isSignedIntegerType())
    return true;
  return (!subtracts(left) || demand(left, known)) && (!subtracts(right) || demand(right, known));
}

InsideGrid::Kind InsideGrid::kindOf(const clang::Expr* e, Known& known, unsigned depth) {
  e = plainly(e);
  if (const clang::Expr* flag = flagOf(e))
    return changes(namedBy(e)) || depth > 8 ? Unknown : kindOf(flag, known, depth + 1);
  if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(e))
    return op->getOpcode() == clang::UO_LNot ? kindOf(op->getSubExpr(), known, depth) : Unknown;
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
  if (op && op->isLogicalOp()) {
    const Kind left = kindOf(op->getLHS(), known, depth),
               right = kindOf(op->getRHS(), known, depth);
    return left == Unknown || right == Unknown ? Unknown : left == right ? left : Mixed;
  }
  Sum left, right;
  const auto demanded = conditions_;
  const bool good = op && op->isComparisonOp() && compared(op, known, left, right);
  conditions_ = demanded;
  return !good ? Unknown : symbols_.isOfGrid(left - right) ? OfGrid : OfThread;
}

bool InsideGrid::assume(const clang::Expr* e, bool holds, Known& known, unsigned depth) {
  e = plainly(e);
  if (const clang::Expr* flag = flagOf(e))
    return !changes(namedBy(e)) && depth < 8 && assume(flag, holds, known, depth + 1);
  if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(e))
    return op->getOpcode() == clang::UO_LNot && assume(op->getSubExpr(), !holds, known, depth);
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
  if (!op)
    return false;
  if (op->isLogicalOp()) {
    if ((op->getOpcode() == clang::BO_LAnd) == holds)
      return assume(op->getLHS(), holds, known, depth) && assume(op->getRHS(), holds, known, depth);
    return kindOf(op, known) == OfThread;
  }
  Sum left, right;
  if (!op->isComparisonOp() || !compared(op, known, left, right))
    return false;
  const clang::BinaryOperatorKind kind =
      holds ? op->getOpcode() : clang::BinaryOperator::negateComparisonOp(op->getOpcode());
  if (!symbols_.isOfGrid(left - right)) {
    note(kind, left, right, known);
    return true;
  }
  if (!demandOperands(op, left, right, known))
    return false;
  switch (kind) {
  case clang::BO_LT:
    return demand(right - left + constantSum(-1), known);
  case clang::BO_LE:
    return demand(right - left, known);
  case clang::BO_GT:
    return demand(left - right + constantSum(-1), known);
  case clang::BO_GE:
    return demand(left - right, known);
  case clang::BO_NE: {
    std::vector<Sum> asked;
    const auto least = symbols_.extreme(left - right, false, known.bounds, asked);
    const auto most = symbols_.extreme(left - right, true, known.bounds, asked);
    if (!least || !most || !asked.empty())
      return false;
    conditions_.insert("(" + symbols_.print(*least) + " > 0 || " + symbols_.print(*most) + " < 0)");
    return true;
  }
  default:
    return false;
  }
}

void InsideGrid::note(clang::BinaryOperatorKind kind, Sum left, Sum right, Known& known) const {
  if (symbols_.hasAtoms(right) && !symbols_.hasAtoms(left)) {
    std::swap(left, right);
    kind = clang::BinaryOperator::reverseComparisonOp(kind);
  }
  const auto atoms = symbols_.atomsOf(left);
  if (atoms.size() != 1 || symbols_.hasAtoms(right))
    return;
  const unsigned atom = atoms[0];
  const auto factor = symbols_.factorOf(left, atom);
  if (!factor || asConstant(*factor) != 1)
    return;
  // Without a sign `x - 1 < 5` fails for x = 0: only what is added is known.
  const Sum added = left - symbolSum(atom);
  const auto far = asConstant(added);
  if (!far || *far < 0)
    return;
  const Sum value = right - added;
  Bounds& bounds = known.bounds.insert({atom, symbols_[atom].bounds}).first->second;
  switch (kind) {
  case clang::BO_EQ:
    known.values[atom] = value;
    break;
  case clang::BO_LT:
    bounds.most = value + constantSum(-1);
    break;
  case clang::BO_LE:
    bounds.most = value;
    break;
  case clang::BO_GT:
    bounds.least = value + constantSum(1);
    break;
  case clang::BO_GE:
    bounds.least = value;
    break;
  default:
    break;
  }
}

bool InsideGrid::holdsNowhere(const clang::Expr* condition, Known known) {
  const auto demanded = conditions_;
  if (isOfGrid(condition, known) && assume(condition, false, known))
    return true;
  conditions_ = demanded;
  return false;
}

} // namespace cu2cpp::copies
