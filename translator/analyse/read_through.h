// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of a kernel whose shared tiles are copies of pieces of arrays (read_through.cpp).
// One part gives to the next:
//
//   read_through_sums         integers as sums, and the places that they are in arrays
//   read_through_conditions   what has to hold for a block to lie inside of the grid
//   read_through_rows         the indices of tiles, also of those that are declared without rows
//   read_through_copies       what is written to tiles before the barrier
//   read_through_reads        what is read of them behind it
//   read_through_text         the text that reads the array
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analyse/code_uses.h"
#include "analyse/plain_body.h"
#include "analyse/region_parts.h"
#include "analyse/uniform_sums.h"

namespace cu2cpp::copies {

using Statements = std::vector<const clang::Stmt*>;

/// What a piece of a kernel does.
class Piece : public CodeUses {
public:
  explicit Piece(const clang::Stmt* s) { TraverseStmt(const_cast<clang::Stmt*>(s)); }
  std::vector<const clang::ArraySubscriptExpr*> elements; ///< the outermost
  std::vector<const clang::DeclRefExpr*> others;          ///< names that are no arrays of elements
  bool leaves = false, odd = false;

  bool TraverseArraySubscriptExpr(clang::ArraySubscriptExpr* e) override {
    elements.push_back(e);
    for (const clang::Expr* index : elementOf(e).indices)
      TraverseStmt(const_cast<clang::Expr*>(index));
    const clang::Expr* base = e;
    while (const auto* at = llvm::dyn_cast<clang::ArraySubscriptExpr>(plainly(base)))
      base = at->getBase();
    if (const clang::VarDecl* variable = namedBy(base)) {
      variables.insert(variable);
      return true;
    }
    return TraverseStmt(const_cast<clang::Expr*>(base));
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    if (llvm::isa<clang::VarDecl>(use->getDecl()))
      others.push_back(use);
    return CodeUses::VisitDeclRefExpr(use);
  }
  bool VisitReturnStmt(clang::ReturnStmt*) override { return leaves = true; }
  bool VisitBreakStmt(clang::BreakStmt*) override { return leaves = true; }
  bool VisitContinueStmt(clang::ContinueStmt*) override { return leaves = true; }
  bool VisitLambdaExpr(clang::LambdaExpr*) override { return odd = true; }
  bool VisitLabelStmt(clang::LabelStmt*) override { return odd = true; }
  bool VisitGotoStmt(clang::GotoStmt*) override { return odd = true; }
  bool VisitStringLiteral(clang::StringLiteral*) override { return odd = true; }
  bool VisitGCCAsmStmt(clang::GCCAsmStmt*) override { return odd = true; }
};

/// What is known where a statement stands: atoms that are one value there, or within closer bounds,
/// and the values of parameters and counters.
struct Known {
  std::map<unsigned, Sum> values;
  std::map<unsigned, Bounds> bounds;
  std::map<const clang::VarDecl*, Sum> variables;
};

/// An element of an array.
struct Place {
  const clang::ParmVarDecl* array = nullptr;
  Sum index;
};

/// InsideGrid reads integers and conditions of a kernel as they are in blocks inside of the grid,
/// and gathers what has to hold in a block that lies there.
class InsideGrid {
public:
  InsideGrid(const SourceUnit& unit, const clang::FunctionDecl* kernel, const Facts& facts)
      : unit_(unit), kernel_(kernel), variables_(kernel, {}, &facts) {}

  // --- integers as sums (read_through_sums.cpp)

  std::optional<Sum> sumOf(const clang::Expr* e, Known& known, unsigned depth = 0);
  /// sumAsItIs() is the same where nothing has to hold for it.
  std::optional<Sum> sumAsItIs(const clang::Expr* e, Known& known);
  /// loaded() is the array and place that a value is loaded from.
  std::optional<Place> loaded(const clang::Expr* e, Known& known, unsigned depth = 0);
  /// pointed() is the place that a pointer points to.
  std::optional<Place> pointed(const clang::Expr* e, Known& known, unsigned depth = 0);
  /// changes() tells whether a variable is ever changed.
  bool changes(const clang::VarDecl* variable) const;
  /// sizeOfBlock() is blockDim's part: a symbol, or the number that it is taken for.
  Sum sizeOfBlock(const std::string& part);
  /// addSymbol() adds to what sums may name.
  Sum addSymbol(const std::string& key, const Symbol& symbol) {
    return symbolSum(symbols_.add(key, symbol));
  }
  const Symbols& symbols() const { return symbols_; }

