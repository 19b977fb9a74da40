// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The conditions of a region that compare a thread's place in its row with something that the block
// agrees on (split_inside.cpp): what bounds which place, where, and what is kept of it. Four parts
// find them:
//
//   split_inside_conditions   comparisons, and the text of all bounds
//   split_inside_clamps       places that are kept within bounds: `min(place, limit)`
//   split_inside_wraps        places that branches bring back within bounds
//   split_inside_counted      places that rise with a counter of each thread
#pragma once

#include <set>
#include <string>
#include <vector>

#include <llvm/ADT/FoldingSet.h>

#include "analyse/counted_loops.h"
#include "plan/splitter.h"

namespace cu2cpp {

/// A condition with the answer that threads inside the range give.
struct Leaf {
  const clang::Expr* condition;
  bool holds;
  const clang::Expr* place; ///< `step` more in each thread of a row, or less if it `falls`
  unsigned step;
  const char* bound; ///< member of cu2cpp::Inside
  const clang::Expr* limit;
  std::vector<const clang::Expr*> factors; ///< of the step, which the group knows
  /// The branch without which the place that the condition keeps within bounds is not asked for.
  const clang::IfStmt* guard = nullptr;
  const clang::VarDecl* kept = nullptr; ///< that place
  /// `condition` is no condition, but `min(place, limit)` or the like, which is `place` inside.
  bool clamps = false;
  /// The limit is this number, or this much more than `limit`.
  long long number = 0;
  bool falls = false;
  /// Of a place that rises with a counter of each thread: what bounds it in place of `place`, and
  /// what that names.
  std::string fromTo = {};
  std::vector<const clang::Expr*> named = {};
  /// What gives the place for a counter that counts from 0 on, and how many steps it takes; none if
  /// that is no constant.
  std::string inStep = {}, steps = {};
  const clang::VarDecl* counter = nullptr;
  bool ofRow = false;  ///< the place is one for a row
  bool ofFlag = false; ///< stands in what a flag is, and not where the flag is asked for
  /// The branch changes what is compared: threads outside the range always have to ask.
  bool bringsBack = false;
  unsigned whole = 0;  ///< of which of the conditions it is a part, from 1 on; 0 if of none
};

/// What is known of a place that may rise with a counter of each thread.
struct CountedPlace {
  unsigned step = 0;                       ///< from thread to thread
  bool ofRow = false;                      ///< differs between rows
  std::vector<const clang::Expr*> factors; ///< of the step
  const CountedLoop* loop = nullptr;
  std::vector<const clang::VarDecl*> locals; ///< of the loop, which it names
};

/// InsideConditions are the conditions of a region, and what is kept of them.
class InsideConditions : public SyntaxVisitor {
public:
  explicit InsideConditions(const Splitter& splitter) : splitter_(splitter) {}
  /// visit() looks for conditions in statements that are one region.
  void visit(const std::vector<const clang::Stmt*>& region) {
    roots_ = region;
    for (const clang::Stmt* s : region)
      TraverseStmt(const_cast<clang::Stmt*>(s));
  }
  std::vector<Leaf> leaves;
  unsigned conditions = 0; ///< those of which the leaves are parts, the same one counted once

  bool shouldVisitImplicitCode() const override { return false; }
  bool TraverseStmt(clang::Stmt* s) override;
  bool TraverseLambdaExpr(clang::LambdaExpr*) override { return true; }
  bool TraverseForStmt(clang::ForStmt* loop) override;
  bool VisitDeclStmt(clang::DeclStmt* declared) override;
  bool VisitIfStmt(clang::IfStmt* branch) override;
  bool VisitConditionalOperator(clang::ConditionalOperator* choice) override;

