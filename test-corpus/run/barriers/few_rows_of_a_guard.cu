// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows on a ring, several steps of which are made on a tile with ghost zones: a step's threads are
// fewer from step to step, and only those of the tile's inner part keep what they found. In
// another kernel two conditions say who keeps what.
#include <cstdio>

#define SIZE 128
#define GHOST 24
#define CHECK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { printf("%s\n", cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void one(const int* in, const unsigned char* cost, int* out, signed char* kept, int n, int count, int) {
  __shared__ int s[2][SIZE];
  const int tx = threadIdx.x;
  int j = int(blockIdx.x) * (SIZE - 2 * GHOST) + tx - GHOST, now = 0;
  const bool mine = tx >= GHOST && tx < SIZE - GHOST && j < n && count != 4;
  j = ((j % n) + n) % n;
  s[0][tx] = in[j];
  __syncthreads();
  for (int k = 0; k < count; ++k, now ^= 1) {
    const int g = 2 * (k + 1);
    if (tx >= g && tx < SIZE - g) {
      const int least = min(s[now][tx], min(s[now][tx - 1] + 1, s[now][tx - 2] + 2)) + cost[k * n + j];
      s[now ^ 1][tx] = least;
      if (mine)
        kept[k * n + j] = (signed char)(least % 61);
    }
    __syncthreads();
  }
  if (mine)
    out[j] = s[now][tx];
}

__global__ void two(const int* in, const unsigned char* cost, int* out, signed char* kept, int n, int count, int most) {
  __shared__ int s[2][SIZE];
  const int tx = threadIdx.x;
  int j = int(blockIdx.x) * (SIZE - 2 * GHOST) + tx - GHOST, now = 0;
  const bool mine = tx >= GHOST && tx < SIZE - GHOST && j < n;
  const bool few = tx >= GHOST && tx < most && j < n;
  j = ((j % n) + n) % n;
  s[0][tx] = in[j];
  __syncthreads();
  for (int k = 0; k < count; ++k, now ^= 1) {
    const int g = 2 * (k + 1);
    if (tx >= g && tx < SIZE - g) {
      const int least = min(s[now][tx], min(s[now][tx - 1] + 1, s[now][tx - 2] + 2)) + cost[k * n + j];
      s[now ^ 1][tx] = least;
      if (mine)
        kept[k * n + j] = (signed char)(least % 61);
      if (few)
        out[n + j] = least;
    }
    __syncthreads();
  }
}

int main() {
  const int most = 1000;
  int *in, *out;
  unsigned char* cost; signed char* kept;
  CHECK(cudaMallocManaged(&in, most * sizeof(int)));
  CHECK(cudaMallocManaged(&out, 2 * most * sizeof(int)));
  CHECK(cudaMallocManaged(&cost, 12 * most));
  CHECK(cudaMallocManaged(&kept, 12 * most));
  for (int i = 0; i < 12 * most; ++i)
    cost[i] = (unsigned char)((i * 101 + i / 7) % 251), in[i % most] = (i * 37 + i / 11) % 64;
  for (int round = 0; round < 24; ++round) {
    const int n = 300 + round / 8 * 233, count = 1 + round / 2 % 4 * 3;
    CHECK(cudaMemset(out, 1, 2 * most * sizeof(int)));
    CHECK(cudaMemset(kept, 9, 12 * most));
    (round % 2 ? two : one)<<<(n + SIZE - 2 * GHOST - 1) / (SIZE - 2 * GHOST), SIZE>>>(in, cost, out, kept, n, count, 70 + count);
    CHECK(cudaDeviceSynchronize());
    long long sum = 0, ways = 0;
    for (int i = 0; i < 12 * n; ++i)
      ways += kept[i] * (1 + i % 7), sum += i < 2 * n ? (long long)out[i] * (1 + i % 13) : 0;
    printf("%d %d %lld %lld\n", n, count, sum, ways);
  }
  return 0;
}
