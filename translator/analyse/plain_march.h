// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that marches through a volume (plain_marches.cpp): what is known of it.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"

#include "analyse/code_uses.h"
#include "analyse/plain_body.h"
#include "analyse/region_parts.h"
#include "analyse/uniform_sums.h"

namespace cu2cpp::marches {

using Needs = std::vector<Sum>; ///< sums that are not negative

/// in[at], or a formula of such elements, where all needs hold.
struct Value {
  const clang::ParmVarDecl* array = nullptr;
  Sum at;
  Needs needs;
  std::string formula = {};      ///< `(@ + @)`, with a mark for each part
  std::vector<Value> parts = {}; ///< elements, without needs of their own
  /// What is read of a tile is this number where a thread `within` the block has filled it in which
  /// not all of `where` holds (plain_march_otherwise.cpp).
  std::string otherwise = {};
  Needs within = {}, where = {};

  bool isOtherwise() const { return !otherwise.empty(); }
  bool isKnown() const { return array || !parts.empty(); }
};
/// A variable that is kept, or one element of an array (else -1).
using Kept = std::pair<const clang::VarDecl*, long long>;
/// a[j] is array[first.at + j * each], but for one element.
struct Row {
  Value first;
  Sum each;
  std::optional<Sum> hole;
};
struct Write {
  std::vector<Sum> element, written; ///< told by threads' places, and as it is written
  Value value;
  Needs conditions;           ///< that hold for threads that write
  std::string otherwise = {}; ///< what is written where not all of `where` holds
  Needs where = {};
};
struct Tile {
  std::vector<Write> writes;
  bool ready = false; ///< behind a barrier
  bool read = false;  ///< in this step
};
/// What is loaded or stored beside.
struct Access {
  const clang::ParmVarDecl* array = nullptr;
  std::optional<Sum> at;
  bool loads = false, stores = false;
  unsigned phase = 0; ///< before the loop, in it, behind it
};
/// What is known where a statement stands.
struct State {
  std::map<const clang::VarDecl*, Sum> integers;
  /// Integers that are kept within bounds: what they are where nothing has to be changed for that.
  std::map<const clang::VarDecl*, std::pair<Sum, Needs>> clamped;
  std::map<const clang::VarDecl*, Value> pointers; ///< declared in the loop: where they point to
  std::map<Kept, Value> values;
  std::map<const clang::VarDecl*, Row> rows;
  std::map<const clang::VarDecl*, Tile> tiles;

  /// What an integer is, also one that is kept within bounds; nullptr if nothing is known of it.
  Sum* placeOf(const clang::VarDecl* variable);
  const Sum* placeOf(const clang::VarDecl* variable) const {
    return const_cast<State*>(this)->placeOf(variable);
  }
};

/// What code names, changes and calls, and whether it does what marches are not read through.
class Named : public CodeUses {
public:
  explicit Named(const clang::Stmt* s) { TraverseStmt(const_cast<clang::Stmt*>(s)); }
  bool odd = false, returns = false;

  bool VisitUnaryOperator(clang::UnaryOperator* op) override {
    odd |= op->getOpcode() == clang::UO_AddrOf;
    return CodeUses::VisitUnaryOperator(op);
  }
  bool VisitStmt(clang::Stmt* s) override {
    returns |= llvm::isa<clang::ReturnStmt>(s);
    odd |=
        llvm::isa<clang::BreakStmt, clang::ContinueStmt, clang::LambdaExpr, clang::LabelStmt,
                  clang::GotoStmt, clang::AsmStmt, clang::WhileStmt, clang::DoStmt,
                  clang::SwitchStmt, clang::CXXForRangeStmt, clang::StmtExpr, clang::CXXThisExpr>(
            s);
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    odd |= variable->getType()->isReferenceType() || variable->isStaticLocal();
    return true;
  }
  bool VisitExplicitCastExpr(clang::ExplicitCastExpr* cast) override {
    // What may be stored to behind a pointer that says it is not.
    const clang::QualType to = cast->getType(), from = cast->getSubExpr()->getType();
    odd |= to->isPointerType() && !to->getPointeeType().isConstQualified() &&
           (!from->isPointerType() || from->getPointeeType().isConstQualified());
    return true;
  }
};

/// March is one kernel, which write() rewrites if all of it keeps to the rules: find() tells.
class March {
public:
  March(const PlainBody& body, const FunctionFacts& facts, bool expand, bool oneByOne = false)
      : body_(body), facts_(facts), expand_(expand), oneByOne_(oneByOne) {}
  bool find();
  bool write();
  /// How many of the variables that threads keep are told by places of an array, and whether others
  /// are kept as they are.
  std::size_t told() const { return kept_.size(); }
  bool leavesKept() const { return kept_.size() < found_; }

private:
  static constexpr unsigned mostRounds = 40;

