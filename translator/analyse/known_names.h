// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What our headers declare, asked of the headers themselves: there is no second list of functions.
#pragma once

#include <map>
#include <string>

#include "parse/source_unit.h"

namespace cu2cpp {

/// Functions by name; the text says why one is not supported, and is empty for the others.
using KnownNames = std::map<std::string, std::string>;

/// findKnownNames() lists the functions that the headers of a unit declare.
KnownNames findKnownNames(const SourceUnit& unit);

} // namespace cu2cpp
