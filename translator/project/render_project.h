// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All units of a project together as texts: each file once, or in as many versions as its users
// need, with includes that name the files where they now are.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "project/project_layout.h"
#include "project/unit_edits.h"
#include "report/diagnostics.h"

namespace cu2cpp {

struct RenderedProject {
  std::map<std::string, std::string> textByOutput;
  std::map<std::string, std::string> sourceOf; ///< output -> the file it comes from
  std::map<std::string, std::string> outputOf; ///< file -> its (first) output
  std::vector<std::string> mainOutputs;        ///< for each unit; empty where it failed
  unsigned sharedHeaders = 0;                  ///< with several users, written once
};

/// renderProject() merges and lays out. Headers that cannot be one for all their users get
/// versions, which is reported (CU1011), and so do sources (CU1012).
RenderedProject renderProject(const std::vector<UnitEdits>& units, const ProjectLayout& layout,
                              Diagnostics& diagnostics);

/// newSpelling() is how an include directive has to read in the output, with its quotes; empty
/// where it can stay. `target` is where the included file is now.
std::string newSpelling(const IncludeDirective& include, const std::string& includerOutput,
                        const std::string& target, const ProjectLayout& layout);

} // namespace cu2cpp
