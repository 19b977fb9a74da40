// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A __host__ __device__ function that tests __CUDA_ARCH__ keeps both sides; where its qualifiers stand in a macro of
// another file it is marked, because only the host's side is left.
// WARNINGS: g++ finds that __builtin_is_constant_evaluated() is false here
// EXIT: 1
#include "two_sided_function.h"

// CHECK: int side() { if (!__builtin_is_constant_evaluated() && cu2cpp::onDevice()) {
__host__ __device__ int side() {
#ifdef __CUDA_ARCH__
  return 1;
#else
  return 2;
#endif
}

// DIAG: CU1008 @+1
BOTH int hidden() {
#ifdef __CUDA_ARCH__
  return 1;
#else
  return 2;
#endif
}

int host() { return side(); }
