// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions in which lanes meet as arguments of templates: of a type that is deduced, by a pointer's
// type where another function has the same name, of kernels, and named by kernels on their own.
// Arguments by default, and groups that are passed by reference.
// TOLERANCE: 1e-4
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cfloat>
#include <cstdio>

namespace cg = cooperative_groups;

__device__ inline float warpMax(cg::thread_block_tile<32>& warp, float v) {
  return cg::reduce(warp, v, cg::greater<float>{});
}
namespace sums {
__device__ inline float ofWarp(cg::thread_block_tile<32>& warp, float v) {
  return cg::reduce(warp, v, cg::plus<float>{});
}
} // namespace sums

// A name that argument-dependent lookup would find elsewhere, too.
__device__ inline float sync(cg::thread_block_tile<32>& warp, float v) {
  warp.sync();
  return warp.shfl_xor(v, 1) + 1;
}

template <int BlockSize, auto Combine>
__device__ float blockAll(cg::thread_block_tile<32>& warp, float v, float identity = 0.0f) {
  __shared__ float part[BlockSize / 32];
  v = Combine(warp, v);
  if (warp.thread_rank() == 0)
    part[warp.meta_group_rank()] = v;
  __syncthreads();
  float w = warp.thread_rank() < BlockSize / 32 ? part[warp.thread_rank()] : identity;
  w = Combine(warp, w);
  __syncthreads();
  return w;
}

struct Softmax {
  float scale, offset;
};

template <int BlockSize>
__device__ Softmax prepare(cg::thread_block_tile<32>& warp, const float* row, int n) {
  float greatest = -FLT_MAX, sum = 0;
  for (int i = threadIdx.x; i < n; i += BlockSize) {
    const float v = row[i], old = greatest;
    greatest = fmaxf(greatest, v);
    sum = sum * expf(old - greatest) + expf(v - greatest);
  }
  const float all = blockAll<BlockSize, warpMax>(warp, greatest, -FLT_MAX);
  sum *= expf(greatest - all);
  return {1 / blockAll<BlockSize, sums::ofWarp>(warp, sum), all};
}

template <int BlockSize> __global__ void softmax(float* out, const float* in, int n) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  cg::thread_block_tile<32> tile = warp;
  const float* row = in + blockIdx.x * n;
  const auto [scale, offset] = prepare<BlockSize>(tile, row, n);
  for (int i = threadIdx.x; i < n; i += BlockSize)
    out[blockIdx.x * n + i] = expf(row[i] - offset) * scale;
}

// A tile of the block for one that may be part of anything, by reference and by value.
template <class Op> __device__ float warpAll(const cg::thread_block_tile<32>& warp, float v, Op op) {
  for (int o = warp.size() / 2; o > 0; o /= 2)
    v = op(v, warp.shfl_xor(v, o));
  return v;
}
__device__ float another(cg::thread_block_tile<16> part, float v) {
  const float mine = part.shfl(v, 2) * part.meta_group_rank();
  part.sync();
  return mine + part.thread_rank();
}
struct Sum {
  __device__ float operator()(float a, float b) const { return a + b; }
};
__global__ void converted(float* out, const float* in) {
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  auto half = cg::tiled_partition<16>(warp);
  float v = warpAll(warp, in[threadIdx.x], Sum());
  v += another(half, v + threadIdx.x);
  v += another(cg::tiled_partition<16>(block), v);
  block.sync();
  out[threadIdx.x] = v;
}

// The same functions in code whose warps take other ways.
__global__ void alone(float* out, const float* in) {
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cg::this_thread_block());
  float v = in[threadIdx.x];
  if (warp.meta_group_rank() == 1)
    v = warpMax(warp, v) + sync(warp, v);
  v += blockAll<128, warpMax>(warp, v, -1.0f);
  out[threadIdx.x] = v + sums::ofWarp(warp, v);
}

__device__ inline float sumOf(float v) {
  for (int o = 16; o > 0; o /= 2)
    v += __shfl_xor_sync(0xffffffffu, v, o);
  return v;
}
__device__ inline float pick(float v) {
  for (int o = 16; o > 0; o /= 2)
    v += __shfl_xor_sync(0xffffffffu, v, o);
  return v;
}
__device__ inline int pick(int v) { return __shfl_sync(0xffffffffu, v, 3); }
__device__ inline float most(float v) {
  for (int o = 16; o > 0; o /= 2)
    v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, o));
  return v;
}
__device__ inline float least(float v) {
  for (int o = 16; o > 0; o /= 2)
    v = fminf(v, __shfl_xor_sync(0xffffffffu, v, o));
  return v;
}

using Reduction = float (*)(float);

template <Reduction F>
__device__ inline float blockReduce(float v, bool again = false, float none = -0.0f) {
  __shared__ float part[32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  const float mine = F(v);
  if (lane == 0)
    part[warp] = mine;
  __syncthreads();
  const float all = F(lane < warps ? part[lane] : none);
  if (again)
    __syncthreads();
  return all;
}

template <Reduction F> __global__ void rows(float* out, const float* in, int n) {
  float v = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    v += in[blockIdx.x * n + i];
  v = blockReduce<F>(v, true);
  if (threadIdx.x == 0)
    out[blockIdx.x] = v;
}

__global__ void spread(float* out, const float* in) {
  const float v = in[threadIdx.x];
  const float sum = blockReduce<sumOf>(v, true);
  const float greatest = blockReduce<most>(v, true, -FLT_MAX);
  out[threadIdx.x] = v - sum + greatest + pick(int(threadIdx.x));
}

// Of two functions.
__global__ void picked(float* out, const float* in) {
  out[threadIdx.x] = blockReduce<pick>(in[threadIdx.x]);
}

__global__ void smallest(float* out, const float* in) {
  const float v = in[threadIdx.x];
  out[threadIdx.x] = v * blockReduce<least>(v, false, FLT_MAX);
}

int main() {
  const int count = 16, n = 1000;
  float *in, *out;
  cudaMallocManaged(&in, count * n * sizeof(float));
  cudaMallocManaged(&out, count * n * sizeof(float));
  for (int i = 0; i < count * n; ++i)
    in[i] = float((i * 7919) % 1013) / 256 - 2;
  const auto print = [&](const char* name, int values) {
    cudaDeviceSynchronize();
    double sum = 0;
    for (int i = 0; i < values; ++i)
      sum += out[i] * (i % 11 + 1);
    std::printf("%s %.3f\n", name, sum);
  };
  softmax<128><<<count, 128>>>(out, in, n);
  print("softmax", count * n);
  softmax<256><<<count, 256>>>(out, in, n);
  print("softmax", count * n);
  alone<<<1, 128>>>(out, in);
  print("alone", 128);
  converted<<<1, 128>>>(out, in);
  print("converted", 128);
  rows<sumOf><<<count, 256>>>(out, in, n);
  print("sums", count);
  rows<most><<<count, 128>>>(out, in, n);
  print("most", count);
  spread<<<1, 128>>>(out, in);
  print("spread", 128);
  picked<<<1, 96>>>(out, in);
  print("picked", 96);
  smallest<<<1, 128>>>(out, in);
  print("smallest", 128);
}
