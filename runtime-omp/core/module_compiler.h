// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules made at run time by cu2cc, from CUDA C++ or from PTX. They are kept in a cache by
// content: $XDG_CACHE_HOME/cu2cpp, or what CU2CPP_CACHE names.
#ifndef CU2CPP_CORE_MODULE_COMPILER_H
#define CU2CPP_CORE_MODULE_COMPILER_H

#include <filesystem>
#include <string>
#include <vector>

#include "exec/status.h"

namespace cu2cpp::rt {

/// compilerCommand() is cu2cc, which is found through CU2CPP_CU2CC, above the headers that the
/// program was compiled with, where this library was built or installed, or in the PATH.
std::string compilerCommand();
/// runCompiler() runs a command with both outputs in a file; the exit status, or -1.
int runCompiler(const std::vector<std::string>& words, const std::filesystem::path& output);

std::string textOf(const std::filesystem::path& file);
void writeText(const std::filesystem::path& file, const std::string& text);

/// TemporaryFolder goes with what is in it.
class TemporaryFolder {
public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

private:
  std::filesystem::path path_;
};

/// CachedModule is the place of what a command makes of a text.
class CachedModule {
public:
  CachedModule() = default; ///< none, where nothing may be kept
  CachedModule(const std::vector<std::string>& words, const std::string& text);
  /// find() is empty if the module is not there.
  std::string find() const;
  void keep(const std::string& module) const;

private:
  std::filesystem::path file_;
};

/// compilePtx() makes a module's library of PTX text, or says why not as a GPU's compiler does.
Status compilePtx(const std::string& text, std::string& library, std::string& why);

} // namespace cu2cpp::rt

#endif
