// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bulk copies within a cluster, a producer that fetches tiles ahead of its consumers, and special
// registers of cuda::ptx.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda/barrier>
#include <cuda/ptx>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
using barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void __cluster_dims__(2, 1, 1) exchange(int* out) {
  __shared__ alignas(16) int mine[64], other[64];
  __shared__ uint64_t bar;
  auto cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank();
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&bar, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar,
                                   sizeof(mine));
  }
  mine[threadIdx.x] = threadIdx.x + 1000 * rank;
  ptx::fence_proxy_async();
  cluster.sync();
  if (threadIdx.x == 0)
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_shared,
                       cluster.map_shared_rank(other, rank ^ 1), mine, sizeof(mine),
                       cluster.map_shared_rank(&bar, rank ^ 1));
  while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &bar, 0)) {
  }
  out[blockIdx.x * 64 + threadIdx.x] =
      other[threadIdx.x] + int(ptx::get_sreg_cluster_ctarank()) * 100000;
  cluster.sync();
}

__global__ void fetchAhead(const int* in, int* out, int tiles) {
  __shared__ alignas(128) int tile[2][128];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ barrier full[2], empty[2];
  if (threadIdx.x == 0)
    for (int b = 0; b < 2; ++b) {
      init(&full[b], 1);
      init(&empty[b], blockDim.x - 32);
      ptx::fence_proxy_async(ptx::space_shared);
    }
  __syncthreads();
  if (threadIdx.x < 32) {
    if (threadIdx.x == 0)
      for (int t = 0; t < tiles; ++t) {
        const int b = t % 2;
        if (t >= 2)
          empty[b].wait_parity((t / 2 - 1) % 2);
        cuda::device::memcpy_async_tx(tile[b], in + t * 128, cuda::aligned_size_t<16>(512),
                                      full[b]);
        (void)cuda::device::barrier_arrive_tx(full[b], 1, 512);
      }
  } else {
    int sum = 0;
    for (int t = 0; t < tiles; ++t) {
      const int b = t % 2;
      full[b].wait_parity((t / 2) % 2);
      sum += tile[b][threadIdx.x - 32] * (t + 1);
      (void)empty[b].arrive();
    }
    out[threadIdx.x - 32] = sum;
  }
}

__global__ void registers(unsigned* out) {
  const int i = threadIdx.x + blockDim.x * threadIdx.y;
  out[i] = ptx::get_sreg_tid_x() + 10 * ptx::get_sreg_tid_y() + 100 * ptx::get_sreg_laneid() +
           10000 * ptx::get_sreg_ntid_x() + 100000 * ptx::get_sreg_ctaid_x() +
           1000000 * ptx::get_sreg_nctaid_x();
  out[64 + i] = ptx::get_sreg_lanemask_lt() ^ ptx::get_sreg_lanemask_ge();
  out[128 + i] = ptx::get_sreg_lanemask_eq();
}

int main() {
  int *out, *in;
  cudaMallocManaged(&out, 4096);
  cudaMallocManaged(&in, 4096);
  exchange<<<2, 64>>>(out);
  printf("%s", cudaGetErrorString(cudaDeviceSynchronize()));
  printf(" %d %d %d %d\n", out[0], out[63], out[64], out[127]);
  for (int i = 0; i < 1024; ++i)
    in[i] = i;
  fetchAhead<<<1, 160>>>(in, out, 7);
  printf("%s", cudaGetErrorString(cudaDeviceSynchronize()));
  printf(" %d %d\n", out[0], out[127]);
  registers<<<1, dim3(8, 8)>>>(reinterpret_cast<unsigned*>(out));
  printf("%s", cudaGetErrorString(cudaDeviceSynchronize()));
  printf(" %d %d %x %x %x\n", out[0], out[63], out[64 + 31], out[127], out[128 + 37]);
  cudaFree(out);
  cudaFree(in);
}
