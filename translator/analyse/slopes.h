// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By how much what threads compute grows from neighbour to neighbour, as a body's text says: a
// first guess at which accesses are to neighbours in memory, by which costs are told and nothing is
// proved.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "analyse/facts.h"

namespace cu2cpp {

/// isPart() tells whether an expression is a built-in variable's member: threadIdx.x.
bool isPart(const clang::Expr* e, Builtin of, llvm::StringRef part = "x");

/// asBuiltinPart() tells which member of which of threadIdx, blockIdx, blockDim and gridDim an
/// expression is.
struct BuiltinPart {
  Builtin of;
  std::string name, part; ///< "threadIdx", "x"
};
std::optional<BuiltinPart> asBuiltinPart(const clang::Expr* e);

/// By how much values grow from thread to thread along a row ("x") or column ("y") of the block.
class Slopes {
public:
  static constexpr unsigned other = 2;
  /// `partsRows`: quotients and remainders of places count as what they are for most threads.
  Slopes(const clang::Stmt* body, llvm::StringRef along, bool partsRows = false)
      : body_(body), along_(along), partsRows_(partsRows) {}

  /// slope() is 0, 1 or other.
  unsigned slope(const clang::Expr* e);

private:
  unsigned slopeOf(const clang::VarDecl* variable);

  const clang::Stmt* body_;
  llvm::StringRef along_;
  bool partsRows_;
  std::map<const clang::VarDecl*, unsigned> known_;
};

} // namespace cu2cpp
