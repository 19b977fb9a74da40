// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In translations for compilers (as cu2cc makes them) host functions keep the arithmetic of nvcc's host compiler: no fused
// products, no vectors of mathematical functions.
// ARGS: --line-directives
#include <cmath>

// CHECK: static float wave(float x) { CU2CPP_HOST_ARITHMETIC return std::sin(x) * 2.0f + 1.0f; }
static float wave(float x) { return std::sin(x) * 2.0f + 1.0f; }
// CHECK: static int whole(int a, int b) { return a * b + 1; }
static int whole(int a, int b) { return a * b + 1; }
// CHECK: float both(float a, float b) { return a * b + 1; }
__host__ __device__ float both(float a, float b) { return a * b + 1; }
// CHECK: static double close(double x) { CU2CPP_HOST_ARITHMETIC return x * x + 1; }
static double close(double x) {return x * x + 1; }
// CHECK: T square(T x) { CU2CPP_HOST_ARITHMETIC return x * x + x; }
template <class T> T square(T x) { return x * x + x; }

// CHECK: void fill(float* a, int n) { CU2CPP_HOST_ARITHMETIC
void fill(float* a, int n) {
  // CHECK: CU2CPP_HOST_LOOP for (int i = 0; i < n; ++i)
  for (int i = 0; i < n; ++i)
    a[i] = sinf(i * 0.37f) * both(1, 2) + square(0.5f) + close(1);
  // CHECK: if (n > 4) CU2CPP_HOST_LOOP while (n-- > 0)
  if (n > 4) while (n-- > 0)
    a[n] += wave(n);
  // CHECK: for (int i = 0; i < whole(2, 3); ++i)
  for (int i = 0; i < whole(2, 3); ++i)
    a[i] *= 2;
  // CHECK: #pragma omp simd
  // CHECK: for (int i = 0; i < 4; ++i)
#pragma omp simd
  for (int i = 0; i < 4; ++i)
    a[i] = expf(a[i]);
}

__global__ void scale(float* a) {
  // CHECK: for (int i = 0; i < 4; ++i)
  for (int i = 0; i < 4; ++i)
    a[i] = sinf(a[i]) * 3 + 1;
}

void go(float* a) { scale<<<1, 32>>>(a); fill(a, 9); }
