// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans in one pass: blocks wait for the blocks before them through flags in global memory, one thread looking back, and a
// warp looking back 32 blocks at a time.
#include <cstdio>

constexpr int threads = 128;
enum : unsigned { Empty, Aggregate, Prefix };

__device__ unsigned ticket;
__device__ volatile unsigned state[1024];
__device__ volatile int aggregate[1024], inclusive[1024];

__device__ int scanBlock(int v, int* tile) {
  tile[threadIdx.x] = v;
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    const int before = threadIdx.x >= d ? tile[threadIdx.x - d] : 0;
    __syncthreads();
    tile[threadIdx.x] += before;
    __syncthreads();
  }
  return tile[threadIdx.x];
}

__global__ void scanByThread(const int* in, int* out, int n) {
  __shared__ int tile[threads];
  __shared__ unsigned number;
  __shared__ int prefix;
  if (threadIdx.x == 0)
    number = atomicAdd(&ticket, 1);
  __syncthreads();
  const int b = number, i = b * threads + threadIdx.x;
  const int v = scanBlock(i < n ? in[i] : 0, tile);
  if (threadIdx.x == 0) {
    const int total = tile[threads - 1];
    int sum = 0;
    if (b == 0) {
      inclusive[0] = total;
      __threadfence();
      state[0] = Prefix;
    } else {
      aggregate[b] = total;
      __threadfence();
      state[b] = Aggregate;
      for (int k = b - 1; k >= 0; --k) {
        unsigned s;
        while ((s = state[k]) == Empty)
          ;
        __threadfence();
        if (s == Prefix) {
          sum += inclusive[k];
          break;
        }
        sum += aggregate[k];
      }
      inclusive[b] = sum + total;
      __threadfence();
      state[b] = Prefix;
    }
    prefix = sum;
  }
  __syncthreads();
  if (i < n)
    out[i] = v + prefix;
}

// State and value in one 64-bit word, so that no fence stands between them.
__device__ unsigned long long words[1024];

__global__ void scanByWarp(const int* in, int* out, int n) {
  __shared__ int tile[threads];
  __shared__ int prefix;
  __shared__ unsigned number;
  if (threadIdx.x == 0)
    number = atomicAdd(&ticket, 1);
  __syncthreads();
  const int b = number, i = b * threads + threadIdx.x;
  const int v = scanBlock(i < n ? in[i] : 0, tile);
  const int total = tile[threads - 1];
  if (threadIdx.x < 32) {
    const int lane = threadIdx.x;
    if (lane == 0)
      atomicExch(&words[b], (unsigned long long)(b == 0 ? Prefix : Aggregate) << 32 | unsigned(total));
    int sum = 0, at = b - 1;
    bool found = b == 0;
    while (!found) {
      const int k = at - lane;
      unsigned long long w = (unsigned long long)Prefix << 32;
      if (k >= 0)
        do
          w = atomicAdd(&words[k], 0ull);
        while (w >> 32 == Empty);
      const unsigned ends = __ballot_sync(0xffffffffu, w >> 32 == Prefix);
      const int last = ends ? __ffs(ends) - 1 : 31;
      int part = lane <= last ? int(unsigned(w)) : 0;
      for (int d = 16; d > 0; d /= 2)
        part += __shfl_down_sync(0xffffffffu, part, d);
      sum += __shfl_sync(0xffffffffu, part, 0);
      found = ends != 0;
      at -= 32;
    }
    if (lane == 0) {
      if (b != 0)
        atomicExch(&words[b], (unsigned long long)Prefix << 32 | unsigned(sum + total));
      prefix = sum;
    }
  }
  __syncthreads();
  if (i < n)
    out[i] = v + prefix;
}

int main() {
  const int n = 60001, blocks = (n + threads - 1) / threads;
  int *in, *out;
  cudaMallocManaged(&in, n * sizeof *in);
  cudaMallocManaged(&out, n * sizeof *out);
  for (int i = 0; i < n; ++i)
    in[i] = (i * 13) % 7 - 2;
  for (int kind = 0; kind < 2; ++kind) {
    const unsigned zero = 0;
    cudaMemcpyToSymbol(ticket, &zero, sizeof zero);
    if (kind == 0)
      scanByThread<<<blocks, threads>>>(in, out, n);
    else
      scanByWarp<<<blocks, threads>>>(in, out, n);
    const cudaError_t error = cudaDeviceSynchronize();
    int wrong = 0, sum = 0;
    for (int i = 0; i < n; ++i) {
      sum += in[i];
      wrong += out[i] != sum;
    }
    printf("%s wrong %d last %d\n", cudaGetErrorName(error), wrong, out[n - 1]);
  }
  return 0;
}
