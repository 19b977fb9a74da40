// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the threads that run a function meet, as far as can be told before calls are followed for
// the whole file (propagateCalls()).
#pragma once

#include <vector>

#include "clang/AST/ParentMap.h"

#include "analyse/facts.h"
#include "parse/source_text.h"

namespace cu2cpp {

/// meetingPlaces() are the collectives that a function calls itself, and its calls of functions
/// that reach one.
std::vector<clang::SourceLocation> meetingPlaces(const FunctionFacts& function, const Facts& facts);

/// Code is a function's text, and what stands around what in it.
struct MeetingCode {
  const SourceText& text;
  const clang::ParentMap& parents;
};
/// meetsBefore() tells whether threads meet behind a place in the text and before a variable that
/// is declared there is used for the last time: up to this use in the text, or anywhere in a loop
/// around it that begins behind the declaration, and so comes back to it.
bool meetsBefore(const clang::Stmt* lastUse, unsigned declared, const MeetingCode& code,
                 const FunctionFacts& function, const Facts& facts);

} // namespace cu2cpp
