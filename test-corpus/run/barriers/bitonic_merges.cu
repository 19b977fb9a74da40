// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bitonic sort of an array by several launches: the direction comes from a mask of the thread's place in the whole
// array, which has nothing to do with where its partner lies.
#include <cstdio>

typedef unsigned int uint;

__device__ inline void exchange(uint& a, uint& b, uint up) {
  if ((a > b) == up) {
    const uint t = a;
    a = b;
    b = t;
  }
}

__global__ void mergeInBlock(uint* keys, uint n, uint size, uint up, uint first) {
  __shared__ uint s[64];
  keys += blockIdx.x * 64 + threadIdx.x;
  s[threadIdx.x] = keys[0];
  s[threadIdx.x + 32] = keys[32];
  const uint i = (blockIdx.x * blockDim.x + threadIdx.x) & ((n / 2) - 1);
  const uint way = up ^ ((i & (size / 2)) != 0);
  for (uint stride = first; stride > 0; stride >>= 1) {
    __syncthreads();
    const uint pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
    exchange(s[pos], s[pos + stride], way);
  }
  __syncthreads();
  keys[0] = s[threadIdx.x];
  keys[32] = s[threadIdx.x + 32];
}

// What only decides, and what places are made of, from one mask.
__global__ void bothWays(const uint* in, uint* out, uint power) {
  __shared__ uint s[128];
  const uint t = threadIdx.x;
  s[t] = in[t];
  s[t + 64] = in[t + 64];
  __syncthreads();
  uint from = 0;
  const uint low = t & (power - 1);
  const uint other = t & (2 * power - 1);
  from = 2 * t - low;
  uint sum = s[from] * 3 + s[from + power];
  if (other > power)
    sum += 1000;
  out[t] = sum + other;
}

__global__ void mergeFar(uint* keys, uint n, uint size, uint stride, uint up) {
  const uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 2)
    return;
  const uint way = up ^ ((i & (size / 2)) != 0);
  const uint pos = 2 * i - (i & (stride - 1));
  exchange(keys[pos], keys[pos + stride], way);
}

int main() {
  const uint n = 1024;
  uint* keys;
  cudaMallocManaged(&keys, n * sizeof(uint));
  for (uint up = 0; up < 2; ++up) {
    for (uint i = 0; i < n; ++i)
      keys[i] = (i * 7919u + 13u) % 4099u;
    for (uint size = 2; size <= n; size <<= 1)
      for (uint stride = size / 2; stride > 0; stride >>= 1)
        if (stride >= 64) {
          mergeFar<<<n / 128, 64>>>(keys, n, size, stride, up);
        } else {
          mergeInBlock<<<n / 64, 32>>>(keys, n, size, up, stride);
          break;
        }
    cudaDeviceSynchronize();
    uint wrong = 0, sum = 0;
    for (uint i = 0; i < n; ++i) {
      wrong += i > 0 && (up ? keys[i - 1] > keys[i] : keys[i - 1] < keys[i]);
      sum = sum * 31u + keys[i];
    }
    printf("%u: %u wrong, %u\n", up, wrong, sum);
  }
  uint* out;
  cudaMallocManaged(&out, 64 * sizeof(uint));
  for (uint power = 1; power <= 64; power *= 2) {
    bothWays<<<1, 64>>>(keys, out, power);
    cudaDeviceSynchronize();
    uint sum = 0;
    for (uint t = 0; t < 64; ++t)
      sum = sum * 31u + out[t];
    printf("power %u: %u\n", power, sum);
  }
  return 0;
}
