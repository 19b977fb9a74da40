// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The end of a module's source: what makes its kernels known by name.
#pragma once

#include <string>

#include "analyse/facts.h"

namespace cu2cpp {

/// exportedKernels() is a line that names all kernels that others can see: functions, and explicit
/// instantiations of templates.
std::string exportedKernels(const Facts& facts);

} // namespace cu2cpp
