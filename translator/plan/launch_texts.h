// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "plan/rewrites.h"

namespace cu2cpp {

/// keepLaunchTexts() lets the macros that get a launch as an argument show it as it was written;
/// false where none makes text of it.
bool keepLaunchTexts(Plan& plan, clang::SourceLocation launch);

} // namespace cu2cpp
