// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the user is told at the end: a line per file on the terminal, and the JSON report.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

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
nlohmann::json kernelsAsJson(const std::vector<KernelSummary>& kernels);
nlohmann::json diagnosticsAsJson(const std::vector<Diagnostic>& diagnostics);

/// reportAsSarif() is the diagnostics in SARIF 2.1, which code hosts and editors show at their
/// lines. `root` is what relative paths begin at.
std::string reportAsSarif(const std::vector<FileSummary>& files, const std::string& root);

/// suppress() takes diagnostics with these numbers ("CU2101") out.
void suppress(std::vector<FileSummary>& files, const std::vector<std::string>& numbers);
/// isReported() tells whether one of these is: numbers, or note, unsupported, fibers.
bool isReported(const std::vector<FileSummary>& files, const std::vector<std::string>& wanted);
/// findUnknownNumber() is the first word that suppress() and isReported() do not know; empty if
/// there is none.
std::string findUnknownNumber(const std::vector<std::string>& words, bool kindsToo);

} // namespace cu2cpp
