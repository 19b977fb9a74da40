// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// References to shared memory: a value read through one keeps its old value when the memory changes behind a barrier.
#include <cstdio>

__global__ void k(int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = t + 10;
  __syncthreads();
  int& first = s[0];
  const int& second = s[1];
  int before = first + t;
  int both = first * 100 + second;
  __syncthreads();
  if (t == 0)
    first = 500;
  if (t == 1)
    s[1] = 600;
  __syncthreads();
  int after = first + second;
  __syncthreads();
  s[t] = 0;
  __syncthreads();
  out[t] = before + both * 10 + after * 100000 + s[(t + 1) % 64];
}

__global__ void readOnly(int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = t + 10;
  __syncthreads();
  int& first = s[0];
  const int& second = s[1];
  int before = first + t;
  int both = first * 100 + second;
  __syncthreads();
  s[t] = 500;
  __syncthreads();
  out[t] += (before + both * 10 + first) * 3;
}

int main() {
  int* out;
  cudaMallocManaged(&out, 64 * sizeof(int));
  k<<<1, 64>>>(out);
  readOnly<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  int bad = 0;
  for (int t = 0; t < 64; ++t)
    bad += out[t] != 10 + t + 10110 + 110000000 + (10 + t + 10110 + 500) * 3;
  printf("wrong: %d; %d %d\n", bad, out[0], out[63]);
  return bad != 0;
}
