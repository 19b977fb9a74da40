// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The result of a device function with barriers is used by warp functions at once; loops of the threads stand beside both.
#include <cstdio>

__device__ int scanned(int v) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = v;
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
    const int left = t >= d ? s[t - d] : 0;
    __syncthreads();
    s[t] += left;
    __syncthreads();
  }
  const int result = s[t];
  __syncthreads();
  return result;
}

__global__ void k(const int* in, int* out, int n) {
  int result = scanned(in[threadIdx.x]);
  result += __shfl_xor_sync(0xffffffffu, result, 1);
  int sum = scanned(result % 7) + 1;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    sum += in[i];
  sum += __shfl_down_sync(0xffffffffu, sum, 4);
  out[threadIdx.x] = sum * 1000 + result;
}

int main() {
  const int n = 150;
  int *in, *out;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, 64 * sizeof(int));
  for (int i = 0; i < n; ++i)
    in[i] = i * 5 % 11;
  k<<<1, 64>>>(in, out, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; ++i)
    printf("%d%c", out[i], i % 8 == 7 ? '\n' : ' ');
  return 0;
}
