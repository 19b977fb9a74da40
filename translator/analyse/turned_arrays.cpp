// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared arrays of two dimensions whose first one is threadIdx.x: `tile[threadIdx.x][k]`. A warp
// does not mind, if rows are padded; a loop over threads would gather. With the dimensions the
// other way around in memory, threads reach for neighbours. So they do in wavefronts, which take an
// anti-diagonal of the array in each step, `tile[d - threadIdx.x][threadIdx.x]`, with these as
// rows. That is for arrays of which nothing but single elements is named, each with both its
// places.
//
// Of arrays of such tables (`As[2][16][68]`, of which a product loads one while it reads the other)
// each lies so. Threads that fill them are mostly numbered in one row, and quotients and remainders
// tell rows there: `As[buffer][e % 16][e / 16] = ...`. So it is with loops in which each thread
// adds up a tile of results (tile_loops.h).
#include "analyse/turned_arrays.h"

#include <algorithm>
#include <optional>

#include "analyse/analyses.h"
#include "analyse/regions.h"
#include "analyse/slopes.h"
#include "analyse/uniformity.h"
#include "parse/syntax_visitor.h"

namespace cu2cpp {
namespace {

/// How a body reaches for an array of two dimensions.
struct Reach {
  bool elementsOnly = true;
  double inColumns = 0; ///< accesses in which neighbours of a row differ in the first place
  double inRows = 0;    ///< in the last one
  double inSums = 0;    ///< in the first one, in loops that add up a number for each thread
  /// How many places in the program reach along diagonals, where one index rises and one falls, and
  /// how many along sides other than the array's borders: each of them comes by all elements.
  unsigned onDiagonals = 0, alongSides = 0;
  bool lastRises = false, firstRises = false; ///< which of them, on diagonals
  bool readsOnDiagonals = false;
  bool namesOtherTables = false; ///< of an array of tables more than the first, `tiles[0]`
  /// A place in a row, and the branches around it that the block takes as a whole.
  struct Place {
    llvm::FoldingSetNodeID index;
    std::vector<const clang::Stmt*> branches;
    bool isMetBy(const Place& other) const {
      return index == other.index && branches.size() <= other.branches.size() &&
             std::equal(branches.begin(), branches.end(), other.branches.begin());
    }
  };
  /// Places in the row `tile[0]`, some of which take the whole array for one; and places of other
  /// rows, which all threads reach that come there.
  std::vector<Place> inFirstRow, inAnyRow;
  std::vector<Place> rows; ///< which all threads reach that come there

  /// Whether nothing but elements is named, or the threads that name `tile[0][i]` do so for i that
  /// are places of other rows, too, or, where no column is longer than a row, rows.
  bool namesElements(const clang::ArrayType* array) const {
    const auto isMet = [](const std::vector<Place>& all, const Place& place) {
      return std::any_of(all.begin(), all.end(),
                         [&](const Place& other) { return other.isMetBy(place); });
    };
    return elementsOnly &&
           std::all_of(inFirstRow.begin(), inFirstRow.end(), [&](const Place& place) {
             return isMet(inAnyRow, place) || (isNoHigher(array) && isMet(rows, place));
           });
  }
  static bool isNoHigher(const clang::ArrayType* array) {
    const auto* rows = llvm::dyn_cast<clang::ConstantArrayType>(array);
    const auto* columns =
        llvm::dyn_cast<clang::ConstantArrayType>(array->getElementType()->getAsArrayTypeUnsafe());
    return rows && columns && rows->getSize().ule(columns->getSize());
  }
  SharedVariable::Skew skew(const clang::ArrayType* array) const {
    // What is only read along them, as what a wavefront compares, is filled once, by rows.
    if (!readsOnDiagonals || lastRises == firstRises || onDiagonals <= alongSides ||
        !namesElements(array))
      return SharedVariable::Skew::None;
    return lastRises ? SharedVariable::Skew::LastRises : SharedVariable::Skew::FirstRises;
  }
};

class Reaches : public SyntaxVisitor {
public:
  Reaches(const clang::FunctionDecl* function,
          const std::map<const clang::ForStmt*, TileLoop>& tileLoops)
      : context_(function->getASTContext()), uniformity_(function), tileLoops_(tileLoops),
        alongRow_(function->getBody(), "x"), alongParts_(function->getBody(), "x", true) {}
  std::map<const clang::ValueDecl*, Reach> found;

