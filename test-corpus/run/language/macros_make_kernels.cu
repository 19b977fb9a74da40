// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Macros that make whole kernels, their launches, index expressions and argument checks.
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                                \
  do {                                                                                             \
    cudaError_t e_ = (call);                                                                       \
    if (e_ != cudaSuccess) {                                                                       \
      printf("%s failed: %s\n", #call, cudaGetErrorName(e_));                                      \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

#define GLOBAL_ID (blockIdx.x * blockDim.x + threadIdx.x)
#define KERNEL_LOOP(i, n) for (int i = GLOBAL_ID; i < (n); i += blockDim.x * gridDim.x)
#define BINARY_KERNEL(name, op)                                                                    \
  __global__ void name(const int* a, const int* b, int* c, int n) {                                \
    KERNEL_LOOP(i, n) { c[i] = a[i] op b[i]; }                                                     \
  }
#define GRID(n) ((n) + 63) / 64

BINARY_KERNEL(plus, +)
BINARY_KERNEL(minus, -)
BINARY_KERNEL(bits, &)

#define RUN(name)                                                                                  \
  name<<<GRID(n), 64>>>(a, b, c, n);                                                               \
  CHECK(cudaGetLastError());                                                                       \
  CHECK(cudaDeviceSynchronize());                                                                  \
  printf(#name " %d %d\n", c[1], c[n - 1])

int main() {
  const int n = 200;
  int *a, *b, *c;
  CHECK(cudaMallocManaged(&a, n * sizeof(int)));
  CHECK(cudaMallocManaged(&b, n * sizeof(int)));
  CHECK(cudaMallocManaged(&c, n * sizeof(int)));
  for (int i = 0; i < n; ++i)
    a[i] = i * 5, b[i] = 300 - i;
  RUN(plus);
  RUN(minus);
  RUN(bits);
  CHECK(cudaMemset(nullptr, 0, 0) == cudaSuccess ? cudaSuccess : cudaGetLastError());
  return 0;
}
