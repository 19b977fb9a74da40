// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kept for programs that include it by name: see curand_kernel.h.
#include <curand_kernel.h>
