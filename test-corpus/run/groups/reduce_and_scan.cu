// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// reduce and scans over tiles and coalesced groups, floating-point sums in the GPU's order, updates of atomics,
// partitions, memcpy-free helpers of groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
#include <cuda/atomic>
namespace cg = cooperative_groups;

__device__ float number(int i) { return 1.0f / (i + 1) + 1e4f * ((i * 7) % 5); }

template <int size> __global__ void floats(float* out) {
  auto tile = cg::tiled_partition<size>(cg::this_thread_block());
  const float x = number(threadIdx.x);
  const float sum = cg::reduce(tile, x, cg::plus<float>());
  const float scan = cg::inclusive_scan(tile, x, cg::plus<float>());
  const float least = cg::reduce(tile, x, cg::less<float>());
  out[3 * threadIdx.x] = sum;
  out[3 * threadIdx.x + 1] = scan;
  out[3 * threadIdx.x + 2] = least + cg::exclusive_scan(tile, 1.5f * threadIdx.x);
}

__global__ void integers(int* out, int* total) {
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  const int i = threadIdx.x;
  out[i] = cg::reduce(warp, i * i % 17, cg::greater<int>()) + cg::reduce(warp, 1 << (i % 20), cg::bit_or<int>());
  if (i % 3 == 0) {
    auto group = cg::coalesced_threads();
    out[i] += cg::reduce(group, i, cg::plus<int>()) * 10 + cg::exclusive_scan(group, 2, cg::plus<int>());
    out[i] += group.meta_group_rank() + group.num_threads() * 1000;
  }
  auto parts = cg::labeled_partition(warp, i % 4);
  out[i] += cg::reduce(parts, 1, cg::plus<int>()) * 100000 + parts.thread_rank() * 1000000;
  auto odd = cg::binary_partition(warp, i % 5 == 0);
  out[i] += odd.num_threads() * 7 + odd.thread_rank();
  cuda::atomic_ref<int, cuda::thread_scope_device> place(*total);
  cg::reduce_update_async(warp, place, i, cg::plus<int>());
  const int before = cg::exclusive_scan_update(warp, place, 1, cg::plus<int>());
  atomicMax(total + 1, before);
  cg::invoke_one(warp, [&] { atomicAdd(total + 2, 1); });
  const int everyone = cg::invoke_one_broadcast(warp, [&] { return int(warp.meta_group_rank()) + 5; });
  atomicAdd(total + 3, everyone);
}

int main() {
  float* f;
  int *out, *total;
  cudaMallocManaged(&f, 3 * 64 * sizeof *f);
  cudaMallocManaged(&out, 64 * sizeof *out);
  cudaMallocManaged(&total, 4 * sizeof *total);
  for (int k = 0; k < 3; ++k) {
    if (k == 0)
      floats<32><<<1, 64>>>(f);
    else if (k == 1)
      floats<8><<<1, 64>>>(f);
    else
      floats<2><<<1, 64>>>(f);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; i += 13)
      printf("%.9g %.9g %.9g  ", f[3 * i], f[3 * i + 1], f[3 * i + 2]);
    printf("\n");
  }
  for (int i = 0; i < 4; ++i)
    total[i] = 0;
  integers<<<1, 64>>>(out, total);
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; ++i)
    printf("%d%c", out[i], i % 8 == 7 ? '\n' : ' ');
  printf("%d %d %d %d\n", total[0], total[1] >= 31, total[2], total[3]);
}
