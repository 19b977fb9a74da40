// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clusters: places, cluster.sync(), static and dynamic distributed shared memory, arrive and wait.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

__global__ void histogram(int* bins, int binsPerBlock, const int* in, int n) {
  extern __shared__ int mine[];
  cg::cluster_group cluster = cg::this_cluster();
  const unsigned size = cluster.dim_blocks().x;
  for (int i = threadIdx.x; i < binsPerBlock; i += blockDim.x)
    mine[i] = 0;
  cluster.sync();
  const int tid = cg::this_grid().thread_rank();
  for (int i = tid; i < n; i += blockDim.x * gridDim.x) {
    int bin = in[i];
    bin = bin < 0 ? 0 : bin >= int(size) * binsPerBlock ? int(size) * binsPerBlock - 1 : bin;
    int* there = cluster.map_shared_rank(mine, bin / binsPerBlock);
    atomicAdd(there + bin % binsPerBlock, 1);
  }
  cluster.sync();
  int* out = bins + cluster.block_rank() * binsPerBlock;
  for (int i = threadIdx.x; i < binsPerBlock; i += blockDim.x)
    atomicAdd(&out[i], mine[i]);
}

__global__ void neighbours(int* out) {
  __shared__ int value[32];
  __shared__ double other;
  cg::cluster_group cluster = cg::this_cluster();
  value[threadIdx.x] = blockIdx.x * 100 + threadIdx.x;
  if (threadIdx.x == 0)
    other = blockIdx.x * 0.5;
  auto token = cluster.barrier_arrive();
  const unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
  cluster.barrier_wait(static_cast<decltype(token)&&>(token));
  const int* far = cluster.map_shared_rank(value, next);
  const double* farOther = cluster.map_shared_rank(&other, next);
  out[blockIdx.x * 32 + threadIdx.x] = far[31 - threadIdx.x] + int(*farOther * 2) * 10000 +
                                       int(cluster.query_shared_rank(far)) * 1000000;
  cluster.sync();
}

__global__ void places(unsigned* out) {
  cg::cluster_group cluster = cg::this_cluster();
  cg::grid_group grid = cg::this_grid();
  if (threadIdx.x == 0) {
    unsigned* o = out + 8 * grid.block_rank();
    o[0] = cluster.block_rank();
    o[1] = cluster.num_blocks();
    o[2] = cluster.block_index().x * 10 + cluster.block_index().y;
    o[3] = grid.cluster_index().x * 10 + grid.cluster_index().y;
    o[4] = grid.dim_clusters().x * 10 + grid.dim_clusters().y;
    o[5] = cluster.num_threads();
    o[6] = grid.cluster_rank();
    o[7] = cluster.thread_rank();
  }
}

template <class... P, class... A>
static cudaError_t launch(void (*kernel)(P...), dim3 grid, dim3 block, dim3 cluster, size_t shared, A... args) {
  cudaLaunchConfig_t config = {};
  config.gridDim = grid;
  config.blockDim = block;
  config.dynamicSmemBytes = shared;
  cudaLaunchAttribute attribute[1];
  attribute[0].id = cudaLaunchAttributeClusterDimension;
  attribute[0].val.clusterDim.x = cluster.x;
  attribute[0].val.clusterDim.y = cluster.y;
  attribute[0].val.clusterDim.z = cluster.z;
  config.attrs = attribute;
  config.numAttrs = 1;
  return cudaLaunchKernelEx(&config, kernel, args...);
}

int main() {
  const int n = 5000, bins = 64;
  int *in, *counts, *out;
  cudaMallocManaged(&in, n * sizeof *in);
  cudaMallocManaged(&counts, bins * sizeof *counts);
  cudaMallocManaged(&out, 256 * sizeof *out);
  for (int i = 0; i < n; ++i)
    in[i] = (i * i + 3 * i) % 70 - 3;
  cudaMemset(counts, 0, bins * sizeof *counts);
  cudaFuncSetAttribute(histogram, cudaFuncAttributeMaxDynamicSharedMemorySize, 16 * int(sizeof(int)));
  printf("%s\n", cudaGetErrorName(launch(histogram, 8, 64, 4, 16 * sizeof(int), counts, 16, (const int*)in, n)));
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  int total = 0;
  for (int i = 0; i < bins; ++i) {
    total += counts[i];
    printf("%d%c", counts[i], i % 16 == 15 ? '\n' : ' ');
  }
  printf("total %d\n", total);

  printf("%s\n", cudaGetErrorName(launch(neighbours, 8, 32, 2, 0, out)));
  cudaDeviceSynchronize();
  for (int i = 0; i < 256; i += 17)
    printf("%d ", out[i]);
  printf("\n");

  printf("%s\n", cudaGetErrorName(launch(places, dim3(4, 2), 64, dim3(2, 2), 0, (unsigned*)out)));
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; ++i)
    printf("%d%c", out[i], i % 8 == 7 ? '\n' : ' ');
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
