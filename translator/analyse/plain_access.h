// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Classes of a few numbers that hide them.
#pragma once

#include "analyse/analyses.h"
#include "analyse/plain_body.h"

namespace cu2cpp {

/// openStructures() lets all code name the fields of classes that would be structures of numbers
/// otherwise, where device code calls their methods.
void openStructures(const SourceUnit& unit, const SourceText& text,
                    const std::vector<const FunctionFacts*>& functions, PlainChanges& changes);

} // namespace cu2cpp
