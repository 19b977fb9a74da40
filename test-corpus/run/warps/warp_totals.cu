// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code around barriers that reads and writes what belongs to a thread's warp, and conditions on
// which a warp agrees or only seems to: in blocks of whole warps, of odd sizes and of short rows.
#include <cstdio>

__device__ int warpSum(int v) {
  for (int d = 16; d > 0; d /= 2)
    v += __shfl_down_sync(0xffffffffu, v, d);
  return v;
}

__global__ void totals(const int* in, int* out, int* last, int n) {
  __shared__ int sums[32];
  const int rank = threadIdx.x + blockDim.x * threadIdx.y, threads = blockDim.x * blockDim.y;
  const int lane = rank % 32, warp = rank / 32;
  const int i = blockIdx.x * threads + rank;
  int v = i < n ? in[i] : 0;
  if (threads % 32 == 0) {
    int w = warpSum(v);
    if (lane == 0)
      sums[warp] = w;
  } else if (lane == 0) {
    sums[warp] = warp * 10;
  }
  __syncthreads();
  if (warp == 0 && threads % 32 == 0) {
    int s = lane < threads / 32 ? sums[lane] : 0;
    s += __shfl_up_sync(0xffffffffu, s, 1) * (lane > 0);
    if (lane < threads / 32)
      sums[lane] = s;
  }
  __syncthreads();
  if (warp > 0)
    v += sums[warp - 1];
  if (i < n)
    out[i] = v;
  if (last && rank == threads - 1)
    last[blockIdx.x] = v;
}

// The counts do not begin at a multiple of 32: a warp holds threads of two of them.
template <int start> __global__ void shifted(int* out, int times) {
  __shared__ int marks[64];
  const int count = threadIdx.x + start + blockIdx.x * blockDim.x;
  for (int i = threadIdx.x; i < 64; i += blockDim.x)
    marks[i] = 0;
  __syncthreads();
  if (count / 32 == 1) {
    const int all = __popc(__activemask());
    atomicAdd(&marks[count / 32], all > 0 ? times : 0);
  } else {
    marks[32 + threadIdx.x % 32] = __shfl_sync(__activemask(), count, 0);
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = marks[count / 32] + marks[32 + threadIdx.x % 32] % 7;
}

__global__ void rows(const float* in, float* out) {
  __shared__ float best[8];
  const int warp = threadIdx.y;
  float v = in[blockIdx.x * 256 + warp * 32 + threadIdx.x];
  for (int d = 16; d > 0; d >>= 1)
    v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, d));
  if (threadIdx.x == 0)
    best[warp] = v;
  __syncthreads();
  float total = 0;
  if (warp < 4)
    total = best[warp] + best[warp + 4];
  else if (warp == 5)
    total = __shfl_sync(0xffffffffu, best[(threadIdx.x + warp) % 8], 3);
  out[blockIdx.x * 256 + warp * 32 + threadIdx.x] = total - in[blockIdx.x * 256 + warp];
}

int main() {
  const int n = 4096;
  int *in, *out, *last;
  float *values, *results;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  cudaMallocManaged(&last, n * sizeof(int));
  cudaMallocManaged(&values, n * sizeof(float));
  cudaMallocManaged(&results, n * sizeof(float));
  for (int i = 0; i < n; ++i) {
    in[i] = i * 37 % 101;
    values[i] = float(i * 53 % 211) / 4;
  }
  const auto print = [&](const char* what, dim3 block) {
    const cudaError_t error = cudaDeviceSynchronize();
    long long sum = 0, weighted = 0;
    for (int i = 0; i < n; ++i) {
      sum += out[i] + last[i];
      weighted += (long long)out[i] * (i % 97) + (long long)last[i] * (i % 13);
      out[i] = last[i] = 0;
    }
    std::printf("%s %u x %u: %s %lld %lld\n", what, block.x, block.y, cudaGetErrorName(error), sum,
                weighted);
  };
  for (const dim3 block : {dim3(256), dim3(48), dim3(100), dim3(16, 4), dim3(32, 4), dim3(64, 2),
                           dim3(31), dim3(8, 12), dim3(1024)}) {
    const unsigned threads = block.x * block.y;
    totals<<<n / threads, block>>>(in, out, last, n - 5);
    print("totals", block);
  }
  shifted<0><<<1, 64>>>(out, 3);
  print("shifted 0", 64);
  shifted<3><<<1, 60>>>(out, 5);
  print("shifted 3", 60);
  rows<<<n / 256, dim3(32, 8)>>>(values, results);
  cudaDeviceSynchronize();
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += results[i] * (i % 31);
  std::printf("rows %.3f\n", sum);
}
