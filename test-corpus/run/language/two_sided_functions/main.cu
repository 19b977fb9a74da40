// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that test __CUDA_ARCH__ run their device side in kernels and their host side on the host, wherever their
// qualifiers stand: at the function, in a macro of this file or of another, at an earlier declaration, at a lambda.
#include "sides.h"

#include <cstdio>

#define HERE __host__ __device__

__host__ __device__ int direct(int x) {
#ifdef __CUDA_ARCH__
  return x + 10;
#else
  return x + 20;
#endif
}

HERE int throughMacro(int x) {
#if !defined(__CUDA_ARCH__)
  return x + 200;
#else
  return x + 100;
#endif
}

// Behind a #define that names __device__ there is still a host function.
#define UNUSED_QUALIFIER __device__
int hostOnly() {
#ifdef __CUDA_ARCH__
  return 1;
#else
  return 2;
#endif
}

__host__ __device__ int declaredBefore(int x);
int declaredBefore(int x) {
#ifdef __CUDA_ARCH__
  return x + 1000;
#else
  return x + 2000;
#endif
}

DEVICE_ONLY int deviceOnly(int x) {
#if __CUDA_ARCH__ >= 700
  return x + 7;
#else
  return x;
#endif
}

BOTH int nested(int x) { return inHeader(x) + throughMacro(x); }

template <class F> __global__ void onDevice(int* out, F lambda) {
  const int values[] = {direct(0), throughMacro(0), declaredBefore(0), deviceOnly(0), inHeader(0), nested(0),
                        Scale{3}(5), int(Scale{2}(1.5)), lambda(4)};
  for (int i = 0; i < 9; ++i)
    out[i] = values[i];
}

int main() {
  int* out;
  cudaMallocManaged(&out, 9 * sizeof(int));
  auto lambda = [] __host__ __device__(int x) {
#ifdef __CUDA_ARCH__
    return x * 2;
#else
    return x * 3;
#endif
  };
  onDevice<<<1, 1>>>(out, lambda);
  cudaDeviceSynchronize();
  const int host[] = {direct(0), throughMacro(0), declaredBefore(0), hostOnly(), inHeader(0), nested(0),
                      Scale{3}(5), int(Scale{2}(1.5)), lambda(4)};
  const int wantDevice[] = {10, 100, 1000, 7, 1, 101, 15, 3, 8};
  const int wantHost[] = {20, 200, 2000, 2, 2, 202, -15, -3, 12};
  bool right = true;
  for (int i = 0; i < 9; ++i) {
    printf("%d device %d host %d\n", i, out[i], host[i]);
    right = right && out[i] == wantDevice[i] && host[i] == wantHost[i];
  }
  printf(right ? "PASS\n" : "FAIL\n");
  cudaFree(out);
  return 0;
}
