// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Running totals over a block: of one item and of arrays, with aggregates, and from tile to tile
// with a callback.
#include <cstdio>

#include <cub/block/block_scan.cuh>

struct Larger {
  __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};

struct RunningTotal {
  int total;
  __device__ RunningTotal(int start) : total(start) {}
  __device__ int operator()(int aggregate) {
    const int before = total;
    total += aggregate;
    return before;
  }
};

template <int THREADS, cub::BlockScanAlgorithm ALGORITHM>
__global__ void scans(const int* in, int* out) {
  typedef cub::BlockScan<int, THREADS, ALGORITHM> BlockScan;
  __shared__ typename BlockScan::TempStorage temp_storage;
  const int t = threadIdx.x;
  const int mine = in[t];
  int exclusive, inclusive, aggregate, largest;
  BlockScan(temp_storage).ExclusiveSum(mine, exclusive);
  __syncthreads();
  BlockScan(temp_storage).InclusiveSum(mine, inclusive, aggregate);
  __syncthreads();
  BlockScan(temp_storage).ExclusiveScan(mine, largest, -1000, Larger());
  __syncthreads();
  int several[2] = {mine, -t};
  BlockScan(temp_storage).ExclusiveSum(several, several);
  __syncthreads();
  int upTo[2] = {mine, t};
  int most[2];
  BlockScan(temp_storage).InclusiveScan(upTo, most, Larger());
  out[t * 6] = exclusive;
  out[t * 6 + 1] = inclusive;
  out[t * 6 + 2] = aggregate;
  out[t * 6 + 3] = largest;
  out[t * 6 + 4] = several[0] * 3 + several[1];
  out[t * 6 + 5] = most[0] + most[1];
}

__global__ void tiles(const int* in, int* out, int n) {
  typedef cub::BlockScan<int, 64> BlockScan;
  __shared__ BlockScan::TempStorage temp_storage;
  RunningTotal running(100);
  for (int start = 0; start < n; start += 64) {
    int value = start + threadIdx.x < n ? in[start + threadIdx.x] : 0;
    BlockScan(temp_storage).ExclusiveSum(value, value, running);
    __syncthreads();
    if (start + threadIdx.x < n)
      out[start + threadIdx.x] = value;
  }
}

template <int THREADS, cub::BlockScanAlgorithm ALGORITHM> void run(const int* in, int* out) {
  scans<THREADS, ALGORITHM><<<1, THREADS>>>(in, out);
  cudaDeviceSynchronize();
  printf("%d threads:", THREADS);
  for (int k = 0; k < 6; ++k) {
    unsigned hash = 0;
    for (int t = 0; t < THREADS; ++t)
      hash = hash * 31 + unsigned(out[t * 6 + k]);
    printf(" %u (last %d)", hash, out[(THREADS - 1) * 6 + k]);
  }
  printf("\n");
}

int main() {
  int *in, *out;
  cudaMallocManaged(&in, 1024 * sizeof(int));
  cudaMallocManaged(&out, 6 * 1024 * sizeof(int));
  for (int i = 0; i < 1024; ++i)
    in[i] = (i * 7919) % 101 - 30;
  run<32, cub::BLOCK_SCAN_RAKING>(in, out);
  run<96, cub::BLOCK_SCAN_WARP_SCANS>(in, out);
  run<256, cub::BLOCK_SCAN_RAKING_MEMOIZE>(in, out);
  tiles<<<1, 64>>>(in, out, 300);
  cudaDeviceSynchronize();
  int expected = 100, wrong = 0;
  for (int i = 0; i < 300; ++i) {
    wrong += out[i] != expected;
    expected += in[i];
  }
  printf("tiles: last %d, %d wrong\n", out[299], wrong);
  printf("PASS\n");
}
