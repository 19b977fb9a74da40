// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kept for programs that include it by name: see cuda_bf16.h.
#include <cuda_bf16.h>