  // --- what there is

  bool findLoop(const clang::CompoundStmt* list);
  bool findTiles();
  bool addTile(const clang::VarDecl* variable);
  bool isTop(const clang::Stmt* s) const;
  /// Numbers, also of a template's type.
  static bool isNumber(clang::QualType type);
  /// Numbers, and arrays of such, that lie in the kernel's list or in the loop's.
  void findKept(const clang::CompoundStmt*);

  // --- integers as sums

  Sum gridSum(const std::string& text, clang::QualType type, const clang::VarDecl* variable,
              bool never = false);
  /// Sums of integers without a sign would wrap around below 0.
  static std::string textOf(const std::string& name, clang::QualType type);
  Sum builtinSum(Builtin of, const std::string& name, const std::string& part);
  /// A template's parameter; never negative if it is not in any instance.
  Sum parameterSum(const clang::NonTypeTemplateParmDecl* parameter);
  /// `-1`, made a number without a sign.
  static bool wrapsAround(const llvm::APSInt& value);
  /// The number below 0 that it was.
  std::optional<Sum> wrappedBack(const clang::Expr* e) const;
  /// An element's indices in a tile; of one that is declared as one row these are row and column.
  std::optional<std::vector<Sum>> indicesIn(const ArrayElement& element, const State& state);
  /// How long the rows are that an index of such a tile counts by.
  std::optional<Sum> widthIn(const Sum& index);
  std::optional<std::vector<Sum>> rowAndColumn(const Sum& index, const Sum& width);
  /// `k / width`, `k % width` of an element that a thread fills: numbers of their own, of which
  /// only is known where else they are.
  std::optional<Sum> partSum(const Sum& whole, const Sum& by, bool rest);
  /// Where `limits` are asked for, also what a value that is kept within bounds is inside of them.
  std::optional<Sum> sumOf(const clang::Expr* e, const State& state, unsigned depth = 0,
                           Needs* limits = nullptr);
  /// `x < nx ? x : nx - 1`, `min(x, nx - 1)`, or a function of the user's like that: x, where
  /// nx - 1 - x is not negative.
  std::optional<Sum> clampedSum(const clang::Expr* e, const State& state, unsigned depth,
                                Needs& limits);
  /// What a declaration says of an integer, or of a pointer that nothing changes.
  void declare(const clang::VarDecl* variable, State& state, bool top);
  /// Declares an integer that nothing changes; a value of the block's keeps its name.
  void declareInteger(const clang::VarDecl* variable, State& state, bool top);

  // --- conditions

  /// What a condition says where it holds (or fails), as sums that are not negative. False if it
  /// says something else.
  bool read(const clang::Expr* e, bool holds, const State& state, Needs& out, unsigned depth = 0);
  /// Whether a flag's value is made of what never changes.
  bool isFixed(const clang::Expr* e) const;
  /// What of a condition is known where it holds; the rest is passed over.
  void learn(const clang::Expr* e, bool holds, const State& state, Needs& out);
  bool neverNegative(const Sum& sum) const;
  /// A sum of what names stand for.
  Sum writtenOut(const Sum& sum) const;
  bool follows(const Sum& need, const Needs& known) const;
  bool follows(const Needs& needs, const Needs& known) const;
  void add(Needs& needs, const Needs& more) const;

  // --- what is loaded and kept

