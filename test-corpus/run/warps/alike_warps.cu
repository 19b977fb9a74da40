// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Joins of what the warps of a block have left in shared memory: each warp makes the same one, or
// one that depends on its number, on older values, or on what other threads keep.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int rows = 6, threads = 128;

struct Most {
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct Sum {
  __device__ float operator()(float a, float b) const { return a + b; }
};
template <class Op> __device__ float join(float v, Op op, float none) {
  __shared__ float parts[32];
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  for (int o = 16; o > 0; o >>= 1)
    v = op(v, __shfl_xor_sync(0xffffffff, v, o));
  if (lane == 0)
    parts[warp] = v;
  __syncthreads();
  const int warps = (blockDim.x + 31) >> 5;
  v = lane < warps ? parts[lane] : none;
  for (int o = 16; o > 0; o >>= 1)
    v = op(v, __shfl_xor_sync(0xffffffff, v, o));
  __syncthreads();
  return v;
}
__global__ void softmax(const float* in, float* out, int n) {
  const float* x = in + blockIdx.x * n;
  float m = -1e30f, s = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    m = fmaxf(m, x[i]);
  m = join(m, Most(), -1e30f);
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    s += x[i] - m;
  s = join(s, Sum(), 0.0f);
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[blockIdx.x * n + i] = (x[i] - m) / s;
}
// Each of these is alike in all warps, but for one thing.
__global__ void nearMisses(const int* in, int* out) {
  __shared__ int parts[32], more[threads];
  const int tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
  int own = in[blockIdx.x * threads + tid], kept = own, older = own % 7;
  more[tid] = own;
  if (tid < 32)
    parts[lane] = in[lane] + blockIdx.x;
  __syncthreads();
  int same = parts[lane];
  for (int o = 16; o > 0; o >>= 1)
    same += __shfl_xor_sync(~0u, same, o);
  __syncthreads();
  int byWarp = parts[lane] + warp; // the warp's number
  for (int o = 16; o > 0; o >>= 1)
    byWarp += __shfl_down_sync(~0u, byWarp, o);
  __syncthreads();
  if (lane < 8)
    older = parts[lane]; // not all lanes
  for (int o = 16; o > 0; o >>= 1)
    older += __shfl_xor_sync(~0u, older, o);
  __syncthreads();
  int others = more[tid]; // the thread's own element
  for (int o = 1; o < 32; o *= 2)
    others = max(others, __shfl_up_sync(~0u, others, o));
  __syncthreads();
  kept = parts[31 - lane];
  if (lane >= 4)
    kept += __shfl_sync(~15u, kept, 4) - __shfl_xor_sync(~15u, kept, 3);
  __syncthreads();
  out[blockIdx.x * threads + tid] = same + 3 * byWarp + 5 * older + 7 * others + 11 * kept + own;
}

int main() {
  constexpr int n = 200;
  float *in, *out;
  int *numbers, *results;
  cudaMallocManaged(&in, rows * n * sizeof(float));
  cudaMallocManaged(&out, rows * n * sizeof(float));
  cudaMallocManaged(&numbers, rows * threads * sizeof(int));
  cudaMallocManaged(&results, rows * threads * sizeof(int));
  for (int i = 0; i < rows * n; ++i)
    in[i] = float(i * 37 % 64) * 0.25f;
  for (int i = 0; i < rows * threads; ++i)
    numbers[i] = i * 29 % 101 - 40;
  softmax<<<rows, threads>>>(in, out, n);
  nearMisses<<<rows, threads>>>(numbers, results);
  cudaDeviceSynchronize();
  for (int r = 0; r < rows; ++r) {
    double sum = 0;
    long long check = 0;
    for (int i = 0; i < n; ++i)
      sum += out[r * n + i] * (i + 1);
    for (int i = 0; i < threads; ++i)
      check += (long long)results[r * threads + i] * (i + 1);
    printf("row %d: %.4f %lld\n", r, sum, check);
  }
}
