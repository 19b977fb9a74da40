// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bitonic sort in shared memory: nested loops with barriers, a do-while variant, both directions.
#include <cstdio>

__device__ inline void exchange(int& a, int& b, bool up) {
  if ((a > b) == up) {
    int t = a;
    a = b;
    b = t;
  }
}

__global__ void sort(int* data, bool up) {
  __shared__ int s[256];
  int* mine = data + blockIdx.x * 256;
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    s[i] = mine[i];
  for (unsigned size = 2; size < 256; size <<= 1) {
    bool dir = ((threadIdx.x & (size / 2)) != 0) ^ up;
    for (unsigned stride = size / 2; stride > 0; stride >>= 1) {
      __syncthreads();
      unsigned pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      exchange(s[pos], s[pos + stride], dir);
    }
  }
  unsigned stride = 128;
  do {
    __syncthreads();
    unsigned pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
    exchange(s[pos], s[pos + stride], up);
    stride >>= 1;
  } while (stride > 0);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    mine[i] = s[i];
}

int main() {
  const int blocks = 6, n = 256 * blocks;
  int* data;
  cudaMallocManaged(&data, n * sizeof(int));
  for (int up = 0; up < 2; ++up) {
    for (int i = 0; i < n; ++i)
      data[i] = (i * 7919 + 13) % 4099;
    sort<<<blocks, 128>>>(data, up);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int i = 1; i < n; ++i)
      if (i % 256)
        wrong += up ? data[i - 1] > data[i] : data[i - 1] < data[i];
    printf("%d %d %d wrong %d\n", data[0], data[255], data[n - 1], wrong);
  }
  return 0;
}