  std::optional<Value> pointed(const clang::Expr* e, const State& state, unsigned depth = 0);
  /// `0.0f`, `T(0)`
  static bool isLiteral(const clang::Expr* e);
  /// The value of an expression that only loads or copies. None if it does anything else.
  std::optional<Value> valueOf(const clang::Expr* e, State& state);
  /// The same of sums and products of what is loaded: computed anew where it is asked for.
  std::optional<Value> formulaOf(const clang::Expr* e, State& state);
  /// The text of a number in a formula.
  std::optional<std::string> numberIn(const clang::Expr* e) const;
  static bool isFormulas(const clang::Expr* e);
  /// A value with other sums.
  template <class Change> static Value changed(Value value, const Change& change) {
    for (Value& part : value.parts)
      part = changed(part, change);
    value.at = change(value.at);
    for (Sum& need : value.needs)
      need = change(need);
    return value;
  }
  static bool isSame(const Value& a, const Value& b);
  /// What a value at the end of a step is where the next one begins, from the second step on.
  Value nextStep(const Value& value) const;
  Value elementIn(const Row& row, const Sum& index) const;
  /// `const int gy = y0 + j;`
  bool isPlace(const clang::VarDecl* variable) const;
  /// Whether a statement moves a place on: `at += plane;`
  static bool movesPlace(const clang::Stmt* s);
  /// Whether a statement only keeps values or fills tiles.
  bool isCopy(const clang::Stmt* s, bool nested = false) const;
  /// Whether a branch does so in some of its statements, and more in others.
  bool isMixed(const clang::Stmt* s) const;
  bool isCopyInBranch(const clang::Stmt* s) const;
  /// Takes the statements of such a branch one by one.
  bool passMixed(const clang::IfStmt* branch, State& state, const Needs& known, bool before,
                 bool inLoop);
  /// Notes what a copy does; false if a variable is none that is kept by the rules.
  bool copy(const clang::Stmt* s, State& state, const Needs& conditions, bool inLoop);
  /// `threadIdx.x == 0 && ...`: what an atom is then.
  void noteEqual(const clang::Expr* e, const State& state);
  /// An index without a thread's place, of a thread that is known: `tile[ty][0]` where
  /// `threadIdx.x == 0` is `tile[ty][threadIdx.x]`.
  void nameThreads(std::vector<Sum>& element);
  bool fillsTile(const clang::Stmt* s) const;
  /// Whether a condition is the same in all steps.
  bool isSteady(const clang::Expr* e) const;
  void forget(const clang::Stmt* s, State& state) const;
  bool drop(const clang::VarDecl* variable);
  bool sameType(const clang::VarDecl* variable, const Value& value) const;
  bool keep(const clang::VarDecl* variable, const clang::Expr* e, State& state,
            const Needs& conditions);
  bool keepElement(const clang::BinaryOperator* op, const ArrayElement& element, State& state,
                   const Needs& conditions);
  std::optional<Sum> sizeOf(const clang::VarDecl* array, const State& state);
  static bool isCounterIn(const clang::Stmt* s, const clang::VarDecl* variable);
  /// Of an atom of which nothing is known.
  Bounds unknownBounds();
  /// Loops by which a block's threads fill a tile, each some elements.
  bool fillAll(const clang::ForStmt* loop, State& state, bool inLoop);
  /// `for (int i = from; i < to; ++i)`, or downwards.
  struct RowHead {
    const clang::VarDecl* counter = nullptr;
    Sum from, to; ///< to: what the counter is compared with
    clang::BinaryOperatorKind asked = clang::BO_LT;
    bool up = true;
  };
  std::optional<RowHead> headOfRow(const clang::ForStmt* loop, const State& state);
  /// Loops that set a whole row, or move it on by one.
  bool copyRow(const clang::ForStmt* loop, State& state, const Needs& conditions);
  /// Loops of some steps of which each is told by itself (plain_march_queues.cpp).
  bool copyOneByOne(const clang::ForStmt* loop, State& state, const Needs& conditions, bool inLoop);
  /// A need of the first step, told for those behind it, which is met if the first one's is.
  Sum inSteps(const Sum& need, const Sum& step) const;
  /// What is known where the loop goes on to the least of some numbers: step by step.
  void learnEnds(const State& state, const Sum& step, Needs& known);
  /// Of two numbers that don't differ between threads: whether the first is a place, and the other
  /// where such end.
  bool isPlaceOfSteps(const clang::Expr* e, const Sum& sum, const Sum& bound, const State& state);
  bool fill(const clang::BinaryOperator* op, const ArrayElement& element, State& state,
            const Needs& conditions);
  /// The place that an element of a tile is a copy of, with what has to be known for it. What does
  /// not follow from what is `known` where it is read is asked of the whole grid, if it can be.
  std::optional<Value> elementOfTile(const clang::VarDecl* array, const std::vector<Sum>& indices,
                                     const State& state, const Needs* known);
  /// Between what the places of threads are that write.
  std::map<unsigned, Bounds> writers(const Write& write) const;
  /// The least value that a sum has in any thread of the grid that writes.
  std::optional<Sum> leastInGrid(const Sum& need, const Write& write);
  /// Whether an element is another one than a write stores, in whatever thread: `tile[ty][0]`.
  bool isElsewhere(const std::vector<Sum>& indices, const Write& write) const;
  /// What a thread needs that writes an element, told by the indices by which another reads it.
  std::optional<Sum> ofReader(Sum need, const Write& write, const std::vector<Sum>& indices) const;
  std::vector<unsigned> stepAtoms(const Sum& sum) const;
  static Sum replaced(const Sum& sum, unsigned symbol, const Sum& by);

