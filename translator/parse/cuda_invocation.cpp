// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "parse/cuda_invocation.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include "build_config.h"

namespace cu2cpp {
namespace {

/// libomp's or libgomp's omp.h, so that host code with OpenMP parses; clang finds neither by itself
/// without -fopenmp.
std::vector<std::string> openMpIncludeDirs() {
  std::vector<std::string> dirs;
  std::error_code error;
  for (const char* root : {"/usr/lib/gcc/x86_64-linux-gnu", "/usr/lib/gcc/aarch64-linux-gnu"})
    for (llvm::sys::fs::directory_iterator it(root, error), end; !error && it != end;
         it.increment(error))
      if (llvm::sys::fs::exists(it->path() + "/include/omp.h"))
        dirs.push_back(it->path() + "/include");
  return dirs;
}

} // namespace

InstallLayout findInstallLayout(const std::string& program) {
  // An installation is relocatable: <prefix>/bin/cu2cpp with <prefix>/lib/cu2cpp/include beside it.
  // The build tree uses the source tree's headers.
  llvm::SmallString<256> installed(
      llvm::sys::path::parent_path(llvm::sys::path::parent_path(program)));
  llvm::sys::path::append(installed, "lib", "cu2cpp", "include");
  InstallLayout layout;
  layout.headers = llvm::sys::fs::exists(installed + "/cu2cpp/launch.h")
                       ? std::string(installed)
                       : CU2CPP_SOURCE_HEADERS_DIR;
  layout.clangResources = CU2CPP_CLANG_RESOURCE_DIR;
  return layout;
}

bool isOlderStandard(const std::string& flag) {
  auto [name, value] = llvm::StringRef(flag).split('=');
  if (name != "-std" && name != "--std")
    return false;
  value.consume_front("gnu") || value.consume_front("c");
  return value == "++98" || value == "++03" || value == "++0x" || value == "++11" ||
         value == "++1y" || value == "++14";
}

std::vector<std::string> cudaCommandLine(const InstallLayout& layout, const std::string& file,
                                         const std::vector<std::string>& userFlags,
                                         Standard standard) {
  std::vector<std::string> args = {
      "clang++", "-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib",
      "--cuda-path=/nonexistent", "-fsyntax-only", "-w", "-resource-dir", layout.clangResources,
      // Without clang's CUDA wrappers of standard headers, which assume its own CUDA dialect.
      "-nobuiltininc", "-isystem", layout.clangResources + "/include", "-Xclang",
      "-fcuda-allow-variadic-functions",
      // nvcc defines these; CU2CPP_PARSE turns qualifiers into attributes (cu2cpp/attributes.h).
      "-DCU2CPP_PARSE=1", "-D__CUDACC__=1", "-D__NVCC__=1", "-DCU2CPP_ARCH__=900",
      "-D__CUDACC_VER_MAJOR__=12", "-D__CUDACC_VER_MINOR__=4", "-D__CUDACC_VER_BUILD__=0",
      "-D__CUDACC_EXTENDED_LAMBDA__=1", "-isystem", layout.headers, "-include",
      layout.headers + "/cu2cpp/parse_prelude.h"};
  bool standardGiven = false;
  for (std::size_t i = 0; i < userFlags.size(); ++i) {
    llvm::StringRef flag = userFlags[i];
    if (flag == "-isystem" && i + 1 < userFlags.size()) {
      // A library in a system directory may hold kernels too: only our own headers and the
      // compiler's are "system".
      args.push_back("-I" + userFlags[++i]);
      continue;
    }
    if (flag.starts_with("-std=") || flag.starts_with("--std=")) {
      standardGiven = true;
      args.push_back(standard == Standard::AtLeast17 && isOlderStandard(userFlags[i])
                         ? (flag.contains("gnu") ? "-std=gnu++17" : "-std=c++17")
                         : "-std=" + flag.split('=').second.str());
      continue;
    }
    if (flag == "-c" || flag.starts_with("-O") || flag.starts_with("-W"))
      continue;
    if (flag == "-o") {
      ++i;
      continue;
    }
    args.push_back(userFlags[i]);
  }
  if (!standardGiven)
    args.push_back("-std=gnu++17");
  for (const std::string& dir : openMpIncludeDirs()) {
    args.push_back("-idirafter");
    args.push_back(dir);
  }
  args.push_back(file);
  return args;
}

} // namespace cu2cpp
