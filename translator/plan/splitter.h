// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes one function in split form. The parts of the work have files of their own:
//
//   rewrite_split       the whole, and versions of device functions for a group
//   split_text          places, expressions and names
//   split_values        what expressions are to the group
//   split_calls         what the group does together
//   split_flow          conditions
//   split_loops         loops
//   split_elements      loops over elements that threads share among them
//   split_regions       loops over threads
//   split_choice        by which of them a region runs
//   split_inside        conditions that are decided before such a loop (split_inside_conditions.h)
//   split_steps         by how much values differ from thread to thread
//   split_bits          threads whose partners are found by bits of their places
//   split_parts         threads whose places are divided by constants
//   split_updates       updates of shared memory that are made behind such a loop
//   split_prefetch      what the next step or block loads
//   split_declarations  declarations inside regions
#pragma once

#include <algorithm>
#include <optional>

#include "clang/AST/ParentMap.h"

#include "analyse/column_reads.h"
#include "analyse/grid_sums.h"
#include "analyse/marks.h"
#include "analyse/regions.h"
#include "analyse/tile_rows.h"
#include "parse/syntax_visitor.h"
#include "plan/rewrites.h"

namespace cu2cpp {

/// groupVersionName() is what the group's version of a function is called, by the name that a call
/// or the function itself has: the same, if no template deduces the type of a parameter from that
/// name alone (`template <auto Reduction>`).
std::string groupVersionName(const Facts& facts, const FunctionFacts& function, std::string name);

/// What a region's text names: local variables, threadIdx, and its own jumps.
class RegionText : public SyntaxVisitor {
public:
  std::set<const clang::VarDecl*> uses;
  std::vector<const clang::ReturnStmt*> returns;
  std::vector<const clang::Stmt*> jumps; ///< break and continue
  std::set<const clang::Stmt*> skip;
  bool namesThread = false, namesBlock = false;

  void add(const clang::Stmt* s) {
    if (s)
      TraverseStmt(const_cast<clang::Stmt*>(s));
  }
  bool TraverseStmt(clang::Stmt* s) override {
    return s && skip.count(s) ? true : SyntaxVisitor::TraverseStmt(s);
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    namesThread |= builtinOf(use->getDecl()) == ThreadIdx;
    namesBlock |= builtinOf(use->getDecl()) == BlockIdx;
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl()))
      uses.insert(variable);
    return true;
  }
  bool VisitReturnStmt(clang::ReturnStmt* s) override {
    if (!lambdaDepth_)
      returns.push_back(s);
    return true;
  }
  bool VisitBreakStmt(clang::BreakStmt* s) override {
    jumps.push_back(s);
    return true;
  }
  bool VisitContinueStmt(clang::ContinueStmt* s) override {
    jumps.push_back(s);
    return true;
  }
  bool TraverseLambdaExpr(clang::LambdaExpr* lambda) override {
    ++lambdaDepth_;
    const bool more = SyntaxVisitor::TraverseLambdaExpr(lambda);
    --lambdaDepth_;
    return more;
  }

private:
  int lambdaDepth_ = 0;
};

class LevelOfTree;

class Splitter {
public:
  /// Of a template for anyGroup the type of the group is CuGroup.
  Splitter(Plan& plan, const FunctionFacts& function, EditList& edits, bool publish,
           bool anyGroup = false)
      : plan_(plan), kernel_(function), regions_(*function.regions),
        body_(llvm::cast<clang::CompoundStmt>(function.decl->getBody())), edits_(edits),
        publish_(publish), anyGroup_(anyGroup) {
    for (unsigned i = 0; i < regions_.calls.size(); ++i)
      if (!regions_.calls[i].oneByOne)
        callIndex_[regions_.calls[i].call] = i;
    ofWarp_ = regions_.scope == Scope::Warp && !function.kernel;
    level_ = ofWarp_ ? Scope::Warp : Scope::Block;
    if (ofWarp_)
      lanes_ = "cuLanes";
    if (!body_->body_empty())
      lastReturn_ = llvm::dyn_cast<clang::ReturnStmt>(body_->body_back());
    parents_ = std::make_unique<clang::ParentMap>(const_cast<clang::CompoundStmt*>(body_));
  }
  void run();
  /// The parameters of a device function's version for a group.
  std::string signature();
  std::string resultType() const;

private:
  friend class InsideConditions;
  class AlikeWarps;
  friend class MaskedPlaces;
  friend class Divisors;
  friend class Moves;
  friend class MatrixUpdate;
  friend class PackedColumns;
  friend class LevelOfTree;
  friend class DoublingLevel;
  friend class DoublingInPlace;
  friend class UpdatesOfRegion;
  using Kind = RegionNode::Kind;
  using How = GroupCall::Argument::How;

  // --- Places
  // -------------------------------------------------------------------------------------------------------
  void insert(const FilePosition& at, const std::string& text) {
    inserted_[{at.file, at.offset}] += text;
  }
  clang::PrintingPolicy policy() const;
  /// A statement with its semicolon, at the level of the kernel's own text.
  FileRange rangeOf(const clang::Stmt* s) const;
  FileRange expressionRange(const clang::Expr* e) const;
  FilePosition beginOf(clang::SourceLocation at) const;
  FilePosition endOf(clang::SourceLocation at) const;
  /// Whether a statement ends with a block of its own (and not, say, with an initialiser list).
  static bool endsWithBrace(const clang::Stmt* s);
  /// The end of the line if only a comment follows there.
  unsigned behindComment(const FileRange& range) const;
  /// Whether a statement may become a comment where it stands. What only compilers read may have
  /// more on its line.
  bool canBeComment(const FileRange& range) const;
  /// That comment, with a note for readers if it ends the line.
  std::string asComment(const FileRange& range, const std::string& note) const;
  bool restOfLineIsBlank(const FileRange& range) const {
    const llvm::StringRef rest = plan_.text.buffer(range.file).substr(range.end);
    return rest.take_until([](char c) { return c == '\n'; }).trim().empty();
  }
  FileRange wholeLine(FileRange range) const;

  // --- Text of expressions, with what group calls gave in their place
  // -----------------------------------------------
  std::string callName(unsigned index) const { return "cuCall" + std::to_string(index + 1); }
  std::string resultOf(unsigned index) const {
    return callName(index) + (regions_.calls[index].uniformResult ? "" : "[cuThisThread]");
  }
  bool isInside(const clang::Stmt* inner, const clang::Stmt* outer) const;
  /// The outermost group calls in a piece of code.
  std::vector<unsigned> callsIn(const clang::Stmt* s) const;
  std::string print(const clang::Stmt* s) const;
  std::string expressionText(const clang::Expr* e) const;
  /// The text with what stands for some of its expressions.
  std::string textOf(const FileRange& range) const;
  /// findCaptures() notes what lambdas copy that are made by a piece of code for one thread and
  /// outlive it; isOfPiece() tells whether such a piece declares a variable for itself.
  void findCaptures();
  bool isOfPiece(const clang::VarDecl* variable) const;
  /// reportCaptures() stops for lambdas that a value brings with it and whose text macros hide.
  void reportCaptures(const clang::Expr* e, const RegionText& text) const;
  /// The text with other words for some parts of it.
  using Parts = std::vector<std::pair<FileRange, std::string>>;
  std::string textWith(const FileRange& range, Parts parts) const;

