// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kept for programs that include it by name: see cuda_fp16.h.
#include <cuda_fp16.h>
