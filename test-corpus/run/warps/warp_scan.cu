// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inclusive and exclusive scans by __shfl_up_sync, with the lane's guard around the add only, in segments of 8 and 32.
#include <cstdio>

__device__ int scan(int v, int width) {
  int lane = threadIdx.x & (width - 1);
  for (int d = 1; d < width; d <<= 1) {
    int n = __shfl_up_sync(0xffffffff, v, d, width);
    if (lane >= d)
      v += n;
  }
  return v;
}

__global__ void k(const int* in, int* out) {
  __shared__ int warpTotals[8];
  int t = threadIdx.x, v = in[t];
  int inclusive = scan(v, 32);
  if (t % 32 == 31)
    warpTotals[t / 32] = inclusive;
  __syncthreads();
  if (t < 32) {
    int total = t < 8 ? warpTotals[t] : 0;
    total = scan(total, 8);
    if (t < 8)
      warpTotals[t] = total;
  }
  __syncthreads();
  int before = t >= 32 ? warpTotals[t / 32 - 1] : 0;
  out[t] = inclusive - v + before;
}

int main() {
  int *in, *out;
  cudaMallocManaged(&in, 256 * sizeof(int));
  cudaMallocManaged(&out, 256 * sizeof(int));
  for (int i = 0; i < 256; ++i)
    in[i] = (i * 11) % 23;
  k<<<1, 256>>>(in, out);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0, sum = 0; i < 256; sum += in[i++])
    wrong += out[i] != sum;
  printf("%d %d wrong %d\n", out[100], out[255], wrong);
  return wrong != 0;
}
