// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Items move between the threads of a block and are compared with their neighbours: exchange,
// shuffle, discontinuity, differences, histogram, merge sort.
#include <cstdio>

#include <cub/cub.cuh>
#include <cub/block/block_shuffle.cuh>

constexpr int threads = 128, items = 3, size = threads * items;

struct Differ {
  __device__ bool operator()(int a, int b) const { return a / 10 != b / 10; }
};
struct Minus {
  __device__ int operator()(int a, int b) const { return a - b; }
};
struct Greater {
  __device__ bool operator()(int a, int b) const { return b < a; }
};

__global__ void exchange(const int* in, int* out) {
  typedef cub::BlockExchange<int, threads, items> BlockExchange;
  __shared__ BlockExchange::TempStorage temp_storage;
  int mine[items], ranks[items];
  cub::LoadDirectStriped<threads>(threadIdx.x, in, mine);
  BlockExchange(temp_storage).StripedToBlocked(mine, mine);
  cub::StoreDirectBlocked(threadIdx.x, out, mine);
  __syncthreads();
  int warps[items];
  BlockExchange(temp_storage).BlockedToWarpStriped(mine, warps);
  cub::StoreDirectBlocked(threadIdx.x, out + size, warps);
  __syncthreads();
  for (int i = 0; i < items; ++i)
    ranks[i] = size - 1 - (threadIdx.x * items + i);
  BlockExchange(temp_storage).ScatterToBlocked(mine, ranks);
  cub::StoreDirectBlocked(threadIdx.x, out + 2 * size, mine);
}

__global__ void neighbours(const int* in, int* out) {
  typedef cub::BlockDiscontinuity<int, threads> BlockDiscontinuity;
  typedef cub::BlockAdjacentDifference<int, threads> BlockAdjacentDifference;
  typedef cub::BlockShuffle<int, threads> Shuffle;
  __shared__ BlockDiscontinuity::TempStorage flagStorage;
  __shared__ BlockAdjacentDifference::TempStorage differenceStorage;
  __shared__ Shuffle::TempStorage shuffleStorage;
  int mine[items], heads[items], tails[items], left[items], up[items];
  cub::LoadDirectBlocked(threadIdx.x, in, mine);
  BlockDiscontinuity(flagStorage).FlagHeadsAndTails(heads, tails, mine, Differ());
  BlockAdjacentDifference(differenceStorage).SubtractLeft(mine, left, Minus());
  up[0] = -1;
  Shuffle(shuffleStorage).Up(mine, up);
  for (int i = 0; i < items; ++i)
    out[threadIdx.x * items + i] = heads[i] + 2 * tails[i] + 4 * left[i] + 1000 * up[i];
}

__global__ void countAndSort(const int* in, unsigned* histogram, int* sorted) {
  typedef cub::BlockHistogram<unsigned char, threads, items, 16> BlockHistogram;
  typedef cub::BlockMergeSort<int, threads, items> BlockMergeSort;
  __shared__ BlockHistogram::TempStorage histogramStorage;
  __shared__ BlockMergeSort::TempStorage sortStorage;
  __shared__ unsigned bins[16];
  int mine[items];
  unsigned char samples[items];
  cub::LoadDirectBlocked(threadIdx.x, in, mine);
  for (int i = 0; i < items; ++i)
    samples[i] = mine[i] & 15;
  BlockHistogram(histogramStorage).Histogram(samples, bins);
  __syncthreads();
  if (threadIdx.x < 16)
    histogram[threadIdx.x] = bins[threadIdx.x];
  BlockMergeSort(sortStorage).Sort(mine, Greater());
  cub::StoreDirectBlocked(threadIdx.x, sorted, mine);
}

unsigned hashOf(const int* values, int n) {
  unsigned hash = 0;
  for (int i = 0; i < n; ++i)
    hash = hash * 31 + unsigned(values[i]);
  return hash;
}

int main() {
  int *in, *out;
  unsigned* histogram;
  cudaMallocManaged(&in, size * sizeof(int));
  cudaMallocManaged(&out, 3 * size * sizeof(int));
  cudaMallocManaged(&histogram, 16 * sizeof(unsigned));
  for (int i = 0; i < size; ++i)
    in[i] = i * i % 101;
  exchange<<<1, threads>>>(in, out);
  cudaDeviceSynchronize();
  printf("exchange: %u %u %u\n", hashOf(out, size), hashOf(out + size, size),
         hashOf(out + 2 * size, size));
  neighbours<<<1, threads>>>(in, out);
  cudaDeviceSynchronize();
  printf("neighbours: %u, first %d, last %d\n", hashOf(out, size), out[0], out[size - 1]);
  countAndSort<<<1, threads>>>(in, histogram, out);
  cudaDeviceSynchronize();
  printf("histogram:");
  for (int b = 0; b < 16; ++b)
    printf(" %u", histogram[b]);
  printf("\nsorted: %u, first %d, last %d\n", hashOf(out, size), out[0], out[size - 1]);
  printf("PASS\n");
}
