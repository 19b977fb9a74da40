// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cooperative_groups::coalesced_threads in a branch: size, rank, shuffle and vote among the lanes that are there; one atomic per group.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

__device__ int aggregated(int* counter) {
  cg::coalesced_group active = cg::coalesced_threads();
  int base = 0;
  if (active.thread_rank() == 0)
    base = atomicAdd(counter, int(active.size()));
  base = active.shfl(base, 0);
  return base + active.thread_rank();
}

__global__ void k(int* counter, int* taken, int* sizes) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 3 == 0) {
    int slot = aggregated(counter);
    taken[slot] += 1;
    cg::coalesced_group g = cg::coalesced_threads();
    if (g.any(i == 33) && g.thread_rank() == 0)
      sizes[0] = g.size();
  }
  cg::grid_group* unused = nullptr;
  (void)unused;
}

int main() {
  const int n = 4 * 96;
  int *counter, *taken, *sizes;
  cudaMallocManaged(&counter, sizeof(int));
  cudaMallocManaged(&taken, n * sizeof(int));
  cudaMallocManaged(&sizes, sizeof(int));
  *counter = *sizes = 0;
  for (int i = 0; i < n; ++i)
    taken[i] = 0;
  k<<<4, 96>>>(counter, taken, sizes);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    wrong += taken[i] != (i < n / 3);
  printf("%d wrong %d size %d\n", *counter, wrong, *sizes);
  return wrong != 0;
}
