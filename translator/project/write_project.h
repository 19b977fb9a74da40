// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts a project's texts on disk without ever writing over what somebody else wrote.
#pragma once

#include <string>
#include <vector>

#include "project/project_state.h"
#include "project/render_project.h"

namespace cu2cpp {

struct WritePlan {
  std::map<std::string, std::string> texts; ///< what to write, by path
  std::vector<std::string> created, changed, conflicts, kept, removed;
  std::size_t unchanged = 0;
};

/// planWriting() compares texts with the disk and with what the last run wrote, and updates the
/// state. A file with foreign changes stays as it is: where its translation has changed too, the
/// new one goes to `<file>.cu2cpp-new` (CU1013); removing that file says that the two were merged.
WritePlan planWriting(const RenderedProject& project, bool overwrite, ProjectState& state,
                      Diagnostics& diagnostics);

} // namespace cu2cpp
