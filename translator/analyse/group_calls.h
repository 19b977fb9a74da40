// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calls in a function's body that the threads of a block or warp make together: collectives of
// the headers, and device functions that reach one.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analyse/regions.h"
#include "parse/source_unit.h"

namespace cu2cpp {

struct GroupCalls {
  /// obstacle says what cannot be a call of the group; empty if nothing.
  std::string obstacle;
  clang::SourceLocation obstacleAt;
  std::vector<GroupCall> calls; ///< in the order of evaluation, inner ones first
};

/// groupScope() is the group that meets at a collective: a block's or a warp's; None for any other.
Scope groupScope(Scope reached);
/// namePlace() is where the name of what a call calls stands.
clang::SourceLocation namePlace(const clang::CallExpr* call);
/// findGroupCalls() finds them by the places that the analysis of calls has noted, template
/// instances included; `lanes`: also calls of functions that only run best so.
GroupCalls findGroupCalls(const SourceUnit& unit, const Facts& facts, const FunctionFacts& function,
                          bool lanes = false);

} // namespace cu2cpp
