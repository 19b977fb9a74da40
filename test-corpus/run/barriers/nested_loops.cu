// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers in two nested loops with different uniform bounds; values of both loop levels live across them.
#include <cstdio>

__global__ void walk(int* out, int outer, int inner) {
  __shared__ int ring[64];
  int t = threadIdx.x, n = blockDim.x;
  int carried = t;
  ring[t] = t * t;
  __syncthreads();
  for (int i = 0; i < outer; ++i) {
    int rowSum = i;
    for (int j = i; j < inner; j += 2) {
      int next = ring[(t + j + 1) % n];
      __syncthreads();
      ring[t] = (next * 3 + carried + j) & 0xffff;
      rowSum += ring[t];
      __syncthreads();
    }
    carried = (carried + rowSum) & 0xffff;
  }
  out[blockIdx.x * n + t] = carried;
}

int main() {
  int* out;
  cudaMallocManaged(&out, 3 * 50 * sizeof(int));
  walk<<<3, 50>>>(out, 5, 8);
  cudaDeviceSynchronize();
  unsigned hash = 0;
  for (int i = 0; i < 150; ++i)
    hash = hash * 31 + out[i];
  printf("%d %d %d hash %u\n", out[0], out[49], out[149], hash);
  return 0;
}
