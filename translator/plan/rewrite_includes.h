// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <string>

#include "options.h"
#include "plan/edit.h"

namespace cu2cpp {

/// rewriteIncludes() edits the directives of files that are written, given where each of them goes.
void rewriteIncludes(const SourceUnit& unit, const SourceText& text, const Options& options,
                     const std::map<std::string, std::string>& outputs, EditList& edits);

} // namespace cu2cpp
