// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all instances of a kernel's template have in common.
#pragma once

#include "analyse/analyses.h"
#include "analyse/plain_body.h"

namespace cu2cpp {

/// nameInstanceArguments() writes numbers and types in the place of the parameters of templates
/// that are the same in all its instances.
void nameInstanceArguments(const SourceUnit& unit, const SourceText& text,
                           const std::vector<const FunctionFacts*>& functions,
                           PlainChanges& changes);

} // namespace cu2cpp
