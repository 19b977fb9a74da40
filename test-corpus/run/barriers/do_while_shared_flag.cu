// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A do-while loop ended by a flag in shared memory: odd-even transposition sort until a pass changes nothing.
#include <cstdio>

__global__ void sort(int* data, int n, int* passes) {
  __shared__ int v[128];
  __shared__ bool changed;
  int t = threadIdx.x, count = 0;
  v[t] = data[blockIdx.x * n + t];
  __syncthreads();
  do {
    __syncthreads();
    if (t == 0)
      changed = false;
    __syncthreads();
    for (int phase = 0; phase < 2; ++phase) {
      int i = 2 * t + phase;
      if (i + 1 < n && v[i] > v[i + 1]) {
        int x = v[i];
        v[i] = v[i + 1];
        v[i + 1] = x;
        changed = true;
      }
      __syncthreads();
    }
    ++count;
  } while (changed);
  data[blockIdx.x * n + t] = v[t];
  if (t == n - 1)
    passes[blockIdx.x] = count;
}

int main() {
  const int n = 100, blocks = 3;
  int *data, *passes;
  cudaMallocManaged(&data, n * blocks * sizeof(int));
  cudaMallocManaged(&passes, blocks * sizeof(int));
  for (int i = 0; i < n * blocks; ++i)
    data[i] = i < n ? i : (i * 7919) % 1009;
  sort<<<blocks, n>>>(data, n, passes);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int b = 0; b < blocks; ++b) {
    for (int i = 1; i < n; ++i)
      wrong += data[b * n + i - 1] > data[b * n + i];
    printf("block %d: passes %d min %d max %d\n", b, passes[b], data[b * n], data[b * n + n - 1]);
  }
  printf("wrong %d\n", wrong);
  return wrong != 0;
}
