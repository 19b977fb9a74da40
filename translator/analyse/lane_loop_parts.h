// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What choosing a kernel's loops (lane_loops.cpp) asks: how loops step and values differ between
// threads, what called functions do, and which loops only compute.
#pragma once

#include <optional>
#include <vector>

#include "analyse/lane_loops.h"

namespace cu2cpp {

/// How a value differs between neighbouring threads of a row.
enum class Step {
  None, ///< the same value
  One,  ///< one more in each thread
  Other ///< anything else
};

/// A short loop is unrolled and in nobody's way.
constexpr unsigned long long mostUnrolled = 8;
/// The shortest parts of rows that make vectors: cu2cpp::eachThreadByParts.
constexpr std::int64_t leastDivisor = 8;

/// LoopSteps reads the loops of one function: their heads, and how values in them differ between
/// neighbouring threads.
class LoopSteps {
public:
  LoopSteps(const Facts& all, const FunctionFacts& facts, const Uniformity& uniformity, bool rows)
      : all(all), facts(facts), function(facts.decl), uniformity(uniformity), rows(rows) {}
  const Facts& all;
  const FunctionFacts& facts;
  const clang::FunctionDecl* const function;
  const Uniformity& uniformity;
  const bool rows; ///< warps are rows of the block

  /// variableOf() is the integer that a loop declares.
  const clang::VarDecl* variableOf(const clang::ForStmt* loop) const;
  /// isUniform() tells whether a loop has one head for a warp.
  bool isUniform(const clang::ForStmt* loop) const;
  /// isStrided() finds `for (int i = <of the thread>; ...; i += <uniform>)`; `start` is how its
  /// first value differs between neighbours.
  bool isStrided(const clang::ForStmt* loop, Step start = Step::One) const;
  /// stridesWithBlock() tells whether the block can go through a strided loop together: threads
  /// leave it from the last one on, or by rows (`byRows`) all threads of one.
  bool stridesWithBlock(const clang::ForStmt* loop, bool byRows = false) const;
  /// tripCount() is about how many steps a loop between constants has, whichever way it counts; in
  /// a template, that of the instance with most.
  unsigned long long tripCount(const clang::ForStmt* loop) const;
  /// wideTripCount() is that where each step of `i += 8` counts as one.
  unsigned long long wideTripCount(const clang::ForStmt* loop) const;
  /// dividesPlaces() tells whether code names quotients or remainders of a thread's place in its
  /// row by a power of two.
  bool dividesPlaces(const clang::Stmt* s) const;

  /// step() is how an expression differs between neighbouring threads: of a warp, or of a row of
  /// the block.
  Step step(const clang::Expr* e, Scope scope, bool ofMost = false, unsigned depth = 0) const;
  /// stepOfMost() is how an expression differs between most neighbours: it tells whether a loop
  /// pays, not whether it may be cut.
  Step stepOfMost(const clang::Expr* e) const {
    return step(e, rows ? Scope::Warp : Scope::Block, true);
  }

  /// findsPartner() tells whether a place is made by bits of one that rises from thread to thread:
  /// `2 * p - (p & (power - 1))`, `p ^ power`. Runs of threads have runs of such places
  /// (cu2cpp::eachThreadRisingByBits).
  bool findsPartner(const clang::Expr* place, unsigned depth = 0) const;

  /// loopAround() is the loop that a jump leaves or continues, unless it leaves a switch.
  const clang::Stmt* loopAround(const clang::Stmt* jump) const;
  /// inInstances() is a loop of a template in all of its instances; none if one lacks it.
  std::vector<const clang::Stmt*> inInstances(const clang::Stmt* loop) const;
  /// isStatement() tells whether nothing takes an expression's value.
  bool isStatement(const clang::Expr* e) const;

private:
  /// What is read from memory is one value for the group, which reads it once.
  bool readsUniformMemoryOnly(const clang::Expr* e, Scope scope) const;
  Step stepOfClamp(const clang::CallExpr* call, Scope scope, bool ofMost, unsigned depth) const;
  std::optional<long long> constant(const clang::Expr* e) const;
};

/// stepsBetweenConstants() is about how many steps a loop between constants has, whichever way it
/// counts.
std::optional<unsigned long long> stepsBetweenConstants(const clang::ForStmt* loop);

/// walksByWarps() tells whether each row of threads, which is a warp, goes along a row of memory of
/// its own: `for (int i = 0; i < 24; ++i) y[i * 32 + threadIdx.x] = ...;` with `y = out + row * n`.
/// Step by step the block would go along as many rows at once as it has warps. Processors do not
/// foresee those, and stores wait for them; and what the warp keeps would leave the nearest cache.
bool walksByWarps(const LoopSteps& steps, const clang::ForStmt* loop);

/// isArithmetic() tells whether threads leave a loop one by one, and it does nothing but compute
/// with scalars of the thread: as many lanes as are left compute side by side.
bool isArithmetic(const LoopSteps& steps, const clang::Stmt* loop);

/// isAddressOfScalar() tells whether an argument is the address of a local scalar, or of a
/// structure of numbers: `draw(&seed)`.
bool isAddressOfScalar(const clang::Expr* argument, const Uniformity& uniformity);
/// changesScalarsOnly() tells whether a function computes with scalars and structures of numbers
/// alone, some of which it changes for its caller, by reference or through pointers that it does
/// nothing else with.
bool changesScalarsOnly(const clang::FunctionDecl* function, const Facts& facts,
                        unsigned depth = 0);
/// updatesOnly() tells whether all that a function does to memory is to update it by atomic
/// functions whose results nobody takes:
/// `void count(unsigned* bins, unsigned word) { atomicAdd(bins + (word & 255), 1); }`
bool updatesOnly(const clang::FunctionDecl* function, unsigned depth = 0);
/// loadsInShortLoops() tells whether a function only computes with what it is given and with what
/// lies in memory, in loops that are unrolled and in which no thread walks along memory of its own:
/// `for (int k = 0; k < 7; ++k) sum += values[k * rows + row] * x[columns[k * rows + row]];`
bool loadsInShortLoops(const clang::FunctionDecl* function, const Facts& facts, unsigned depth = 0);
/// loadsAt() tells whether a function loads elements of memory where one of its parameters tells:
/// `bool isNear(float2 a, int j) const { const float2 b = points[j]; ... }`
bool loadsAt(const clang::FunctionDecl* function, unsigned index);
/// workIn() is about how much the user's functions compute that a call reaches.
unsigned workIn(const clang::FunctionDecl* function, const Facts& facts, unsigned depth = 0);

} // namespace cu2cpp
