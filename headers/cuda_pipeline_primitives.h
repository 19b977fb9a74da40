// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kept for programs that include it by name: see cuda_pipeline.h.
#include <cuda_pipeline.h>