  // --- Names
  // --------------------------------------------------------------------------------------------------------
  std::string typeOf(const clang::VarDecl* variable) const;
  static bool isLocalType(clang::QualType type);
  bool isReferenceLocal(const clang::VarDecl* variable) const {
    return variable->getType()->isReferenceType() && !llvm::isa<clang::ParmVarDecl>(variable);
  }
  std::string storageType(const clang::VarDecl* variable, Storage storage) const {
    return std::string(storage == Storage::PerLane ? "cu2cpp::PerLane<"
                       : ofKeptRow()               ? "cu2cpp::PerThreadOfRow<"
                                                   : "cu2cpp::PerThread<") +
           (isReferenceLocal(variable) ? pointerTo(variable) : typeOf(variable)) + ">";
  }
  /// The pointer that a reference is kept as.
  std::string pointerTo(const clang::VarDecl* variable) const;
  bool isReferenceToConst(const clang::VarDecl* variable) const {
    return plan_.unit.context()
        .getBaseElementType(variable->getType().getNonReferenceType())
        .isConstQualified();
  }
  void nameStorage();
  std::vector<std::pair<const clang::VarDecl*, Storage>> inOrder() const;
  Storage storageOf(const clang::VarDecl* variable) const {
    const auto found = regions_.storage.find(variable);
    return found == regions_.storage.end() ? Storage::Block : found->second;
  }
  bool isStored(const clang::VarDecl* variable, Storage storage) const {
    return regions_.storage.count(variable) && storageOf(variable) == storage;
  }
  bool isKept(const clang::VarDecl* variable) const {
    return isStored(variable, Storage::PerThread) || isStored(variable, Storage::PerLane);
  }
  /// Declared where the variable is: its type or life is not the whole kernel's.
  bool isDeclaredInPlace(const clang::VarDecl* variable) const;
  std::string storageDeclaration(const clang::VarDecl* variable) const {
    if (regions_.rows.count(variable) && isStored(variable, Storage::PerLane))
      return "cu2cpp::LaneRows<" + typeOf(variable) + "> " + perThreadName_.at(variable) + ";";
    if (regions_.rows.count(variable))
      return "auto " + perThreadName_.at(variable) + " = cu2cpp::threadRows<" + typeOf(variable) +
             ">(cuBlock);";
    return storageType(variable, storageOf(variable)) + " " + perThreadName_.at(variable) +
           (isStored(variable, Storage::PerThread) ? "(cuBlock);" : ";");
  }

  // --- The group
  // ----------------------------------------------------------------------------------------------------
  std::string group() const { return level_ == Scope::Block ? "cuBlock" : "cuWarp"; }
  std::string exitedThreads() const;
  /// The threads of the group that are here.
  std::string active() const;
  /// Whether sets of lanes have the type that the warp asks for: where lanes meet nobody, and in
  /// functions for any group. startingSet() begins one, noLanes() declares an empty one.
  bool setsOfWarp() const;
  std::string lanesType() const;
  std::string startingSet(const std::string& lanes) const;
  std::string noLanes(const std::string& name) const;
  /// A new set of threads of the block that are outside of a statement, at first `those`.
  std::string outsideOf(const std::string& name, const std::string& those) const {
    return "cu2cpp::Exited " + name + "(cuBlock" +
           (those == "cu2cpp::noneExited" ? "" : ", " + those) + ");";
  }
  /// `cuOutside1.add(cuThisThread); ` for the sets from the given one inwards.
  std::string addToOutside(std::size_t first) const;
  std::string threadParameter(bool thread, bool index) const;

