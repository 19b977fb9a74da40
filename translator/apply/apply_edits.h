// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Carries edits out on the text of one file.
#pragma once

#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

#include "plan/text_edit.h"
#include "report/diagnostics.h"

namespace cu2cpp {

/// applyEdits() returns the new text. Edits that overlap and disagree are reported as CU1005. With
/// `lineDirectiveFile` set, #line directives keep the new text's lines those of that file.
std::string applyEdits(llvm::StringRef original, std::vector<Edit> edits, const std::string& file,
                       const std::string& lineDirectiveFile, Diagnostics& diagnostics);

} // namespace cu2cpp
