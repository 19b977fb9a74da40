// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts C++ in the place of inline PTX, before anything is analysed, so that the later stages see
// ordinary code:
//
//   asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, %3;"
//                : "=r"(other) : "r"(mine), "r"(4), "r"(mask));
//   ->  other = __shfl_xor_sync(mask, mine, 4);
//
// Needs: a parse of the original. Leaves: what it can't translate, which is refused by name, and
// the number of lines, so that places in the new text are places in the user's.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analyse/facts.h"
#include "parse/source_text.h"

namespace cu2cpp {

/// The files with inline PTX as they read afterwards.
struct AssemblyTexts {
  std::map<std::string, std::string> byFile;
  /// Line ends that stand for lines of the statement: gone in the output.
  std::vector<FileRange> padding;
  /// Where the output starts a new line for a next statement, with its indentation.
  std::vector<std::pair<FilePosition, std::string>> lineBreaks;
  /// Statements in functions that nothing calls, which are not translated but end the kernel.
  struct Uncalled {
    Place place;
    std::string function, why;
  };
  std::vector<Uncalled> uncalled;
};

/// translateAssembly() translates all of a unit's device code. Empty if there is nothing to do.
AssemblyTexts translateAssembly(const SourceUnit& unit, const Facts& facts);

/// whyNotTranslated() names what stands in the way of one statement's translation.
std::string whyNotTranslated(const SourceText& text, const clang::GCCAsmStmt& assembly,
                             bool inKernel);

} // namespace cu2cpp
