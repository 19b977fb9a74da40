// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel with compile-time cluster dimensions, launched with `<<<>>>`; shared memory declared with alignas.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) exchange(int* out) {
  __shared__ alignas(16) int mine[32];
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank();
  mine[threadIdx.x] = int(blockIdx.x) * 100 + threadIdx.x;
  cluster.sync();
  const int* other = cluster.map_shared_rank(mine, rank ^ 1);
  out[blockIdx.x * 32 + threadIdx.x] = other[31 - threadIdx.x] + int(cluster.num_blocks()) * 1000;
  cluster.sync();
}

__global__ void __cluster_dims__(4) sizes(int* out) {
  if (threadIdx.x == 0)
    out[blockIdx.x] = int(cg::this_cluster().num_blocks() * 10 + cg::this_cluster().block_rank());
}

int main() {
  int* out;
  cudaMallocManaged(&out, 4 * 32 * sizeof(int));
  exchange<<<4, 32>>>(out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  for (int b = 0; b < 4; ++b)
    printf("%d %d\n", out[b * 32], out[b * 32 + 31]);
  sizes<<<8, 32>>>(out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  for (int b = 0; b < 8; ++b)
    printf("%d ", out[b]);
  printf("\n");
  return 0;
}
