// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of the program that look like those a translation may add: value_, n_arg, cuBlock, threads and data_init.
#include <cstdio>

__device__ int value_ = 3;
__device__ int data_[4] = {1, 2, 3, 4};
__constant__ int n_arg = 7;
__device__ int cuExited = 9;
#define local_ 11

__global__ void k(int* out, int n) {
  __shared__ int s[32];
  int t = threadIdx.x;
  int value = out[t];
  int data[2] = {out[t], 5};
  int local = value + 1, data_init = 1;
  int cuBlock = 2, cuThread = out[t];
  s[t] = value;
  n += s[t];
  __syncthreads();
  if (cuThread == 12)
    return;
  value += s[31 - t] + value_;
  data[1] += data_[t % 4];
  __syncthreads();
  out[t] = value + data[0] + data[1] + local + local_ + n + n_arg + cuBlock + cuThread + data_init + cuExited;
}

int main() {
  int* out;
  cudaMallocManaged(&out, 32 * sizeof(int));
  for (int i = 0; i < 32; ++i)
    out[i] = i * i % 13;
  k<<<1, 32>>>(out, 40);
  cudaDeviceSynchronize();
  int bad = 0;
  for (int t = 0; t < 32; ++t) {
    const int v = t * t % 13, other = (31 - t) * (31 - t) % 13;
    bad += out[t] != (v == 12 ? 12
                              : v + other + 3 + v + 5 + t % 4 + 1 + v + 1 + 11 + 40 + v + 7 + 2 + v + 1 + 9);
  }
  printf("wrong: %d; %d %d\n", bad, out[0], out[31]);
  return bad != 0;
}
