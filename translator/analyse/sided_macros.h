// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Macros to which a file gives a meaning for the device and one for the host. Only one is read
// here, the host's.
//
//   #ifdef __CUDA_ARCH__
//   #define IS_DEVICE 1
//   #else
//   #define IS_DEVICE 0
//   #endif
#pragma once

#include <set>
#include <string>

#include "llvm/ADT/StringRef.h"

namespace cu2cpp {

/// findSidedMacros() adds the names that directives under a test of __CUDA_ARCH__ define otherwise
/// in one branch than in another, or in one alone.
void findSidedMacros(llvm::StringRef text, std::set<std::string>& names);

/// sidedMacroIn() is the first of these names that a piece of text uses, or empty.
std::string sidedMacroIn(llvm::StringRef text, const std::set<std::string>& names);

} // namespace cu2cpp
