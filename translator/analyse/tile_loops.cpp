// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analyse/tile_loops.h"

#include <algorithm>
#include <numeric>

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
  /// findRun() finds how many elements of the tile's rows go with neighbours in memory.
  void findRun() {
    const clang::ASTContext& context = function_.decl->getASTContext();
    const auto* row =
        tile.array && sum_
            ? context.getAsConstantArrayType(sum_->getBase()->IgnoreParenImpCasts()->getType())
            : nullptr;
    const clang::VarDecl* counter = row ? namedBy(sum_->getIdx()) : nullptr;
    if (!counter)
      return;
    for (const auto& [array, elements] : filled_) {
      const bool goesAlong = std::any_of(factors_.begin(), factors_.end(), [&](const auto* factor) {
        return namedBy(factor->getBase()) == array && namedBy(factor->getIdx()) == counter;
      });
      if (!goesAlong || elements.size() != row->getSize().getZExtValue() ||
          elements.rbegin()->first + 1 != elements.size())
        continue;
      std::uint64_t length = 0, run = 0;
      for (std::uint64_t i = 0; i <= elements.size(); ++i) {
        if (i == elements.size() || (i > 0 && !areNeighbours(elements.at(i - 1), elements.at(i)))) {
          run = std::gcd(run, length);
          length = 0;
        }
        ++length;
      }
      if (run > 1 && run < elements.size())
        tile.run = static_cast<unsigned>(run);
    }
    // The same by loops: `own[j] = s[x * 4 + j]; own[4 + j] = s[64 + x * 4 + j];`
    for (const auto& [array, lengths] : stretches_) {
      const bool goesAlong = std::any_of(factors_.begin(), factors_.end(), [&](const auto* factor) {
        return namedBy(factor->getBase()) == array && namedBy(factor->getIdx()) == counter;
      });
      const std::uint64_t all = std::accumulate(lengths.begin(), lengths.end(), std::uint64_t(0)),
                          run = std::accumulate(lengths.begin(), lengths.end(), std::uint64_t(0),
                                                std::gcd<std::uint64_t, std::uint64_t>);
      if (goesAlong && !filled_.count(array) && all == row->getSize().getZExtValue() && run > 1 &&
          run < all)
        tile.run = static_cast<unsigned>(run);
    }
  }
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
    const auto* counter = llvm::dyn_cast<clang::VarDecl>(init->getSingleDecl());
    counters_.insert(counter);
    const clang::ASTContext& context = function_.decl->getASTContext();
    const auto counts = countingLoop(loop);
    const auto from = counts ? constantOf(counts->from, context) : std::nullopt,
               to = counts ? constantOf(counts->to, context) : std::nullopt;
    if (from == 0 && to && *to > 0)
      steps_[counter] = static_cast<std::uint64_t>(*to);
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
    if (ownArray(base)) {
      factors_.push_back(element);
      return true;
    }
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
    // What neighbours reach for row by row of a shared table lies turned (turned_arrays.h).
    const auto* table =
        llvm::dyn_cast<clang::ArraySubscriptExpr>(element->getBase()->IgnoreParenImpCasts());
    if (const clang::VarDecl* array = namedBy(base);
        table && array && isShared(array) && slopes_.slope(element->getIdx()) == 0)
      slope = std::min(slopes_.slope(table->getIdx()), slope);
    tile.ofNeighbours |= slope == 1;
    readsFarNeighbours |= slope > 1;
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    return !op->isAssignmentOp() || addTarget(op->getLHS()->IgnoreParens(), op);
  }
  bool VisitUnaryOperator(clang::UnaryOperator* op) override {
    return !op->isIncrementDecrementOp() || addTarget(op->getSubExpr()->IgnoreParens(), nullptr);
  }

