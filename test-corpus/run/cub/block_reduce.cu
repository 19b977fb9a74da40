// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Totals of a block: of one item each, of arrays, of the first items only, with any functor.
#include <cstdio>

#include <cub/cub.cuh>

struct Larger {
  __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};

template <int THREADS, cub::BlockReduceAlgorithm ALGORITHM>
__global__ void totals(const int* in, int* out, int valid) {
  using BlockReduce = cub::BlockReduce<int, THREADS, ALGORITHM>;
  __shared__ typename BlockReduce::TempStorage temp_storage;
  const int mine = in[blockIdx.x * THREADS + threadIdx.x];
  const int sum = BlockReduce(temp_storage).Sum(mine);
  __syncthreads();
  const int largest = BlockReduce(temp_storage).Reduce(mine, Larger());
  __syncthreads();
  const int some = BlockReduce(temp_storage).Sum(mine, valid);
  __syncthreads();
  int several[3] = {mine, mine + 1, mine + 2};
  const int all = BlockReduce(temp_storage).Sum(several);
  if (threadIdx.x == 0) {
    out[blockIdx.x * 4] = sum;
    out[blockIdx.x * 4 + 1] = largest;
    out[blockIdx.x * 4 + 2] = some;
    out[blockIdx.x * 4 + 3] = all;
  }
}

// A reduction in a loop, and two-dimensional blocks.
__global__ void rows(const float* in, float* out, int columns) {
  typedef cub::BlockReduce<float, 16, cub::BLOCK_REDUCE_WARP_REDUCTIONS, 8> BlockReduce;
  __shared__ BlockReduce::TempStorage temp_storage;
  const int rank = threadIdx.y * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int start = 0; start < columns; start += 128) {
    const int column = start + rank;
    const float x = column < columns ? in[blockIdx.x * columns + column] : 0.0f;
    const float part = BlockReduce(temp_storage).Sum(x);
    if (rank == 0)
      sum += part;
    __syncthreads();
  }
  if (rank == 0)
    out[blockIdx.x] = sum;
}

template <int THREADS, cub::BlockReduceAlgorithm ALGORITHM> void run(const int* in, int* out) {
  totals<THREADS, ALGORITHM><<<2, THREADS>>>(in, out, THREADS / 2 + 3);
  cudaDeviceSynchronize();
  for (int b = 0; b < 2; ++b)
    printf("%d threads: sum %d, largest %d, of the first %d, of three each %d\n", THREADS,
           out[b * 4], out[b * 4 + 1], out[b * 4 + 2], out[b * 4 + 3]);
}

int main() {
  int *in, *out;
  float *values, *sums;
  cudaMallocManaged(&in, 2048 * sizeof(int));
  cudaMallocManaged(&out, 8 * sizeof(int));
  cudaMallocManaged(&values, 3 * 300 * sizeof(float));
  cudaMallocManaged(&sums, 3 * sizeof(float));
  for (int i = 0; i < 2048; ++i)
    in[i] = (i * 7919) % 1009 - 300;
  for (int i = 0; i < 900; ++i)
    values[i] = float(i % 37) * 0.25f;
  run<32, cub::BLOCK_REDUCE_WARP_REDUCTIONS>(in, out);
  run<64, cub::BLOCK_REDUCE_RAKING>(in, out);
  run<96, cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY>(in, out);
  run<256, cub::BLOCK_REDUCE_WARP_REDUCTIONS>(in, out);
  run<1024, cub::BLOCK_REDUCE_RAKING>(in, out);
  rows<<<3, dim3(16, 8)>>>(values, sums, 300);
  cudaDeviceSynchronize();
  printf("rows: %.2f %.2f %.2f\n", sums[0], sums[1], sums[2]);
  printf("PASS\n");
}
