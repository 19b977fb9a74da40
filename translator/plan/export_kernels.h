// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The end of a module's source: what makes its kernels and variables known by name.
#pragma once

#include <string>

#include "analyse/facts.h"

namespace cu2cpp {

/// exportedNames() is a line that names all kernels that others can see (functions, and explicit
/// instantiations of templates), and names for the static variables of device code.
std::string exportedNames(const Facts& facts);

} // namespace cu2cpp
