// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the analyses find out about one parsed file. Facts point into the syntax tree and hold no
// text.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"

namespace cu2cpp {

/// The threads that must meet at a collective, from few to many.
enum class Scope { None, Tile, Warp, Block, Cluster, Grid };

/// A collective that a function reaches: itself, or through calls.
struct Collective {
  Scope scope = Scope::None;
  std::string name;         ///< `__syncthreads`, or the function through which it is reached
  clang::SourceLocation at; ///< where the function calls it
  const clang::FunctionDecl* callee = nullptr;
  bool candidate = false; ///< one of several overloads; only a template's instances know which
};

/// A call of a function that the user wrote, at the place of its name.
struct UserCall {
  const clang::FunctionDecl* callee = nullptr; ///< its definition
  clang::SourceLocation at;
  bool candidate = false; ///< one of several overloads
};

enum Builtin : unsigned { ThreadIdx = 1, BlockIdx = 2, BlockDim = 4, GridDim = 8 };

/// A `__shared__` variable.
struct SharedVariable {
  const clang::VarDecl* decl = nullptr;
  const clang::DeclStmt* statement = nullptr; ///< null at namespace scope
  bool dynamic = false;
  bool loneDeclaration = true; ///< its statement declares nothing else
  /// Local constants and types that the declaration names and that have to move with it.
  std::vector<const clang::DeclStmt*> needs;
  /// movable: it can be declared at the kernel's head, outside the thread loop.
  bool movable = false;
  /// turned: its two dimensions are better the other way around in memory (findTurnedArrays()).
  bool turned = false;
  /// skewed: its anti-diagonals are better as rows in memory, along which the last dimension's
  /// places rise, or the first's (findTurnedArrays()).
  enum class Skew { None, LastRises, FirstRises } skewed = Skew::None;
};

/// A use of a function or variable whose mark says that it is not supported.
struct UnsupportedUse {
  std::string name;
  std::string why;
  clang::SourceLocation at;
};

struct Regions;

struct FunctionFacts {
  const clang::FunctionDecl* decl = nullptr; ///< the definition; of a template, its pattern
  bool kernel = false;
  bool device = false;   ///< marked __device__ or __global__, or a lambda inside such a function
  bool host = false;     ///< marked __host__, or not marked at all
  unsigned builtins = 0; ///< Builtin bits named in its own body
  bool builtinsOutsideBody = false; ///< in a constructor's initialisers, default arguments ...
  std::vector<const clang::DeclRefExpr*> builtinUses;
  /// Built-in and namespace-scope shared variables named with a qualifier (`::threadIdx`).
  std::vector<const clang::DeclRefExpr*> qualifiedUses;
  bool readsThread = false; ///< calls a header function marked CU2CPP_THREAD
  bool indirectCalls = false;
  bool addressTaken = false;
  std::vector<const clang::FunctionDecl*> callees;
  std::vector<clang::SourceLocation> calleeAt;
  std::vector<UserCall> calls; ///< every call of callees, instances included
  Collective own;
  std::vector<Collective> collectives; ///< each place where it calls one itself, instances included
  std::vector<SharedVariable> shared;
  std::vector<const clang::VarDecl*>
      namespaceShared; ///< namespace-scope shared variables that its body names
  std::vector<const clang::ParmVarDecl*>
      modifiedParameters; ///< of a kernel: those that its body may change
  /// Of a kernel whose body has one text with others', by a macro, of which some change parameters:
  /// each thread gets copies of all, whatever their names are.
  bool copiesParameters = false;
  std::vector<const clang::GCCAsmStmt*> assembly;
  clang::SourceLocation
      warpSynchronousAt; ///< where lanes rely on running in step; invalid if they do not
  std::vector<const clang::FunctionDecl*> bodies; ///< the definitions seen: pattern and instances

  // Found by propagation over calls.
  bool publishesThread = false; ///< something it calls asks for thisThread()
  Collective reached;

