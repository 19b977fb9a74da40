// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lambdas that are called between barriers and have loops of their own, with counters of one name.
#include <cstdio>

__global__ void pipeline(const int* in, int* out, int tiles) {
  __shared__ int a[2][64], b[2][32];
  const int t = threadIdx.x;
  int sum = 0;
  auto load = [&](int stage, int tile) {
    for (int i = t; i < 64; i += blockDim.x)
      a[stage][i] = in[tile * 64 + i];
    for (int i = t; i < 32; i += blockDim.x)
      b[stage][i] = in[tile * 64 + 2 * i] * 3;
    for (int i = 0, k = 1; i < 2; ++i)
      k *= 2;
  };
  load(0, 0);
  for (int tile = 0, stage = 0; tile < tiles; ++tile, stage ^= 1) {
    __syncthreads();
    if (tile + 1 < tiles)
      load(stage ^ 1, tile + 1);
    for (int i = 0; i < 4; ++i)
      sum = sum * 3 + a[stage][(t * 5 + i) % 64] + b[stage][(t + i) % 32];
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + t] = sum;
}

int main() {
  int *in, *out;
  cudaMallocManaged(&in, 64 * 9 * sizeof *in);
  cudaMallocManaged(&out, 80 * sizeof *out);
  for (int i = 0; i < 64 * 9; ++i)
    in[i] = i * 29 % 113;
  pipeline<<<2, 40>>>(in, out, 9);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  for (int i = 0; i < 80; i += 7)
    printf("%d ", out[i]);
  printf("\n");
}
