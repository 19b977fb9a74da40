// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `cu2cpp doctor`: says whether this machine has what translated programs need.
#pragma once

#include <string>

namespace cu2cpp {

/// doctor() prints a line for each check: 0 all is there, 1 something useful is missing, 2 programs
/// cannot be made.
int doctor(const std::string& program);

} // namespace cu2cpp
