// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --analyze: reads a project and reports what a port takes. Writes no code.
#pragma once

#include "options.h"

namespace cu2cpp {

/// analyzeProject() prints the table and writes the reports that are asked for. 0 all can be
/// translated, 1 with parts that are missing, 2 where some file does not compile or was not read,
/// because a signal stopped the run: the reports say what is known by then.
int analyzeProject(const Options& options);

} // namespace cu2cpp
