// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The end of a source: what tells the runtime which launches its kernels take, and which variables
// are managed or constant memory.
#pragma once

#include <string>

#include "analyse/facts.h"
#include "parse/source_unit.h"

namespace cu2cpp {

/// registeredLimits() is a table of the kernels with launch bounds, shared variables or clusters,
/// empty where there are none.
std::string registeredLimits(const SourceUnit& unit, const Facts& facts);

/// managedVariables() is likewise a table of the `__managed__` variables.
std::string managedVariables(const Facts& facts);

/// constantVariables() is one of the `__constant__` variables, where something asks for kinds of
/// memory.
std::string constantVariables(const Facts& facts);

} // namespace cu2cpp
