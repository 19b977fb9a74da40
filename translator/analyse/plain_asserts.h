// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assertions that know their thread.
#pragma once

#include "analyse/analyses.h"
#include "analyse/plain_body.h"

namespace cu2cpp {

/// tellAsserts() lets the assertions of kernels name their thread when they fail, and not before.
void tellAsserts(const SourceUnit& unit, const SourceText& text,
                 const std::vector<const FunctionFacts*>& functions, PlainChanges& changes);

} // namespace cu2cpp
