// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds the regions of one function. The parts of the work have files of their own:
//
//   region_calls      the calls that the group makes together
//   region_flow       what the control flow around them needs
//   region_uniform    what the group itself can compute
//   region_tree       lists of statements
//   region_loops      loops and branches
//   region_variables  the group's variables
//   region_storage    where each other variable lives
//   region_rows       arrays of threads that are rows in memory
//   region_products   products of tiles that are regions of their own
//
// Conservative: whatever is not understood is an obstacle, and the kernel runs on fibers.
#pragma once

#include "analyse/analyses.h"
#include "analyse/lane_loops.h"
#include "analyse/region_parts.h"
#include "analyse/regions.h"

namespace cu2cpp {

/// Whether warps are rows of the block, as far as launches show.
bool warpsAreRows(const SourceUnit& unit, const Facts& facts, const FunctionFacts& function);
/// A kernel whose threads never wait for each other.
bool meetsNobody(const FunctionFacts& function);

/// What the threads of a kernel run as where loops run outside of the loop over them.
enum class RunAs {
  Warps,       ///< warps, or parts of rows where threads meet nobody
  PartsOfRows, ///< parts of rows, though threads meet at barriers (Regions::rowParts)
  PairsOfRows  ///< pairs of rows, of kernels that may run parts of rows (Regions::rowPairs)
};

/// RegionBuilder builds the regions of one function.
class RegionBuilder {
public:
  RegionBuilder(const SourceUnit& unit, const Facts& facts, const FunctionFacts& function,
                const std::set<unsigned>& divergent, bool joined = false,
                RunAs runAs = RunAs::Warps)
      : unit_(unit), facts_(facts), kernel_(function),
        uniformity_(function.decl, divergent, &facts,
                    warpsAreRows(unit, facts, function) || runAs == RunAs::PartsOfRows ||
                        (meetsNobody(function) && runAs != RunAs::PairsOfRows),
                    joined),
        parts_(runAs == RunAs::PartsOfRows ||
               (runAs == RunAs::PairsOfRows && !meetsNobody(function))),
        body_(llvm::dyn_cast<clang::CompoundStmt>(function.decl->getBody())) {}
  /// `lanes`: cut at loops that run best outside of the loop over threads too, for each warp or for
  /// the block.
  /// withLaneFunctions: calls of such are made for a warp at once (FunctionFacts::forLanes).
  std::shared_ptr<Regions> build(Scope lanes, bool withLaneFunctions = false);

private:
  using Kind = RegionNode::Kind;
  using How = GroupCall::Argument::How;

  /// Uniform variables that cross regions join the group's; each that turns out not to fit leaves
  /// again.
  bool settle();
  bool fail(const std::string& why, clang::SourceLocation at);
  std::string line(clang::SourceLocation at) const {
    return "line " + std::to_string(unit_.placeOf(at).line);
  }

  // --- The calls of the group
  // ---------------------------------------------------------------------------------------
  bool checkCalls();
  /// Translated code declares names of its own beside the user's.
  bool checkNames();
  bool isStridedOfBlock(const clang::ForStmt* loop) const {
    return blockLoops_.count(loop) && strided_.count(loop);
  }
  /// Loops are cut at where lanes of a warp lie side by side in memory: warps are rows, as far as
  /// launches show.
  void cutAtLoops(Scope level);
  /// Behind a kernel's last barrier each thread goes on by itself, mostly one of those inside a
  /// range. Loops of a few known steps are written out there, in one loop over these threads.
  void dropShortLoops(LaneLoops& chosen);
  /// Whether nothing waits behind a statement, in the last of whose loops it stands.
  bool isBehindCollectives(const clang::Stmt* s) const;
  /// Whether all threads go through the same steps of a loop, which its head alone counts.
  bool isCountedAlike(const clang::ForStmt* loop) const;
  /// Adds loops that change what the group has alike and a loop around barriers changes too: each
  /// thread would have to keep it.
  void addSharedSteps(LaneLoops& chosen) const;
  /// Adds loops that only compute what the group has alike, `for (int w = 0; w < 8; ++w) sum +=
  /// parts[w];` of shared memory: the group runs them once.
  void addSharedSums(LaneLoops& chosen) const;
  /// Parts the products of tiles from what fills the next tile.
  void partProducts();
  /// Loops that run for few threads at a time (analyse/tile_loops.h).
  void addTileLoops(LaneLoops& chosen);
  /// Adds the loops over the layers of a block that runs as one (plain_layers.cpp).
  void addLayerLoops(LaneLoops& chosen) const;
  /// Adds loops by which the threads go through elements together (analyse/element_loops.h).
  void addElementLoops(LaneLoops& chosen);
  /// Whether the block comes to a loop as one.
  bool standsInFlowOfBlock(const clang::Stmt* loop,
                           const std::set<const clang::ForStmt*>& ofBlock) const;
  bool checkCall(GroupCall& call);
  /// A barrier object that is neither of a block by its type nor in the block's shared memory may
  /// be one of several blocks.
  bool awaitsOtherBlocks(const GroupCall& call) const;
  static bool isImplicitThis(const GroupCall& call) {
    return call.object && llvm::isa<clang::CXXThisExpr>(call.object->IgnoreParenImpCasts());
  }
  Scope holds(const clang::Stmt* s) const {
    const auto found = holds_.find(s);
    return found == holds_.end() ? Scope::None : found->second;
  }
  /// The group call that a statement is, with nothing around it.
  const GroupCall* callOf(const clang::Stmt* statement) const;
  /// A statement that does nothing but wait.
  bool isBarrier(const clang::Stmt* statement) const {
    const GroupCall* call = callOf(statement);
    return call && !call->function && hasMark(call->callee, "barrier");
  }
  /// The group calls in a piece of code, inner ones first; false if one is not run each time that
  /// the code is.
  bool hoist(const clang::Stmt* s, std::vector<unsigned>& calls);
  std::set<const clang::VarDecl*> usesOf(const GroupCall& call) const;
  void addCall(unsigned index, const clang::Stmt* statement, std::vector<RegionNode>& out);
  void noteComparedArguments(const GroupCall& call);