  /// addGuard() adds what holds where a branch is taken. Nothing of it is to be replaced.
  void addGuard(const clang::Expr* condition, bool mayScale = false);
  /// addGuardFlags() adds what flags say that such a branch asks for: `x < n && isValid`.
  void addGuardFlags(const clang::Expr* condition);
  /// addFlag() adds a flag's condition: `bool valid = tx >= low && tx <= high;`, or that it does
  /// not hold: `bool border = tx < low || tx > high;`.
  void addFlag(const clang::VarDecl* variable) {
    if (!variable->getType()->isBooleanType())
      return;
    const auto* op =
        llvm::dyn_cast<clang::BinaryOperator>(variable->getInit()->IgnoreParenImpCasts());
    addWhole(variable->getInit(), !op || op->getOpcode() != clang::BO_LOr);
  }
  /// bounds() is the range in which `some` conditions hold. What it names is added to `named`.
  std::string bounds(const std::vector<Leaf>& some, RegionText& named) const;
  std::string bounds(RegionText& named) const { return bounds(leaves, named); }
  /// areOfSteps() tells whether all are one condition of a place that rises with a counter, of
  /// which each step can be known; boundsOfSteps() is their range.
  bool areOfSteps() const;
  std::string boundsOfSteps(RegionText& named) const;
  /// areOfOne() tells whether the leaves are parts of one condition that does nothing but to
  /// compare.
  bool areOfOne() const;
  /// othersAreOfOne() tells the same of those that neither keep places within bounds nor stand in
  /// the guard.
  bool othersAreOfOne(const std::set<const clang::Expr*>& ofGuard) const;

private:
  std::string limitText(const Leaf& leaf) const;
  std::string stepText(const Leaf& leaf, RegionText& named) const;
  /// identityOf() is the same for conditions that name the same in the same manner.
  llvm::FoldingSetNodeID identityOf(const clang::Expr* condition) const;
  void addWhole(const clang::Expr* condition, bool holds);
  /// Whether a value is a place in the row, or may be chosen to be it.
  bool leadsTo(const clang::Expr* e, const clang::Expr* place) const;
  void add(const clang::Expr* condition, bool holds);

  // --- split_inside_clamps.cpp

  /// `min(max(place, low), high)`, of which only the whole is replaced.
  bool addClamps(const clang::CallExpr* whole);
  /// The same as a function of the user does it: `clampIndex(place, count)`.
  bool addOwnClamps(const clang::CallExpr* call);
  /// `x < low ? low : (x > high ? high : x)` as a macro writes it, of which only the whole is
  /// replaced.
  bool addWrittenClamps(const clang::Expr* whole);

  /// `(x % n + n) % n` or `(x + n) % n`, of which only the whole is replaced.
  bool addWrapped(const clang::Expr* whole);

  // --- split_inside_wraps.cpp

  /// `if (x < 0) x += n; else if (x >= n) x -= n;`, if that is all that changes x in its scope.
  void addBroughtBack(const clang::VarDecl* variable, const clang::CompoundStmt* scope);

  // --- split_inside_counted.cpp

  /// A comparison of a place that rises with the counter of one of the loops around.
  void addCounted(const clang::Expr* condition, const clang::BinaryOperator* op, bool holds);
  /// Whether an integer is a sum of what the group or a row agrees on, places in the row, and
  /// multiples of one counter that are no less than 0.
  bool findCounted(const clang::Expr* e, CountedPlace& found) const;
  /// Whether a place that is one for a row may bound it.
  bool asksRows(const CountedPlace& found) const;
  /// Says in a leaf how its place rises.
  void describe(const CountedPlace& found, Leaf& leaf) const;
  bool findCounted(const clang::ValueDecl* decl, CountedPlace& found) const;
  /// What a counter may be multiplied by: constants and a block's sizes, with which nothing wraps
  /// around.
  bool isFactor(const clang::Expr* e) const;

  static constexpr unsigned mostStep = 64;    // beyond it few threads are left of a range
  std::vector<llvm::FoldingSetNodeID> known_; ///< the conditions
  const Splitter& splitter_;
  bool onlyNamed_ = false;
  bool changeSomething_ = false; ///< some of the conditions
  bool mayScale_ = false;
  std::vector<CountedLoop> loops_;        ///< around the statement that is visited
  std::vector<const clang::Stmt*> roots_; ///< the region
};

} // namespace cu2cpp
