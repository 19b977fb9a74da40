// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which files a project consists of, and their edits: from the state of the last run where nothing
// that they read has changed, else by translating them, many at once.
#pragma once

#include <string>
#include <vector>

#include "options.h"
#include "project/compile_database.h"
#include "project/project_state.h"
#include "project/unit_edits.h"

namespace cu2cpp {

struct ProjectSources {
  std::vector<CompileCommand> cuda;
  std::vector<CompileCommand> host;
  std::string inRoot;  ///< real path
  std::string outRoot; ///< real path; empty: beside the sources
};

/// findSources() reads the database, or walks the tree where there is none.
ProjectSources findSources(const Options& options, Diagnostics& diagnostics);

/// settingsOf() is a fingerprint of all that decides about translations beside the sources.
std::string settingsOf(const Options& options, const ProjectSources& sources,
                       const std::string& headers);

/// keyOf() names a unit in the state: its file and flags.
std::string keyOf(const CompileCommand& command);

/// isCurrent() tells whether none of these files has changed, and none of those that were not there
/// has appeared.
bool isCurrent(const HashByPath& files);

/// translateUnits() gives the edits of each CUDA source and writes fresh ones into the folder.
/// `fresh` counts them. Those that StopOnSignal left out have no `summary.input`.
std::vector<UnitEdits> translateUnits(const ProjectSources& sources, const Options& options,
                                      const StateFolder* folder, ProjectState& state,
                                      std::size_t& fresh);

} // namespace cu2cpp
