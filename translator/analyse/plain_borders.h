// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace cu2cpp {

struct PlainBody;

/// joinBorders() makes arrays that are a shared tile's borders rows and columns of the tile.
void joinBorders(const PlainBody& body);

} // namespace cu2cpp
