// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __syncwarp orders shared memory between lanes of a warp: a reduction tree per warp without block barriers.
#include <cstdio>

__global__ void k(int* out) {
  __shared__ int s[4][64];
  int lane = threadIdx.x, w = threadIdx.y;
  int* mine = s[w];
  mine[lane] = lane * (w + 1) + blockIdx.x;
  mine[lane + 32] = lane;
  __syncwarp();
  for (int d = 32; d > 0; d /= 2) {
    int v = lane < d ? mine[lane + d] : 0;
    __syncwarp();
    if (lane < d)
      mine[lane] += v;
    __syncwarp();
  }
  if (lane == 0)
    out[blockIdx.x * 4 + w] = mine[0];
}

int main() {
  int* out;
  cudaMallocManaged(&out, 12 * sizeof(int));
  k<<<3, dim3(32, 4)>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 12; ++i)
    printf("%d ", out[i]);
  printf("\n");
  return 0;
}