  // --- threads that fill a tile with a number

  void noteOtherwise(const clang::Expr* e, Write& write, const State& state);
  /// The 32 of a place that is `blockIdx.x * 32` and a thread's.
  std::optional<Sum> sizeInText(const Sum& rest, const std::string& part);
  /// Whether a sum is not negative in blocks no larger than what the kernel's text takes them for.
  bool holdsInBlocks(const Sum& need);
  /// Whether no element is filled by both, in blocks as sizes_ asks for.
  bool areApart(const Write& a, const Write& b);
  /// isElsewhere(), in blocks as sizes_ asks for.
  bool isElsewhereInBlocks(const std::vector<Sum>& indices, const Write& write);
  /// Where an element that a write may have filled is the array's, and where a number.
  bool takeOtherwise(Value& value, const Write& write, const std::vector<Write>& writes,
                     const std::vector<Sum>& indices, const Needs& known);
  /// `x + 5 <= nx`
  std::string asked(const Sum& need) const;
  std::optional<std::string> withOtherwise(const Value& value, const std::string& element,
                                           const std::map<unsigned, Sum>& threads,
                                           const std::map<unsigned, Sum>& places) const;
  /// `x % 32` where x is `blockIdx.x * 32 + threadIdx.x`: sizes_ ask for such blocks.
  bool namePlacesInBlocks(const std::vector<std::pair<const clang::VarDecl*, Sum>>& anchors,
                          std::map<unsigned, Sum>& threads);
  /// The branch that an expression stands in, with what findGuards() has found in front of it.
  const clang::IfStmt* branchAround(const clang::Expr* e, const clang::Stmt*& first) const;
  bool writeOtherwise(const std::map<const clang::Expr*, std::string>& texts,
                      const std::map<unsigned, Sum>& places, PlainChanges& changes);

  // --- the passes

  /// Goes through the kernel; false if something does not fit (again_: a variable is now no longer
  /// taken for one that only keeps what was loaded).
  bool pass(const clang::CompoundStmt* list);
  /// The condition of `if (x >= nx) return;`
  static const clang::Expr* leavingWhere(const clang::Stmt* s);
  bool isMoved(const clang::VarDecl* variable) const;
  bool passStatement(const clang::Stmt* s, State& state, const Needs& known, bool before,
                     bool inLoop);
  /// Whether all that a statement changes is known, and nothing that others ask for.
  bool changesFit(const clang::Stmt* s, State& state);
  /// Whether a function only computes.
  bool isHarmless(const clang::CallExpr* call, unsigned depth = 0) const;
  bool changesOnlyItsOwn(const clang::FunctionDecl* function, unsigned depth) const;
  /// `at += plane;`, `++at;`, `at = at + plane;`
  std::optional<std::pair<const clang::VarDecl*, Sum>> motion(const clang::Expr* e,
                                                              const State& state);
  bool passLoop(State& state);
  /// `if (z > 0) { here = ahead; at += plane; }` where a step begins, if it only copies and moves.
  const clang::IfStmt* beginOf(const State& begin);
  /// Moves integers on by a step.
  void moveOn(State& state);
  /// How many steps the loop takes, as one value; none if threads may differ in it.
  std::optional<Sum> stepsTaken(const Sum& most);
  /// What is known behind the loop of what each step begins with and the last one has left.
  State behindSteps(const State& begin, const State& end, const Needs& known);
  /// Goes through the loop's statements, and then through what the next step begins with.
  bool passStep(State& state, const Needs& known);
  /// How far loads from arrays move in each step.
  std::optional<Sum> planeOf(const State& begin);
  /// Where the planes that a copy loads move to in a step is added to `planes`.
  void findPlanes(const clang::Stmt* s, State& state, std::vector<Sum>& planes);
  /// `t - t / width * width` is what `t % width` is.
  Sum withoutQuotients(const Sum& sum) const;

