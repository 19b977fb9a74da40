// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuda::pipeline with stages, with one thread, with roles; the C forms; cooperative_groups::memcpy_async.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cstdio>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;

template <unsigned stages> __global__ void staged(const int* in, int* out, int batches) {
  extern __shared__ int memory[];
  auto block = cg::this_thread_block();
  const unsigned size = block.size();
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  auto pipe = cuda::make_pipeline(block, &state);
  int fetched = 0;
  for (int computed = 0; computed < batches; ++computed) {
    for (; fetched < batches && fetched < computed + int(stages); ++fetched) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, memory + (fetched % stages) * size, in + fetched * size, sizeof(int) * size, pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    out[computed * size + threadIdx.x] = memory[(computed % stages) * size + (threadIdx.x ^ 1)] + computed;
    pipe.consumer_release();
  }
}

__global__ void oneThread(const int4* in, int4* out) {
  __shared__ int4 tile[2][32];
  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  for (int i = 0; i < 2; ++i) {
    pipe.producer_acquire();
    cuda::memcpy_async(&tile[i][threadIdx.x], in + i * 32 + threadIdx.x, sizeof(int4), pipe);
    pipe.producer_commit();
  }
  cuda::pipeline_consumer_wait_prior<1>(pipe);
  __syncthreads();
  int4 v = tile[0][31 - threadIdx.x];
  pipe.consumer_release();
  cuda::pipeline_consumer_wait_prior<0>(pipe);
  __syncthreads();
  v.x += tile[1][threadIdx.x].y;
  out[threadIdx.x] = v;
}

__global__ void primitives(const int4* in, int* out) {
  __shared__ int4 tile[64];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int4));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x].z;
}

__global__ void groupCopy(const int* in, int* out, int n) {
  __shared__ int tile[32];
  auto block = cg::this_thread_block();
  for (int first = 0; first < n; first += 32) {
    cg::memcpy_async(block, tile, cuda::aligned_size_t<4>(32), in + first, n - first);
    cg::wait(block);
    if (first + int(threadIdx.x) < n)
      out[first + threadIdx.x] = tile[threadIdx.x] * 3;
    block.sync();
  }
}

int main() {
  const int n = 512;
  int *in, *out;
  cudaMallocManaged(&in, n * sizeof *in);
  cudaMallocManaged(&out, n * sizeof *out);
  for (int i = 0; i < n; ++i)
    in[i] = (i * 7 + i / 3) % 100;
  const auto print = [&](const char* name) {
    cudaDeviceSynchronize();
    unsigned sum = 0;
    for (int i = 0; i < n; ++i)
      sum = sum * 31 + out[i];
    printf("%s %08x %d %d\n", name, sum, out[1], out[n - 1]);
  };
  cudaMemset(out, 0, n * sizeof *out);
  staged<2><<<1, 64, 2 * 64 * sizeof(int)>>>(in, out, 8);
  print("two stages");
  staged<4><<<1, 64, 4 * 64 * sizeof(int)>>>(in, out, 8);
  print("four stages");
  oneThread<<<1, 32>>>((const int4*)in, (int4*)out);
  print("one thread");
  primitives<<<1, 64>>>((const int4*)in, out);
  print("primitives");
  groupCopy<<<1, 32>>>(in, out, 500);
  print("group");
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
