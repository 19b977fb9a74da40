// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Qualifiers in every order: __launch_bounds__, __restrict__, __noinline__, __forceinline__, __grid_constant__, static, extern "C".
#include <cstdio>

struct Big {
  int v[32];
};

extern "C" __global__ void cKernel(int* x) { x[0] += 1; }
extern "C" {
__global__ void cKernel2(int* x) { x[0] += 10; }
}
__global__ static void __launch_bounds__(64) bounded(int* __restrict__ x, const int* __restrict__ y) { x[threadIdx.x] += y[threadIdx.x]; }
void __global__ reversed(int* x) { x[2] = 7; }
template <int N> __launch_bounds__(N, 2) __global__ void both(int* x) { x[3] = N; }
__global__ void constant(const __grid_constant__ Big b, int* x) { x[4] = b.v[threadIdx.x] + b.v[31]; }
__noinline__ __device__ int slow(int x) { return x + blockDim.x; }
__device__ __forceinline__ int quick(int x) { return x * 2; }
static __device__ __inline__ int old(int x) { return x - 1; }
__device__ __host__ inline constexpr int both(int x) { return x + 5; }
__global__ void calls(int* x) {
  const volatile int v = 3;
  x[5] = slow(1) + quick(2) + old(v) + both(4) + __ldg(x + 2);
  __threadfence();
  __threadfence_block();
  __threadfence_system();
}

int main() {
  int* x;
  cudaMallocManaged(&x, 64 * sizeof(int));
  for (int i = 0; i < 64; ++i)
    x[i] = i;
  Big b{};
  b.v[0] = 5;
  b.v[31] = 600;
  cKernel<<<1, 1>>>(x);
  cKernel2<<<1, 1>>>(x);
  bounded<<<1, 64>>>(x, x + 0);
  reversed<<<1, 1>>>(x);
  both<128><<<1, 1>>>(x);
  constant<<<1, 1>>>(b, x);
  calls<<<1, 9>>>(x);
  cudaDeviceSynchronize();
  printf("%d %d %d %d %d %d %d\n", x[0], x[1], x[2], x[3], x[4], x[5], x[63]);
  return 0;
}
