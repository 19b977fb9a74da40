// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `cu2cpp record -- make`: runs a build and writes down every compilation, for projects whose build
// system knows no compile_commands.json. While the build runs, nvcc and the host compilers on PATH
// (and under CUDA_PATH and CUDA_HOME) are scripts that note the call and go on to the real one;
// cu2cc takes nvcc's place where there is none.
#pragma once

#include <string>
#include <vector>

namespace cu2cpp {

/// record() takes the words behind `record` and returns the build's exit code.
int record(const std::string& program, const std::vector<std::string>& arguments);

/// recordCall() is one noted call: log, tool, arguments. Does not return where the tool starts.
int recordCall(const std::vector<std::string>& arguments);

/// sourcesIn() are the source files that a compiler's arguments name.
std::vector<std::string> sourcesIn(const std::vector<std::string>& arguments);

} // namespace cu2cpp
