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
#include "analyse/pure_functions.h"
#include "analyse/region_builder.h"

#include <algorithm>

#include "llvm/ADT/StringSwitch.h"

#include "analyse/marks.h"

namespace cu2cpp {
namespace {

/// Whether code does nothing but compute floating-point values of its own, which does no harm
/// whatever they are, and the variables that it changes.
class Harmless : public SyntaxVisitor {
public:
  explicit Harmless(const Facts& facts, const Uniformity* uniformity, unsigned depth = 0)
      : facts_(facts), uniformity_(uniformity), depth_(depth) {}
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
    fits = fits && (op->getOpcode() != clang::UO_Deref ||
                    llvm::isa<clang::CXXThisExpr>(op->getSubExpr()->IgnoreParenImpCasts()));
    return fits && (!op->isIncrementDecrementOp() || change(op->getSubExpr()));
  }
  bool VisitMemberExpr(clang::MemberExpr* member) override {
    return fits = fits && (!member->isArrow() ||
                           llvm::isa<clang::CXXThisExpr>(member->getBase()->IgnoreImpCasts()));
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    return fits = fits && callee &&
                  (isInstruction(callee) ||
                   (depth_ < 4 && (isPureFunction(callee, facts_) || changesOwn(call)) &&
                    ends(callee)));
  }
  bool VisitStmt(clang::Stmt* s) override {
    return fits =
               fits &&
               !llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt,
                          clang::ArraySubscriptExpr, clang::ContinueStmt, clang::BreakStmt>(s) &&
               (depth_ > 0 || !llvm::isa<clang::ReturnStmt>(s));
  }

private:
  /// Whether all that a call changes is declared here. (Of a function's own calls, that is known
  /// with the function.)
  bool changesOwn(const clang::CallExpr* call) const {
    const std::vector<const clang::Expr*> given = givenBy(call);
    return !given.empty() && changesGivenOnly(call->getDirectCallee(), facts_) &&
           (depth_ > 0 || std::all_of(given.begin(), given.end(), [&](const clang::Expr* e) {
              const clang::VarDecl* object = namedBy(e);
              return object && declared.count(object);
            }));
  }
  bool change(const clang::Expr* target) {
    // The object's, or of what a function gets by reference.
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(target->IgnoreParens());
        member && depth_ > 0)
      return fits = fits && member->getType()->isFloatingType();
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(target->IgnoreParens());
    const auto* variable = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
    const LocalVariable* local = uniformity_ && variable ? uniformity_->find(variable) : nullptr;
    fits = fits && variable && (local ? local->floating : variable->getType()->isFloatingType());
    if (variable)
      changed.insert(variable);
    return fits;
  }
  /// Whether a function of the headers is about one instruction of a processor.
  bool isInstruction(const clang::FunctionDecl* callee) const {
    return !facts_.find(callee) && !hasMark(callee, "device") && callee->getIdentifier() &&
           llvm::StringSwitch<bool>(callee->getName())
               .Cases("fabs", "fabsf", "abs", "fma", "fmaf", "sqrt", "sqrtf", true)
               .Cases("fmin", "fminf", "fmax", "fmaxf", "min", "max", true)
               .Cases("copysign", "copysignf", "floor", "floorf", "trunc", "truncf", true)
               .Default(false);
  }
  /// Whether a function takes about the same time for all values.
  bool ends(const clang::FunctionDecl* callee) const {
    const clang::FunctionDecl* definition = nullptr;
    if (!facts_.find(callee) || !callee->hasBody(definition))
      return false;
    Harmless body(facts_, nullptr, depth_ + 1);
    body.TraverseStmt(definition->getBody());
    return body.fits;
  }
  const Facts& facts_;
  const Uniformity* uniformity_; ///< of the function whose own code this is
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

bool RegionBuilder::dividesByOwn(const clang::Stmt* code,
                                 std::set<const clang::VarDecl*>& seen) const {
  class Divisions : public SyntaxVisitor {
  public:
    std::vector<const clang::Expr*> divisors;
    bool VisitBinaryOperator(clang::BinaryOperator* op) override {
      const bool divides = op->getOpcode() == clang::BO_Div || op->getOpcode() == clang::BO_Rem;
      if (divides && !op->getType()->isFloatingType())
        divisors.push_back(op->getRHS());
      return true;
    }
  } divisions;
  divisions.TraverseStmt(const_cast<clang::Stmt*>(code));
  for (const clang::Expr* divisor : divisions.divisors)
    if (!uniformity_.isUniform(divisor, Scope::Warp))
      return true;
  for (const clang::VarDecl* used : Contents(code).uses) {
    const auto storage = out_->storage.find(used);
    if (storage == out_->storage.end() || !seen.insert(used).second)
      continue;
    if (storage->second == Storage::Restated ||
        (storage->second == Storage::Recomputed && dividesByOwn(used->getInit(), seen)))
      return true;
  }
  return false;
}

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
    std::vector<RegionNode> children;
    for (RegionNode& region : node.children) {
      std::vector<RegionNode> parts;
      if (region.kind == RegionNode::Kind::Region && !region.returns && !region.oneByOne &&
          !region.leavesAtOnce)
        parts = partedAtExits(region, node.statement, byReturn);
      if (parts.empty())
        parts = {std::move(region)};
      for (RegionNode& part : parts) {
        node.entered |= part.runsPastExits;
        children.push_back(std::move(part));
      }
    }
    node.children = std::move(children);
  }
}

