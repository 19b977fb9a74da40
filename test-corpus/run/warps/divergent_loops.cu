// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops whose trip count differs between lanes, with ballots under the mask of the lanes that go on.
#include <cstdio>

__global__ void k(int* out, const int* work) {
  int lane = threadIdx.x;
  int left = work[lane];
  unsigned active = __ballot_sync(0xffffffffu, left > 0);
  int rounds = 0, company = 0;
  while (left > 0) {
    --left;
    ++rounds;
    company += __popc(active);
    int leader = __ffs(active) - 1;
    int fromLeader = __shfl_sync(active, rounds * 100 + lane, leader);
    company += fromLeader % 100;
    active = __ballot_sync(active, left > 0);
  }
  __syncwarp();
  int most = __reduce_max_sync(0xffffffffu, rounds);
  out[lane] = company * 100 + most;
}

int main() {
  int *out, *work;
  cudaMallocManaged(&out, 32 * sizeof(int));
  cudaMallocManaged(&work, 32 * sizeof(int));
  for (int i = 0; i < 32; ++i)
    work[i] = (i * 7) % 12;
  k<<<1, 32>>>(out, work);
  cudaDeviceSynchronize();
  for (int i = 0; i < 32; ++i)
    printf("%d%c", out[i], i % 8 == 7 ? '\n' : ' ');
  return 0;
}
