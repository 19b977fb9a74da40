// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Regions of loops that lanes leave one by one, which may as well run for those that have left:
//
//   for (int i = 0; i < 200; ++i) {
//     float t = x * x - y * y + cx;     nobody reads what a lane that has returned has in x and y
//     y = 2 * x * y + cy;
//     x = t;
//     if (x * x + y * y > 4)
//       return i;
//   }
//
// A step then does not wait for the test of the one before.
#include "analyse/region_builder.h"

#include <algorithm>

namespace cu2cpp {
namespace {

/// Whether code does nothing but compute floating-point values of its own, which does no harm
/// whatever they are, and the variables that it changes.
class Harmless : public SyntaxVisitor {
public:
  explicit Harmless(const Facts& facts, unsigned depth = 0) : facts_(facts), depth_(depth) {}
  bool fits = true;
  std::set<const clang::VarDecl*> changed, declared;

  bool VisitVarDecl(clang::VarDecl* variable) override {
    declared.insert(variable);
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    // Lanes leave before a loop's counter makes their divisor 0, or their pointer's end is passed.
    const bool divides = op->getOpcode() == clang::BO_Div || op->getOpcode() == clang::BO_Rem ||
                         op->getOpcode() == clang::BO_DivAssign ||
                         op->getOpcode() == clang::BO_RemAssign;
    fits = fits && !(divides && !op->getType()->isFloatingType());
    return fits && (!op->isAssignmentOp() || change(op->getLHS()));
  }
  bool VisitUnaryOperator(clang::UnaryOperator* op) override {
    fits = fits && op->getOpcode() != clang::UO_Deref;
    return fits && (!op->isIncrementDecrementOp() || change(op->getSubExpr()));
  }
  bool VisitMemberExpr(clang::MemberExpr* member) override {
    return fits = fits && (!member->isArrow() ||
                           llvm::isa<clang::CXXThisExpr>(member->getBase()->IgnoreImpCasts()));
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    return fits = fits && callee && depth_ < 4 && isPureFunction(callee, facts_) && ends(callee);
  }
  bool VisitStmt(clang::Stmt* s) override {
    return fits =
               fits &&
               !llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt,
                          clang::ArraySubscriptExpr, clang::ContinueStmt, clang::BreakStmt>(s) &&
               (depth_ > 0 || !llvm::isa<clang::ReturnStmt>(s));
  }

private:
  bool change(const clang::Expr* target) {
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(target->IgnoreParens());
    const auto* variable = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
    fits = fits && variable && variable->getType()->isFloatingType();
    if (variable)
      changed.insert(variable);
    return fits;
  }
  /// Whether a function takes about the same time for all values.
  bool ends(const clang::FunctionDecl* callee) const {
    const clang::FunctionDecl* definition = nullptr;
    if (!facts_.find(callee) || !callee->hasBody(definition))
      return false;
    Harmless body(facts_, depth_ + 1);
    body.TraverseStmt(definition->getBody());
    return body.fits;
  }
  const Facts& facts_;
  unsigned depth_;
};

class Uses : public SyntaxVisitor {
public:
  std::map<const clang::ValueDecl*, unsigned> counts;
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    ++counts[use->getDecl()];
    return true;
  }
};

} // namespace

bool RegionBuilder::isReadBehind(const clang::VarDecl* variable, const clang::Stmt* loop) const {
  const LocalVariable* local = uniformity_.find(variable);
  const clang::Stmt* home =
      local && local->statement ? uniformity_.parents().getParent(local->statement) : body_;
  const clang::Stmt* inner = loop;
  for (const clang::Stmt* at = uniformity_.parents().getParent(loop); at;
       inner = at, at = uniformity_.parents().getParent(at)) {
    if (isLoop(at))
      return true;
    bool behind = false;
    for (const clang::Stmt* child : at->children()) {
      if (behind && child) {
        Uses uses;
        uses.TraverseStmt(const_cast<clang::Stmt*>(child));
        if (uses.counts.count(variable))
          return true;
      }
      behind |= child == inner;
    }
    if (at == home)
      return false;
  }
  return true;
}

void RegionBuilder::findPastExits(std::vector<RegionNode>& nodes) {
  for (RegionNode& node : nodes) {
    findPastExits(node.children);
    findPastExits(node.otherwise);
    if (node.kind != RegionNode::Kind::Loop || !node.masked || node.skips ||
        !arithmetic_.count(node.statement))
      continue;
    // Lanes that return need nothing any more.
    const bool byReturn = !kernel_.kernel && !node.leaves &&
                          uniformity_.isUniform(conditionOf(node.statement), Scope::Warp);
    for (RegionNode& region : node.children) {
      if (region.kind != RegionNode::Kind::Region || region.returns || region.oneByOne ||
          region.leavesAtOnce)
        continue;
      Harmless body(facts_);
      for (const clang::Stmt* s : region.statements)
        body.TraverseStmt(const_cast<clang::Stmt*>(s));
      region.runsPastExits =
          body.fits && !body.changed.empty() &&
          std::all_of(body.changed.begin(), body.changed.end(), [&](const auto* variable) {
            return variable->hasLocalStorage() && !variable->getType()->isReferenceType() &&
                   (byReturn || body.declared.count(variable) ||
                    !isReadBehind(variable, node.statement));
          });
      node.entered |= region.runsPastExits;
    }
  }
}

} // namespace cu2cpp
