// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one place that knows clang's flags: how a CUDA file is parsed with our headers only, whatever
// CUDA installation the machine may have.
#pragma once

#include <string>
#include <vector>

namespace cu2cpp {

/// Where cu2cpp's own files lie, found relative to the running program (build tree or
/// installation).
struct InstallLayout {
  std::string headers;
  std::string clangResources;
};

/// findInstallLayout() locates the headers for the program at this path.
InstallLayout findInstallLayout(const std::string& program);

/// isOlderStandard() tells whether a flag asks for a standard before C++17.
bool isOlderStandard(const std::string& flag);
/// Translated code is C++17 at least, so it is parsed as that unless said otherwise.
enum class Standard { AtLeast17, AsGiven };
/// cudaCommandLine() is clang's command line for parsing `file`, with the user's flags cleaned of
/// what has no meaning.
std::vector<std::string> cudaCommandLine(const InstallLayout& layout, const std::string& file,
                                         const std::vector<std::string>& userFlags,
                                         Standard standard = Standard::AtLeast17);

} // namespace cu2cpp
