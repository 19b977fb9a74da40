// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the parts of cu2cpp from the place of the running executable, so that a build tree and an
// installed tree work wherever they are moved to.
#ifndef CU2CPP_CU2CC_INSTALLATION_H
#define CU2CPP_CU2CC_INSTALLATION_H

#include "plan.h"

namespace cu2cpp::cu2cc {

/// findInstallation() looks beside the executable and picks the host compiler: -ccbin, then
/// NVCC_CCBIN, then CXX, then g++, then clang++. Where none of the three is given, translated code
/// is compiled by clang++ if there is one. On failure the result is empty and error says what is
/// missing.
std::optional<Installation> findInstallation(const Options& options, std::string& error);

/// findKernelCompiler() is a compiler that makes loops over threads faster than g++ does, or empty.
std::vector<std::string> findKernelCompiler();

/// findPasses() is the flags with which a compiler runs our own passes over kernels: for the
/// clang++ of the LLVM that cu2cpp was built with. Empty for all others.
std::vector<std::string> findPasses(const std::vector<std::string>& compiler);

/// keptHeaders() is the name, without its suffix, under which headersRead() finds what it uses.
std::string keptHeaders();

/// isTranslated() tells whether a C++ file was made by cu2cpp: it includes our headers by their
/// names near its start.
bool isTranslated(const std::string& path);

/// beginsWithHeaders() tells whether nothing but comments stands before its
/// `#include <cu2cpp/launch.h>`.
bool beginsWithHeaders(const std::string& path);

} // namespace cu2cpp::cu2cc

#endif
