// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pipelines and barriers in the ways of the guide: per-thread copies with the primitives, mbarrier
// primitives, producer and consumer warps, a partitioned pipeline with this_thread(), copies bound
// to a barrier, parity waits.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cstdio>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;
__global__ void prim(const float4* in, float* out, int n) {
  __shared__ float4 s[2][64];
  int t = threadIdx.x;
  int tiles = n / 64;
  __pipeline_memcpy_async(&s[0][t], &in[t], sizeof(float4));
  __pipeline_commit();
  float acc = 0;
  for (int k = 0; k < tiles; k++) {
    if (k + 1 < tiles)
      __pipeline_memcpy_async(&s[(k + 1) & 1][t], &in[(k + 1) * 64 + t], sizeof(float4),
                              k == 2 ? 4 : 0);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    float4 v = s[k & 1][63 - t];
    acc += v.x + v.y * 2 + v.z * 3 + v.w * 4;
    __syncthreads();
  }
  out[t] = acc;
}
__global__ void mbar(int* out) {
  __shared__ __mbarrier_t b;
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t == 0)
    __mbarrier_init(&b, blockDim.x);
  __syncthreads();
  s[t] = t * 3;
  __mbarrier_token_t k = __mbarrier_arrive(&b);
  while (!__mbarrier_test_wait(&b, k)) {
  }
  out[t] = s[(t + 5) % 64];
  __syncthreads();
  if (t == 0)
    __mbarrier_inval(&b);
}
__global__ void split(const int* in, int* out, int n) { // producer and consumer warps
  using bar = cuda::barrier<cuda::thread_scope_block>;
  __shared__ bar ready[2], filled[2];
  __shared__ int buf[2][32];
  auto block = cg::this_thread_block();
  int t = threadIdx.x;
  if (t < 4)
    init((t & 1 ? ready : filled) + t / 2, block.size());
  block.sync();
  if (t < 32) {
    for (int i = 0; i < n / 32; i++) {
      ready[i % 2].arrive_and_wait();
      buf[i % 2][t] = in[i * 32 + t] * 2;
      bar::arrival_token tok = filled[i % 2].arrive();
      (void)tok;
    }
  } else {
    bar::arrival_token t1 = ready[0].arrive(), t2 = ready[1].arrive();
    (void)t1;
    (void)t2;
    int acc = 0;
    for (int i = 0; i < n / 32; i++) {
      filled[i % 2].arrive_and_wait();
      acc += buf[i % 2][t % 32] * (i + 1);
      bar::arrival_token tok = ready[i % 2].arrive();
      (void)tok;
    }
    out[t - 32] = acc;
  }
}
__global__ void unified(const int* in, int* out, size_t n) { // partitioned pipeline
  constexpr auto scope = cuda::thread_scope_block;
  constexpr int stages = 3;
  extern __shared__ int sm[];
  auto block = cg::this_thread_block();
  __shared__ cuda::pipeline_shared_state<scope, stages> st;
  const unsigned prod = block.size() / 2;
  auto pipe = cuda::make_pipeline(block, &st, prod);
  int t = block.thread_rank();
  int batches = n / prod;
  if (t < prod) {
    auto ptile = cg::this_thread();
    for (int b = 0; b < batches; b++) {
      pipe.producer_acquire();
      cuda::memcpy_async(sm + (b % stages) * prod + t, in + b * prod + t, sizeof(int), pipe);
      pipe.producer_commit();
    }
  } else {
    int acc = 0;
    for (int b = 0; b < batches; b++) {
      pipe.consumer_wait();
      acc = acc * 3 + sm[(b % stages) * prod + t - prod];
      pipe.consumer_release();
    }
    out[t - prod] = acc;
  }
}
__global__ void barcopy(const int* in, int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> b;
  __shared__ alignas(16) int s[256];
  auto g = cg::this_thread_block();
  if (g.thread_rank() == 0)
    init(&b, g.size());
  g.sync();
  cuda::memcpy_async(g, s, in, sizeof(int) * 128, b);
  cuda::memcpy_async(s + 128 + 2 * threadIdx.x, in + 128 + 2 * threadIdx.x, 8, b);
  b.arrive_and_wait();
  out[threadIdx.x] = s[threadIdx.x] + s[255 - threadIdx.x];
  b.arrive_and_drop();
}
__global__ void completion(int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> b;
  if (threadIdx.x == 0)
    init(&b, 48);
  __syncthreads();
  if (threadIdx.x < 32) {
    auto tk = b.arrive(1);
    out[threadIdx.x] = threadIdx.x;
    b.wait(std::move(tk));
  } else {
    (void)b.arrive();
    b.wait_parity(0);
  }
  __threadfence_block();
  out[64 + threadIdx.x] = out[threadIdx.x % 32];
}
int main() {
  float4* f;
  float* o;
  cudaMallocManaged(&f, 512 * 16);
  cudaMallocManaged(&o, 4096);
  for (int i = 0; i < 512; i++)
    f[i] = make_float4(i, 1, i % 3, 2);
  prim<<<1, 64>>>(f, o, 512);
  cudaDeviceSynchronize();
  float s = 0;
  for (int i = 0; i < 64; i++)
    s += o[i] * (i % 7);
  printf("%.1f\n", s);
  int *in, *q = (int*)o;
  cudaMallocManaged(&in, 8192);
  for (int i = 0; i < 2048; i++)
    in[i] = i;
  auto show = [&](int n) {
    cudaError_t e = cudaDeviceSynchronize();
    long h = 0;
    for (int i = 0; i < n; i++)
      h = h * 7 + q[i];
    printf("%ld %d %s\n", h, q[n - 1], cudaGetErrorString(e));
  };
  mbar<<<1, 64>>>(q);
  show(64);
  split<<<1, 64>>>(in, q, 512);
  show(32);
  unified<<<1, 64, 3 * 32 * 4>>>(in, q, 512);
  show(32);
  barcopy<<<1, 64>>>(in, q);
  show(64);
  completion<<<1, 48>>>(q);
  show(112);
}
