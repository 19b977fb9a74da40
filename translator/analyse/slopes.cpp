// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analyse/slopes.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "analyse/marks.h"
#include "analyse/rests.h"
#include "parse/syntax_visitor.h"

namespace cu2cpp {

const clang::Expr* behindWideCasts(const clang::Expr* e) {
  for (;;) {
    const clang::Expr* inner = e->IgnoreParens();
    const auto* cast = llvm::dyn_cast<clang::CastExpr>(inner);
    if (!cast)
      return inner;
    switch (cast->getCastKind()) {
    case clang::CK_IntegralCast: {
      const auto* type = cast->getType()->getAs<clang::BuiltinType>();
      if (!type)
        return inner;
      switch (type->getKind()) {
      case clang::BuiltinType::Int:
      case clang::BuiltinType::UInt:
      case clang::BuiltinType::Long:
      case clang::BuiltinType::ULong:
      case clang::BuiltinType::LongLong:
      case clang::BuiltinType::ULongLong:
        break;
      case clang::BuiltinType::Short:
      case clang::BuiltinType::UShort:
        // A block has 1024 threads at most.
        if (const auto part = asBuiltinPart(cast->getSubExpr());
            !part || (part->of != ThreadIdx && part->of != BlockDim))
          return inner;
        break;
      default:
        return inner;
      }
      break;
    }
    case clang::CK_LValueToRValue:
    case clang::CK_NoOp:
    case clang::CK_ArrayToPointerDecay:
      break;
    default:
      return inner;
    }
    e = cast->getSubExpr();
  }
}

bool isPart(const clang::Expr* e, Builtin of, llvm::StringRef part) {
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(behindWideCasts(e));
  if (!member || member->getMemberDecl()->getName() != part)
    return false;
  const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(member->getBase()->IgnoreParenCasts());
  return use && builtinOf(use->getDecl()) == unsigned(of);
}

std::optional<BuiltinPart> asBuiltinPart(const clang::Expr* e) {
  for (const auto& [builtin, name] : {std::pair(ThreadIdx, "threadIdx"),
                                      {BlockIdx, "blockIdx"},
                                      {BlockDim, "blockDim"},
                                      {GridDim, "gridDim"}})
    for (const char* part : {"x", "y", "z"})
      if (isPart(e, builtin, part))
        return BuiltinPart{builtin, name, part};
  return std::nullopt;
}

unsigned Slopes::slope(const clang::Expr* e) {
  e = e->IgnoreParenCasts();
  if (isPart(e, ThreadIdx, along_))
    return 1;
  if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
    if (!variable || llvm::isa<clang::ParmVarDecl>(variable) || !variable->hasLocalStorage())
      return 0;
    const auto [found, isNew] = known_.insert({variable, 0});
    if (isNew) {
      const unsigned all = slopeOf(variable);
      known_[variable] = all;
      return all;
    }
    return found->second;
  }
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e)) {
    const unsigned left = slope(op->getLHS()), right = slope(op->getRHS());
    if (op->getOpcode() == clang::BO_Add || op->getOpcode() == clang::BO_Sub)
      return known(left + right);
    if (op->getOpcode() == clang::BO_Mul && (!left || !right))
      if (const unsigned times = factor(left ? op->getRHS() : op->getLHS()); times > 0)
        return known((left + right) * times);
    if (rings_ && right == 0 && isRestOfSum(op, *rings_))
      return left;
    // Rows of a tile in a row of threads: for most, `tid % width` is as `tid`.
    if (partsRows_ && right == 0 &&
        (op->getOpcode() == clang::BO_Rem || op->getOpcode() == clang::BO_And))
      return left;
    if (partsRows_ && right == 0 && left == 1 &&
        (op->getOpcode() == clang::BO_Div || op->getOpcode() == clang::BO_Shr))
      return 0;
    return left || right ? other : 0;
  }
  if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(e))
    return op->getOpcode() == clang::UO_AddrOf || op->isIncrementDecrementOp() ||
                   op->getOpcode() == clang::UO_Plus
               ? slope(op->getSubExpr())
               : (slope(op->getSubExpr()) ? other : 0);
  if (const auto* op = llvm::dyn_cast<clang::ConditionalOperator>(e))
    return std::max(slope(op->getTrueExpr()), slope(op->getFalseExpr()));
  if (const auto* at = llvm::dyn_cast<clang::ArraySubscriptExpr>(e))
    return slope(at->getIdx()) ? other : slope(at->getBase());
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e))
    return slope(member->getBase()) ? other : 0;
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(e)) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (callee && callee->getIdentifier() && callee->getName() == "rankInBlock")
      return along_ == "x" ? 1 : other;
    unsigned most = 0;
    for (const clang::Expr* argument : call->arguments())
      most = std::max(most, slope(argument));
    return most; // min, max
  }
  for (const clang::Stmt* child : e->children())
    if (const auto* part = llvm::dyn_cast_or_null<clang::Expr>(child); part && slope(part))
      return other;
  return 0;
}

unsigned Slopes::factor(const clang::Expr* e) const {
  const auto* literal = llvm::dyn_cast<clang::IntegerLiteral>(e->IgnoreParenCasts());
  return literal && steepest_ > 1 && literal->getValue().ule(steepest_)
             ? unsigned(literal->getValue().getZExtValue())
             : 0;
}

/// The steepest of all that a variable is ever assigned.
unsigned Slopes::slopeOf(const clang::VarDecl* variable) {
  class Assigned : public SyntaxVisitor {
  public:
    const clang::VarDecl* variable = nullptr;
    std::vector<const clang::BinaryOperator*> assignments;
    bool VisitBinaryOperator(clang::BinaryOperator* op) override {
      const auto* use =
          op->isAssignmentOp()
              ? llvm::dyn_cast<clang::DeclRefExpr>(op->getLHS()->IgnoreParenImpCasts())
              : nullptr;
      if (use && use->getDecl() == variable)
        assignments.push_back(op);
      return true;
    }
  } assigned;
  assigned.variable = variable;
  assigned.TraverseStmt(const_cast<clang::Stmt*>(body_));
  unsigned most = variable->hasInit() ? slope(variable->getInit()) : 0;
  for (const clang::BinaryOperator* op : assigned.assignments) {
    const unsigned value = slope(op->getRHS());
    most = std::max(most, op->getOpcode() == clang::BO_Assign ? value : value ? other : 0);
  }
  return most;
}

} // namespace cu2cpp