  // --- what some threads only store

  /// Whether a statement only changes variables.
  bool onlyComputes(const clang::Stmt* s) const;
  /// Finds statements whose values only the branch behind them asks for.
  void findGuards();
  bool isGuardedBy(const std::vector<const clang::Stmt*>& run, const clang::IfStmt* branch) const;
  /// Writes such a branch around them.
  bool writeGuards(PlainChanges& changes) const;

  // --- what reads it

  bool replaceReads(const clang::Stmt* s, State& state, const Needs& known);
  bool replace(const clang::Expr* e, const Value& value, const Needs& known);
  /// An element of an array that is stored or loaded beside.
  void noteAccess(const clang::ArraySubscriptExpr* e, const ArrayElement& element,
                  const State& state, const Needs& known);
  /// Whether no thread loads or stores what another one stores, in an order that barriers said, if
  /// arrays do not overlap that must not (apart_).
  bool ordersStay();
  /// Whether each thread of a block has places of its own, in all steps.
  bool isOwnColumn(const Access& access) const;
  std::vector<const Access*> accessesTo(const std::set<const clang::ParmVarDecl*>& arrays) const;
  /// Whether all that threads load from some arrays, taken for one, and store there lies in their
  /// own columns.
  bool keepsToColumn(const std::set<const clang::ParmVarDecl*>& arrays) const;
  /// Whether places are some planes apart.
  bool isWholePlanes(const Sum& apart) const;
  /// `out[at]`, where `at` moves on with each step, is told by the step, too: what the next one
  /// loads and stores can be fetched then.
  /// So is one that is kept within bounds, where it is known to be.
  bool tellByStep(const clang::Expr* e, const ArrayElement& element, const State& state,
                  const Needs& known);

  // --- arrays that may overlap

  /// The least and the greatest place that threads of the grid have of `at`, where `known` holds.
  /// What has to be known not to be negative for that is added to `asked`.
  std::optional<Bounds> reachOf(const Sum& at, const Needs& known, Needs& asked);
  /// Places of which no other one lies further out, as far as can be told.
  void widen(std::vector<Sum>& ends, const Sum& end, bool greatest, const Needs& asked) const;
  /// Whether a sum can be written where the kernel begins.
  bool canBeginWith(const Sum& sum) const;
  /// The condition by which no two arrays of apart_ overlap, for the whole grid.
  std::optional<std::string> whereApart();
  /// Whether another kernel with its parameters can take its place.
  bool mayHavePeer() const;
  /// Writes one whose body is the changed text; the kernel has marks then (marks.h, apartPeer()).
  bool writeApart(const std::string& condition, const std::string& changed, PlainChanges& changes);
  /// Puts the changed kernel beside the one that was, for arrays that do not overlap.
  bool writeBeside(const std::string& condition, PlainChanges& changes);

  // --- text

