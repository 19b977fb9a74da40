// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names of kernels, for people.
#ifndef CU2CPP_EXEC_KERNEL_NAMES_H
#define CU2CPP_EXEC_KERNEL_NAMES_H

#include <string>

namespace cu2cpp::rt {

/// kernelName() is the name of the kernel at that address with its parameter types, "kernel" if it
/// has none. The first call reads the program's file.
std::string kernelName(const void* kernel);

} // namespace cu2cpp::rt

#endif
