// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of a matrix that lanes choose by a value which they have exchanged by butterflies, and which
// so is mostly the same for all (the pivot's row):
//
//   t = s[k][lane];              cu2cpp::eachAlike(cuWarp, cuLanes, cuEach_p, [&](const auto&
//   s[k][lane] = s[p][lane]; ->      cuEach_p) { cu2cpp::eachLane(...) });
//   s[p][lane] = t;
//
// The program asks whether it is (numbers that are none may part the lanes); where it is, what the
// lanes load and store are neighbours.
#include "plan/splitter.h"

#include <algorithm>

#include "llvm/Support/SaveAndRestore.h"

#include "analyse/region_parts.h"

namespace cu2cpp {

namespace {

/// Variables that lanes exchange by __shfl_xor_sync(), and those that take over their values.
class Exchanged : public SyntaxVisitor {
public:
  std::set<const clang::VarDecl*> variables;

  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (callee && callee->getDeclName().isIdentifier() &&
        callee->getName().starts_with("__shfl_xor"))
      for (const clang::Expr* given : call->arguments())
        add(namedBy(given));
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    if (op->getOpcode() == clang::BO_Assign && variables.count(namedBy(op->getRHS())))
      add(namedBy(op->getLHS()));
    return true;
  }

private:
  void add(const clang::VarDecl* variable) {
    if (variable)
      variables.insert(variable);
  }
};

/// The rows `s[p]` of elements `s[p][lane]`, and what says where in the row.
class ChosenRows : public SyntaxVisitor {
public:
  std::vector<std::pair<const clang::VarDecl*, const clang::Expr*>> rows;

  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* e) override {
    const auto* row =
        llvm::dyn_cast<clang::ArraySubscriptExpr>(e->getBase()->IgnoreParenImpCasts());
    if (const clang::VarDecl* chosen = row ? namedBy(row->getIdx()) : nullptr)
      rows.emplace_back(chosen, e->getIdx());
    return true;
  }
};

/// Whether all that is asked of a variable is its value: one for all lanes is a constant.
class OnlyRead : public SyntaxVisitor {
public:
  OnlyRead(const clang::VarDecl* variable, const clang::ParentMap& parents)
      : variable_(variable), parents_(parents) {}
  bool holds = true;

  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    if (use->getDecl() != variable_)
      return true;
    const clang::Stmt* inner = use;
    const clang::Stmt* at = parents_.getParent(use);
    for (; at && llvm::isa<clang::ParenExpr>(at); at = parents_.getParent(at))
      inner = at;
    const auto* cast = llvm::dyn_cast_or_null<clang::ImplicitCastExpr>(at);
    const auto* op = llvm::dyn_cast_or_null<clang::BinaryOperator>(at);
    holds &= (cast && cast->getCastKind() == clang::CK_LValueToRValue) ||
             llvm::isa_and_nonnull<clang::ArraySubscriptExpr>(at) ||
             (op && !op->isCommaOp() && (!op->isAssignmentOp() || op->getRHS() == inner));
    return holds;
  }
  bool VisitLambdaExpr(clang::LambdaExpr*) override { return holds = false; }

private:
  const clang::VarDecl* const variable_;
  const clang::ParentMap& parents_;
};

} // namespace

const clang::VarDecl*
Splitter::alikeInLanes(const RegionNode& region,
                       const std::vector<const clang::VarDecl*>& copied) const {
  if (!plan_.options.lineDirectives || level_ != Scope::Warp || publish_ || region.oneByOne ||
      region.returns || elements_ || tile_)
    return nullptr;
  ChosenRows chosen;
  ChangedInPart changed;
  for (const clang::Stmt* s : region.statements) {
    chosen.TraverseStmt(const_cast<clang::Stmt*>(s));
    changed.TraverseStmt(const_cast<clang::Stmt*>(s));
  }
  if (chosen.rows.empty())
    return nullptr;
  Exchanged exchanged;
  exchanged.TraverseStmt(const_cast<clang::CompoundStmt*>(body_));
  const llvm::SaveAndRestore<bool> rise(const_cast<bool&>(lanesRise_), true);
  for (const auto& [variable, place] : chosen.rows)
    if (exchanged.variables.count(variable) && isStored(variable, Storage::PerLane) &&
        variable->getType()->isIntegerType() && !variable->getType()->isBooleanType() &&
        !variable->getType().isVolatileQualified() && !changed.variables.count(variable) &&
        perThreadName_.count(variable) &&
        std::find(copied.begin(), copied.end(), variable) == copied.end() &&
        stepInRow(place) == 1) {
      OnlyRead read(variable, *parents_);
      for (const clang::Stmt* s : region.statements)
        read.TraverseStmt(const_cast<clang::Stmt*>(s));
      if (read.holds)
        return variable;
    }
  return nullptr;
}

} // namespace cu2cpp
