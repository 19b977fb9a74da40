// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line as values.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace cu2cpp {

/// What --form asks for: Fibers forces kernels with collectives to fibers, FibersAll every kernel.
enum class ForcedForm { Auto, Loop, Split, Fibers, FibersAll };

struct Options {
  std::string program; ///< real path of the running command
  std::vector<std::string> inputs;
  std::vector<std::string> clangFlags; ///< behind `--`
  std::string output;                  ///< -o: a file, or a directory
  std::string reportFile;
  std::string depFile;
  ForcedForm form = ForcedForm::Auto;
  bool separateCompilation = false; ///< --rdc: device symbols are shared between files
  bool module = false;              ///< --module: kernels are looked up by name at run time
  bool lineDirectives = false;
  bool absoluteIncludes = false;
  bool analyzeOnly = false;
  bool quiet = false;
  bool colours = false;
  std::string dumpAfter;
};

/// parseOptions() reads the command line. Prints and returns an exit code where nothing is left to
/// do (--help, errors).
std::optional<int> parseOptions(int argc, char** argv, Options& options);

} // namespace cu2cpp
