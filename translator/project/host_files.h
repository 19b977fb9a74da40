// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files of a project that are no CUDA: host code that calls the runtime comes along unchanged,
// except for the names of headers.
#pragma once

#include <string>
#include <vector>

#include "project/compile_database.h"
#include "project/project_layout.h"
#include "project/render_project.h"

namespace cu2cpp {

/// addHostFiles() adds copies of host sources inside the tree, and of the headers that they include
/// and no CUDA source does. Nothing where the output is beside the sources.
void addHostFiles(const std::vector<CompileCommand>& host, const ProjectLayout& layout,
                  RenderedProject& project);

} // namespace cu2cpp
