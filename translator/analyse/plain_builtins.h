// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device functions that are told which thread calls them.
#pragma once

#include "analyse/analyses.h"
#include "analyse/plain_body.h"

namespace cu2cpp {

/// passBuiltins() gives device functions the built-in variables that they name as parameters, where
/// all that is done with such a function is to call it from device code.
void passBuiltins(const SourceUnit& unit, const SourceText& text, const Facts& facts,
                  const SharedWithOthers& shared, PlainChanges& changes);

} // namespace cu2cpp
