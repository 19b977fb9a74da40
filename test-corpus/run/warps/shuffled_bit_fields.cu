// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of a number that lanes give to each other where they lie.
#include <cstdio>

#include <cuda_runtime.h>

struct Parts {
  int low : 20;
  int high : 12;
};

__global__ void swapRows(const int* in, int* out, int one, int other) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  Parts parts;
  parts.low = in[i] % 1000;
  parts.high = in[i] % 50;
  const int source = lane == one ? other : lane == other ? one : lane;
  parts.low = __shfl_sync(0xffffffffu, parts.low, source);
  out[i] = parts.low + parts.high * 1000;
}

int main() {
  constexpr int n = 256;
  int in[n], out[n];
  for (int i = 0; i < n; ++i)
    in[i] = i * 7919 % 3001;
  int *onIn, *onOut;
  cudaMalloc(&onIn, sizeof in);
  cudaMalloc(&onOut, sizeof out);
  cudaMemcpy(onIn, in, sizeof in, cudaMemcpyHostToDevice);
  swapRows<<<2, 128>>>(onIn, onOut, 3, 30);
  cudaMemcpy(out, onOut, sizeof out, cudaMemcpyDeviceToHost);
  long long sum = 0;
  for (int i = 0; i < n; ++i)
    sum += (long long)out[i] * (1 + i % 7);
  printf("%lld %d %d %d\n", sum, out[3], out[30], out[225]);
}
