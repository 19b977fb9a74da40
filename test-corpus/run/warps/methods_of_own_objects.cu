// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Methods with shuffles, called of objects that each thread has: by implicit and explicit `this`, with local names as the caller's,
// under conditions of a warp, and two objects in one kernel.
#include <cstdio>

#define LANES 32
#define ALL 0xffffffffu

struct Range {
  int sum, least, most;
  __device__ void init() { sum = 0; least = 1 << 30; most = -(1 << 30); }
  __device__ void add(int v) {
    sum += v;
    least = min(least, v);
    most = max(most, v);
  }
  __device__ void join() {
#pragma unroll
    for (int o = LANES / 2; o > 0; o >>= 1) { // down the warp
      sum += __shfl_down_sync(ALL, sum, o);
      this->least = min(least, __shfl_down_sync(ALL, this->least, o));
      const int lane = __shfl_down_sync(ALL, most, o);
      most = max(most, lane);
    }
  }
  __device__ void spread() {
    sum = __shfl_sync(ALL, sum, 0);
    least = __shfl_sync(ALL, least, 0);
  }
};

// Its name for the warp's first lane is also a variable of the kernel that calls it: not written out.
__constant__ int first;
struct Picked {
  int value;
  __device__ void pick() { value = __shfl_sync(ALL, value, first); }
};

template <int Threads> __global__ void ranges(const int* in, int n, Range* out) {
  __shared__ Range parts[Threads / LANES];
  const int lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
  Range mine, odd;
  mine.init();
  odd.init();
  for (int i = blockIdx.x * Threads + threadIdx.x; i < n; i += gridDim.x * Threads) {
    mine.add(in[i]);
    if (in[i] & 1)
      odd.add(in[i]);
  }
  mine.join();
  odd.join();
  if (lane == 0) parts[warp] = mine;
  __syncthreads();
  if (warp == 0) {
    if (lane < Threads / LANES) mine = parts[lane]; else mine.init();
    mine.join();
    mine.spread();
    if (lane == 3) out[2 * blockIdx.x] = mine;
    if (lane == 0) out[2 * blockIdx.x + 1] = odd;
  }
}

__global__ void picks(int* out) {
  Picked p;
  p.value = int(threadIdx.x) * 3;
  int first = int(threadIdx.x) + 7;
  p.pick();
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = p.value + first;
}

int main() {
  const int n = 5003, blocks = 3;
  int *in, *out;
  Range* parts;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, 128 * sizeof(int));
  cudaMallocManaged(&parts, 2 * blocks * sizeof(Range));
  for (int i = 0; i < n; ++i)
    in[i] = (i * 7919 + 13) % 1009 - 200;
  const int five = 5;
  cudaMemcpyToSymbol(first, &five, sizeof five);
  ranges<128><<<blocks, 128>>>(in, n, parts);
  picks<<<2, 64>>>(out);
  cudaDeviceSynchronize();
  for (int b = 0; b < 2 * blocks; ++b)
    printf("%d %d %d\n", parts[b].sum, parts[b].least, b % 2 ? 0 : parts[b].most);
  for (int i = 0; i < 128; i += 9)
    printf("%d\n", out[i]);
  cudaFree(in);
  cudaFree(out);
  cudaFree(parts);
}
