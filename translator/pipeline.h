// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The flat list of stages: parse, analyse, plan, apply, report.
#pragma once

#include "options.h"

namespace cu2cpp {

/// translate() does what the options ask for and returns the exit code: 0 done, 1 done with
/// unsupported parts, 2 failed and nothing written.
int translate(const Options& options);

} // namespace cu2cpp
