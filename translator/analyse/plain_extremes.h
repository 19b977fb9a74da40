// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Extremes with their places, for which the lanes of a warp look with shuffles.
#pragma once

namespace cu2cpp {

struct PlainBody;

/// findExtremes() has warps look for them at once, and not step by step.
void findExtremes(const PlainBody& body);

} // namespace cu2cpp
