// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every caller gives a device function alike.
#pragma once

#include "analyse/analyses.h"
#include "analyse/plain_body.h"

namespace cu2cpp {

/// nameThreadArguments() writes threadIdx into device functions in which threads meet, where all
/// callers give it to them.
void nameThreadArguments(const SourceUnit& unit, const SourceText& text, const Facts& facts,
                         const SharedWithOthers& shared, PlainChanges& changes);

} // namespace cu2cpp
