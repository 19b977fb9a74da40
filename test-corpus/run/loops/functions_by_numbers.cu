// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions whose loops run as often as numbers tell that kernels give them: constants, counters of
// short loops; and such whose steps are each thread's own, by one of their calls at least.
#include <cstdio>

__device__ int blend(int k, int x, int n) {
  int nn = n, kn = k, ways = 1;
  while (nn >= 1) {
    ways *= nn % 5 + 1;
    nn--;
    if (kn > 1) {
      ways -= kn;
      kn--;
    }
  }
  for (int i = 0; i < k; i++)
    ways += x * i;
  for (int i = 0; i < n - k; i++)
    ways ^= x + i;
  return ways;
}

__device__ int firstBeyond(int x, int limit, int most) {
  for (int i = 0; i < most; ++i) {
    x = x * 3 % 101;
    if (x > limit)
      return i;
  }
  return most;
}

template <typename T> __device__ T power(T x, int n) {
  T out = 1;
  while (n > 0) {
    if (n & 1)
      out *= x;
    x *= x;
    n >>= 1;
  }
  return out;
}

__device__ unsigned bits(unsigned x, int n) {
  unsigned out = 0;
  do {
    out = out * 2 + (x & 1);
    x >>= 1;
  } while (--n > 0);
  return out;
}

__global__ void patch(const int* in, int* out, int n) {
  __shared__ int points[8];
  if (threadIdx.x < 8)
    points[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int row[8];
#pragma unroll
    for (int k = 0; k < 8; k++)
      row[k] = blend(k, in[i], 7);
    int sum = 0;
    for (int k = 0; k < 8; k++) {
      const int one = blend(k, i, 7);
      for (int j = 0; j < 8; j++)
        sum += points[(k + j) % 8] * one + row[j];
    }
    out[i] = sum;
  }
}

__global__ void others(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int sum = firstBeyond(in[i], 90, 6) + firstBeyond(i, 50, 9) * 10;
  for (int k = 1; k < 5; ++k)
    sum += power(in[i] % 5, k);
  sum += power(3L, in[i] % 4); // each thread's own
  for (int k = 0; k < 4; ++k)
    sum += bits(in[i], k);
  out[i] = sum + bits(i, 5);
}

int main() {
  const int n = 1000;
  int *in, *out;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  for (int i = 0; i < n; ++i)
    in[i] = (i * 7919) % 97;
  const auto print = [&](const char* what) {
    cudaDeviceSynchronize();
    long sum = 0;
    for (int i = 0; i < n; ++i)
      sum = (sum * 31 + out[i]) % 1000003;
    printf("%s %ld\n", what, sum);
  };
  patch<<<(n + 127) / 128, 128>>>(in, out, n);
  print("patch");
  others<<<(n + 63) / 64, 64>>>(in, out, n);
  print("others");
  return 0;
}