  // --- Which variables the block's own control flow needs
  // -----------------------------------------------------------
  bool requireUniform(const clang::Stmt* around, const clang::Expr* expression, const char* what);
  /// A loop or branch of the block that threads may leave or enter one by one: those that are
  /// inside go on together, the others wait behind it.
  bool maskInstead(const clang::Stmt* around);
  /// Uniform, where calls of the group count as what they give.
  bool uniformConditionOf(const clang::Expr* expression) const;
  /// The changes of the group's variables inside a condition: `--n > 0`. False if it changes
  /// anything else.
  bool effectsOf(const clang::Expr* e, Scope level,
                 std::vector<const clang::Expr*>& assignments) const;
  std::set<const clang::Stmt*> calledIn(const clang::Stmt* s) const;
  void require(const clang::VarDecl* variable);
  void requireDefinitions(const LocalVariable& local);
  bool findRequired();
  /// What a variable steers takes its threads one by one, and all is done again.
  bool maskFor(const clang::VarDecl* variable);

  // --- The tree
  // -----------------------------------------------------------------------------------------------------
  bool isBlockVariable(const clang::VarDecl* variable) const { return block_.count(variable) != 0; }
  /// Whether a group variable can be named where the group's own flow stands.
  bool isScalar(const clang::VarDecl* variable) const;
  bool isScalarExpression(const clang::Expr* e, Scope level) const;
  static bool namesThread(const clang::Stmt* s);
  /// Whether an expression statement only changes the group's variables, and from uniform values.
  bool isBlockAssignment(const clang::Expr* expression,
                         std::vector<const clang::Expr*>& assignments, Scope level) const;
  bool isBlockReference(const clang::Expr* e) const;
  void takeAssignments(const std::vector<const clang::Expr*>& assignments);
  static bool isJump(const clang::Stmt* s) {
    return llvm::isa<clang::ReturnStmt, clang::BreakStmt, clang::ContinueStmt>(s);
  }
  /// The `return`, `break` or `continue` that a statement is: alone, or under an `if`.
  static const clang::Stmt* jumpOf(const clang::Stmt* s);
  /// A jump that the whole group takes together: `if (uniform) break;`.
  bool isGroupJump(const clang::Stmt* s, Scope level) const;
  /// An `if` that the whole group takes together and that leads out of it: its branches are lists
  /// of their own.
  bool groupJumpsFrom(const clang::IfStmt* branch, const Contents& contents, Scope level) const;
  /// `if (x < 0) { x += n; shift = -n; } else ...` where the block has all of them: it decides and
  /// assigns.
  bool isBranchOfBlock(const clang::IfStmt* branch) const;
  bool onlyAssignsForBlock(const clang::Stmt* s, bool& any) const;
  /// Whether a list in braces only declares and assigns what is the group's, as structures leave
  /// it that have become their parts: `{ const float2 sums = total; sum_x = sums.x; ... }`.
  bool isListOfGroup(const clang::CompoundStmt* list, Scope level) const;
  /// The branches without barriers around an assignment, inner ones first: those that the block
  /// takes (isBranchOfBlock()) if it has the variable.
  std::vector<const clang::IfStmt*> branchesThatAssign(const clang::VarDecl* variable,
                                                       const clang::Expr* assignment) const;
  bool isFixedParameter(const clang::VarDecl* variable) const;
  bool isConstantDeclaration(const clang::DeclStmt* statement) const;
  /// `const int half = size / 2;`: may size an array or be a template's argument.
  bool isConstant(const clang::VarDecl* variable) const;
  const SharedVariable* sharedOf(const clang::DeclStmt* statement) const;
  bool movesWithShared(const clang::DeclStmt* statement) const;
  /// Whether a uniform declaration can run earlier, before the region it stands in. Changes of the
  /// group's variables end a region, so only memory could have another value there.
  bool canMoveUp(const clang::DeclStmt* statement) const;
  /// A macro that brings its own semicolon leaves no place at which to cut.
  bool endsCleanly(const clang::Stmt* s) const;
  bool buildTop();
  /// Whether a region ends with `if (...) return;` of single threads of a kernel, and besides only
  /// declares what others may declare again.
  bool exitsOnly(const RegionNode& region) const;
  bool buildWarps(RegionNode& region, std::vector<RegionNode>& out);
  /// Whether threads read or write what belongs to their warp: `sums[threadIdx.x / 32]`. In a loop
  /// over warps that is one place, not one for each thread of a vector.
  bool picksByWarp(const RegionNode& region) const;
  /// In which order warps may pass a barrier of a list, between a region's statements and those
  /// behind it.
  WarpOrder orderAt(const clang::Stmt* barrier, const RegionNode& region,
                    const std::vector<const clang::Stmt*>& list) const;
  /// Takes the statements at the end of a region that one thread runs: `if (threadIdx.x == 0)`.
  RegionNode takeOneThreadBehind(RegionNode& region) const;
  bool buildList(const std::vector<const clang::Stmt*>& statements, std::vector<RegionNode>& out,
                 Scope level);
  /// Group variables change where they are declared: in the block's flow, or in that of one loop
  /// over warps.
  bool atHome(const std::vector<const clang::Expr*>& assignments) const;
  void addStatement(const clang::Stmt* s, std::vector<RegionNode>& out, Scope level);
  /// What a group statement computes from values of the threads, all lanes compute and compare.
  void noteDefinitions(const clang::Stmt* s, RegionNode& node, Scope level);
  bool scalarDefinitions(const clang::DeclStmt* declaration, Scope level) const;
  /// Whether a declaration is the group's. Some of its variables may be the threads' own: see
  /// Regions::mixed.
  bool allBlockVariables(const clang::DeclStmt* declaration, Scope level) const;
  bool isMixed(const clang::DeclStmt* declaration) const;
  /// Whether a statement's variables can be declared apart: scalars, none of which the others'
  /// values name.
  bool canStandAlone(const clang::DeclStmt* declaration) const;
  const clang::Stmt* targetOf(const clang::Stmt* jump) const;
  bool targetsInside(const clang::Stmt* jump, const clang::Stmt* top) const {
    return isWithin(targetOf(jump), top);
  }
  /// `if (x > 4) break;` in a loop that only computes: which lanes leave is asked of all at once.
  bool leavesAtOnce(const clang::Stmt* s) const;
  /// Lanes that leave a loop one by one: the loop goes on for the others.
  bool unevenJump(const clang::Stmt* jump, Scope level);
  std::vector<const clang::Stmt*> listOf(const clang::Stmt* s) const;
  bool buildBody(const clang::Stmt* around, bool masked, const clang::Stmt* body,
                 std::vector<RegionNode>& out, Scope level);
  /// The condition of a loop or branch: uniform, or for each lane.
  bool buildCondition(const clang::Expr* condition, RegionNode& node, Scope level);
  bool buildAround(const clang::Stmt* s, std::vector<RegionNode>& out, Scope level);
  bool buildFor(const clang::ForStmt* loop, RegionNode& node, Scope level);
  /// `for (int i = tid; i < n; i += blockDim.x)`: each lane's i is where it starts and how far the
  /// group has come.
  bool buildStrided(const clang::ForStmt* loop, RegionNode& node, Scope level);
  /// The body of a strided loop of the block is one region: each thread runs it as a whole.
  bool buildStridedBody(const clang::Stmt* body, RegionNode& node);
  /// What a warp reads from memory once to start a strided loop: `begin[row]` in `begin[row] +
  /// lane`.
  void collectStartParts(const clang::Expr* e, std::vector<const clang::Expr*>& parts,
                         Scope level) const;
  /// Has each thread compute a value that should be the same for the group.
  void compare(const clang::Expr* value) {
    out_->compared.insert(value);
    if (uniformity_.isUniform(value, Scope::Warp))
      out_->alike.insert(value);
  }
  /// A loop of a warp is cheapest if its variable is one for all lanes.
  void offerHeader(const clang::ForStmt* loop);

