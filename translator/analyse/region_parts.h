// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What pieces of code name, declare and assign: the questions that building regions asks of them.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "clang/AST/ParentMap.h"
#include "llvm/ADT/SmallBitVector.h"

#include "analyse/marks.h"
#include "parse/syntax_visitor.h"

namespace cu2cpp {

/// The local variables and jumps in a piece of code, but for the parts in `skip`.
class Contents : public SyntaxVisitor {
public:
  std::set<const clang::VarDecl*> uses;
  std::set<const clang::VarDecl*> declares;
  std::vector<const clang::Stmt*> jumps;
  std::vector<const clang::ReturnStmt*> returnStatements;
  unsigned nodes = 0;
  bool returns = false;
  bool labels = false;
  bool returnInMacro = false;

  explicit Contents(const clang::Stmt* statement,
                    const std::set<const clang::Stmt*>* skip = nullptr)
      : skip_(skip) {
    if (statement)
      TraverseStmt(const_cast<clang::Stmt*>(statement));
  }
  bool TraverseStmt(clang::Stmt* s) override {
    if (s && skip_ && skip_->count(s))
      return true;
    return SyntaxVisitor::TraverseStmt(s);
  }
  bool VisitStmt(clang::Stmt*) override {
    ++nodes;
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    const clang::ValueDecl* named = use->getDecl();
    if (const auto* part = llvm::dyn_cast<clang::BindingDecl>(named))
      named = part->getDecomposedDecl();
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(named))
      if (variable->hasLocalStorage() && !isShared(variable))
        uses.insert(variable);
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    declares.insert(variable);
    return true;
  }
  bool VisitBreakStmt(clang::BreakStmt* s) override { return addJump(s); }
  bool VisitContinueStmt(clang::ContinueStmt* s) override { return addJump(s); }
  bool VisitReturnStmt(clang::ReturnStmt* s) override {
    returnInMacro |= s->getBeginLoc().isMacroID();
    return returns = true;
  }
  bool VisitGotoStmt(clang::GotoStmt*) override { return labels = true; }
  bool VisitLabelStmt(clang::LabelStmt*) override { return labels = true; }
  // A lambda's return leaves the lambda.
  bool TraverseLambdaExpr(clang::LambdaExpr* lambda) override {
    const bool before = returns;
    const bool more = SyntaxVisitor::TraverseLambdaExpr(lambda);
    returns = before;
    return more;
  }

private:
  bool addJump(const clang::Stmt* s) {
    jumps.push_back(s);
    return true;
  }
  const std::set<const clang::Stmt*>* skip_;
};

/// The variable that an expression names, if that is all it does.
const clang::VarDecl* namedBy(const clang::Expr* e);

/// Whether two expressions say the same, but for parentheses and conversions around them.
bool areAlike(const clang::Expr* a, const clang::Expr* b, const clang::ASTContext& context);

/// All for loops in a piece of code, outer ones before those in them.
std::vector<const clang::ForStmt*> forLoopsIn(const clang::Stmt* code);

/// How often a piece of code names a variable.
unsigned countUses(const clang::Stmt* code, const clang::VarDecl* variable);

/// An element of an array of arrays: tile[a][b].
struct ArrayElement {
  const clang::VarDecl* array = nullptr;
  std::vector<const clang::Expr*> indices;
};
ArrayElement elementOf(const clang::Expr* e);
/// arrayOf() and indexOf() are an element's array and place. (Where the place's type depends on a
/// template's parameter, clang's own names for them are the wrong way round.)
const clang::Expr* arrayOf(const clang::ArraySubscriptExpr* element);
const clang::Expr* indexOf(const clang::ArraySubscriptExpr* element);

/// `for (int counter = from; counter < to; ++counter)`; where callers know what to do with it, also
/// `counter <= to` and `counter += steps`.
struct CountingLoop {
  const clang::VarDecl* counter = nullptr;
  const clang::Expr* from = nullptr;
  const clang::Expr* to = nullptr;
  bool includesEnd = false;
};
std::optional<CountingLoop> countingLoop(const clang::ForStmt* loop, bool mayIncludeEnd = false,
                                         std::int64_t steps = 1);
/// The value of an integer constant.
std::optional<std::int64_t> constantOf(const clang::Expr* e, const clang::ASTContext& context);