  /// Of a function that reaches collectives: how its body divides into regions between them
  /// (analyse/regions.h).
  std::shared_ptr<const Regions> regions;
  /// Of a device function that reaches none: its loops run best for the lanes of a warp at once
  /// (analyse/lane_functions.h).
  bool forLanes = false;
  /// Of one that could: how often its loops run is told by numbers that calls give it.
  bool loopsByNumbers = false;
  /// Of a kernel: how many lanes run together where warps would (analyse/lane_tiles.h).
  unsigned lanesTogether = 32;
  /// Of a kernel that waits for nothing: blocks may be run together as one with longer rows
  /// (analyse/joined_blocks.h).
  bool longRows = false;
  bool longColumns = false; ///< of one with long rows that keeps values, or by columns: whole rows
  /// The sizes of blocks that the kernel's text takes for known in both, if it doesn't ask for
  /// them: numbers, or parameters of its template.
  std::string rowsOf, columnsOf;
  bool byColumns = false; ///< likewise: the loop over a column of threads is the inner one
  /// Of such a device function: parameters that all threads pass alike, and references to what the
  /// block shares (shared_parameters.h).
  std::set<unsigned> uniformParameters;

  clang::SourceLocation allocaAt; ///< where it takes memory from its stack; invalid if it doesn't
  std::vector<const clang::Stmt*> pollingLoops; ///< bodies of loops that wait
  clang::SourceLocation pollsSharedAt;          ///< where it waits for threads of its own block
  bool awaitsOthers = false; ///< waits for other threads in such a loop, or calls what does
  bool awaitsTime = false;   ///< waits for time to pass in such a loop, or calls what does
};

struct LaunchFacts {
  const clang::CUDAKernelCallExpr* call = nullptr;
};

/// A kernel named elsewhere than as the callee of a launch.
struct KernelAddress {
  const clang::DeclRefExpr* use = nullptr;
  const clang::UnaryOperator* addressOf = nullptr; ///< the `&` in front, if there is one
  bool asArgument = false; ///< given to a function of the runtime that makes it known itself
};

struct Facts {
  /// Keyed by the place of the definition, which a template's instances share with its pattern.
  std::map<clang::SourceLocation, FunctionFacts> functions;
  std::vector<LaunchFacts> launches;
  std::vector<LaunchFacts> launchInstances; ///< those of templates as their instances have them
  std::vector<KernelAddress> kernelAddresses;
  std::vector<const clang::VarDecl*>
      deviceVariables; ///< __device__, __constant__ and __managed__, each declaration
  std::vector<const clang::VarDecl*> namespaceShared; ///< __shared__ at namespace scope
  std::vector<const clang::FunctionDecl*>
      deviceDeclarations; ///< each declaration of a __device__-only function
  std::vector<UnsupportedUse> unsupported;
  /// Something here reaches the shared memory of other blocks, or other files may let it.
  bool foreignShared = false;
  /// Something here asks in which kind of memory an address lies.
  bool addressSpaces = false;
  /// The names in calls of atomic functions whose address lies in the block's shared memory, which
  /// nothing else reaches.
  std::vector<const clang::DeclRefExpr*> sharedAtomics;
  /// The C library's malloc, calloc and free, named in device code.
  std::vector<const clang::DeclRefExpr*> heapFunctions;
  /// Local pointers and parameters, by their places, that point to volatile memory which is the
  /// block's shared memory in all instances, and which nothing else reaches.
  std::set<clang::SourceLocation> sharedVolatiles;

  FunctionFacts* find(const clang::FunctionDecl* function);
  const FunctionFacts* find(const clang::FunctionDecl* function) const {
    return const_cast<Facts*>(this)->find(function);
  }
};

/// definitionOf() is the declaration by whose place a function is known: its pattern's or its own
/// definition.
const clang::FunctionDecl* definitionOf(const clang::FunctionDecl* function);

} // namespace cu2cpp
