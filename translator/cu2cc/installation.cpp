// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layout, from the directory of the executable:
//   cu2cpp                                   the translator
//   ../lib/cu2cpp/include/cuda_runtime.h     our headers (a link to the source's headers/ in the
//   build tree)
//   ../lib/cu2cpp/launch.pch                 those headers as clang++ has read them, see
//   headers_read.h
//   ../lib/cu2cpp/toolkit                    bin/nvcc, include and lib64 for build tools that want
//   a CUDA Toolkit
//   ../lib/cu2cpp/libcu2cpp_runtime.a        installed, ../lib/libcu2cpp_runtime.a in the build
//   tree; libcu2cpp_cublas.a beside it where CBLAS was found
#include "installation.h"

#include "headers_read.h"
#include "words.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace cu2cpp::cu2cc {
namespace {

namespace fs = std::filesystem;

bool exists(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

/// pathOf() is where a command is, or empty.
std::string pathOf(const std::string& name) {
  if (name.find('/') != std::string::npos)
    return exists(name) ? name : "";
  std::string path = environment("PATH");
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find(':', begin), path.size());
    const std::string file = path.substr(begin, end - begin) + "/" + name;
    std::error_code ignored;
    if (end != begin && fs::is_regular_file(file, ignored))
      return file;
    begin = end + 1;
  }
  return "";
}

bool isCommand(const std::string& name) { return !pathOf(name).empty(); }

/// The directory of the running executable, with links followed.
fs::path programs(std::error_code& failed) {
  return fs::read_symlink("/proc/self/exe", failed).parent_path();
}

/// cxxDriver() is the C++ driver where a makefile names the C one: nvcc accepts gcc and means g++.
std::string cxxDriver(const std::string& compiler) {
  const std::size_t slash = compiler.rfind('/');
  const std::size_t start = slash == std::string::npos ? 0 : slash + 1;
  const std::string directory = compiler.substr(0, start);
  const std::string name = compiler.substr(start);
  const auto starts = [&](const std::string& with) {
    return name == with || name.rfind(with + "-", 0) == 0;
  };
  if (starts("gcc"))
    return directory + "g++" + name.substr(3);
  if (starts("clang"))
    return directory + "clang++" + name.substr(5);
  if (name == "cc")
    return directory + "c++";
  return compiler;
}

Words chooseHostCompiler(const Options& options, std::string& error) {
  std::error_code ignored;
  if (!options.hostCompiler.empty()) {
    const std::string& given = options.hostCompiler;
    if (fs::is_directory(given, ignored)) {
      for (const char* name : {"g++", "clang++", "c++"})
        if (exists(given + "/" + name))
          return {given + "/" + name};
      error = "-ccbin: no g++ or clang++ in '" + given + "'";
      return {};
    }
    if (!isCommand(cxxDriver(given))) {
      error = "-ccbin: there is no compiler '" + given + "'";
      return {};
    }
    return {cxxDriver(given)};
  }
  for (const char* variable : {"NVCC_CCBIN", "CXX"}) {
    Words words = splitShell(environment(variable));
    if (words.empty())
      continue;
    words.back() = cxxDriver(words.back());
    if (!isCommand(words.front())) {
      error =
          std::string(variable) + " names the compiler '" + words.front() + "', which is not there";
      return {};
    }
    return words;
  }
  for (const char* name : {"g++", "clang++", "clang++-19", "clang++-18", "clang++-17", "clang++-16",
                           "clang++-15", "c++"})
    if (isCommand(name))
      return {name};
  error = "no C++ compiler found; install g++ or clang, or name one with -ccbin";
  return {};
}

} // namespace

Words findPasses(const Words& compiler) {
  std::error_code none, unknown, missing;
  const fs::path pass = programs(none).parent_path() / "lib" / "cu2cpp" / "cu2cpp_kernel_passes.so";
  const fs::path theirs = fs::canonical(pathOf(compiler.back()), unknown).parent_path();
  const fs::path ours = fs::canonical(CU2CPP_LLVM_PROGRAMS, missing);
  if (unknown || missing || theirs != ours || !exists(pass.string()))
    return {};
  // The headers leave to it what it does.
  return {"-fpass-plugin=" + pass.string(), "-DCU2CPP_EXACT_MINNUM=1"};
}

// clang vectorises loops over threads that g++ leaves scalar (guarded stencils 4 times faster), and
// it has parsed the code once already. Without our passes it may compile them wrongly
// (backend/divisions_of_loops.cpp).
Words findKernelCompiler() {
  for (const char* name : {"clang++-19", "clang++", "clang++-20", "clang++-21"})
    if (isCommand(name) && !findPasses({name}).empty())
      return {name};
  return {};
}

std::string keptHeaders() {
  std::error_code failed;
  const fs::path bin = programs(failed);
  return (bin.parent_path() / "lib" / "cu2cpp" / "launch").string();
}

bool isTranslated(const std::string& path) {
  std::ifstream file(path);
  std::string start(8192, '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(file.gcount()));
  return ("\n" + start).find("\n#include <cu2cpp/") != std::string::npos;
}

bool beginsWithHeaders(const std::string& path) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);)
    if (!line.empty() && line.rfind("//", 0) != 0)
      return line == "#include <cu2cpp/launch.h>";
  return false;
}

std::optional<Installation> findInstallation(const Options& options, std::string& error) {
  std::error_code failed;
  const fs::path bin = programs(failed);
  if (failed) {
    error = "cannot find out where cu2cc is: " + failed.message();
    return std::nullopt;
  }
  const fs::path lib = bin.parent_path() / "lib";
  Installation found;
  found.exists = exists;
  found.isDirectory = [](const std::string& path) {
    std::error_code ignored;
    return fs::is_directory(path, ignored);
  };
  found.isTranslated = isTranslated;
  found.beginsWithHeaders = beginsWithHeaders;
  found.passesFor = findPasses;
  found.headersRead = [](const Words& command) { return headersRead(command, keptHeaders()); };
  found.translator = (bin / "cu2cpp").string();
  found.headers = (lib / "cu2cpp" / "include").string();
  found.runtime = (lib / "cu2cpp" / "libcu2cpp_runtime.a").string();
  if (!exists(found.runtime))
    found.runtime = (lib / "libcu2cpp_runtime.a").string();
  found.toolkit = (lib / "cu2cpp" / "toolkit").string();
  found.runtimeLibraries = splitShell(CU2CPP_RUNTIME_LIBRARIES);
  found.cublas = (fs::path(found.runtime).parent_path() / "libcu2cpp_cublas.a").string();
  if (!exists(found.cublas))
    found.cublas.clear();
  found.cublasLibraries = splitShell(CU2CPP_CBLAS_LIBRARIES);
  if (!exists(found.headers)) {
    error = "the headers of cu2cpp are missing: " + found.headers;
    return std::nullopt;
  }
  found.hostCompiler = chooseHostCompiler(options, error);
  if (found.hostCompiler.empty())
    return std::nullopt;
  const bool named = !options.hostCompiler.empty() || !environment("NVCC_CCBIN").empty() ||
                     !environment("CXX").empty();
  if (!named)
    found.kernelCompiler = findKernelCompiler();
  return found;
}

} // namespace cu2cpp::cu2cc