  // --- Emission
  // -----------------------------------------------------------------------------------------------------
  void emitHead();
  /// Whether the kernel's body is a lambda, of which blocks of a known size get a version.
  bool inRunBlock() const;
  /// Whether the loops over threads are such over the threads of several blocks.
  bool ofSeveralBlocks() const { return regions_.joined || kernel_.longRows; }
  /// Whether those run as one block with longer rows, of which threads keep values.
  bool ofKeptRow() const { return regions_.joined && kernel_.longRows; }
  /// Whether each thread has a block of its own.
  bool ofBlocksInRow() const { return regions_.joined && !kernel_.longRows; }
  void emitList(const std::vector<RegionNode>& nodes, bool inBraces);
  void emitBarrier(const clang::Stmt* s, bool inBraces);
  /// What the threads of a region need at its head, of the variables that live longer.
  /// Those of `asParameters` that it names become parameters instead, and are put into `copied`.
  std::vector<std::string> bindings(const std::vector<const clang::Stmt*>& statements,
                                    RegionText& text,
                                    const std::set<const clang::VarDecl*>& asParameters = {},
                                    std::vector<const clang::VarDecl*>* copied = nullptr) const;
  /// The variables of which a region of a warp works on copies: where lanes leave one by one, and
  /// where it changes some lanes' only. (A vector in memory that is stored in part cannot be read
  /// back as a whole before the store is done.)
  std::set<const clang::VarDecl*> copiedIn(const RegionNode& region) const;
  std::string startName(const clang::VarDecl* variable, std::size_t index) const {
    return "cuStart" + (index ? std::to_string(index + 1) : "") + "_" + variable->getNameAsString();
  }
  /// What a Restated variable holds when a region with these statements starts; null if it does not
  /// ask for it.
  const clang::Expr* restatedValue(const clang::VarDecl* variable,
                                   const std::vector<const clang::Stmt*>& statements) const;
  /// How the variable of a strided loop is computed: what the group knows of its start, if it is a
  /// sum, and the rest, which differs between threads.
  struct Stride {
    const clang::Expr* base = nullptr;
    const clang::Expr* start = nullptr;
    bool counts = false; ///< integers of one width
  };
  Stride strideOf(const clang::VarDecl* variable) const;
  /// inInstances() tells whether something holds for a local variable, or in a template for what it
  /// is in each instance.
  bool inInstances(const clang::VarDecl* variable,
                   llvm::function_ref<bool(const clang::VarDecl*)> holds) const;
  /// The variable that a strided loop declares.
  static const clang::VarDecl* variableOfHead(const clang::ForStmt* loop);
  /// Whether a thread's value is a sum without sign that is widened: it may have wrapped around
  /// between two neighbours before.
  bool mayWrapBeforeCast(const clang::Expr* e, unsigned depth = 0) const;
  /// Has a warp's loop count from its first lane on, where its start does not say to compilers that
  /// lanes follow one another.
  void countInRows(const clang::ForStmt* loop);
  /// A strided loop's variable in one step, with names for what the group has computed once.
  std::string startText(const clang::VarDecl* variable) const;
  /// Whether code asks for its thread to find values in their places; `copied` are at hand.
  bool needsThread(const RegionText& text,
                   const std::vector<const clang::VarDecl*>& copied = {}) const {
    return std::any_of(text.uses.begin(), text.uses.end(), [&](const clang::VarDecl* v) {
      return (isKept(v) || countedInRows_.count(v)) &&
             std::find(copied.begin(), copied.end(), v) == copied.end();
    });
  }
  /// `[&](const cu2cpp::Lane cuThisThread) { ...; return <expression>; }`
  /// `result` is what the lambda says that it returns, if not its own type.
  std::string valueLambda(const clang::Expr* e, const std::string& addressOf = "",
                          const std::string& result = "") const;
  std::string compared(const clang::Expr* e) const {
    return std::string(level_ == Scope::Block                      ? "cu2cpp::sameInBlock"
                       : regions_.alike.count(e) != 0 && !publish_ ? "cu2cpp::sameInRow"
                                                                   : "cu2cpp::sameInWarp") +
           published() + "(" + group() + ", " + active() + ", " + valueLambda(e) + ")";
  }
  const char* published() const { return publish_ ? "Published" : ""; }
  const clang::VarDecl* variableOf(const clang::Expr* e) const {
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e->IgnoreParenImpCasts());
    return use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
  }
  std::string argumentText(const GroupCall& call, const GroupCall::Argument& argument) const;
  /// A default argument's text stands in another function.
  bool isForeign(const clang::Expr* e) const;
  /// `ns::warpMax` -> `ns::cuGroup_warpMax`
  static std::string groupName(std::string name);
  std::string callText(unsigned index, bool alone);
  /// `const int same = cu2cpp::agreed(v);` of what lanes keep: one lane's value, once for all.
  void emitAgreement(const clang::Stmt* s);
  void emitCall(const RegionNode& node);
  /// `x = __shfl_sync(mask, x, source);`, a call and the region behind it, as one.
  bool emitShuffleInPlace(const RegionNode& call, const RegionNode& behind);
  /// A statement that the group runs once: as it is, but for values that its threads compute.
  void emitStatement(const RegionNode& node);
  /// Whether one loop over warps is all that a kernel's threads run: it alone knows who has
  /// returned.
  bool isOnlyWarps() const;
  void emitWarps(const RegionNode& node);
  std::string movedText(const clang::DeclStmt* moved);
  /// The turned copies of the tables whose columns a region reads; those that are made further out
  /// are written there.
  std::string turnedCopies(const RegionNode& region, bool inBraces, const std::string& newline);
  /// Loops of a region by which threads update their rows of shared matrices
  /// (split_short_rows.cpp): the copies of columns that these read.
  std::string updatesOfShortRows(const RegionNode& region, bool inBraces,
                                 const std::string& newline);
  /// The outermost loop around a statement that changes nothing in a table; null if there is none.
  const clang::ForStmt* scopeOfTurned(const clang::VarDecl* table, const clang::Stmt* s) const;

  // --- Control flow around calls
  // ------------------------------------------------------------------------------------
  /// A set of threads that are outside of a statement of the block.
  struct Outside {
    std::string name;
    const clang::Stmt* loop; ///< null for a branch
    bool step;               ///< out of the loop for one step only
  };
  struct Uneven {
    unsigned number;
    const clang::Stmt* loop;
    bool leaves, skips;
    std::string entered; ///< all lanes that went in; empty if nothing asks for them
    /// Lanes break out between the statements of the loop's body only: they are taken out of the
    /// loop's own set, and no other one counts them.
    bool takesOut = false;
  };
  std::string condition(const clang::Expr* e) const { return e ? expressionText(e) : "true"; }
  /// whereAlike() is the part of a loop's condition that all lanes compute alike, as text that ends
  /// in `&& `; `test` is what is left of it, and null if that is nothing.
  std::string whereAlike(const clang::Expr*& test) const;
  std::string lanesWhere(const clang::Expr* e, const std::string& lanes, bool rising = false,
                         const std::string& base = "") const;
  /// lanesWhereRank() is lanesWhere() that knows of whole warps: `tid < 32`.
  std::string lanesWhereRank(const clang::Expr* e, const std::string& lanes) const;
  std::string callLines(const RegionNode& node, const std::string& separator);
  /// Writes what a statement around calls holds; one without braces gets them where it becomes
  /// several statements.
  void emitBody(const clang::Stmt* body, const std::vector<RegionNode>& children,
                const std::string& first = "", const std::string& last = "");
  static FilePosition position(const FileRange& range) { return {range.file, range.begin}; }
  std::string perThreadCondition(const clang::Expr* e) const {
    return e ? valueLambda(e) : "[&](const uint3) { return true; }";
  }
  /// `if (threadIdx.x < n) { ... __syncthreads(); ... }`: the threads that enter go on together.
  void emitMaskedBranchOfBlock(const RegionNode& node, bool inBraces);
  /// A loop of the block that threads leave one by one: it runs until all have left.
  void emitMaskedLoopOfBlock(const RegionNode& node, const clang::ForStmt* f,
                             const clang::WhileStmt* w, const clang::DoStmt* d,
                             const clang::Stmt* body, const clang::Expr* test);
  void emitBranch(const RegionNode& node, bool inBraces);
  /// A part of a loop's head, or of a declaration, that each thread runs.
  std::string headPart(const clang::Stmt* s);
  /// `int cuStep_i = 0;` and what the group computes once of where its threads start.
  std::string stridedStart(const clang::ForStmt* loop, const std::string& newline) const;
  /// A strided loop of the block: each step runs the threads for which the condition still holds.
  /// Declares copies of the shared counters to which a loop only adds, and has it add to them.
  std::string countersBefore(const clang::ForStmt* loop, const std::string& newline);
  void emitStridedOfBlock(const RegionNode& node, const clang::ForStmt* loop, bool);
  /// Whether the kernel's blocks are such that one may do the work of others.
  bool mayRunTogether() const;
  /// What blocks that only count do in turn (analyse/grid_sums.h); none if a thread would keep what
  /// is one block's, or blocks share their work in another way.
  std::optional<BlocksTogether> findTogether() const;
  /// A kernel's loop that counts places of a matrix, done by its blocks together; false if the node
  /// isn't that (split_grid_places.cpp).
  bool emitPlacesOfGrid(const RegionNode& node);
  /// The same by rows of elements, where who takes which is all one (analyse/element_loops.h).
  void emitElementLoop(const RegionNode& node, const ElementLoop& loop);
  /// In its body: the inner loop's head, quotients and remainders.
  void emitElementPlaces();
  /// Of elements that run in turn: the parameter that counts within a vector, and a loop over
  /// columns.
  std::string laneInTurn() const {
    return plan_.options.lineDirectives ? ", [[maybe_unused]] const unsigned cuLane"
                                        : ", const auto";
  }
  void emitColumnsInTurn(const ElementLoop::Columns& columns);
  /// The text of an expression that stands in a product.
  std::string factor(const clang::Expr* e) const {
    const bool single = llvm::isa<clang::ParenExpr, clang::DeclRefExpr, clang::IntegerLiteral>(e);
    return single ? expressionText(e) : "(" + expressionText(e) + ")";
  }
  /// What an element loop's body names but for its place.
  static void skipElementHeads(const ElementLoop& loop, RegionText& text);
  /// A variable of the running element loop's body that keeps its first value.
  bool isElementPlace(const clang::VarDecl* variable) const {
    return elements_ && std::find(elements_->places.begin(), elements_->places.end(), variable) !=
                            elements_->places.end();
  }
  /// The declarations of what is named of the first element of a row.
  std::vector<std::string> elementPlaces(RegionText& named) const;
  /// What such a loop stores to, if it fills a tile the other way around than it loads; else null.
  const clang::Expr* turnedTarget(const RegionNode& region, const ElementLoop& loop) const;
  bool isTurned(const ElementLoop& loop, const clang::ArraySubscriptExpr* target) const;
  /// The argument that tells where that is.
  std::string turnedPlace(const clang::Expr* target) const;
  /// Whether a loop can be written so here.
  bool runsByElements(const RegionNode& node) const;
  /// A value of the block in a list of the block.
  std::string blockValue(const clang::Expr* e) const {
    return isGroupValue(e) ? expressionText(e) : valueLambda(e) + "(uint3{})";
  }
  /// `cuStep_i += <step>`
  std::string stridedStep(const clang::ForStmt* loop) const;
  /// `, cu2cpp::prefetchRow(...)` for what the steps behind the next load of memory, in a loop
  /// whose steps go as far as the grid.
  std::string prefetches(const clang::ForStmt* loop) const;
  /// `, cu2cpp::prefetchLanes(...)`: the same of the lanes of a warp.
  std::string prefetchesOfLanes(const clang::ForStmt* loop) const;
  /// `cu2cpp::prefetchBehind(...); ` behind a loop: what lies behind a row whose ends are read from
  /// memory, where the next warps' rows are.
  std::string prefetchesOfNextRows(const clang::ForStmt* loop) const;
  /// The loop in whose steps the kernel's blocks take turns (Regions::turns), if they may; null
  /// otherwise. Its head asks `cuTurn` for the step.
  const clang::ForStmt* loopOfTurns() const;
  void emitTurn(const clang::ForStmt* loop);
  /// The statement behind shared variables by which they are kept from turn to turn; empty if there
  /// is none.
  std::string keptInTurns() const;
  /// The arrays of which a loop over a row's elements loads the rows that come later in a loop
  /// around it, which goes by the grid: `row, step, bound, [&](threadIdx, row) { return place; }`.
  /// With `sums` also of `a[y * w + x]` in a loop over x. First is what the row's element 0 lies
  /// at.
  std::vector<std::pair<std::string, std::string>> rowsAhead(const clang::ForStmt* loop,
                                                             bool sums) const;
  std::string rowText(const clang::Expr* array, const clang::Expr* behind) const;
  /// `cu2cpp::prefetchRowsAhead(...)` before a loop over a row's elements, where a warp goes on to
  /// the grid's next row: what it loads some steps later.
  std::string prefetchesOfRowsAhead(const clang::ForStmt* loop, const std::string& newline) const;
  /// `cu2cpp::StretchesAhead` for the row that the next warp loads or stores in short
  /// loops, before a warp's first region.
  std::string prefetchesOfNextWarp(const RegionNode& region, const std::string& newline) const;
  /// Of `a[i + blockDim.x]` in such a loop over i: the row of threads that is loaded along with
  /// that at i begins so much further on. Null if there is none, or it is close by.
  const clang::Expr* rowAhead(const clang::Expr* index, const clang::VarDecl* counter,
                              const clang::ForStmt* loop) const;
  /// What a variable of a loop's body is made of, if an index is one: `k = i + blockDim.x`.
  const clang::Expr* namedInLoop(const clang::Expr* index, const clang::ForStmt* loop) const;
  /// A function of blockIdx and threadIdx that computes a place of another block, if it takes
  /// nothing but parameters, constants and `counters` that lie around it. The place may lie so much
  /// behind `begin`.
  std::optional<std::string> forNextBlock(const clang::Expr* place,
                                          const std::set<const clang::VarDecl*>& counters,
                                          const std::string& array = "",
                                          const clang::Expr* begin = nullptr) const;
  /// A row of a given array: the array, and where the row begins, or null of the array itself.
  struct GivenRow {
    std::string array; ///< givenArray(); empty if it is none
    const clang::Expr* begin = nullptr;
  };
  /// What a pointer points to, if it is a given array or what the kernel declares as a row of one:
  /// `const float* row = x + blockIdx.x * n;`
  GivenRow givenRow(const clang::Expr* array) const;
  /// The heads of those of the loops around a place whose counters it names, and these counters.
  std::optional<std::string> headsFor(const clang::Expr* place,
                                      const std::vector<const clang::ForStmt*>& loops,
                                      std::set<const clang::VarDecl*>& counters,
                                      std::string& values) const;
  /// The same of a loop that begins at threadIdx.y, which is added to its counter's `value`.
  std::string headOfRows(const clang::ForStmt* loop, std::string& value) const;
  /// A place of an array that the next block's threads load or store side by side.
  struct PlaceAhead {
    std::string array; ///< givenArray()
    const clang::ArraySubscriptExpr* access;
    std::string heads; ///< of the loops around it that count it
    std::string next;  ///< forNextBlock()
  };
  /// All of `accesses` that are such.
  std::vector<PlaceAhead> placesOfNextBlock(const class AccessesInBlock& accesses) const;
  /// `cu2cpp::prefetchNextBlock(...)` for what the next block's threads load or store side by side,
  /// outside of loops. What is to stand in the middle of the block's work is noted (aheadInFront_).
  std::string prefetchesOfNextBlock(const std::string& newline);
  /// The first of the block's loops, or of other work, behind the region that makes one of the
  /// `accesses`, or, where these are `stored`, the last one before; null if there is none.
  const clang::Stmt* placeInWork(const std::set<const clang::Expr*>& accesses, bool stored,
                                 bool loops) const;
  /// What was noted to stand in front of a statement.
  std::string inFrontOf(const clang::Stmt* s) const;
  /// The same for kernels that name arrays in loops of a few constant steps, over a thread's items.
  std::string prefetchesOfItems(const std::string& newline);
  /// Notes what a loop over elements loads from the kernel's arrays, outside of loops.
  void noteMatrix(const ElementLoop& loop);
  /// Writes `cu2cpp::NextMatrix` before a loop with barriers for what was noted, and fetches some
  /// of it in each step.
  void fetchNextMatrices(const clang::ForStmt* loop, const std::string& newline);
  /// `, cu2cpp::prefetchRowOfNextBlock(...)` in a loop over a row of the block: what the next block
  /// loads in the same step.
  std::string prefetchesOfNextRow(const clang::ForStmt* loop) const;
  /// `cu2cpp::prefetchRowsOfNextBlock(...)` for all rows of the next block's threads, also in loops
  /// that take a few constant steps.
  std::string prefetchesOfRows(const std::string& newline) const;
  /// `cu2cpp::prefetchNextStep(...)` for what the block's threads load or store side by side in the
  /// next step of a loop around barriers that does little else.
  std::string prefetchesOfNextStep(const clang::ForStmt* loop) const;
  /// The same for rows that a loop behind one around barriers stores.
  std::string prefetchesOfLaterRows(const clang::ForStmt* loop) const;
  /// Writes `cu2cpp::prefetchRowInTurn(...)` in the middle of a loop over rows that blocks take in
  /// turn, for what the next block loads and for what this one is about to store.
  void prefetchRowsInTurn(const RegionNode& node, const clang::ForStmt* loop);
  /// A function of threadIdx and a row that tells where an element lies which `rows` names, in a
  /// loop over the row's elements or none: in the loop's first step.
  std::optional<std::string> placeOfRow(const clang::VarDecl* base, const clang::Expr* place,
                                        const clang::ForStmt* loop, const clang::VarDecl* row,
                                        const clang::ForStmt* rows) const;
  /// bindLastSteps() declares the counters of loops in a step that a place names, as they are in
  /// those loops' last steps: the place lies furthest ahead there.
  bool bindLastSteps(const RegionText& named,
                     const std::map<const clang::VarDecl*, const clang::BinaryOperator*>& counters,
                     std::string& lines) const;
  /// The same for places that move on with each step: `in[place + plane]` where `place += plane`.
  std::string prefetchesOfMovingPlaces(const clang::ForStmt* loop) const;
  /// The array that the kernel is given by a parameter, or by a member of one, also as an array of
  /// another type; empty if it is another.
  std::string givenArray(const clang::Expr* array) const;
  std::string castTo(clang::QualType type, const std::string& value) const;
  /// Whether the last lane of a row is in a strided loop `i < n` only if all are. What has no sign
  /// may start below 0 and wrap around among the lanes: `first - 5 + lane`.
  bool risesInRow(const clang::ForStmt* loop) const;
  /// `cuStep_i`, if it steps by a warp or more.
  std::string stridedBase(const clang::ForStmt* loop) const;
  /// The head of a loop whose first or last part is the group's own: the user's text, with compared
  /// values.
  std::string groupPart(const clang::Stmt* s) const;
  /// Whether the steps of a warp's strided loop that all lanes take may be a loop of their own,
  /// with what is left of the row behind it: `cu2cpp::eachStepRising(...)`.
  bool stepsApart(const RegionNode& node, const clang::ForStmt* loop) const;
  void emitLoop(const RegionNode& node, bool inBraces);
  void emitEvenLoop(const RegionNode& node, const clang::ForStmt* f, const clang::WhileStmt* w,
                    const clang::DoStmt* d, const clang::Stmt* body, const clang::Expr* test);

  // --- Regions
  // ------------------------------------------------------------------------------------------------------
  bool jumpsOut(const clang::Stmt* jump, const RegionNode& region) const;
  const clang::Stmt* loopAround(const clang::Stmt* s) const;
  /// A region of declarations that are repeated where they are used: nothing is left to do here.
  bool emitRepeatedOnly(const RegionNode& region);
  /// `auto x = f(threadIdx.x);` in a template: what f() gives for each thread has the type.
  bool emitDeduced(const RegionNode& region);
  /// Where a region is `if (threadIdx.x < n) ...`, perhaps behind values: no thread from n on has
  /// anything to do ("Below" n); `if (threadIdx.x == n) ...`: no other thread ("At" n). The same of
  /// a thread's number in a block of several rows: "BelowRank", "OfRank". No text if none of these.
  struct ThreadBound {
    const char* kind = "";
    std::string text;
    bool few = false;                     ///< "Below" a small constant, or one of a template's
    const clang::Expr* decided = nullptr; ///< holds for the threads of the loop
    bool isFirst = false;                 ///< the first lane alone
  };
  /// `threadIdx.y * 16 + threadIdx.x`: sums of threadIdx's parts, each times what the block knows.
  /// Finds which parts these are.
  bool isSumOfThread(const clang::Expr* e, std::set<char>& parts, unsigned depth = 0) const;
  ThreadBound threadBound(const std::vector<const clang::Stmt*>& statements) const;
  /// An atomic function's call of which a region only notes what it updates.
  struct DeferredUpdate {
    const clang::CallExpr* call;
    const clang::VarDecl* array; ///< in which the place lies
    bool always;                 ///< every thread calls it
  };
  /// By which loop a region's threads run. Texts end with ", " where they are not empty.
  struct RegionLoop {
    std::string kind;      ///< what follows eachThread or eachLane: `InBox<1>`
    std::string argument;  ///< of the loop, in front of the body
    std::string parameter; ///< the body's first
    bool isInlined = false;
    std::vector<DeferredUpdate> updates = {}; ///< made behind the loop
    std::string where = {};                   ///< which threads do anything
  };
  /// The region's conditions that the loop decides are replaced.
  RegionLoop loopOfBlock(const RegionNode& region, const RegionText& text);
  /// `copies`: lanes are given copies of variables.
  RegionLoop loopOfWarp(const RegionNode& region, const RegionText& text, bool copies);
  /// The comparisons that must hold for any of a statement to run, in the order in which they are
  /// asked, up to the first condition that does more than to ask.
  static std::vector<const clang::BinaryOperator*> guardsOf(const clang::Stmt* s);
  /// The flags that must be set for it.
  static std::vector<const clang::VarDecl*> flagsOf(const clang::Stmt* s);
  /// What all must hold for flags that are computed anew where they are asked for.
  std::vector<const clang::Expr*> saidBy(const std::vector<const clang::VarDecl*>& flags) const;
  /// The threadIdx.x of the only lane for which `threadIdx.x == k` or `threadIdx.x % 32 == k` may
  /// hold in statements; empty if it is not known, or lanes need not be asked less.
  std::string onlyLane(const std::vector<const clang::Stmt*>& statements,
                       const clang::BinaryOperator* compare) const;
  /// Whether a lane by itself should run statements: quotients, roots and mathematical functions.
  bool takesLong(const std::vector<const clang::Stmt*>& statements) const;
  /// Whether statements load from a place that is the same in all lanes: of a vector that only one
  /// lane asks for, the compiler would gather it.
  bool loadsForOne(const std::vector<const clang::Stmt*>& statements) const;
  static bool isLiteral(const clang::Expr* e);
  /// Whether a statement of a region names nothing that only its other statements make.
  bool standsAlone(const clang::Stmt* s, const RegionNode& region) const;
  /// The number of statements before one that is for few threads (or behind it, if it is the
  /// first), or before a branch for a box of them behind flags; 0 if there is none: a loop of its
  /// own spares the others' the condition.
  std::size_t placeToDivide(const RegionNode& region) const;
  /// `if (threadIdx.y < 4) ...`
  bool isForFewRows(const clang::Stmt* s) const;
  /// `if (y >= first && ...) ...`, y being a thread's place along a column.
  bool isForRows(const clang::Stmt* s) const;
  /// threadIdx.x & 31, threadIdx.x % 32, or a variable that is nothing else.
  bool isLane(const clang::Expr* e) const;
  /// Likewise counted in the grid, `(blockIdx.x * blockDim.x + threadIdx.x) & 31`: in blocks whose
  /// rows are whole warps.
  bool isLaneOfGrid(const clang::Expr* e) const;
  bool isPlaceInGrid(const clang::Expr* e) const;
  /// Whether something takes a lane's number from anything but the thread's place in its block.
  bool asksForLaneOfGrid() const;
  /// Where the values of a loop over warps that should be one for each are so: in any block, in
  /// blocks of one row, or in blocks of whole warps only.
  enum class Agreement { Always, InLines, InWholeWarps };
  Agreement agreementIn(const RegionNode& warps) const;
  /// Whether lanes meet in a loop over warps.
  bool meetIn(const RegionNode& warps) const;
  std::string warpsLoop(const RegionNode& node) const;
  /// Of warps that all compute the same: what their threads keep of it, `, cuEach_a, cuEach_b`.
  /// Empty if they do not.
  std::string keptByAlikeWarps(const RegionNode& node) const;
  /// threadIdx.x / 32 or threadIdx.x >> 5.
  bool isWarpNumber(const clang::Expr* e) const;
  /// Whether a statement declares one variable, which each region computes for itself.
  bool declaresRecomputed(const clang::Stmt* s) const;
  /// Those parts of a thread's place, by an operator on bits or one on numbers.
  bool isPartByWarp(const clang::Expr* e, clang::BinaryOperatorKind byBits, unsigned bits,
                    clang::BinaryOperatorKind byNumber) const;
  /// threadIdx.x, or a variable that is nothing else.
  bool isThreadIndex(const clang::Expr* e, llvm::StringRef part = "x") const;
  /// By how much an expression, or a variable that is nothing else, is more than threadIdx.x (or
  /// another part of it): 1 for `threadIdx.x + 1`. None if it is anything else.
  std::optional<long long> behindIndex(const clang::Expr* e, llvm::StringRef part) const;
  /// Whether a divisor is a constant other than 0, or a size of the block or grid.
  bool isNeverZero(const clang::Expr* e) const;
  /// Names nothing but constants, parameters and variables of the group; and, if `repeated`, those
  /// of such values that each region declares again. Reads no memory.
  bool isGroupValue(const clang::Expr* e, bool repeated = false) const;
  /// An index that is one more from thread to thread of a row.
  bool isIndexInRow(const clang::Expr* e) const;
  void emitRegion(const RegionNode& region, bool inBraces);
  /// Whether a region of a kernel of which threads may have returned runs by a loop over the others
  /// alone.
  bool runsStaying(const RegionNode& region, const RegionLoop& loop) const;
  /// The threads of the blocks that run along with a region by such a loop (analyse/tile_rows.h):
  /// `cu2cpp::tileRow<16>(cuBlock, [&](const uint3 blockIdx) { return ...; })`. Empty if none do.
  std::string rowOfTiles(const RegionNode& region, const RegionLoop& loop) const;
  /// Likewise those of blocks that run together: `cuBlock.asOne<32>()`.
  std::string rowOfBlocks(const RegionNode& region, const RegionLoop& loop) const;
  /// `if (x >= nx) return;` at the end of an exitsOnly region: `return (x >= nx);`
  void emitExit(const clang::IfStmt* branch);
  /// `if (x > 4) break;` as the set of lanes for which it holds.
  void emitLeaving(const clang::IfStmt* branch, bool inBraces);
  /// takesOut() tells whether lanes break out of a loop between the statements of its body only.
  static bool takesOut(const RegionNode& loop);
  /// By how much a value grows from thread to thread of a row: 1 for threadIdx.x and sums of it
  /// with what is uniform, 2 for twice that; 0 if it is none of these. The result is to be
  /// multiplied by what is put into `factors`, of which there are none without it.
  unsigned stepInRow(const clang::Expr* e,
                     std::vector<const clang::Expr*>* factors = nullptr) const {
    return stepAlong("x", e, true, factors);
  }
  /// The same along `part`, a member of threadIdx, of what depends on no other part; or also of
  /// the thread's rank in the block.
  unsigned stepAlong(llvm::StringRef part, const clang::Expr* e, bool orRank = false,
                     std::vector<const clang::Expr*>* factors = nullptr) const;
  /// How cu2cpp::eachThreadRisingInFours() begins for a block's strided loop whose threads may go
  /// four steps at once, since they only add up what they load: `<sizeof(*a)>(cuBlock, cuStep_i,
  /// 256, `. Empty if it is none.
  std::string stepsByFour(const RegionNode& node, const clang::ForStmt* loop) const;
  /// How many bytes each thread loads side by side with its neighbours in a step, as an expression;
  /// empty if it loads none so.
  std::string bytesInStep(const clang::ForStmt* loop) const;
  /// Of a loop by the whole grid in which each thread adds up sums of its own, which start the same
  /// in all blocks, and which all blocks come to once: the sums, if the blocks that an OS thread
  /// runs may take its steps together. Empty otherwise.
  std::vector<const clang::VarDecl*> sumsAbreast(const RegionNode& node,
                                                 const clang::ForStmt* loop) const;
  /// The head of such a loop; the call that runs it is what rising_ is then.
  std::string stepsAbreast(const std::vector<const clang::VarDecl*>& sums,
                           const clang::ForStmt* loop, const std::string& newline);
  /// Whether the next region is what each step of a block's strided loop does.
  bool runsRising() const {
    const llvm::StringRef rising = rising_;
    return rising.contains("cu2cpp::eachThreadRising(") ||
           rising.contains("cu2cpp::eachThreadRisingByFour(") || runsAbreast();
  }
  bool runsAbreast() const { return llvm::StringRef(rising_).starts_with("cu2cpp::stepsAbreast"); }
  /// The same for a value that falls from thread to thread: `k - threadIdx.x`.
  unsigned fallInRow(const clang::Expr* e) const;
  /// `x < limit` as a bound that is to hold: the member of cu2cpp::Inside.
  static const char* boundOf(clang::BinaryOperatorKind op);
  bool isPlaceInRow(const clang::Expr* e) const { return stepInRow(e) == 1; }
  /// The variables that a region declares again for what it names.
  std::vector<const clang::VarDecl*> repeatedFor(const RegionText& text) const;
  /// For how many threads of a row the region's conditions are decided beforehand: the bounds'
  /// lambda. In the region's text those conditions then ask first whether the thread is one of
  /// them. Empty if there are none.
  /// The function is cu2cpp::eachThread and `kind`.
  std::string insideText(const RegionNode& region, const RegionText& text,
                         const std::string& newline, const char*& kind);
  /// The same where the function is known to run all threads.
  std::string insideOnlyText(const RegionNode& region, const RegionText& text,
                             const std::string& newline);
  /// `<1, sizeof(T)>`, the sizes of the elements that a region reaches in memory, as far as they
  /// are known: if all may be narrower than numbers are computed. Empty otherwise.
  std::string narrowSizes(const RegionNode& region, const RegionText& text) const;
  /// The region's places and masks for the first thread: an argument of cu2cpp::eachThreadByBits.
  /// The region's text asks `cuBits` for the operators then. Empty if there are none.
  std::string bitRunsText(const RegionNode& region, const RegionText& text,
                          const std::string& newline);
  /// Whether the block's size alone decides a value: compilers know it.
  bool isOfSize(const clang::Expr* e) const;
  /// A declaration that threads outside of the branch behind it can do without.
  bool isBeforeGuard(const clang::Stmt* s) const;
  /// Whether a thread may run a region twice.
  bool isIdempotent(const RegionNode& region) const;
  /// Of a region that is one branch for a box of the block's threads: the box, as above.
  std::string boxText(const RegionNode& region, const std::string& newline);
  /// The same for a region that is one branch, of threads that are far from each other: those for
  /// which it is not taken are left out.
  std::string apartText(const RegionNode& region, const std::string& newline);
  /// The same of a branch in which threads ask for the first or last of their row.
  std::string betweenEdgesText(const RegionNode& region, const std::string& newline);
  /// Whether a statement compares a place in the row with one value.
  bool asksForEdges(const clang::Stmt* s) const;
  /// The same for a region that is one branch, of threads that make no vector if others run too.
  std::string withinText(const RegionNode& region, const std::string& newline);
  /// The threads for which a branch is taken, of which its condition need not ask again.
  std::string threadsOf(const class InsideConditions& guard, const std::string& newline);
  /// A condition's text that asks `inside`, a constant, first: whether the thread is one for which
  /// it is known to hold, or to fail. decide() puts it into the region.
  std::string decidedText(const clang::Expr* condition, bool holds,
                          const std::string& inside = "cuInside") const;
  void decide(const clang::Expr* condition, bool holds = true);
  /// Puts a condition's answer into the region where it stands there, and elsewhere where what it
  /// is a part of is computed anew.
  void put(const clang::Expr* condition, const RegionNode& region, const std::string& answer);
  /// Puts one of the conditions into the region, asking `inside` first.
  void answer(const class InsideConditions& conditions, std::size_t number,
              const RegionNode& region, const std::string& inside);
  /// The range of a row in which no place of a region has to be kept within bounds: those in what
  /// regions compute for themselves. Empty if none has.
  std::string freePlacesText(const RegionNode& region, RegionText& named);
  /// The bounds' lambda, called already if all rows have one range.
  std::string rangeText(const std::string& bounds, RegionText& named,
                        const std::string& newline) const;
  /// The branch of a region outside of which a variable is not asked for.
  const clang::IfStmt* guardOf(const clang::VarDecl* place, const RegionNode& region) const;
  /// The constants by which a region divides places in the block: template arguments of
  /// cu2cpp::eachThreadByParts. Empty if there are none.
  std::string divisorsOf(const RegionNode& region, const RegionText& text) const;
  /// Finds the columns of shared matrices that are copied before a loop over elements.
  void findPackedColumns(const ElementLoop& loop);
  std::string packedDeclarations();
  /// Has the loop's text read the copies.
  void emitPackedColumns();
  /// `{ if (!cu2cpp::updateInStrips(...)) { `, behind which the loop follows; empty if it is no
  /// update of a matrix.
  std::string updateInStrips(const ElementLoop& loop);
  /// The same in front of a loop over rows in which each thread has a column.
  std::string updateOfColumns(const clang::ForStmt* loop);
  /// `if (!cu2cpp::updateElementsInStrips(...)) { ` in front of a region in which each thread has
  /// one element.
  std::string updateOfElements(const RegionNode& region);
  /// Where an update's rows begin or end: `cu2cpp::columnEdge<...>(...)`.
  std::string edgeText(const clang::Expr* at, bool rises, const char* off,
                       const std::string& ofRow) const;
  /// What an update does to an element, `ofRow` being how the function begins, and `, ` with each
  /// place that it reads.
  std::string updateText(const class MatrixUpdate& update, const std::string& ofRow);
  /// The arguments of cu2cpp::eachThreadInStrips() for a region whose threads update their own rows
  /// of a matrix, in front of its body; empty for others.
  std::string updateOfRows(const RegionNode& region, const std::string& newline);
  /// A shared array of a size that compilers know, which lies in memory as it is written.
  bool isStaticArray(const clang::VarDecl* variable) const;
  /// The shared array into which a local pointer points from the start; null if it is not known.
  const clang::VarDecl* sharedBehind(const clang::VarDecl* pointer, unsigned depth = 0) const;
  /// Of how many comparisons a condition consists that must all hold.
  static unsigned partsOf(const clang::Expr* condition);
  /// A matrix as updates by strips know it; `columns` of one that is laid out by hand. What it
  /// names is added to `named`.
  std::string tableText(const clang::Expr* table, const clang::Expr* columns,
                        RegionText& named) const;
  /// `, sizeof(...)`: the template argument that tells how large the elements are that a loop over
  /// columns stores; empty if it is not known.
  std::string bytesInColumns(const ElementLoop::Columns& columns) const;
  /// Whether a region only moves elements, to or from places that are no neighbours.
  bool movesApart(const RegionNode& region) const;
  /// The template arguments of cu2cpp::eachTile() for a loop.
  std::string tileArguments(const RegionNode& node, const TileLoop& tile) const;
  std::string tilesName(const TileLoop& tile) const;
  /// The loop for few threads at a time that alone names its tiles in the loop around it.
  const RegionNode* onlyTileLoop(const RegionNode& node) const;
  /// The region of a loop that is its only one.
  const RegionNode* onlyLevelOf(const RegionNode& node, Kind kind = Kind::Region) const;
  /// A loop over the levels of a tree; null if a loop is none.
  std::unique_ptr<LevelOfTree> levelOfTree(const RegionNode& node) const;
  /// The two sweeps of a scan: the second loop, and the one place that is seen between them.
  struct Sweeps {
    const clang::Stmt* second;
    std::string between;
  };
  std::optional<Sweeps> sweepsFrom(const RegionNode& node, const LevelOfTree& up) const;
  /// Whether no variable that an expression names is changed.
  bool isConstant(const clang::Expr* e) const;
  /// Opens a loop over the levels of a tree; tells the text behind it. Empty if it is none.
  std::string openLevels(const RegionNode& node);
  /// The same for the levels of a scan between two arrays, by doubling offsets.
  std::string openDoubling(const RegionNode& node);
  /// The same in one array.
  std::string openDoublingInPlace(const RegionNode& node);
  /// `cu2cpp::eachTile<...>(cuBlock, ...` of a loop that runs for few threads at a time.
  std::string tileOpening(const RegionNode& node, const TileLoop& tile) const;
  /// All atomic functions on shared memory in a region that gains from making the updates behind
  /// the loop over threads; empty for others.
  std::vector<DeferredUpdate> deferredUpdates(const RegionNode& region) const;
  /// What asks threads whether they take the branch that is all of such a region but for
  /// declarations, which is decided then; empty if it must not be asked beforehand.
  std::string whereUpdates(const RegionNode& region, const std::vector<DeferredUpdate>& updates);
  /// The range of a row's threads for which such a condition holds; empty if it is not known.
  std::string rangeOfUpdates(const clang::Expr* condition) const;
  /// Has the region's text note the updates; returns what makes them.
  std::string emitUpdates(const std::vector<DeferredUpdate>& updates);
  /// Whether threads of one row may differ in the value of an expression.
  bool variesInRow(const clang::Expr* e) const;
  /// The branch, without side effects in its condition, that is all of a region.
  const clang::IfStmt* onlyBranch(const RegionNode& region) const;
  /// Whether threads run loops of their own in a branch, which no compiler writes out.
  bool loopsByThread(const clang::IfStmt* branch) const;
  /// Whether a branch asks for threads of a row from one to another: `tx >= a && tx <= b`.
  bool isForRangeOfThreads(const clang::IfStmt* branch) const;
  /// Whether a region is a branch that only threads of a range take, and in which they load one
  /// value for a row.
  bool isForRangeOnly(const RegionNode& region) const;
  /// The loads of a region that are made once, where its text stays as it is.
  std::vector<const clang::Expr*> uniformLoads(const RegionNode& region) const;
  /// A variable that lanes keep and a region only reads, as the row of a matrix of which each lane
  /// takes its own column: if they mostly have the same. Null if there is none.
  const clang::VarDecl* alikeInLanes(const RegionNode& region,
                                     const std::vector<const clang::VarDecl*>& copied) const;
  /// Whether statements call mathematical functions of the library, also in functions of the user.
  bool callsLibrary(const std::vector<const clang::Stmt*>& statements) const;
  /// Whether statements load or store structures of 16 bytes and more (float4), in an array.
  bool takesStructures(const std::vector<const clang::Stmt*>& statements) const;
  bool keepsPerThread(const clang::DeclStmt* declaration) const;
  /// A class's object without arguments runs a constructor only if there is something to run.
  static bool startsWithValue(const clang::VarDecl* variable);
  /// Declarations of variables that live for each thread and start without a value: no thread has
  /// anything to do.
  bool emitValueless(const RegionNode& region);
  /// `float a = 1, b;` of variables that live for each thread -> `a = 1;`
  std::string declarationText(const clang::DeclStmt* declaration) const;
  std::string typedArray(const clang::VarDecl* variable, const std::string& name) const;
  /// A parameter of a group's version that points to volatile memory which only the block reaches,
  /// and is one for the block.
  bool isOfBlockOnly(const clang::VarDecl* variable) const;
  /// Local pointers to such memory are declared without `volatile`.
  void leaveOutVolatile();

  Plan& plan_;
  const FunctionFacts& kernel_;
  const Regions& regions_;
  const clang::CompoundStmt* body_;
  EditList& edits_;
  bool publish_;
  const bool anyGroup_;
  std::unique_ptr<clang::ParentMap> parents_;
  std::map<const clang::CallExpr*, unsigned> callIndex_;
  std::map<std::pair<std::string, unsigned>, std::string>
      inserted_; ///< in the order of emission at each place
  std::map<const clang::VarDecl*, std::string> perThreadName_;
  std::set<const clang::VarDecl*> countedInRows_; ///< variables of warps' strided loops
  const clang::ReturnStmt* lastReturn_ = nullptr;
  Scope level_ = Scope::Block; ///< whose list is being written
  std::string lanes_;          ///< in a warp: the lanes that run here, before some have left
  std::vector<Uneven> loops_;
  bool fromMemory_ = false; ///< nothing else is done for a warp: what its threads keep stays there
  std::vector<Outside> outside_; ///< around the current place, in lists of the block
  std::string rising_;           ///< how the next region begins, in a strided loop of the block
  std::string fours_;            ///< stepsByFour() of that loop
  std::map<const clang::Expr*, std::string> replaced_; ///< names for what is computed before
  Parts captures_;                                     ///< found by findCaptures()
  std::set<const clang::LambdaExpr*> uneditable_;
  mutable bool makesValue_ = false; ///< a piece that gives a value for one thread is being written
  std::vector<const clang::Expr*> inside_;        ///< of replaced_: for the running region only
  std::set<const clang::VarDecl*> tilesInGroups_; ///< around the place that is written
  const clang::VarDecl* tile_ = nullptr;          ///< of the loop whose body is being written
  /// A column of a shared matrix that is copied, and what reads it.
  struct PackedColumn {
    std::string name;
    std::vector<const clang::ArraySubscriptExpr*> reads;
  };
  /// Regions that only note what a level of a tree does: their places, and the text.
  std::map<const RegionNode*, std::pair<FileRange, std::string>> levelTexts_;
  unsigned levels_ = 0;
  std::map<const clang::Stmt*, std::string> sweeps_; ///< second ones of scans, by their TreeScan
  std::vector<PackedColumn> packed_; ///< of the loop over elements that is emitted
  unsigned packedColumns_ = 0;
  std::vector<std::string> matrices_; ///< what noteMatrix() found: arguments of NextMatrix
  bool matricesFetched_ = false;
  const ElementLoop* elements_ = nullptr;    ///< whose body is being written
  const clang::Expr* turnedStore_ = nullptr; ///< what it stores to, if it turns a tile
  /// What is told of a row of threads is meant of a warp's lanes: `threadIdx.x % 32` rises.
  bool lanesRise_ = false;
  unsigned masks_ = 0;
  unsigned uniformLoads_ = 0;
  unsigned columnCopies_ = 0;
  bool ofWarp_ = false; ///< a device function of a warp
  bool anyRegion_ = false;
  std::map<const clang::Stmt*, std::string> aheadInFront_; ///< what stands in front of statements
  bool rowsFetched_ = false;                               ///< prefetchesOfNextWarp() is written
  bool onlyWarps_ = false;
  const clang::ForStmt* turns_ = nullptr; ///< loopOfTurns()
  bool abreast_ = false;                  ///< stepsAbreast() is written
  std::optional<TileRow> tileRow_;
  std::optional<BlocksTogether> together_;        ///< what blocks do in turn, if they only count
  mutable std::set<std::string> nextRowsFetched_; ///< by prefetchesOfNextRow()
  std::optional<ColumnReads> columns_;
  /// The turned copies of tables, and in front of which statement each is made.
  std::map<std::pair<const clang::VarDecl*, const clang::Stmt*>, std::string> turned_;
  bool inLoop_ = false;
  bool mayHaveExited_ = false; ///< a thread of the block may have returned before this place
  bool mayReturn_ = true;      ///< in a warp: whether lanes of the running set may have returned
  std::map<const clang::DeclStmt*, FileRange> volatiles_; ///< the words that are left out
};

} // namespace cu2cpp
