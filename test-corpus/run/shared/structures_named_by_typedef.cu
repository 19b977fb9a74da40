// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structures that only a typedef names, kept by threads through loops and shuffles and changed part
// by part under conditions, as a whole, by functions and through references.
#include <climits>
#include <cstdio>

#include <cuda_runtime.h>

typedef struct {
  float value;
  int place;
} Best;

typedef struct Named {
  int low, high;
} Range;

__device__ Best smaller(Best a, Best b) {
  return (b.value < a.value || (b.value == a.value && b.place < a.place)) ? b : a;
}

__device__ void overWarp(Best& least, Best& most) {
  for (int distance = 16; distance > 0; distance >>= 1) {
    Best other;
    other.value = __shfl_xor_sync(0xffffffffu, least.value, distance);
    other.place = __shfl_xor_sync(0xffffffffu, least.place, distance);
    least = smaller(least, other);
    other.value = __shfl_xor_sync(0xffffffffu, most.value, distance);
    other.place = __shfl_xor_sync(0xffffffffu, most.place, distance);
    if (other.value > most.value || (other.value == most.value && other.place < most.place))
      most = other;
  }
}

__device__ void overBlock(Best& least, Best& most) {
  __shared__ Best leasts[32], mosts[32];
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  overWarp(least, most);
  if (lane == 0) {
    leasts[warp] = least;
    mosts[warp] = most;
  }
  __syncthreads();
  if (warp == 0) {
    if (lane < blockDim.x / 32) {
      least = leasts[lane];
      most = mosts[lane];
    } else {
      least.value = 1e30f;
      most.value = -1e30f;
      least.place = most.place = INT_MAX;
    }
    overWarp(least, most);
  }
}

__global__ void bounds(const float* in, int n, Best* leasts, Best* mosts) {
  Best least, most;
  least.value = 1e30f, least.place = INT_MAX;
  most.value = -1e30f;
  most.place = INT_MAX;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    const float v = in[i];
    if (v < least.value) {
      least.value = v;
      least.place = i;
    }
    if (v > most.value) {
      most.value = v;
      most.place = i;
    }
  }
  overBlock(least, most);
  if (threadIdx.x == 0) {
    leasts[blockIdx.x] = least;
    mosts[blockIdx.x] = most;
  }
}

__global__ void ranges(const int* in, int n, Range* out, Best* copies) {
  __shared__ Range all[64];
  typedef struct {
    int sum;
    Best* first;
  } Local;
  Range mine = {INT_MAX, INT_MIN};
  Local local = {0, copies};
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    if (in[i] < mine.low)
      mine.low = in[i];
    mine.high = in[i] > mine.high ? in[i] : mine.high;
    local.sum += in[i];
  }
  all[threadIdx.x] = mine;
  __syncthreads();
  const Range next = all[(threadIdx.x + 1) % blockDim.x];
  mine.low += next.high;
  local.first += threadIdx.x;
  __syncthreads();
  all[threadIdx.x] = mine;
  local.first->value = float(local.sum);
  local.first->place = mine.low;
  __syncthreads();
  out[threadIdx.x] = all[blockDim.x - 1 - threadIdx.x];
}

int main() {
  const int n = 5000, blocks = 3;
  float* in;
  int* numbers;
  Best *leasts, *mosts, *copies;
  Range* out;
  cudaMallocManaged(&in, n * sizeof(float));
  cudaMallocManaged(&numbers, n * sizeof(int));
  cudaMallocManaged(&leasts, blocks * sizeof(Best));
  cudaMallocManaged(&mosts, blocks * sizeof(Best));
  cudaMallocManaged(&copies, 64 * sizeof(Best));
  cudaMallocManaged(&out, 64 * sizeof(Range));
  for (int i = 0; i < n; ++i) {
    in[i] = float((i * 7919) % 1013) - 500;
    numbers[i] = (i * 104729) % 10007 - 5000;
  }
  for (const int size : {n, 700, 1, 0}) {
    bounds<<<blocks, 128>>>(in, size, leasts, mosts);
    cudaDeviceSynchronize();
    for (int b = 0; b < blocks; ++b)
      printf("%g at %d, %g at %d\n", leasts[b].value, leasts[b].place, mosts[b].value,
             mosts[b].place);
  }
  ranges<<<1, 64>>>(numbers, n, out, copies);
  cudaDeviceSynchronize();
  unsigned long long sum = 0;
  for (int t = 0; t < 64; ++t)
    sum = sum * 31 + out[t].low * 3ull + out[t].high + copies[t].place + int(copies[t].value);
  printf("%d %d %g %d %llu\n", out[5].low, out[5].high, copies[7].value, copies[7].place, sum);
  return 0;
}
