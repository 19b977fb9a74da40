// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// compile_commands.json as a list of what is compiled: which files are CUDA, and the flags that
// matter to their parse. Commands of nvcc and cu2cc are understood by cu2cc's own parser.
#pragma once

#include <string>
#include <vector>

#include "report/diagnostics.h"

namespace cu2cpp {

struct CompileCommand {
  std::string file;      ///< real path
  std::string directory; ///< where the command runs
  bool cuda = false;
  bool separateCompilation = false;
  std::vector<std::string> flags; ///< of the parse: -I, -D, -std, -include
};

/// readCompileDatabase() reads `path`, or the compile_commands.json in that directory. Entries that
/// are not understood are reported.
std::vector<CompileCommand> readCompileDatabase(const std::string& path, Diagnostics& diagnostics);

/// commandOf() understands one command line.
bool commandOf(const std::vector<std::string>& words, const std::string& directory,
               const std::string& file, CompileCommand& command, std::string& error);

} // namespace cu2cpp
