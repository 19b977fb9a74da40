// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Totals and running totals of warps and of groups of 8 lanes, with segments, in blocks of several
// warps.
#include <cstdio>

#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>

struct Larger {
  __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};

constexpr int threads = 128;

__global__ void reductions(const int* in, int* out) {
  typedef cub::WarpReduce<int> WarpReduce;
  typedef cub::WarpReduce<int, 8> GroupReduce;
  __shared__ WarpReduce::TempStorage warpStorage[threads / 32];
  __shared__ GroupReduce::TempStorage groupStorage[threads / 8];
  const int t = threadIdx.x, warp = t / 32, group = t / 8;
  const int mine = in[t];
  const int sum = WarpReduce(warpStorage[warp]).Sum(mine);
  const int largest = GroupReduce(groupStorage[group]).Reduce(mine, Larger());
  const int some = WarpReduce(warpStorage[warp]).Sum(mine, 20);
  const int segment = WarpReduce(warpStorage[warp]).HeadSegmentedSum(mine, t % 5 == 0);
  out[t] = 0;
  if (t % 32 == 0)
    out[t] += sum + some;
  if (t % 8 == 0)
    out[t] += 7 * largest;
  if (t % 5 == 0)
    out[t] += 100000 * segment;
}

__global__ void scans(const int* in, int* out) {
  typedef cub::WarpScan<int> WarpScan;
  typedef cub::WarpScan<int, 16> GroupScan;
  __shared__ WarpScan::TempStorage warpStorage[threads / 32];
  __shared__ GroupScan::TempStorage groupStorage[threads / 16];
  const int t = threadIdx.x, warp = t / 32, group = t / 16;
  const int mine = in[t];
  int inclusive, exclusive, aggregate, largest;
  WarpScan(warpStorage[warp]).InclusiveSum(mine, inclusive, aggregate);
  GroupScan(groupStorage[group]).ExclusiveSum(mine, exclusive);
  WarpScan(warpStorage[warp]).InclusiveScan(mine, largest, Larger());
  const int third = WarpScan(warpStorage[warp]).Broadcast(mine, 3);
  out[t] = inclusive + 3 * exclusive + 5 * aggregate + 7 * largest + 11 * third;
}

// Only some warps take part.
__global__ void someWarps(const int* in, int* out) {
  typedef cub::WarpReduce<int> WarpReduce;
  __shared__ WarpReduce::TempStorage storage[threads / 32];
  const int t = threadIdx.x, warp = t / 32;
  if (warp % 2 == 1) {
    const int sum = WarpReduce(storage[warp]).Sum(in[t]);
    if (t % 32 == 0)
      out[warp] = sum;
  }
}

int main() {
  int *in, *out;
  cudaMallocManaged(&in, threads * sizeof(int));
  cudaMallocManaged(&out, threads * sizeof(int));
  for (int i = 0; i < threads; ++i)
    in[i] = (i * 37) % 101 - 40;
  reductions<<<1, threads>>>(in, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < threads; ++i)
    if (out[i])
      printf(" %d", out[i]);
  printf("\n");
  scans<<<1, threads>>>(in, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < threads; ++i)
    printf(" %d", out[i]);
  printf("\n");
  someWarps<<<1, threads>>>(in, out);
  cudaDeviceSynchronize();
  printf("%d %d\n", out[1], out[3]);
  printf("PASS\n");
}
