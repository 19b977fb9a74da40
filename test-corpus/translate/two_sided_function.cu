// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A __host__ __device__ function that tests __CUDA_ARCH__ keeps both sides, also where its qualifiers stand in a macro or
// at another declaration. Beside the body there is one side only, which is marked.
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

// CHECK: BOTH int behindMacro() { if (!__builtin_is_constant_evaluated() && cu2cpp::onDevice()) {
BOTH int behindMacro() {
#ifdef __CUDA_ARCH__
  return 1;
#else
  return 2;
#endif
}

// CHECK: int declaredBefore() { if (!__builtin_is_constant_evaluated() && cu2cpp::onDevice()) {
int declaredBefore() {
#ifdef __CUDA_ARCH__
  return 1;
#else
  return 2;
#endif
}

#define DEVICE __device__
// CHECK: int plain() {
int plain() {
#ifdef __CUDA_ARCH__
  return 1;
#else
  return 2;
#endif
}

struct S {
  int side;
  // DIAG: CU1008 @+1
  BOTH S()
      : side(
#ifdef __CUDA_ARCH__
            1
#else
            2
#endif
        ) {
  }
};

// Macros have one side; of those that mean the same on both, or are the device's everywhere, nothing is said.
#ifdef __CUDA_ARCH__
#define SIDE 1
#define BOTH_SIDES 7
#else
#define SIDE 2
#define BOTH_SIDES 7
#endif
#if __CUDA_ARCH__ >= 600
#define RECENT 1
#endif
// DIAG: CU1015 @+1
BOTH int bySide() {
#if SIDE == 1
  return 1;
#else
  return 2;
#endif
}
BOTH int alike() {
#ifdef RECENT
  return BOTH_SIDES;
#else
  return 0;
#endif
}

int host() { return side() + plain(); }
