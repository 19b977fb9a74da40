// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kept for programs that include it by name: cuda_runtime.h declares everything.
#include <cuda_runtime.h>
