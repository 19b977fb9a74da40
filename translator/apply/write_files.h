// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts finished texts on disk, all or nothing.
#pragma once

#include <map>
#include <string>

#include "report/diagnostics.h"

namespace cu2cpp {

/// writeFiles() writes each text beside its place under a temporary name first and renames all at
/// the end. False (with a diagnostic) if any could not be written; then none is.
bool writeFiles(const std::map<std::string, std::string>& textByPath, Diagnostics& diagnostics);

} // namespace cu2cpp
