// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two texts as a unified diff.
#pragma once

#include <string>

namespace cu2cpp {

/// unifiedDiff() is empty for equal texts.
std::string unifiedDiff(const std::string& oldName, const std::string& oldText,
                        const std::string& newName, const std::string& newText);

} // namespace cu2cpp
