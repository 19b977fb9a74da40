// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last warp of a block that is not a multiple of 32, and warps that cross rows of a 2-D block (linear thread id / 32).
#include <cstdio>

__global__ void k(int* out) {
  int id = threadIdx.x + threadIdx.y * blockDim.x;
  int count = blockDim.x * blockDim.y;
  int lane = id % 32, inWarp = min(32, count - id / 32 * 32);
  unsigned mask = inWarp == 32 ? 0xffffffffu : (1u << inWarp) - 1;
  int sum = id;
  for (int d = 16; d > 0; d /= 2) {
    int other = __shfl_down_sync(mask, sum, d);
    if (lane + d < inWarp)
      sum += other;
  }
  unsigned votes = __ballot_sync(mask, threadIdx.x == 0);
  int first = __shfl_sync(mask, id * 2, 0);
  if (lane == 0) {
    out[id / 32 * 3] = sum;
    out[id / 32 * 3 + 1] = int(votes);
    out[id / 32 * 3 + 2] = first;
  }
}

int main() {
  int* out;
  cudaMallocManaged(&out, 12 * sizeof(int));
  for (dim3 block : {dim3(7, 11), dim3(100, 1), dim3(3, 3), dim3(12, 8)}) {
    int warps = (block.x * block.y + 31) / 32;
    k<<<1, block>>>(out);
    cudaDeviceSynchronize();
    for (int w = 0; w < warps; ++w)
      printf("%ux%u warp %d: %d %08x %d\n", block.x, block.y, w, out[w * 3], unsigned(out[w * 3 + 1]),
             out[w * 3 + 2]);
  }
  return 0;
}
