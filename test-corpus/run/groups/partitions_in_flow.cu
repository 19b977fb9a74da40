// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Groups made in divergent flow: coalesced groups in branches, labelled and binary partitions, warp-aggregated
// atomics, histograms by match_any, groups passed through templates, early exits.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
namespace cg = cooperative_groups;

__device__ int aggregatedAdd(int* counter) {
  auto g = cg::coalesced_threads();
  int before = 0;
  if (g.thread_rank() == 0)
    before = atomicAdd(counter, int(g.size()));
  return g.shfl(before, 0) + int(g.thread_rank());
}

__global__ void compact(const int* in, int* out, int* count, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if (in[i] % 3 == 0) {
    const int at = aggregatedAdd(count);
    out[at] = in[i];
  }
}

__global__ void histogram(const unsigned char* in, int n, int* bins) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const unsigned active = __activemask();
    const unsigned same = __match_any_sync(active, int(in[i]));
    if (__ffs(same) - 1 == int(threadIdx.x % 32))
      atomicAdd(&bins[in[i]], __popc(same));
  }
}

template <class Group> __device__ int sumAll(const Group& g, int v) { return cg::reduce(g, v, cg::plus<int>()); }
template <class Group> __device__ void inOrder(const Group& g, int* out, int v) {
  for (unsigned r = 0; r < g.num_threads(); ++r) {
    if (g.thread_rank() == r)
      *out = *out * 3 + v;
    g.sync();
  }
}

__global__ void partitions(int* out, int* chain) {
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  const int t = block.thread_rank();
  auto byLabel = cg::labeled_partition(warp, t % 5);
  auto byBit = cg::binary_partition(warp, (t * 7) % 3 == 0);
  int v = sumAll(byLabel, t) * 10000 + sumAll(byBit, 1) * 100 + int(byLabel.meta_group_rank()) * 10 +
          int(byBit.meta_group_size());
  if (t % 4 == 1) {
    auto some = cg::coalesced_threads();
    v += cg::exclusive_scan(some, t) + some.any(t == 33) * 7 + int(some.ballot(t > 40));
    auto parts = cg::labeled_partition(some, t / 8 % 2);
    v += sumAll(parts, 1) * 1000000;
    if (warp.meta_group_rank() == 1)
      inOrder(some, chain, t);
  } else if (t % 4 == 2) {
    auto some = cg::coalesced_threads();
    v -= some.shfl_up(t, 1) + some.shfl_down(t, 2) + int(some.size());
  }
  out[t] = v;
}

int main() {
  const int n = 1000;
  int *in, *out, *count, *bins;
  unsigned char* bytes;
  cudaMallocManaged(&in, n * sizeof *in);
  cudaMallocManaged(&out, n * sizeof *out);
  cudaMallocManaged(&count, 2 * sizeof *count);
  cudaMallocManaged(&bins, 256 * sizeof *bins);
  cudaMallocManaged(&bytes, n);
  for (int i = 0; i < n; ++i) {
    in[i] = (i * 37) % 401;
    bytes[i] = (unsigned char)((i * i) % 23);
  }
  count[0] = count[1] = 0;
  compact<<<(n + 127) / 128, 128>>>(in, out, count, n);
  cudaDeviceSynchronize();
  long long sum = 0;
  for (int i = 0; i < count[0]; ++i)
    sum += out[i] * 3ll + 1;
  printf("compact %d %lld\n", count[0], sum);
  cudaMemset(bins, 0, 256 * sizeof *bins);
  histogram<<<3, 96>>>(bytes, n, bins);
  cudaDeviceSynchronize();
  for (int i = 0; i < 23; ++i)
    printf("%d ", bins[i]);
  printf("\n");
  partitions<<<1, 64>>>(out, count + 1);
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; ++i)
    printf("%d%c", out[i], i % 8 == 7 ? '\n' : ' ');
  printf("%d\n", count[1]);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  return 0;
}