  /// The variable that is threadIdx.x (or y) and what the block adds to it.
  const clang::VarDecl* anchorOf(const std::string& part, Sum& rest);
  static bool names(const Sum& sum, unsigned symbol);
  std::string print(const Sum& sum) const;
  std::string cast() const;
  /// `(z + 2) * plane` of a place, taken out of it: for a name and what it is multiplied with.
  std::string takeOut(Sum& place, unsigned symbol) const;
  /// The same where it is multiplied with a sum: `(y + 2) * (nx + 4)`.
  std::string takeOutSum(Sum& place, unsigned symbol, const Sum& each) const;
  /// `(z + 2)`
  std::string aheadOf(unsigned symbol, const Sum& ahead) const;
  /// Whether a symbol's name means its variable where an expression stands.
  bool means(const clang::Stmt* e, unsigned symbol) const;
  /// Whether a variable in the kernel has an array's name.
  bool namesAreHidden() const;
  /// Writes out the macros that name what is kept or in a tile: the next round finds them so.
  bool writeOutMacros();
  static bool isInMacro(const clang::Expr* e);
  bool remove(const clang::Stmt* s, PlainChanges& changes);
  /// Removes what steps begin with; false if a place that it moves is still asked for.
  bool removeIdleBegin(PlainChanges& changes);
  bool isReplaced(clang::SourceLocation place, const PlainChanges& changes) const;
  /// `x0 + 1 + threadIdx.x`, where x0 is `blockIdx.x * 16 - 1`, is `blockIdx.x * 16 + threadIdx.x`.
  void namePlainly(const clang::VarDecl* anchor, const std::string& part, const Sum& rest,
                   PlainChanges& changes);
  /// Removes an integer that is only declared and moved on any more.
  bool removeIdle(const clang::DeclStmt* s, PlainChanges& changes);
  /// Declarations of places in the block that nothing names any more.
  void removeUnused(PlainChanges& changes, const std::set<const clang::VarDecl*>& named);

  const PlainBody& body_;
  const FunctionFacts& facts_;
  std::vector<Sum> ends_; ///< needs of the steps' places: that they lie in front of an end
  const bool expand_;   ///< values of the block are what they are computed from
  const bool oneByOne_; ///< each element of what a thread keeps is told by itself
  Symbols symbols_;
  const clang::ForStmt* loop_ = nullptr;
  const clang::CompoundStmt* body_list_ = nullptr;
  const clang::IfStmt* begin_ = nullptr; ///< beginOf() the steps
  const clang::VarDecl* counter_ = nullptr;
  const clang::Expr *from_ = nullptr, *to_ = nullptr;
  bool upTo_ = false;
  std::set<const clang::VarDecl*> tiles_, kept_, stored_;
  std::set<const clang::ParmVarDecl*> arrays_;
  std::set<const clang::Stmt*> removed_;
  std::map<const clang::Stmt*, const clang::IfStmt*> guarded_; ///< findGuards()
  Needs staying_; ///< what is known of threads that have not returned
  std::optional<unsigned> step_;
  std::map<unsigned, const clang::VarDecl*> variables_; ///< that symbols are, or are parts of
  std::map<unsigned, Sum> equal_;                       ///< atoms that a condition around tells
  std::map<unsigned, Sum> defined_;                     ///< what symbols stand for, if it is known
  std::map<unsigned, Sum> counted_;                     ///< what stepsTaken() are computed from
  bool filling_ = false;                                ///< in a loop that fills a tile
  unsigned unknown_ = 0;                                ///< how many unknownBounds() there are
  struct Quotient {
    Sum whole, by, part, rest;
  };
  std::map<const clang::VarDecl*, Sum> widths_; ///< of tiles that are declared as one row
  Needs sizes_; ///< what blocks have to be like for places in such tiles to be in their rows, and
                ///< grids for tiles to be copies (leastInGrid())
  std::vector<Quotient> quotients_; ///< that partSum() has made
  bool settling_ = false;           ///< what is kept from step to step is still to be found
  Sum first_, plane_;
  std::map<const clang::Expr*, Access> accesses_;
  std::map<const clang::Expr*, Needs> known_; ///< what is known where an array is read or stored to
  /// Arrays of which the second is stored to, and must not overlap the first.
  std::set<std::pair<const clang::ParmVarDecl*, const clang::ParmVarDecl*>> apart_;
  /// Those of them that may be one and the same array: each thread keeps to its own column of both.
  std::set<std::pair<const clang::ParmVarDecl*, const clang::ParmVarDecl*>> mayBeOne_;
  bool loadsElsewhere_ = false, storesElsewhere_ = false;
  unsigned phase_ = 0;
  unsigned thread_[2] = {}; ///< threadIdx.x, threadIdx.y
  std::map<const clang::VarDecl*, Sum> moves_;
  using Edits = std::map<const clang::Expr*, std::pair<FileRange, Value>>;
  Edits edits_, before_;
  bool narrow_ = true; ///< places are integers of 32 bits
  bool again_ = false;
  std::size_t found_ = 0; ///< variables that threads keep
};

} // namespace cu2cpp::marches
