// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analyse/tile_loops.h"

#include "analyse/instance_calls.h"
#include "analyse/region_parts.h"
#include "analyse/register_loops.h"
#include "analyse/slopes.h"

namespace cu2cpp {
namespace {

/// What a loop's body does, if it may be such a loop.
class Body : public SyntaxVisitor {
public:
  Body(const clang::ForStmt* loop, const clang::VarDecl* counter, const FunctionFacts& function,
       Slopes& slopes)
      : counter_(counter), function_(function), slopes_(slopes), own_(Contents(loop).declares) {}
  bool fits = true;
  bool readsFarNeighbours = false; ///< what neighbouring threads read lies apart
  TileLoop tile;
  /// isTile() tells whether such a loop is better run by tiles.
  bool isTile() const {
    return fits && tile.array &&
           (tile.ofNeighbours ? !readsFarNeighbours : readsFarNeighbours && !isRow_);
  }

  bool VisitStmt(clang::Stmt* s) override {
    return fits = fits && !llvm::isa<clang::IfStmt, clang::ConditionalOperator, clang::SwitchStmt,
                                     clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt,
                                     clang::BreakStmt, clang::ContinueStmt, clang::ReturnStmt,
                                     clang::GotoStmt, clang::LambdaExpr, clang::AsmStmt>(s);
  }
  bool TraverseForStmt(clang::ForStmt* loop) override {
    const auto* init = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
    if (!init || !init->isSingleDecl())
      return fits = false;
    counters_.insert(llvm::dyn_cast<clang::VarDecl>(init->getSingleDecl()));
    return SyntaxVisitor::TraverseForStmt(loop);
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    static const std::set<std::string> plain = {"fma",       "fmaf",      "__fmaf_rn", "__fma_rn",
                                                "__fmul_rn", "__fadd_rn", "__ldg"};
    const auto callees = calleesOf(call, function_);
    fits &= !callees.empty();
    for (const clang::FunctionDecl* callee : callees)
      fits &= callee->getIdentifier() && plain.count(callee->getName().str());
    return fits;
  }
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* element) override {
    const clang::Expr* base = element;
    while (const auto* at = llvm::dyn_cast<clang::ArraySubscriptExpr>(base)) {
      if (!parts_.insert(at).second)
        return true; // part of one that was seen before
      base = at->getBase()->IgnoreParenImpCasts();
    }
    if (ownArray(base))
      return true;
    // Along a row of the block: the sum of what all indices and the pointer grow by.
    unsigned slope = 0;
    base = element;
    bool isLast = true;
    while (const auto* at = llvm::dyn_cast<clang::ArraySubscriptExpr>(base)) {
      const unsigned part = slopes_.slope(at->getIdx());
      slope = std::min(slope + (isLast ? part : part ? Slopes::other : 0), Slopes::other);
      base = at->getBase()->IgnoreParenImpCasts();
      isLast = false;
    }
    slope = std::min(slope + slopes_.slope(base), Slopes::other);
    tile.ofNeighbours |= slope == 1;
    readsFarNeighbours |= slope == Slopes::other;
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    return !op->isAssignmentOp() || addTarget(op->getLHS()->IgnoreParens(), op);
  }
  bool VisitUnaryOperator(clang::UnaryOperator* op) override {
    return !op->isIncrementDecrementOp() || addTarget(op->getSubExpr()->IgnoreParens(), nullptr);
  }

private:
  /// What is changed: counters, own variables, arrays that are filled and one that adds up.
  bool addTarget(const clang::Expr* target, const clang::BinaryOperator* op) {
    if (const clang::VarDecl* variable = namedBy(target))
      return fits = fits && own_.count(variable);
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(target))
      return fits = fits && !member->isArrow() && own_.count(namedBy(member->getBase()));
    std::set<const clang::VarDecl*> named;
    const clang::Expr* base = target;
    const clang::Expr* last = nullptr;
    unsigned dimensions = 0;
    while (const auto* at = llvm::dyn_cast<clang::ArraySubscriptExpr>(base)) {
      last = at->getIdx();
      ++dimensions;
      const auto uses = Contents(last).uses;
      named.insert(uses.begin(), uses.end());
      base = at->getBase()->IgnoreParenImpCasts();
    }
    const clang::VarDecl* array = ownArray(base);
    if (!array)
      return fits = false;
    if (own_.count(array) ||
        (op && op->getOpcode() == clang::BO_Assign && !Contents(op->getRHS()).uses.count(array)))
      return true;
    unsigned counters = 0;
    for (const clang::VarDecl* variable : named)
      counters += counters_.count(variable);
    if (counters < 1 || named.count(counter_) || (tile.array && tile.array != array))
      return fits = false;
    isRow_ |= counters < 2;
    tile.array = array;
    if (dimensions == 1)
      findWidth(last);
    return true;
  }
  /// Of a sum the last factor by which a counter is multiplied.
  void findWidth(const clang::Expr* index) {
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(index->IgnoreParenImpCasts());
    if (op && op->getOpcode() == clang::BO_Add) {
      findWidth(op->getLHS());
      findWidth(op->getRHS());
    } else if (op && op->getOpcode() == clang::BO_Mul) {
      if (counters_.count(namedBy(op->getLHS())))
        tile.width = op->getRHS()->IgnoreParenImpCasts();
      else if (counters_.count(namedBy(op->getRHS())))
        tile.width = op->getLHS()->IgnoreParenImpCasts();
    }
  }

  const clang::VarDecl* counter_;
  const FunctionFacts& function_;
  Slopes& slopes_;
  const std::set<const clang::VarDecl*> own_;
  std::set<const clang::VarDecl*> counters_;
  std::set<const clang::Expr*> parts_;
  bool isRow_ = false; ///< one counter alone tells which element
};

} // namespace

std::map<const clang::ForStmt*, TileLoop> findTileLoops(const FunctionFacts& function,
                                                        const Uniformity& uniformity) {
  std::map<const clang::ForStmt*, TileLoop> out;
  Slopes slopes(function.decl->getBody(), "x", true);
  for (const clang::ForStmt* loop : forLoopsIn(function.decl->getBody())) {
    const auto* init = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
    const auto* counter = init && init->isSingleDecl()
                              ? llvm::dyn_cast<clang::VarDecl>(init->getSingleDecl())
                              : nullptr;
    const LocalVariable* local = counter ? uniformity.find(counter) : nullptr;
    if (!local || !local->uniform || local->escapes || local->assignments.size() != 1 ||
        !loop->getInc() || loop->getInc()->IgnoreParens() != local->assignments.front() ||
        !loop->getCond() || !uniformity.isUniform(loop->getCond()) ||
        loop->getConditionVariable() || loop->getForLoc().isMacroID())
      continue;
    Body body(loop, counter, function, slopes);
    body.TraverseStmt(const_cast<clang::Stmt*>(loop->getBody()));
    std::set<const clang::ForStmt*> writtenOut;
    if (body.isTile() && addWrittenOut(loop->getBody(), function, writtenOut))
      out[loop] = body.tile;
  }
  return out;
}

} // namespace cu2cpp
