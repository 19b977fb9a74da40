// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The report of --analyze as values: what a project has, what of it works, what there is to do.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "report/name_usage.h"
#include "report/summary.h"

namespace cu2cpp {

struct AnalysedFile {
  std::string path; ///< as shown
  bool failed = false;
  std::string whyFailed; ///< the first error of the compiler
  TextUsage usage;
  std::vector<KernelSummary> kernels;
  std::vector<Diagnostic> diagnostics;     ///< slow spots and caveats included
  std::map<unsigned, std::string> excerpt; ///< lines that findings name, and their neighbours
  unsigned portMinutes = 0;                ///< work without which it does not run
  unsigned tuneMinutes = 0;                ///< work that may make it faster
};

struct Analysis {
  std::string root; ///< what the paths are relative to
  std::vector<AnalysedFile> files;
  unsigned unread = 0; ///< sources that are not among the files, since the run was stopped

  // Sums over the files.
  unsigned lines = 0, kernels = 0, failed = 0, portMinutes = 0, tuneMinutes = 0;
  std::map<std::string, unsigned> forms;
  std::vector<NameUse> names;              ///< each once, `lines` of all files together
  std::vector<NameUse> libraries;          ///< the same
  std::map<std::string, unsigned> byState; ///< names: done, caveat, missing
};

/// estimate() fills the minutes of a file: a rule of thumb for planning, said to be one.
void estimate(AnalysedFile& file);
/// addUp() fills the sums.
void addUp(Analysis& analysis);

const char* nameOf(NameUse::State state);
std::string hoursText(unsigned minutes);
std::string unreadText(const Analysis& analysis);

/// The report as a table for the terminal, as JSON, and as one HTML page without other files.
std::string analysisAsText(const Analysis& analysis);
std::string analysisAsJson(const Analysis& analysis);
std::string analysisAsHtml(const Analysis& analysis);

} // namespace cu2cpp
