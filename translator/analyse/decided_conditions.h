// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions without the conditions of the preprocessor that this parse has decided: what is not
// taken goes, and so do the directives, line by line. What rewrites a loop looks at its text, and a
// directive in it would hold most of them back.
#pragma once

#include "analyse/facts.h"
#include "parse/source_unit.h"

namespace cu2cpp {

/// decideConditions() gives the files of which the bodies of device functions have conditions, each
/// with as many lines as before. Conditions that tell the device from the host stay. It is for
/// translations that only compilers read, and for headers that no other unit's translation shares.
TextsByFile decideConditions(const SourceUnit& unit, const Facts& functions, bool sharedHeaders);

} // namespace cu2cpp
