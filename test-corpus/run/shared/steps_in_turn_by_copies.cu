// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Levels of a lattice in two shared arrays: each thread computes its next value from its own and the
// one behind it, stores it in the other array, waits, and copies it back. Ranges begin and end
// anywhere; flags or conditions say who takes part; beside it stands what only looks like it.
#include <cstdio>

#define BLOCK 256
#define CHECK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { printf("%s\n", cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void levels(const int* in, int* out, int count, int low, int n) {
  __shared__ int prev[BLOCK + 1], cur[BLOCK + 1];
  const int tx = threadIdx.x;
  const int j = blockIdx.x * (BLOCK - 48) + tx;
  prev[tx] = j <= n ? in[j] : 0;
  cur[tx] = tx;
  int s = tx % 5, seen = 0;
  __syncthreads();
  for (int k = 1; k <= count; ++k) {
    s = s * 3 % 101;
    bool inside = tx < BLOCK - k && j <= n - k;
    if (inside)
      cur[tx] = (prev[tx + 1] * 3 + prev[tx] * 5 + s) % 9973;
    __syncthreads();
    if (inside)
      prev[tx] = cur[tx];
    __syncthreads();
    s += prev[tx] & 1; // of threads outside of the range, too
    if (tx >= low && tx < BLOCK - k)
      cur[tx] = max(prev[tx], prev[tx + 1] - s);
    __syncthreads();
    if (tx >= low && tx < BLOCK - k)
      prev[tx] = cur[tx] + 1;
    __syncthreads();
    seen += tx < BLOCK - 1 ? prev[tx + 1] % 7 : 0; // what the others have changed
    if (tx >= low && tx < BLOCK - k)
      cur[tx] = prev[tx + 1] + seen % 3;
    __syncthreads();
    if (tx >= low && tx < BLOCK - k)
      prev[tx] = cur[tx] - 1;
    __syncthreads();
    if (tx > 0 && tx < BLOCK - k)
      cur[tx] = prev[tx + 1] + k;
    __syncthreads();
    if (tx > 0 && tx < BLOCK - k)
      prev[tx] = cur[tx] + cur[tx - 1]; // another thread's
    __syncthreads();
    if (tx > 0 && tx < BLOCK - k)
      cur[tx] = prev[tx - 1] + k; // of the thread in front
    __syncthreads();
    if (tx > 0 && tx < BLOCK - k)
      prev[tx] = cur[tx] % 9973;
    __syncthreads();
  }
  out[blockIdx.x * BLOCK + tx] = prev[tx] + 7 * s + 11 * (seen % 97) + 13 * (cur[tx] % 89);
}

int main() {
  const int blocks = 4, n = blocks * (BLOCK - 48);
  int *in, *out;
  CHECK(cudaMallocManaged(&in, (n + BLOCK) * sizeof(int)));
  CHECK(cudaMallocManaged(&out, blocks * BLOCK * sizeof(int)));
  for (int i = 0; i < n + BLOCK; ++i)
    in[i] = (i * 37 + i / 11) % 997;
  for (int count = 1; count <= 48; count += 9)
    for (int low = 0; low <= 70; low += 23) {
      levels<<<blocks, BLOCK>>>(in, out, count, low, n - 10);
      CHECK(cudaDeviceSynchronize());
      long long sum = 0;
      for (int i = 0; i < blocks * BLOCK; ++i)
        sum += (long long)out[i] * (1 + i % 13);
      printf("%d %d %lld\n", count, low, sum);
    }
  return 0;
}
