// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Macros in device code that say more than what their arguments do.
#pragma once

#include <vector>

#include "analyse/plain_body.h"

namespace cu2cpp {

/// writeOutMacros() writes out the macros that name a function's variables by themselves, or in
/// whose text threads meet.
void writeOutMacros(const SourceUnit& unit, const SourceText& text, const Facts& facts,
                    const std::vector<const FunctionFacts*>& functions, PlainChanges& changes);

} // namespace cu2cpp