  bool TraverseForStmt(clang::ForStmt* loop) override {
    constexpr double usualSteps = 8;
    const clang::VarDecl* const around = counter_;
    const auto tile = tileLoops_.find(loop);
    const bool isTile = tile != tileLoops_.end() && !tile->second.isNumber;
    const clang::VarDecl* const outerSum = sumCounter_;
    if (tile != tileLoops_.end() && tile->second.isNumber)
      sumCounter_ =
          llvm::cast<clang::VarDecl>(llvm::cast<clang::DeclStmt>(loop->getInit())->getSingleDecl());
    counter_ = variableCounterOf(loop);
    often_ *= usualSteps;
    inTiles_ += isTile;
    const bool result = SyntaxVisitor::TraverseForStmt(loop);
    inTiles_ -= isTile;
    sumCounter_ = outerSum;
    often_ /= usualSteps;
    counter_ = around;
    return result;
  }
  bool TraverseIfStmt(clang::IfStmt* branch) override {
    if (!uniformity_.isUniform(branch->getCond())) {
      ++conditions_;
      const bool result = SyntaxVisitor::TraverseIfStmt(branch);
      --conditions_;
      return result;
    }
    for (clang::Stmt* part : {branch->getThen(), branch->getElse()}) {
      branches_.push_back(part);
      if (part)
        TraverseStmt(part);
      branches_.pop_back();
    }
    return TraverseStmt(branch->getCond());
  }
  bool TraverseConditionalOperator(clang::ConditionalOperator* choice) override {
    return TraverseStmt(choice->getCond()) && underCondition(choice->getTrueExpr()) &&
           underCondition(choice->getFalseExpr());
  }
  bool TraverseBinaryOperator(clang::BinaryOperator* op) override {
    if (!op->isLogicalOp())
      return SyntaxVisitor::TraverseBinaryOperator(op);
    return TraverseStmt(op->getLHS()) && underCondition(op->getRHS());
  }
  bool VisitStmt(clang::Stmt* s) override {
    // Behind these not all threads come along.
    mayLeave_ |= llvm::isa<clang::ReturnStmt, clang::BreakStmt, clang::ContinueStmt,
                           clang::GotoStmt, clang::SwitchStmt, clang::WhileStmt, clang::DoStmt,
                           clang::BinaryConditionalOperator>(s);
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    if (op->isAssignmentOp()) {
      stored_ = op->getLHS()->IgnoreParens();
      updates_ = op->isCompoundAssignmentOp();
    }
    return true;
  }
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* element) override {
    const auto* row = arrayIn(element);
    const clang::ArraySubscriptExpr* const table = row ? arrayIn(row) : nullptr;
    const auto* use = row && !element->getType()->isArrayType() ? arrayOf(element) : nullptr;
    if (!use || (table && arrayIn(table)))
      return true;
    elements_.insert(use);
    Reach& reach = found[use->getDecl()];
    const auto isLiteral = [](const clang::Expr* e) {
      return llvm::isa<clang::IntegerLiteral>(e->IgnoreParenImpCasts());
    };
    if (table && !isLiteral(table->getIdx()))
      reach.namesOtherTables = true;
    Slopes& along = table || inTiles_ ? alongParts_ : alongRow_;
    unsigned first = along.slope(row->getIdx()), last = along.slope(element->getIdx());
    // Several elements of each thread, `tile[x * 4 + j][k]`: together they are neighbours.
    if (inTiles_ && (first == 0 || last == 0)) {
      first = std::min(first, 1u);
      last = std::min(last, 1u);
    }
    // What a thread changes along its row in a loop of its own is a vector already:
    // `for (c = k + 1; c < n; ++c) a[tid][c] -= ...`.
    const auto* at = llvm::dyn_cast<clang::DeclRefExpr>(element->getIdx()->IgnoreParenImpCasts());
    // Of what is stored by rows sums read a turned copy (column_reads.h).
    if (first == 1 && last == 0 && sumCounter_ && at && at->getDecl() == sumCounter_ && !table)
      reach.inSums += often_;
    else if (first == 1 && last == 0)
      (element == stored_ && at && counter_ && at->getDecl() == counter_ ? reach.inRows
                                                                         : reach.inColumns) +=
          often_;
    else if (first == 0 && last == 1)
      reach.inRows += often_;
    // What threads change by rows that are quotients of their places is loaded and stored.
    else if (element == stored_ && updates_ && alongParts_.slope(row->getIdx()) == 0 &&
             alongParts_.slope(element->getIdx()) == 1)
      reach.inRows += 2 * often_;
    reach.alongSides +=
        first + last == 1 && !isLiteral(row->getIdx()) && !isLiteral(element->getIdx());
    noteDiagonal(reach, row, element);
    Reach::Place place{{}, branches_};
    element->getIdx()->Profile(place.index, context_, true);
    // Some take the whole array for one row: `tile[0][i]`.
    if (!isLiteral(row->getIdx())) {
      if (!conditions_ && !mayLeave_) {
        reach.inAnyRow.push_back(place);
        place.index = {};
        row->getIdx()->Profile(place.index, context_, true);
        reach.rows.push_back(place);
      }
    } else if (!isLiteral(element->getIdx())) {
      reach.inFirstRow.push_back(place);
    }
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* op) override {
    const auto* element =
        op->getOpcode() == clang::UO_AddrOf
            ? llvm::dyn_cast<clang::ArraySubscriptExpr>(op->getSubExpr()->IgnoreParens())
            : nullptr;
    const auto* use = element ? arrayOf(element) : nullptr;
    if (use && arrayIn(element))
      found[use->getDecl()].elementsOnly = false; // a pointer reaches the next ones
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    if (!elements_.count(use)) // elements are visited before the names in them
      found[use->getDecl()].elementsOnly = false;
    return true;
  }

private:
  bool underCondition(clang::Stmt* s) {
    ++conditions_;
    const bool result = TraverseStmt(s);
    --conditions_;
    return result;
  }
  /// The counter of a loop over neighbours that no compiler writes out: it starts at what varies.
  static const clang::VarDecl* variableCounterOf(const clang::ForStmt* loop) {
    const auto* declared = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
    const auto* counter = declared && declared->isSingleDecl()
                              ? llvm::dyn_cast<clang::VarDecl>(declared->getSingleDecl())
                              : nullptr;
    const clang::Expr* start = counter ? counter->getInit() : nullptr;
    const auto* step = llvm::dyn_cast_or_null<clang::UnaryOperator>(loop->getInc());
    return start && !llvm::isa<clang::IntegerLiteral>(start->IgnoreParenImpCasts()) && step &&
                   step->isIncrementOp()
               ? counter
               : nullptr;
  }
  void noteDiagonal(Reach& reach, const clang::ArraySubscriptExpr* row,
                    const clang::ArraySubscriptExpr* element) {
    const std::optional<int> first = rise(row->getIdx()), last = rise(element->getIdx());
    if (!first || !last || *first * *last != -1)
      return;
    ++reach.onDiagonals;
    (*last == 1 ? reach.lastRises : reach.firstRises) = true;
    reach.readsOnDiagonals |= element != stored_;
  }
  /// By how much a value grows along a row, if it is -1, 0 or 1.
  std::optional<int> rise(const clang::Expr* e, unsigned depth = 0) {
    constexpr unsigned deepest = 16;
    e = behindWideCasts(e);
    if (isPart(e, ThreadIdx))
      return 1;
    if (alongRow_.slope(e) == 0)
      return 0;
    if (depth > deepest)
      return std::nullopt;
    if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
      return variable && variable->hasInit() ? rise(variable->getInit(), depth + 1) : std::nullopt;
    }
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
    if (!op || !op->isAdditiveOp())
      return std::nullopt;
    const std::optional<int> left = rise(op->getLHS(), depth + 1),
                             right = rise(op->getRHS(), depth + 1);
    if (!left || !right)
      return std::nullopt;
    const int sum = op->getOpcode() == clang::BO_Add ? *left + *right : *left - *right;
    return std::abs(sum) <= 1 ? std::optional(sum) : std::nullopt;
  }
  static const clang::ArraySubscriptExpr* arrayIn(const clang::ArraySubscriptExpr* element) {
    return llvm::dyn_cast<clang::ArraySubscriptExpr>(element->getBase()->IgnoreParenImpCasts());
  }

