// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What configure scripts, CMake and Python's build tools read from nvcc's output: the text of
// --version and the variables that -v and --dryrun print first. Wording around the values is ours.
#ifndef CU2CPP_CU2CC_NVCC_OUTPUT_H
#define CU2CPP_CU2CC_NVCC_OUTPUT_H

#include "plan.h"

#include <string>

namespace cu2cpp::cu2cc {

/// versionText() names the CUDA version that the headers announce, in nvcc's lines.
std::string versionText(const std::string& cudaVersion, const std::string& ownVersion);

/// environmentText() tells where headers and libraries are, in the variables of `nvcc -v`.
std::string environmentText(const Installation& installation);

/// linkText() is a link without cu2cc: host compiler, directory and libraries. CMake links so.
std::string linkText(const Installation& installation);

} // namespace cu2cpp::cu2cc

#endif
