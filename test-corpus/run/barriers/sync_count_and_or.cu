// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __syncthreads_count, _and and _or give every thread of the block the same combined value; threads that returned don't count.
#include <cstdio>

__global__ void k(int* out, int n) {
  int t = threadIdx.x + threadIdx.y * blockDim.x;
  int* row = out + blockIdx.x * 4;
  if (t >= n)
    return;
  int odd = __syncthreads_count(t % 2);
  int all = __syncthreads_and(t < n);
  int none = __syncthreads_or(t > 1000);
  int some = __syncthreads_or(t == n - 1 ? 8 : 0);
  if (t == n / 2) {
    row[0] = odd;
    row[1] = all != 0;
    row[2] = none != 0;
    row[3] = some != 0;
  }
}

int main() {
  int* out;
  cudaMallocManaged(&out, 8 * sizeof(int));
  for (int n : {1, 33, 160}) {
    k<<<2, dim3(16, 10)>>>(out, n);
    cudaDeviceSynchronize();
    printf("n %d: %d %d %d %d | %d\n", n, out[0], out[1], out[2], out[3], out[4]);
  }
  return 0;
}