  // --- conditions (read_through_conditions.cpp)

  /// What a condition asks for: each thread's place, or where the block lies.
  enum Kind { Unknown, OfThread, OfGrid, Mixed };
  Kind kindOf(const clang::Expr* e, Known& known, unsigned depth = 0);
  bool isOfGrid(const clang::Expr* e, Known& known) { return kindOf(e, known) == OfGrid; }
  /// demand() asks that a sum is never negative.
  bool demand(const Sum& sum, const Known& known);
  /// demandText() asks that an expression holds.
  void demandText(const std::string& condition) { conditions_.insert(condition); }
  /// assume() asks that a condition holds (or fails) for all threads, as far as it says where the
  /// block lies, and notes what else it says.
  bool assume(const clang::Expr* e, bool holds, Known& known, unsigned depth = 0);
  /// holdsNowhere() tells whether a condition fails for all threads of blocks inside of the grid,
  /// as may be asked.
  bool holdsNowhere(const clang::Expr* condition, Known known = {});

  /// conditions() are all that was asked for, as expressions.
  const std::set<std::string>& conditions() const { return conditions_; }
  void forgetConditions() { conditions_.clear(); }
  /// sizes() are blockDim's parts that are taken for known.
  const std::map<std::string, long long>& sizes() const { return sizes_; }
  void setSize(const std::string& part, long long size) { sizes_[part] = size; }
  void forgetSizes() { sizes_.clear(); }

private:
  Sum builtinSum(Builtin of, const std::string& name, const std::string& part, const Known& known);
  static Sum atomSum(unsigned atom, const Known& known);
  Sum gridSum(const std::string& text);
  std::optional<Sum> variableSum(const clang::DeclRefExpr* use, Known& known, unsigned depth);
  std::optional<Sum> operatorSum(const clang::BinaryOperator* op, Known& known, unsigned depth);
  /// `t / 34` and `t % 34` are atoms of their own. `(x + 1) % n` is x + 1 inside of the grid.
  std::optional<Sum> partSum(bool quotient, const Sum& left, const Sum& right, Known& known);
  /// `t - t / width * width` is what `t % width` is.
  Sum withoutQuotients(const Sum& sum, Known& known);
  /// The side that differs between threads or blocks; the condition is asked of all of them.
  std::optional<Sum> choiceSum(const clang::ConditionalOperator* choice, Known& known,
                               unsigned depth);
  std::optional<Sum> callSum(const clang::CallExpr* call, Known& known, unsigned depth);
  /// Whether a sum differs between threads or blocks.
  bool differs(const Sum& sum) const;
  /// Both sides of a comparison.
  bool compared(const clang::BinaryOperator* op, Known& known, Sum& left, Sum& right);
  /// Where an integer without sign would wrap around, comparisons say something else.
  bool demandOperands(const clang::BinaryOperator* op, const Sum& left, const Sum& right,
                      const Known& known);
  /// What a condition on the thread's place says of one atom.
  void note(clang::BinaryOperatorKind kind, Sum left, Sum right, Known& known) const;

