// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared arrays declared in the middle, in nested blocks, in branches and loops, some with the same name.
#include <cstdio>

__global__ void k(int* out, int mode) {
  const int t = threadIdx.x;
  int v = out[t];
  __shared__ int first[32];
  first[t] = v;
  __syncthreads();
  v += first[31 - t];
  if (mode) {
    __shared__ int tile[32];
    tile[t] = v;
    __syncthreads();
    v += tile[(t + 1) % 32];
  } else {
    __shared__ short tile[64];
    tile[t] = short(v);
    tile[t + 32] = 1;
    __syncthreads();
    v -= tile[63 - t] + tile[31 - t];
  }
  for (int i = 0; i < 3; ++i) {
    __shared__ int count, tile[32];
    if (t == 0)
      count = 0;
    __syncthreads();
    atomicAdd(&count, v & 1);
    tile[t] = v;
    __syncthreads();
    v += count + tile[t ^ 3];
    __syncthreads();
  }
  {
    extern __shared__ int rest[];
    rest[t] = v;
    __syncthreads();
    v += rest[(t + 5) % 32];
  }
  out[t] = v;
}

int main() {
  int* out;
  cudaMallocManaged(&out, 32 * sizeof(int));
  for (int mode : {0, 1}) {
    for (int i = 0; i < 32; ++i)
      out[i] = i * i % 13;
    k<<<1, 32, 32 * sizeof(int)>>>(out, mode);
    cudaDeviceSynchronize();
    printf("%d: %d %d %d\n", mode, out[0], out[13], out[31]);
  }
  return 0;
}
