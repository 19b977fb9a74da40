// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the user is told at the end: a line per file on the terminal, and the JSON report.
#pragma once

#include <string>
#include <vector>

#include "report/diagnostics.h"

namespace cu2cpp {

struct KernelSummary {
  std::string name;
  Place place;
  std::string form;
  std::string reason;
};

struct FileSummary {
  std::string input;
  std::vector<std::string> outputs;
  std::vector<KernelSummary> kernels;
  std::vector<Diagnostic> diagnostics;
  bool failed = false;
};

/// reportOnTerminal() writes errors and marked parts to stderr, and, unless quiet, one line a file
/// to stdout.
void reportOnTerminal(const std::vector<FileSummary>& files, bool quiet, bool colours);
/// reportAsJson() is the text of the JSON report.
std::string reportAsJson(const std::vector<FileSummary>& files);

} // namespace cu2cpp
