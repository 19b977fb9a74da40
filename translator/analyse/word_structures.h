// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structures of narrow integers that fill a word: where device code reads them from memory, and
// where it stores them.
#pragma once

#include <vector>

#include "analyse/facts.h"
#include "parse/source_unit.h"

namespace cu2cpp {

/// Whether a structure's 2, 4 or 8 bytes are integers of 1 or 2 bytes each, in every instance of a
/// template.
bool isWord(clang::QualType type, const clang::ASTContext& context);

/// WordAccess is one place in memory that is read or stored as a whole word.
struct WordAccess {
  const clang::Expr* place; ///< `in[i]`, `*p`
  bool stores = false;      ///< what an assignment changes
};

/// findWordAccesses() is the reads and stores in the user's device code of structures whose 2, 4 or
/// 8 bytes are integers of 1 or 2 bytes each: copies, and reads of a member. Copies from memory to
/// memory are none: these are words already.
std::vector<WordAccess> findWordAccesses(const SourceUnit& unit, const Facts& facts);

} // namespace cu2cpp
