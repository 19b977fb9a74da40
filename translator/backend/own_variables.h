// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables of a function that nobody else is told of, such as a block's shared memory and what is
// kept for each of its threads: no other OS thread reads or changes them.
#ifndef CU2CPP_BACKEND_OWN_VARIABLES_H
#define CU2CPP_BACKEND_OWN_VARIABLES_H
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Instructions.h"

namespace cu2cpp {

class OwnVariables {
public:
  /// `vectors`: loops may have become vectors. Gathers, scatters and comparisons of places tell
  /// nobody. (Those who ask what a loop does to a variable come before there are any.)
  explicit OwnVariables(bool vectors = false) : vectors_(vectors) {}
  bool isOwn(const llvm::AllocaInst* variable);
  /// around() is those that a place may lie in; empty if it may lie elsewhere too.
  std::vector<llvm::AllocaInst*> around(const llvm::Value* place);
  /// of() is the one that a place is in, if that is known.
  llvm::AllocaInst* of(const llvm::Value* place);

private:
  const bool vectors_;
  llvm::DenseMap<const llvm::AllocaInst*, bool> known_;
};

/// onlyAccesses() tells whether all that a loop does to an own variable is to load and to store at
/// places of which `isPlace` holds.
bool onlyAccesses(const llvm::Loop& loop, const llvm::AllocaInst* variable,
                  llvm::function_ref<bool(llvm::Instruction& access)> isPlace);

/// liesWithin() tells whether a place is one of a variable's in all of a loop's steps.
bool liesWithin(llvm::Value* place, std::uint64_t bytes, llvm::AllocaInst* variable,
                llvm::ScalarEvolution& known);

} // namespace cu2cpp

#endif
