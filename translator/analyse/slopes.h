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

/// behindWideCasts() takes parentheses and casts off that leave a thread's place what it is: not
/// those to numbers of fewer than 32 bits, `(unsigned char)threadIdx.x`, or to numbers that are not
/// whole.
const clang::Expr* behindWideCasts(const clang::Expr* e);

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
  static constexpr unsigned other = 16;
  /// `partsRows`: quotients and remainders of places count as what they are for most threads.
  /// `steepest`: the most that is told apart from others. `rings`: neighbours in a ring, `(x + 1) %
  /// w`, count as neighbours.
  Slopes(const clang::Stmt* body, llvm::StringRef along, bool partsRows = false,
         unsigned steepest = 1, const clang::ASTContext* rings = nullptr)
      : body_(body), along_(along), partsRows_(partsRows), steepest_(steepest), rings_(rings) {}

  /// slope() is at most the steepest, or other.
  unsigned slope(const clang::Expr* e);

private:
  unsigned slopeOf(const clang::VarDecl* variable);
  unsigned known(unsigned slope) const { return slope > steepest_ ? other : slope; }
  /// A number that a place is multiplied with, if such slopes are told apart; 0 otherwise.
  unsigned factor(const clang::Expr* e) const;

  const clang::Stmt* body_;
  llvm::StringRef along_;
  bool partsRows_;
  unsigned steepest_;
  const clang::ASTContext* rings_;
  std::map<const clang::VarDecl*, unsigned> known_;
};

} // namespace cu2cpp
