// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The heads of loops by which the threads of a block share elements:
//
//   for (int i = k + 1 + threadIdx.y; i < n; i += blockDim.y)
#pragma once

#include <optional>

#include "analyse/uniformity.h"

namespace cu2cpp {

/// The head of `for (int i = <start>; i < <limit>; i += <step>)`.
struct ElementHead {
  const clang::VarDecl* variable;
  const clang::Expr* limit;
};

class ElementHeads {
protected:
  ElementHeads(const Facts& facts, const FunctionFacts& function, const Uniformity& uniformity)
      : facts_(facts), function_(function), uniformity_(uniformity) {}

  /// One value for the block, made of no memory.
  bool isOfBlock(const clang::Expr* e) const;
  bool areAlike(const clang::Expr* a, const clang::Expr* b) const;
  static bool isIndexType(clang::QualType type, const clang::ASTContext& context);
  /// headOf() leaves the limit to the caller if asked: it may not be the block's.
  std::optional<ElementHead> headOf(const clang::ForStmt* loop, bool anyLimit = false) const;
  /// The value of a local variable that keeps its first one.
  const clang::Expr* valueOf(const clang::Expr* e) const;
  /// threadIdx.x or .y, or a variable that is nothing else.
  bool isThreadPart(const clang::Expr* e, llvm::StringRef part, unsigned depth = 0) const;
  /// Sums of parts of threadIdx, each times what the block knows. `own`, if any, counts as such.
  bool isLinear(const clang::Expr* e, const clang::VarDecl* own = nullptr,
                unsigned depth = 0) const;
  /// How many more such a sum is in each thread of a row: 0, 1, or nothing that is known.
  std::optional<unsigned> stepInRow(const clang::Expr* e, const clang::VarDecl* own = nullptr,
                                    unsigned depth = 0) const;
  /// `k + 1 + threadIdx.x / 32`, or `% 32`: sums of one such and of what the block knows. `own` as
  /// above.
  bool isPartOfRank(const clang::Expr* e, bool remainder, const clang::VarDecl* own = nullptr,
                    unsigned depth = 0) const;
  /// A function that does nothing but compute its result from its arguments.
  bool isPure(const clang::FunctionDecl* callee) const;

  const Facts& facts_;
  const FunctionFacts& function_;
  const Uniformity& uniformity_;
};

} // namespace cu2cpp
