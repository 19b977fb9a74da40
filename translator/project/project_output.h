// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// compile_commands.json of a translated project: how each output is compiled, for editors and as
// the start of a build file.
#pragma once

#include <string>

#include "project/project_layout.h"
#include "project/project_units.h"
#include "project/render_project.h"

namespace cu2cpp {

/// outputDatabase() is its text. Include directories inside the tree are those of the output.
std::string outputDatabase(const ProjectSources& sources, const RenderedProject& project,
                           const ProjectLayout& layout, const std::string& headers);

} // namespace cu2cpp