/// How many steps of a loop are written out, and how many copies of its body nests of them come to
/// (CU2CPP_UNROLL).
/// Where the user asks for it by `#pragma unroll`, loops may have more steps.
constexpr std::uint64_t mostSteps = 16, mostStepsAskedFor = 32, mostCopies = 256;
/// Likewise where the number of a step decides what it does: rounds of a hash.
constexpr std::uint64_t mostRounds = 80;
/// Likewise of a loop with barriers, whose steps are loops over threads.
constexpr std::uint64_t mostStepsOfBlock = 8;

/// The array of one thread that an expression names: a local variable that is not shared.
const clang::VarDecl* ownArray(const clang::Expr* e);

/// Neighbouring elements of an array that are read or written as one vector:
/// `reinterpret_cast<float4*>(&array[from])[0]`, `*(float4*)&array[from]`.
struct ElementVector {
  const clang::DeclRefExpr* array = nullptr;
  const clang::Expr* from = nullptr; ///< null for 0
  unsigned count = 0;
};
std::optional<ElementVector> elementVector(const clang::Expr* e);
/// The vector that a use of an array is part of, where it is only copied from or to.
const clang::Expr* copiedVectorAround(const clang::DeclRefExpr* array,
                                      const clang::ParentMap& parents);

/// Whether code may read a variable before it has assigned it, on any path that the structure of
/// the code shows. An array is assigned by a loop that goes through all of it, or by assignments
/// that name all of its elements.
class AssignedFirst {
public:
  explicit AssignedFirst(const clang::VarDecl* variable) : variable_(variable) {}
  bool readsFirst = false;

  /// Goes through a statement in order; true if the variable is certainly assigned behind it.
  bool run(const clang::Stmt* s, bool assigned);

private:
  bool isVariable(const clang::Expr* e) const;
  /// `for (int i = 0; i < <the array's size>; ++i) array[i] = <without the array>;`
  bool fills(const clang::ForStmt* loop) const;
  /// The elements of the array that an expression names by constants.
  llvm::SmallBitVector elementsIn(const clang::Expr* target) const;
  /// Runs what may be passed over: elements that are assigned there count only there.
  template <class Run> bool aside(Run part) {
    const llvm::SmallBitVector before = elements_;
    const bool assigned = part();
    elements_ = before;
    return assigned;
  }
  const clang::VarDecl* variable_;
  llvm::SmallBitVector elements_; ///< those that are assigned so far
};

/// A visitor of what may differ between the threads of one row: threadIdx.y and .z are passed over.
class NamesInRow : public SyntaxVisitor {
public:
  bool TraverseMemberExpr(clang::MemberExpr* member) override {
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(member->getBase()->IgnoreParenCasts());
    if (use && builtinOf(use->getDecl()) == ThreadIdx && member->getMemberDecl()->getName() != "x")
      return true;
    return SyntaxVisitor::TraverseMemberExpr(member);
  }
};

/// The variables that code changes under a condition.
class ChangedInPart : public SyntaxVisitor {
public:
  std::set<const clang::VarDecl*> variables;

  bool TraverseIfStmt(clang::IfStmt* s) override {
    TraverseStmt(s->getCond());
    return within([&] { return TraverseStmt(s->getThen()) && TraverseStmt(s->getElse()); });
  }
  bool TraverseConditionalOperator(clang::ConditionalOperator* e) override {
    TraverseStmt(e->getCond());
    return within([&] { return TraverseStmt(e->getLHS()) && TraverseStmt(e->getRHS()); });
  }
  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    return !op->isAssignmentOp() || add(op->getLHS());
  }
  bool VisitUnaryOperator(clang::UnaryOperator* op) override {
    return !op->isIncrementDecrementOp() || add(op->getSubExpr());
  }

private:
  template <class Visit> bool within(Visit visit) {
    ++depth_;
    const bool more = visit();
    --depth_;
    return more;
  }
  bool add(const clang::Expr* target) {
    if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(target->IgnoreParenImpCasts()))
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl()); depth_ && variable)
        variables.insert(variable);
    return true;
  }
  unsigned depth_ = 0;
};

bool isLoop(const clang::Stmt* s);
bool holdsLoop(const clang::Stmt* s);
const clang::Stmt* bodyOf(const clang::Stmt* loop);
/// Of a loop (not a range-based for) or an if.
const clang::Expr* conditionOf(const clang::Stmt* loop);

} // namespace cu2cpp