std::vector<RegionNode> RegionBuilder::partedAtExits(const RegionNode& region,
                                                     const clang::Stmt* loop, bool byReturn) const {
  const std::vector<const clang::Stmt*>& all = region.statements;
  // The first statements that need not care who has left, as many as follow each other.
  std::size_t from = 0, to = 0;
  bool inAnyLane = true, changes = false;
  std::set<const clang::VarDecl*> own;
  for (std::size_t at = 0; at < all.size(); ++at) {
    Harmless body(facts_, &uniformity_);
    body.TraverseStmt(const_cast<clang::Stmt*>(all[at]));
    bool fits = body.fits, unread = true;
    for (const clang::VarDecl* variable : body.changed)
      if (!body.declared.count(variable) && !own.count(variable)) {
        const bool isLocal = variable->hasLocalStorage() && !variable->getType()->isReferenceType();
        const bool isRead = isReadBehind(variable, loop);
        fits &= isLocal && (byReturn || !isRead);
        unread &= !isRead;
      }
    if (!fits && changes)
      break;
    if (!fits) {
      from = to = at + 1;
      inAnyLane = true;
      own.clear();
      continue;
    }
    to = at + 1;
    inAnyLane &= unread;
    own.insert(body.declared.begin(), body.declared.end());
    changes |= !body.changed.empty() ||
               std::any_of(body.declared.begin(), body.declared.end(), [&](const auto* variable) {
                 const auto storage = out_->storage.find(variable);
                 return storage != out_->storage.end() && storage->second == Storage::PerLane;
               });
  }
  if (!changes)
    return {};
  std::vector<RegionNode> parts;
  const auto add = [&](std::size_t begin, std::size_t end) {
    if (begin == end)
      return;
    RegionNode part = region;
    part.statements.assign(all.begin() + begin, all.begin() + end);
    if (!parts.empty())
      part.movedHere.clear();
    parts.push_back(std::move(part));
  };
  add(0, from);
  add(from, to);
  parts.back().runsPastExits = true;
  // Lanes that never entered would compute again what others have computed before.
  std::set<const clang::VarDecl*> seen;
  for (const clang::Stmt* s : parts.back().statements)
    inAnyLane = inAnyLane && !dividesByOwn(s, seen);
  parts.back().runsInAnyLane = inAnyLane;
  add(to, all.size());
  if (parts.size() == 1)
    return parts;
  // What one part declares another must not name, and what all read is read in front of each.
  if (!region.fresh.empty() || !region.uniformLoads.empty())
    return {};
  std::vector<Contents> named;
  for (const RegionNode& part : parts) {
    named.emplace_back(nullptr);
    for (const clang::Stmt* s : part.statements)
      named.back().TraverseStmt(const_cast<clang::Stmt*>(s));
  }
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (std::size_t j = i + 1; j < parts.size(); ++j)
      for (const clang::VarDecl* variable : named[i].declares)
        if (named[j].uses.count(variable) && !out_->storage.count(variable))
          return {};
  return parts;
}

} // namespace cu2cpp