  /// The array that an element is of, by the places in all of its dimensions.
  static const clang::DeclRefExpr* arrayOf(const clang::ArraySubscriptExpr* element) {
    const clang::Expr* e = element;
    while (const auto* at = llvm::dyn_cast<clang::ArraySubscriptExpr>(e)) {
      e = at->getBase()->IgnoreParenImpCasts();
      if (!e->getType()->isArrayType())
        return nullptr;
    }
    return llvm::dyn_cast<clang::DeclRefExpr>(e);
  }

  const clang::ASTContext& context_;
  const Uniformity uniformity_;
  const std::map<const clang::ForStmt*, TileLoop>& tileLoops_;
  unsigned inTiles_ = 0; ///< of these
  Slopes alongRow_, alongParts_;
  double often_ = 1;
  std::vector<const clang::Stmt*> branches_;   ///< around, that the block takes as a whole
  unsigned conditions_ = 0;                    ///< around, of threads
  bool mayLeave_ = false;                      ///< threads may not all be here any more
  const clang::VarDecl* counter_ = nullptr;    ///< of the innermost loop
  const clang::VarDecl* sumCounter_ = nullptr; ///< of a loop that adds up a number
  const clang::Expr* stored_ = nullptr;
  bool updates_ = false; ///< it is, by `+=` and its kin
  std::set<const clang::DeclRefExpr*> elements_;
};

