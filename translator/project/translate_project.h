// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A whole project: the sources of a compilation database, or the CUDA files of a tree.
#pragma once

#include "options.h"

namespace cu2cpp {

/// translateProject() translates what has changed since the last run and returns the exit code: 0
/// done, 1 done with unsupported parts or conflicts, 2 some file failed (the others are written).
int translateProject(const Options& options);

} // namespace cu2cpp