private:
  /// s[x + 1] and s[x + 2] of one row.
  bool areNeighbours(const clang::ArraySubscriptExpr* first,
                     const clang::ArraySubscriptExpr* second) const {
    const clang::ASTContext& context = function_.decl->getASTContext();
    const auto [from, at] = partsOf(first->getIdx());
    const auto [to, behind] = partsOf(second->getIdx());
    return behind == at + 1 && areAlike(from, to, context) &&
           areAlike(first->getBase(), second->getBase(), context);
  }
  /// What a number is added to, and that number.
  std::pair<const clang::Expr*, std::int64_t> partsOf(const clang::Expr* index) const {
    const clang::ASTContext& context = function_.decl->getASTContext();
    const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(index->IgnoreParenImpCasts());
    const auto number = sum && sum->getOpcode() == clang::BO_Add
                            ? constantOf(sum->getRHS(), context)
                            : std::nullopt;
    return number ? std::pair(sum->getLHS(), *number) : std::pair(index, std::int64_t(0));
  }
  /// `own[2] = s[...]`
  void noteFilled(const clang::Expr* target, const clang::VarDecl* array,
                  const clang::BinaryOperator* op) {
    const auto* to = llvm::dyn_cast<clang::ArraySubscriptExpr>(target);
    const auto* from =
        llvm::dyn_cast<clang::ArraySubscriptExpr>(op->getRHS()->IgnoreParenImpCasts());
    const auto place = to && from && namedBy(to->getBase()) == array
                           ? constantOf(to->getIdx(), function_.decl->getASTContext())
                           : std::nullopt;
    if (place && *place >= 0)
      filled_[array][static_cast<std::uint64_t>(*place)] = from;
    else if (to && from && namedBy(to->getBase()) == array)
      noteStretch(array, to->getIdx(), from->getIdx());
  }
  /// `own[4 + j] = s[x + j]` in a loop that counts j from 0.
  void noteStretch(const clang::VarDecl* array, const clang::Expr* to, const clang::Expr* from) {
    const clang::ASTContext& context = function_.decl->getASTContext();
    for (const auto& [counter, steps] : steps_)
      if (risesWith(to, counter) && risesWith(from, counter)) {
        const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(to->IgnoreParenImpCasts());
        if (!sum || constantOf(sum->getLHS(), context) || constantOf(sum->getRHS(), context))
          stretches_[array].push_back(steps);
      }
  }
  static bool risesWith(const clang::Expr* e, const clang::VarDecl* counter) {
    if (namedBy(e) == counter)
      return true;
    const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(e->IgnoreParenImpCasts());
    return sum && sum->getOpcode() == clang::BO_Add &&
           ((risesWith(sum->getLHS(), counter) && !Contents(sum->getRHS()).uses.count(counter)) ||
            (risesWith(sum->getRHS(), counter) && !Contents(sum->getLHS()).uses.count(counter)));
  }

  /// What is changed: counters, own variables, arrays that are filled and one that adds up.
  bool addTarget(const clang::Expr* target, const clang::BinaryOperator* op) {
    if (const clang::VarDecl* variable = namedBy(target))
      return fits = fits && own_.count(variable);
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(target))
      return fits = fits && !member->isArrow() && own_.count(namedBy(member->getBase()));
    std::set<const clang::VarDecl*> named;
    const clang::Expr* base = target;
    const clang::Expr* last = nullptr;
    unsigned dimensions = 0, places = 0;
    while (const auto* at = llvm::dyn_cast<clang::ArraySubscriptExpr>(base)) {
      last = at->getIdx();
      ++dimensions;
      places += constantOf(last, function_.decl->getASTContext()).has_value();
      const auto uses = Contents(last).uses;
      named.insert(uses.begin(), uses.end());
      base = at->getBase()->IgnoreParenImpCasts();
    }
    const clang::VarDecl* array = ownArray(base);
    if (!array)
      return fits = false;
    if (own_.count(array) ||
        (op && op->getOpcode() == clang::BO_Assign && !Contents(op->getRHS()).uses.count(array))) {
      if (op)
        noteFilled(target, array, op);
      return true;
    }
    for (const clang::VarDecl* variable : named)
      places += counters_.count(variable);
    if (places < 1 || named.count(counter_) || (tile.array && tile.array != array))
      return fits = false;
    isRow_ |= places < 2;
    tile.array = array;
    sum_ = llvm::dyn_cast<clang::ArraySubscriptExpr>(target);
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
  std::map<const clang::VarDecl*, std::uint64_t> steps_; ///< of counters from 0
  /// Own arrays that loops fill with neighbours, and how many of these.
  std::map<const clang::VarDecl*, std::vector<std::uint64_t>> stretches_;
  std::set<const clang::Expr*> parts_;
  std::map<const clang::VarDecl*, std::map<std::uint64_t, const clang::ArraySubscriptExpr*>>
      filled_;                                            ///< own arrays, by elements
  std::vector<const clang::ArraySubscriptExpr*> factors_; ///< of arrays of the thread's own
  const clang::ArraySubscriptExpr* sum_ = nullptr;        ///< an element of the tile
  bool isRow_ = false; ///< one counter or number alone tells which element
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
    if (!body.isTile() || !addWrittenOut(loop->getBody(), function, writtenOut))
      continue;
    body.findRun();
    out[loop] = body.tile;
  }
  addSumLoops(function, uniformity, out);
  return out;
}

} // namespace cu2cpp
