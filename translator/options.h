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
  bool sharedHeaders = false; ///< other sources translate the same headers, and must agree
  bool analyzeOnly = false;
  std::string htmlFile;  ///< --html
  std::string sarifFile; ///< --sarif
  bool quiet = false;
  bool colours = false;
  std::string dumpAfter;
  std::vector<std::string> failOn;   ///< --fail-on: numbers such as CU2101, or note, unsupported
  std::vector<std::string> suppress; ///< --suppress: numbers that are not reported

  // A whole project.
  std::string database;       ///< -p: compile_commands.json or its directory
  std::string inRoot;         ///< --in-root
  std::string outRoot;        ///< --out-root; empty: beside the sources
  std::string extensionRules; ///< --extension, as written
  unsigned jobs = 0;          ///< -j; 0: one per processor
  bool dryRun = false;
  bool diff = false;
  bool retranslate = false; ///< --retranslate: also what has not changed
  bool overwrite = false;   ///< --overwrite: files that cu2cpp did not write, too
  bool isProject() const {
    return !database.empty() || !inRoot.empty() || !outRoot.empty() || dryRun || diff;
  }
};

/// parseOptions() reads the command line. Prints and returns an exit code where nothing is left to
/// do (--help, errors).
std::optional<int> parseOptions(int argc, char** argv, Options& options);

/// programPath() is the running command's real path.
std::string programPath(const char* argv0);

} // namespace cu2cpp
