// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the body of a kernel, or of a device function that reaches collectives, divides at its
// barriers and collective calls. Code between two of them is a region, which the threads of a group
// (the block, or a warp) can run one after the other; control flow around them runs once for the
// group:
//
//   int i = threadIdx.x;                region   (i is recomputed in each region)
//   for (int k = 0; k < n; ++k) {       loop, run once for the block
//     s[i] = a[k * 64 + i];               region
//     __syncthreads();                    barrier
//     sum += s[63 - i];                   region  (sum is kept for each thread)
//     sum += __shfl_xor_sync(~0u, sum, 1);  warps(call, region)
//     __syncthreads();                    barrier
//   }
//
// In a list of the block, control flow around a barrier must be uniform. In a list of a warp it
// need not be: the lanes for which a condition holds go on together, and the others wait.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "analyse/element_loops.h"
#include "analyse/shifted_reads.h"
#include "analyse/tile_loops.h"
#include "analyse/uniformity.h"

namespace cu2cpp {

/// A call that the threads of a group make together: of a header's collective, or of a device
/// function that is split too.
struct GroupCall {
  struct Argument {
    enum class How {
      Uniform,  ///< one value for the group
      Each,     ///< a value for each thread
      Reference ///< a local variable, kept for each thread, that the function may change
    };
    const clang::Expr* value = nullptr;
    How how = How::Each;
    clang::QualType
        type; ///< of the parameter, without reference; null where the value's own type serves
  };
  const clang::CallExpr* call = nullptr;
  const clang::FunctionDecl* callee = nullptr;
  const FunctionFacts* function = nullptr; ///< of the user; null for a header's
  Scope scope = Scope::Block;              ///< Block or Warp
  const clang::Expr* object = nullptr;     ///< of a method of the headers
  /// The template parameter through which a function is called, and all that it stands for.
  const clang::NonTypeTemplateParmDecl* through = nullptr;
  std::vector<const FunctionFacts*> targets;
  /// Functions that wait and are arguments of the called template: `blockReduce<warpMax>(x)`.
  struct FunctionArgument {
    const clang::Expr* written = nullptr;
    std::vector<const FunctionFacts*> targets;
  };
  std::vector<FunctionArgument> functionArguments;
  std::vector<Argument> arguments;
  /// Conditions inside its expression that decide whether a lane calls, with the outcome for which
  /// it does: `a && f()`.
  std::vector<std::pair<const clang::Expr*, bool>> guards;
  bool returnsValue = false;
  bool uniformResult = false; ///< one value for the group, not one for each thread
  /// Stays where it is: the threads call it one after the other, in a region of its own.
  bool oneByOne = false;
};

struct RegionNode {
  enum class Kind {
    Region,    ///< statements that each thread runs
    Barrier,   ///< a barrier: vanishes
    Call,      ///< a call that the group makes
    Statement, ///< run once for the group
    Shared,    ///< a declaration that moves to the kernel's head
    Loop,      ///< for, while or do around a barrier or call; children are its body
    Branch,    ///< if around a barrier or call; children and otherwise are its branches
    Switch,    ///< switch around a barrier; children are its body, with labels between them
    Label,     ///< `case 1:` in a Switch
    Block,     ///< braces around a barrier or call
    Warps      ///< a loop over the warps of a block; children are what each warp does
  };
  explicit RegionNode(Kind kind) : kind(kind) {}

