// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cluster that a kernel asks for with __cluster_dims__: what launches may say about it, which are refused, and what the
// runtime tells about the kernel. A refused launch spoils nothing.
#include <cstdio>

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ void note(int* out) {
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0)
    atomicAdd(out, 1000 * cluster.dim_blocks().x + 100 * cluster.dim_blocks().y + cluster.block_rank());
}

__global__ void __cluster_dims__(4) four(int* out) { note(out); }
__global__ void __cluster_dims__(2, 2, 1) square(int* out) { note(out); }
template <int Width> __global__ void __cluster_dims__(Width) wide(int* out) { note(out); }
__global__ void __cluster_dims__(16) sixteen(int* out) { note(out); }
__global__ void anyCluster(int* out) { note(out); }

static int* out;

static void after(const char* what, cudaError_t error) {
  const cudaError_t last = cudaGetLastError(), waited = cudaDeviceSynchronize();
  printf("%s: %s %s %s %d\n", what, cudaGetErrorName(error), cudaGetErrorName(last), cudaGetErrorName(waited), *out);
  *out = 0;
}

template <class Kernel> static void byConfig(const char* what, Kernel kernel, dim3 grid, dim3 cluster) {
  cudaLaunchConfig_t config = {};
  config.gridDim = grid;
  config.blockDim = 32;
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = cluster.x;
  attribute.val.clusterDim.y = cluster.y;
  attribute.val.clusterDim.z = cluster.z;
  config.attrs = &attribute;
  config.numAttrs = cluster.x ? 1 : 0;
  after(what, cudaLaunchKernelEx(&config, kernel, out));
}

template <class Kernel> static void about(const char* what, Kernel kernel) {
  cudaFuncAttributes known = {};
  const cudaError_t error = cudaFuncGetAttributes(&known, kernel);
  printf("%s: %s must be set %d, %d x %d x %d, large %d\n", what, cudaGetErrorName(error), known.clusterDimMustBeSet,
         known.requiredClusterWidth, known.requiredClusterHeight, known.requiredClusterDepth,
         known.nonPortableClusterSizeAllowed);
}

int main() {
  cudaMallocManaged(&out, sizeof(int));
  *out = 0;
  four<<<8, 32>>>(out);
  after("four, 8 blocks", cudaSuccess);
  four<<<6, 32>>>(out);
  after("four, 6 blocks", cudaSuccess);
  four<<<4, 32>>>(out);
  after("four, 4 blocks", cudaSuccess);
  square<<<dim3(4, 2), 32>>>(out);
  after("square, 4 x 2", cudaSuccess);
  square<<<dim3(4, 3), 32>>>(out);
  after("square, 4 x 3", cudaSuccess);
  wide<2><<<6, 32>>>(out);
  after("wide<2>, 6 blocks", cudaSuccess);
  wide<4><<<6, 32>>>(out);
  after("wide<4>, 6 blocks", cudaSuccess);
  sixteen<<<16, 32>>>(out);
  after("sixteen", cudaSuccess);
  void* arguments[] = {&out};
  after("four by address, 8 blocks", cudaLaunchKernel(reinterpret_cast<const void*>(four), 8, 32, arguments, 0, nullptr));
  after("four by address, 6 blocks", cudaLaunchKernel(reinterpret_cast<const void*>(four), 6, 32, arguments, 0, nullptr));
  byConfig("four by config", four, 8, 0);
  byConfig("four by config, 7 blocks", four, 7, 0);
  byConfig("four, 4 asked", four, 8, 4);
  byConfig("four, 2 asked", four, 8, 2);
  byConfig("any, 2 asked", anyCluster, 8, 2);
  byConfig("any, 3 asked", anyCluster, 8, 3);
  byConfig("any, none asked", anyCluster, 8, 0);
  byConfig("any, 16 asked", anyCluster, 16, 16);
  about("four", four);
  about("square", square);
  about("wide<2>", wide<2>);
  about("any", anyCluster);
  cudaFuncSetAttribute(sixteen, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  about("sixteen", sixteen);
  sixteen<<<15, 32>>>(out);
  after("sixteen, 15 blocks", cudaSuccess);
  cudaFree(out);
}
