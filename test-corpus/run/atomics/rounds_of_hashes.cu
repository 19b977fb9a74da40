// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that compute in many rounds run side by side for neighbouring threads, and what few of
// these tell others by atomic functions follows behind: but for what a thread reads itself.
#include <cstdio>

__constant__ unsigned salts[48];

__host__ __device__ inline unsigned turned(unsigned x, int by) {
  return (x << by) | (x >> (32 - by));
}

__host__ __device__ inline void letters(unsigned number, unsigned& low, unsigned& high) {
  unsigned words[2] = {0, 0};
#pragma unroll
  for (int i = 0; i < 8; i++) {
    words[i / 4] |= ('a' + number % 26) << (8 * (i % 4));
    number /= 26;
  }
  low = words[0];
  high = words[1];
}

__host__ __device__ inline uint2 mixed(unsigned low, unsigned high, const unsigned* salt) {
  unsigned a = 0x01234567u, b = 0x89abcdefu, c = 0xfedcba98u;
#pragma unroll
  for (int i = 0; i < 48; i++) {
    unsigned f;
    if (i < 16)
      f = (a & b) | (~a & c);
    else if (i < 32)
      f = a ^ b ^ c;
    else
      f = (a | ~c) ^ b;
    const unsigned word = i % 3 == 0 ? low : i % 3 == 1 ? high : 0x80u;
    const unsigned next = b + turned(a + f + word + salt[i], i % 4 * 5 + 7);
    a = c;
    c = b;
    b = next;
  }
  return make_uint2(a + b, b ^ c);
}

struct Result {
  unsigned first, found, near, last;
};

__global__ void search(uint2 wanted, Result* result, unsigned n) {
  __shared__ unsigned sums[128];
  unsigned near = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    unsigned low, high;
    letters(i * 7919u + 12345u, low, high);
    const uint2 hash = mixed(low, high, salts);
    if (hash.x == wanted.x && hash.y == wanted.y)
      atomicMin(&result->first, i);
    if ((hash.y & 1023) == 5) {
      atomicAdd(&result->found, hash.x >> 20);
      atomicMax(&result->last, i);
    }
    near += (hash.x & 63) == 0;
  }
  sums[threadIdx.x] = near;
  __syncthreads();
  for (int d = 64; d > 0; d >>= 1) {
    if (threadIdx.x < d)
      sums[threadIdx.x] += sums[threadIdx.x + d];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    atomicAdd(&result->near, sums[0]);
}

// One thread that reads what it has updated, by the same pointer and by another.
__global__ void chain(Result* result, const unsigned* same, unsigned* sum, unsigned n) {
  __shared__ unsigned one;
  unsigned all = 0;
  for (unsigned i = threadIdx.x; i < n; i += blockDim.x) {
    const uint2 hash = mixed(i, i ^ 77u, salts);
    if (hash.x & 1)
      atomicAdd(&result->found, hash.x >> 3);
    all = all * 3 + *same;
    if (hash.y & 1)
      atomicAdd(&result->near, result->found);
  }
  one = all;
  __syncthreads();
  *sum = one;
}

int main() {
  unsigned salt[48];
  for (int i = 0; i < 48; i++)
    salt[i] = 2654435761u * (i + 1) ^ (i << 13);
  cudaMemcpyToSymbol(salts, salt, sizeof(salt));
  unsigned low, high;
  letters(4321u * 7919u + 12345u, low, high);
  const uint2 wanted = mixed(low, high, salt);
  Result r = {~0u, 0, 0, 0}, *result;
  unsigned sum = 0, *sums;
  cudaMalloc(&result, sizeof(r));
  cudaMalloc(&sums, sizeof(sum));
  cudaMemcpy(result, &r, sizeof(r), cudaMemcpyHostToDevice);
  search<<<7, 128>>>(wanted, result, 50001);
  cudaMemcpy(&r, result, sizeof(r), cudaMemcpyDeviceToHost);
  printf("%u %u %u %u\n", r.first, r.found, r.near, r.last);
  chain<<<1, 1>>>(result, &result->found, sums, 100);
  cudaMemcpy(&r, result, sizeof(r), cudaMemcpyDeviceToHost);
  cudaMemcpy(&sum, sums, sizeof(sum), cudaMemcpyDeviceToHost);
  printf("%u %u %u\n", r.found, r.near, sum);
  return 0;
}