  Kind kind;
  const clang::Stmt* statement =
      nullptr;        ///< but for Region and Warps; of a Call: the statement that holds it
  bool alone = false; ///< Call: the statement is nothing else
  std::vector<const clang::Stmt*> statements; ///< of a Region (and of Warps: all of it), in order
  std::vector<const clang::DeclStmt*>
      movedHere; ///< uniform declarations from inside a Region, run before it
  std::vector<RegionNode> children;
  std::vector<RegionNode> otherwise;
  std::vector<unsigned> calls;          ///< Call: one; Loop and Branch: those in the condition
  std::set<const clang::VarDecl*> uses; ///< local variables that threads name here
  std::set<const clang::VarDecl*>
      fresh; ///< Region: counters of loops inside, which are the group's elsewhere
  /// Region, strided loop: what is read from one place for all threads, before they run
  /// (analyse/uniform_loads.h).
  std::vector<const clang::Expr*> uniformLoads;
  bool returns = false;  ///< Region: some thread may return inside
  bool oneByOne = false; ///< Region: one statement, with a call that is oneByOne
  /// Region: declarations that are repeated where they are used, and `if (...) return;`
  bool exitsOnly = false;
  bool leavesAtOnce = false; ///< Region: one statement, which is `if (...)` and a jump
  bool runsPastExits =
      false; ///< Region: may run for all lanes that have entered the loop around it
  bool runsInAnyLane = false; ///< Region, runsPastExits: also for lanes that never entered
  bool entered = false;       ///< Loop: some region inside runs past exits
  bool masked = false; ///< Loop, Branch: the condition may differ between the lanes of a warp
  /// Branch, masked: for all lanes of a warp or none, if the block's rows are whole warps.
  bool alike = false;
  bool unevenJumps = false;           ///< Loop: lanes break and continue one by one
  bool leaves = false, skips = false; ///< Loop with unevenJumps: some break, some continue
  bool rising = false;  ///< strided, and runs while its variable is below a value of the group
  bool strided = false; ///< for: its variable is Storage::Strided
  /// Region, Warps: holds a barrier that warps which run from the last to the first, or from the
  /// first to the last, need not wait at (analyse/shifted_reads.h).
  WarpOrder order = WarpOrder::None;
  bool startsPerThread = false; ///< masked for: its first part runs for each thread
  bool stepsPerThread = false;  ///< masked for: its last part runs for each thread
};

/// Where a local variable that more than one region names lives.
enum class Storage {
  Block,      ///< uniform: one variable outside the thread loops
  Recomputed, ///< its declaration is repeated in each region that needs it
  Strided,  ///< of a loop that steps by one value for all: where the thread starts, and how far the
            ///< group has come
  Restated, ///< changed only by plain assignments in the body's own list, of values that each
            ///< region can compute again (Regions::restated)
  Fresh,    ///< no value crosses: each region that names it declares its own
  PerThread, ///< one value for each thread of the block
  PerLane    ///< one value for each lane of the running warp
};

struct Regions {
  /// lanes: cut at loops too, which run best outside of the loop over threads
  /// (analyse/lane_loops.h).
  bool lanes = false;
  /// joined: the threads of several blocks run as one, since blocks share nothing here and no flow
  /// of the block depends on blockIdx.x.
  bool joined = false;
  /// rowParts: the kernel's threads meet nobody, and run as parts of rows of the block instead of
  /// warps.
  bool rowParts = false;
  /// rowPairs: rowParts, and these may be two rows of the block at once.
  bool rowPairs = false;
  /// obstacle says why the function cannot be split; empty if it can.
  std::string obstacle;
  clang::SourceLocation obstacleAt;
  Scope scope = Scope::Block; ///< Block, or Warp if only warps meet
  std::vector<RegionNode> nodes;
  std::vector<GroupCall> calls;
  /// Variables that need more than a local of one region.
  std::map<const clang::VarDecl*, Storage> storage;
  /// Constants, and what may be one in a template's instances: declared once for the group.
  std::set<const clang::VarDecl*> constants;
  /// Of those in PerLane and PerThread: scalars to which nothing else points.
  std::set<const clang::VarDecl*> copied;
  /// Of those in PerLane and PerThread: of a scalar type in all instances of a template.
  std::set<const clang::VarDecl*> scalars;
  /// Of those in PerThread: arrays that are only reached element by element, in code without loops
  /// once short ones are written out. The same element of all threads is a row in memory.
  std::set<const clang::VarDecl*> rows;
  std::map<const clang::VarDecl*, const clang::DeclStmt*>
      statements; ///< their declarations; parameters have none
  /// Values that should be the same for the group, but are computed from what only threads know:
  /// each thread computes them, and they are compared.
  std::set<const clang::Expr*> compared;
  /// Those of them that are one value for the rows of a block that are whole warps:
  /// threadIdx.x / 32.
  std::set<const clang::Expr*> alike;
  /// Of a Restated variable: its declaration and the statements that assign it, in order.
  std::map<const clang::VarDecl*, std::vector<const clang::Stmt*>> restated;
  /// Of a strided loop's variable: the parts of its start that the group computes once.
  std::map<const clang::VarDecl*, std::vector<const clang::Expr*>> startParts;
  /// Variables of strided loops that start at a value that is certain not to be negative.
  std::set<const clang::VarDecl*> neverNegative;
  /// Declarations of variables of the group beside such of the threads: `int i, t = threadIdx.x;`.
  std::set<const clang::DeclStmt*> mixed;
  /// Statements whose text a macro hides: they are written out.
  std::set<const clang::Stmt*> printed;
  /// Strided loops of the block that run by rows of elements, where no thread has left.
  std::map<const clang::ForStmt*, ElementLoop> elementLoops;
  /// Loops of the block that run for few threads at a time, whose results are in registers.
  std::map<const clang::ForStmt*, TileLoop> tileLoops;
  /// Loops that compilers are to write out (LaneLoops::writtenOut).
  std::set<const clang::ForStmt*> unrolled;
  /// Likewise: loops of few steps behind a kernel's last barrier, in all of its instances.
  std::set<const clang::ForStmt*> behind;
  /// Of a kernel that is this loop by the whole grid: blocks may take turns (analyse/grid_turns.h).
  const clang::ForStmt* turns = nullptr;
  std::set<const clang::VarDecl*> modifiedParameters;
  bool returns = false; ///< some thread may return before others
};

/// isDeducedFromInit() tells whether only its first value gives a variable's type: `auto` in a
/// template.
bool isDeducedFromInit(const clang::VarDecl* variable);

/// asksForThread() tells whether something in a function's regions asks for thisThread(). What the
/// group calls at once does not.
bool asksForThread(const Facts& facts, const FunctionFacts& function);

} // namespace cu2cpp
