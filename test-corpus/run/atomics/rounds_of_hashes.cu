// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that compute in many rounds run side by side for neighbouring threads, and what few of
// these tell others by atomic functions follows behind: but for what a thread reads itself.
#include <cstdio>

__constant__ unsigned salts[48];

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
    const unsigned f = i < 16 ? (a & b) | (~a & c) : i < 32 ? a ^ b ^ c : (a | ~c) ^ b;
    const unsigned x = a + f + (i % 3 == 0 ? low : i % 3 == 1 ? high : 0x80u) + salt[i];
    const int by = i % 4 * 5 + 7;
    a = c;
    c = b;
    b += (x << by) | (x >> (32 - by));
  }
  return make_uint2(a + b, b ^ c);
}
struct Result {
  unsigned first, found, last;
  unsigned long long sum;
};
__global__ void search(uint2 wanted, Result* result, unsigned n) {
  unsigned long long sum = 0;
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
    sum += hash.x;
  }
  for (int d = 16; d > 0; d >>= 1)
    sum += __shfl_down_sync(~0u, sum, d);
  if (threadIdx.x % 32 == 0)
    atomicAdd(&result->sum, sum);
}
// One thread that reads what it has updated, by the same pointer and by another.
__global__ void chain(Result* result, const unsigned* same, unsigned n) {
  unsigned all = 0;
  for (unsigned i = threadIdx.x; i < n; i += blockDim.x) {
    const uint2 hash = mixed(i, i ^ 77u, salts);
    if (hash.x & 1)
      atomicAdd(&result->found, hash.x >> 3);
    all = all * 3 + *same;
    if (hash.y & 1)
      atomicAdd(&result->last, result->found);
  }
  __syncthreads();
  result->first = all;
}
int main() {
  unsigned salt[48], low, high;
  for (int i = 0; i < 48; i++)
    salt[i] = 2654435761u * (i + 1) ^ (i << 13);
  cudaMemcpyToSymbol(salts, salt, sizeof(salt));
  letters(4321u * 7919u + 12345u, low, high);
  Result r = {~0u, 0, 0, 0}, *result;
  cudaMalloc(&result, sizeof(r));
  cudaMemcpy(result, &r, sizeof(r), cudaMemcpyHostToDevice);
  search<<<7, 128>>>(mixed(low, high, salt), result, 50001);
  cudaMemcpy(&r, result, sizeof(r), cudaMemcpyDeviceToHost);
  printf("%u %u %u %llu\n", r.first, r.found, r.last, r.sum);
  chain<<<1, 1>>>(result, &result->found, 100);
  cudaMemcpy(&r, result, sizeof(r), cudaMemcpyDeviceToHost);
  printf("%u %u %u\n", r.first, r.found, r.last);
}