  const SourceUnit& unit_;
  const clang::FunctionDecl* kernel_;
  const Uniformity variables_;
  Symbols symbols_;
  std::vector<std::pair<Sum, Sum>> quotients_; ///< that partSum() has made: of what, by what
  std::set<std::string> conditions_;
  std::map<std::string, long long> sizes_;
};

/// A shared array whose elements are copies of an array's.
struct Tile {
  const clang::VarDecl* variable = nullptr;
  clang::QualType element;
  std::vector<unsigned long long> sizes; ///< 0 if it is a template's
  /// Of a tile that is declared as one row: how far it is from one index to the next, but for the
  /// last, and how many elements all but the first count.
  std::vector<Sum> strides, lengths;
  struct Write {
    std::vector<Sum> element;
    Place from;
  };
  std::vector<Write> writes;
  Sum first;             ///< where [0][0] is read
  std::vector<Sum> rows; ///< how far it is from one index to the next
};

/// What is added up to an index of a tile.
struct IndexTerm {
  const clang::Expr* e = nullptr; ///< 1 if there is none
  bool minus = false;
};
using TileIndices = std::vector<std::vector<IndexTerm>>;

/// findRows() gives a tile that is declared as one row the rows that an index counts by, if it
/// does.
void findRows(InsideGrid& inside, Tile& tile, const clang::Expr* index, Known& known);
/// indicesOf() are an element's indices in a tile; nothing if they are none of its rows.
std::optional<TileIndices> indicesOf(InsideGrid& inside, const Tile& tile,
                                     const ArrayElement& element, Known& known);
/// placeIn() are the values of indices, which are asked to lie within their rows.
std::optional<std::vector<Sum>> placeIn(InsideGrid& inside, const Tile& tile,
                                        const TileIndices& indices, Known& known);
/// stepsOf() is what is known in a loop's body: its counter, and the bounds of that; nothing if it
/// does not count up.
std::optional<Known> stepsOf(InsideGrid& inside, const clang::ForStmt* loop, const Known& known);

/// The order in which variables are declared: what is asked for first shows in the text.
struct Declared {
  static unsigned placeOf(const clang::VarDecl* variable) {
    return variable ? variable->getLocation().getRawEncoding() : 0;
  }
  bool operator()(const clang::VarDecl* a, const clang::VarDecl* b) const {
    const unsigned placeOfA = placeOf(a), placeOfB = placeOf(b);
    return placeOfA != placeOfB ? placeOfA < placeOfB : std::less<>()(a, b);
  }
};

/// What a kernel does before its barrier.
struct Copies {
  std::map<const clang::VarDecl*, Tile, Declared> tiles;
  std::set<const clang::VarDecl*> otherShared; ///< arrays that are no copies
  Statements statements;                       ///< from the first copy to the barrier
  std::set<const clang::Stmt*> fills;          ///< those of them that only copy

  /// tileOf() is the tile that an expression names an element of.
  const Tile* tileOf(const clang::Expr* e) const;
  bool namesTile(const clang::Stmt* s) const;
};
/// findCopies() reads what stands before the barrier; nothing if tiles are no copies.
std::optional<Copies> findCopies(InsideGrid& inside, const SourceUnit& unit,
                                 const Statements& before);

/// What a kernel reads behind its barrier.
struct Reads {
  std::map<const clang::ArraySubscriptExpr*, TileIndices> elements; ///< of tiles
  /// `if (x >= nx) return;` and `if (x == 0) { ...; return; }`: what follows becomes the other
  /// side.
  struct Returning {
    const clang::IfStmt* branch = nullptr;
    const clang::ReturnStmt* last = nullptr;
    bool never = false; ///< in blocks inside of the grid
  };
  std::vector<Returning> returning;
  /// `if (x == 0 || x == nx - 1) ... else ...`, and choices, whose first side no thread takes in
  /// blocks inside of the grid.
  std::vector<const clang::Stmt*> never;
};
/// findReads() reads what stands behind the barrier; nothing if it cannot read the array instead.
std::optional<Reads> findReads(InsideGrid& inside, const Copies& copies,
                               const clang::FunctionDecl* kernel, const Statements& behind);

/// writeReads() adds the text that reads the array to the changes, for blocks inside of the grid.
void writeReads(const InsideGrid& inside, const Copies& copies, const Reads& reads,
                const SourceUnit& unit, const SourceText& text, const clang::CompoundStmt* body,
                PlainChanges& changes);

} // namespace cu2cpp::copies
