// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuda::barrier: arrive and wait apart, arrive_and_wait, drop, producers and consumers, asynchronous copies.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda/barrier>
namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void splitPhases(const int* in, int* out, int rounds) {
  __shared__ barrier bar;
  __shared__ int part[64];
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0)
    init(&bar, block.size());
  block.sync();
  int sum = 0;
  for (int r = 0; r < rounds; ++r) {
    part[threadIdx.x] = in[threadIdx.x] + r;
    barrier::arrival_token token = bar.arrive();
    sum += r; // independent work
    bar.wait(static_cast<barrier::arrival_token&&>(token));
    sum += part[(threadIdx.x + 1 + r) % blockDim.x];
    bar.arrive_and_wait();
  }
  out[threadIdx.x] = sum;
}

// Even warps produce, odd warps consume, over two buffers.
__global__ void producersAndConsumers(int* out, int rounds) {
  __shared__ barrier ready[2], filled[2];
  __shared__ int buffer[2][32];
  if (threadIdx.x < 2) {
    init(&ready[threadIdx.x], 64);
    init(&filled[threadIdx.x], 64);
  }
  __syncthreads();
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    for (int r = 0; r < rounds; ++r) {
      ready[r % 2].arrive_and_wait();
      buffer[r % 2][lane] = r * 100 + lane;
      (void)filled[r % 2].arrive();
    }
  } else {
    (void)ready[0].arrive();
    (void)ready[1].arrive();
    int sum = 0;
    for (int r = 0; r < rounds; ++r) {
      filled[r % 2].arrive_and_wait();
      sum += buffer[r % 2][31 - lane];
      (void)ready[r % 2].arrive();
    }
    out[lane] = sum;
  }
}

__global__ void copies(const int* in, int* out, int tiles) {
  extern __shared__ int tile[];
  __shared__ barrier bar;
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0)
    init(&bar, block.size());
  block.sync();
  for (int t = 0; t < tiles; ++t) {
    cuda::memcpy_async(block, tile, in + t * block.size(), sizeof(int) * block.size(), bar);
    bar.arrive_and_wait();
    out[t * block.size() + threadIdx.x] = tile[block.size() - 1 - threadIdx.x] * 2;
    block.sync();
  }
}

__global__ void dropping(int* out) {
  __shared__ barrier bar;
  __shared__ int count;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    count = 0;
  }
  __syncthreads();
  for (unsigned r = 0; r < threadIdx.x; ++r) {
    atomicAdd(&count, 1);
    bar.arrive_and_wait();
  }
  bar.arrive_and_drop();
  __syncthreads();
  if (threadIdx.x == 0)
    *out = count;
}

int main() {
  int *in, *out;
  cudaMallocManaged(&in, 256 * sizeof *in);
  cudaMallocManaged(&out, 256 * sizeof *out);
  for (int i = 0; i < 256; ++i)
    in[i] = i * i % 31;
  splitPhases<<<1, 64>>>(in, out, 5);
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; i += 9)
    printf("%d ", out[i]);
  printf("\n");
  producersAndConsumers<<<1, 64>>>(out, 7);
  cudaDeviceSynchronize();
  for (int i = 0; i < 32; i += 5)
    printf("%d ", out[i]);
  printf("\n");
  copies<<<1, 64, 64 * sizeof(int)>>>(in, out, 4);
  cudaDeviceSynchronize();
  for (int i = 0; i < 256; i += 37)
    printf("%d ", out[i]);
  printf("\n");
  dropping<<<1, 8>>>(out);
  cudaDeviceSynchronize();
  printf("%d %s\n", *out, cudaGetErrorString(cudaGetLastError()));
}
