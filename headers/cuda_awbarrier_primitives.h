// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kept for programs that include it by name: see cuda_awbarrier.h.
#include <cuda_awbarrier.h>
