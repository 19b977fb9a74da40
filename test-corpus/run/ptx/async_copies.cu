// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cp.async in inline PTX: a product of matrices whose next tiles are loaded while the current ones
// are used.
#include <cstdint>
#include <cstdio>

constexpr int tile = 16, n = 64;

__device__ __forceinline__ void copy16(void* to, const void* from) {
  const uint32_t address = (uint32_t)__cvta_generic_to_shared(to);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(address), "l"(from));
}
__device__ __forceinline__ void copy4(void* to, const void* from, bool valid) {
  const uint32_t address = (uint32_t)__cvta_generic_to_shared(to);
  asm volatile("cp.async.ca.shared.global.L2::128B [%0], [%1], %2, %3;\n" ::"r"(address), "l"(from), "n"(4),
               "r"(valid ? 4 : 0));
}
#define CP_ASYNC_COMMIT() asm volatile("cp.async.commit_group;\n" ::)
template <int pending> __device__ void waitFor() {
  asm volatile("cp.async.wait_group %0;\n" ::"n"(pending) : "memory");
}

__global__ void product(float* c, const float* a, const float* b) {
  __shared__ alignas(16) float as[2][tile][tile];
  __shared__ alignas(16) float bs[2][tile][tile];
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * tile, column = blockIdx.x * tile;
  const int thread = y * tile + x;
  const auto load = [&](int stage, int k) {
    if (thread < 64)
      copy16(&as[stage][thread / 4][thread % 4 * 4], a + (row + thread / 4) * n + k + thread % 4 * 4);
    copy4(&bs[stage][y][x], b + (k + y) * n + column + x, (x + y) % 7 != 0);
    CP_ASYNC_COMMIT();
  };
  load(0, 0);
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    const int stage = k / tile % 2;
    if (k + tile < n) {
      load(stage ^ 1, k + tile);
      waitFor<1>();
    } else {
      asm volatile("cp.async.wait_all;" ::: "memory");
    }
    __syncthreads();
    for (int i = 0; i < tile; ++i)
      sum += as[stage][y][i] * bs[stage][i][x];
    __syncthreads();
  }
  c[(row + y) * n + column + x] = sum;
}

int main() {
  float *a, *b, *c;
  cudaMallocManaged(&a, n * n * sizeof(float));
  cudaMallocManaged(&b, n * n * sizeof(float));
  cudaMallocManaged(&c, n * n * sizeof(float));
  for (int i = 0; i < n * n; ++i) {
    a[i] = float(i * 7 % 13) - 6;
    b[i] = float(i * 5 % 11) - 5;
  }
  product<<<dim3(n / tile, n / tile), dim3(tile, tile)>>>(c, a, b);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  double sum = 0;
  for (int i = 0; i < n * n; ++i)
    sum += double(c[i]) * (i % 97);
  printf("%.1f %g %g %g\n", sum, c[0], c[1000], c[n * n - 1]);
  return 0;
}
