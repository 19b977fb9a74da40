// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What in device code costs a CPU more than a GPU: where to look first when a port is slow.
#pragma once

#include <string>
#include <vector>

#include "analyse/facts.h"
#include "parse/source_unit.h"

namespace cu2cpp {

struct SlowSpot {
  clang::SourceLocation at;
  std::string what; ///< and why it is slow
};

/// findSlowSpots() looks at the user's kernels and device functions, after all other analyses.
std::vector<SlowSpot> findSlowSpots(const SourceUnit& unit, const Facts& facts);

} // namespace cu2cpp