/// `Element name[A][B];` or `Element name[2][A][B];`, written here, with elements that are no
/// arrays.
bool isPlainTable(const SharedVariable& shared) {
  const clang::TypeSourceInfo* written = shared.decl->getTypeSourceInfo();
  if (!shared.movable || shared.dynamic || !shared.loneDeclaration || !written ||
      (shared.decl->getInit() && !llvm::isa<clang::CXXConstructExpr>(shared.decl->getInit())) ||
      shared.decl->hasAttr<clang::AlignedAttr>() || shared.decl->getLocation().isMacroID())
    return false;
  const auto all = written->getTypeLoc().getAs<clang::ArrayTypeLoc>();
  const auto rows = all ? tableOf(all) : all;
  const auto columns = rows ? rows.getElementLoc().getAs<clang::ArrayTypeLoc>() : rows;
  return columns && all.getSizeExpr() && rows.getSizeExpr() && columns.getSizeExpr() &&
         !columns.getElementLoc().getType()->isArrayType() &&
         !columns.getElementLoc().getType().hasQualifiers() &&
         !columns.getElementLoc().getType()->isUndeducedAutoType() &&
         written->getTypeLoc().getBeginLoc().isFileID() && all.getLBracketLoc().isFileID() &&
         columns.getRBracketLoc().isFileID();
}

} // namespace

void findTurnedArrays(Facts& facts) {
  if (facts.addressSpaces || facts.foreignShared)
    return;
  for (auto& [place, f] : facts.functions) {
    if (!f.kernel || !f.regions || std::none_of(f.shared.begin(), f.shared.end(), isPlainTable))
      continue;
    Reaches reaches(f.decl, f.regions->tileLoops);
    reaches.TraverseStmt(f.decl->getBody());
    for (SharedVariable& shared : f.shared) {
      const Reach& reach = reaches.found[shared.decl];
      if (!isPlainTable(shared))
        continue;
      const bool ofTables =
          isOfTables(shared.decl->getTypeSourceInfo()->getTypeLoc().getAs<clang::ArrayTypeLoc>());
      shared.turned =
          reach.elementsOnly && reach.inFirstRow.empty() &&
          reach.inColumns + (reach.inRows > 0 && reach.inColumns == 0 ? 0 : reach.inSums) >
              reach.inRows &&
          (!ofTables || reach.namesOtherTables);
      if (!shared.turned && !ofTables)
        shared.skewed = reach.skew(shared.decl->getType()->getAsArrayTypeUnsafe());
    }
  }
}

} // namespace cu2cpp