  // --- Where variables live
  // -----------------------------------------------------------------------------------------
  void refuse(const clang::VarDecl* variable) {
    refused_.insert(variable);
    block_.erase(variable);
  }
  /// Drops group variables that are changed where only threads run; false if the tree must be built
  /// again.
  bool settleBlockVariables();
  /// The `for` around a use of a variable that starts it: `for (i = 0; ...)`.
  const clang::ForStmt* loopThatStarts(const clang::VarDecl* variable,
                                       const clang::Stmt* use) const;
  /// Old programs count several loops with one variable. Each of them is a variable of its own if
  /// no value leaves a loop.
  bool isCounterOfOwnLoop(const clang::VarDecl* variable, const clang::Expr* assignment) const;
  void markCounters(std::vector<RegionNode>& nodes) const;
  bool isWithin(const clang::Stmt* inner, const clang::Stmt* outer) const;
  /// Whether all definitions of a block variable name only what the block knows.
  bool definedByBlock(const LocalVariable& local) const;
  /// Whether another local variable has the same name: text that moves could then name the wrong
  /// one.
  bool isNameShared(const clang::VarDecl* variable) const;
  /// Whether it has such a name, and code that needs one of the two stands where the other is
  /// meant: `int i = threadIdx.x;` is not in the way of loops over `int i` that do not need it.
  bool isNameHidden(const clang::VarDecl* variable) const;
  /// The statement at whose end a local variable is gone.
  const clang::Stmt* scopeOf(const clang::VarDecl* variable) const;
  /// Whether code names a variable, or others that may be computed from it again.
  bool dependsOn(const clang::Stmt* code, const clang::VarDecl* variable,
                 std::set<const clang::VarDecl*>& seen) const;
  struct Place {
    std::set<const RegionNode*> regions;
    const RegionNode* declaredIn = nullptr;
    unsigned declaredSection = 0;
    std::set<unsigned> sections;
  };
  void collectUses(const std::vector<RegionNode>& nodes,
                   std::map<const clang::VarDecl*, Place>& places, unsigned section,
                   unsigned& sections);
  bool isRecomputable(const clang::VarDecl* variable,
                      const std::set<const clang::VarDecl*>& candidates) const;
  /// Whether code can be repeated in each region: cheap, and made of what does not change.
  bool isRepeatable(const clang::Expr* e, const clang::Stmt* statement,
                    const std::set<const clang::VarDecl*>& candidates) const;
  /// `x = bx * 32 + threadIdx.x; ... __syncthreads(); x = by * 32 + threadIdx.x;`: the statements
  /// that give a variable its values, if each region can see which of them it follows; or none.
  std::vector<const clang::Stmt*>
  restatements(const clang::VarDecl* variable, const Place& place,
               const std::set<const clang::VarDecl*>& candidates) const;
  /// Whether a variable can be named in the sections where another one is computed again: a
  /// warp's own is one of its loop's alone.
  bool isKnownIn(const clang::VarDecl* used, const std::set<unsigned>& sections) const;
  /// The sections in which variables are computed again that each region may declare for itself.
  std::map<const clang::VarDecl*, std::set<unsigned>>
  sectionsOf(const std::set<const clang::VarDecl*>& recomputed,
             const std::map<const clang::VarDecl*, Place>& places) const;
  /// A lambda can be made again where its captures name the same values.
  bool isRecomputableLambda(const clang::LambdaExpr* lambda,
                            const std::set<const clang::VarDecl*>& candidates) const;
  static bool readsMemory(const clang::Expr* e) { return Uniformity::readsMemory(e); }
  /// `tiled_partition<32>(block)` and the like: made again at no cost.
  static bool isGroupFactory(const clang::Expr* e);
  /// Whether a loop variable only changes in the header of a loop around a declaration.
  bool changesOnlyInHeaderAround(const LocalVariable& loopVariable,
                                 const clang::Stmt* declaration) const;
  bool checkPerThread(const clang::VarDecl* variable, Storage storage, const Place& place);
  /// Whether a loop over lanes may work on copies of a kept variable.
  bool isCopyable(const clang::VarDecl* variable) const;
  void assignStorage();
  void loadOnce(std::vector<RegionNode>& nodes, Scope level);
  /// Whether every region that names a variable assigns it before it reads it: then no value
  /// crosses.
  bool isFresh(const clang::VarDecl* variable, const Place& place) const;
  /// An array of numbers of which nothing but single elements is ever read or assigned.
  bool isReadByElement(const clang::VarDecl* array) const;
  /// Of the tile loops that were found, those that the tree has as loops around one region.
  void settleTileLoops(const std::vector<RegionNode>& nodes);
  void findRows();
  /// Whether the region that declares a variable goes on to the end of its scope.
  bool endsWithRegion(const clang::VarDecl* variable, const Place& place) const;
  static bool isDirectChild(const clang::DeclStmt* statement, const std::vector<RegionNode>& nodes);
  static bool crosses(const Place& place);
  /// Makes a uniform variable the group's, with what its definitions need; false if it is already
  /// or cannot be.
  bool offer(const clang::VarDecl* variable, bool ofWarp = false);
  /// Whether a variable gets nothing but what warps find out for all of their lanes.
  bool isGivenAlike(const LocalVariable& local) const;
  bool gather(const clang::VarDecl* variable, std::set<const clang::VarDecl*>& together) const;
  /// The variables in `if (uniform) return;`: with them the block's, the whole block returns at
  /// once.
  void offerJumpConditions(const clang::Stmt* s);
  /// Finds the regions that may run for lanes that have left their loop.
  void findPastExits(std::vector<RegionNode>& nodes);
  /// The parts of a region of which one may: in front of it and behind it what may not. Empty if
  /// there is none.
  std::vector<RegionNode> partedAtExits(const RegionNode& region, const clang::Stmt* loop,
                                        bool byReturn) const;
  /// Whether code, or what it computes again, divides integers by what differs between lanes.
  bool dividesByOwn(const clang::Stmt* code, std::set<const clang::VarDecl*>& seen) const;
  /// Whether a variable may be read behind a loop that changes it.
  bool isReadBehind(const clang::VarDecl* variable, const clang::Stmt* loop) const;
  /// Offers what loops around collectives step by: `r += stride` is the group's only if the stride
  /// is.
  void offerSteps(const clang::Stmt* s);
  const SourceUnit& unit_;
  const Facts& facts_;
  const FunctionFacts& kernel_;
  Uniformity uniformity_;
  const bool parts_; ///< parts or pairs of rows, though threads meet at barriers
  const clang::CompoundStmt* body_;
  std::shared_ptr<Regions> out_;
  std::map<const clang::CallExpr*, unsigned> callIndex_;
  std::map<const clang::Stmt*, Scope> holds_; ///< the widest group call inside a statement
  std::set<const clang::Stmt*>
      callStatements_; ///< group calls that have nodes: their text is no longer part of a region
  std::set<const clang::VarDecl*> required_, block_, refused_;
  std::set<const clang::Stmt*> masked_; ///< of the block, which threads enter or leave one by one
  unsigned insideMasked_ = 0;
  std::map<const clang::VarDecl*, const clang::Stmt*> requiredBy_; ///< what each steers
  const clang::Stmt* requiredFor_ = nullptr;
  bool restart_ = false;
  std::set<const clang::Stmt*> alone_; ///< declarations and products that are regions of their own
  std::set<const clang::VarDecl*> forced_; ///< passed by reference: kept for each thread
  bool withLaneFunctions_ = false;
  std::set<const clang::ForStmt*> strided_;
  std::set<const clang::Stmt*> arithmetic_; ///< lane loops that only compute (LaneLoops)
  std::set<const clang::Stmt*> blockLoops_; ///< lane loops around a loop over all threads
  std::set<const clang::VarDecl*> stridedVariables_;
  std::set<const clang::VarDecl*> constants_; ///< of the group, with values that the compiler knows
  std::set<const clang::Expr*> handled_;
  std::map<const clang::VarDecl*, std::set<unsigned>>
      homes_; ///< the sections in which group variables are defined
  std::vector<std::pair<const clang::Stmt*, bool>>
      around_; ///< group statements around, and whether lanes may differ there
  std::set<const clang::Stmt*> uneven_, leaves_,
      skips_; ///< loops of a warp that lanes leave or continue one by one
  const clang::Stmt* lastReturn_ =
      nullptr; ///< at the end of the body: no thread goes on without the one that returns
  unsigned sections_ = 0, section_ = 0;
  bool severalSections_ = false;
  bool grown_ = false;
  bool again_ = false;
};

} // namespace cu2cpp
