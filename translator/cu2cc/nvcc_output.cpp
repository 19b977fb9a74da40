// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CMake (CMakeDetermineCUDACompiler) knows nvcc by "nvcc: ... Cuda compiler driver", takes the
// version from "V1.2.3", the Toolkit from TOP=, include directories from INCLUDES=, and the
// libraries from the line that repeats the text of LIBRARIES=. Others cut "release 1.2" from the
// fourth line of --version.
#include "nvcc_output.h"

#include <cstdlib>

namespace cu2cpp::cu2cc {
namespace {

std::string librariesOf(const Installation& installation) {
  return "\"-L" + installation.toolkit + "/lib64\"";
}

} // namespace

std::string versionText(const std::string& cudaVersion, const std::string& ownVersion) {
  const std::string cuda = cudaVersion.empty() ? "12.4" : cudaVersion;
  return "nvcc: NVIDIA (R) Cuda compiler driver, in its place cu2cc " + ownVersion +
         "\n"
         "cu2cc compiles CUDA C++ for the CPU; it is not made by NVIDIA\n"
         "Announced to programs:\n"
         "Cuda compilation tools, release " +
         cuda + ", V" + cuda + ".0\nBuild cu2cpp_" + ownVersion + "\n";
}

std::string environmentText(const Installation& installation) {
  const char* path = std::getenv("PATH");
  const std::string& top = installation.toolkit;
  return "#$ TOP=" + top + "\n#$ NVVMIR_LIBRARY_DIR=" + top + "/nvvm/libdevice\n#$ PATH=" + top +
         "/bin:" + (path ? path : "") + "\n#$ INCLUDES=\"-I" + top +
         "/include\"  \n#$ LIBRARIES=  " + librariesOf(installation) +
         "\n#$ TARGET=-arch compute_90\n";
}

std::string linkText(const Installation& installation) {
  return "# Without cu2cc it would be linked by:\n#$ " + installation.hostCompiler.back() + " " +
         librariesOf(installation) + " -lcudadevrt -lcudart_static -lrt -lpthread -ldl\n";
}

} // namespace cu2cpp::cu2cc
