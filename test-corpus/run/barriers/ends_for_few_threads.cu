// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all threads do ends with what one of them, one row or few do with a value that each has read
// before: scans whose last thread stores the block's sum, in loops, in blocks with rows, behind
// returns, and with values that change or are constant.
#include <cstdio>

#include <cuda_runtime.h>

__global__ void scan(const unsigned* in, unsigned* out, unsigned* sums, int n) {
  extern __shared__ unsigned s[];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  int to = 0, from = 1;
  s[t] = i < n ? in[i] : 0u;
  __syncthreads();
  for (int distance = 1; distance < blockDim.x; distance *= 2) {
    to = 1 - to;
    from = 1 - to;
    if (t >= distance)
      s[to * blockDim.x + t] = s[from * blockDim.x + t] + s[from * blockDim.x + t - distance];
    else
      s[to * blockDim.x + t] = s[from * blockDim.x + t];
    __syncthreads();
  }
  unsigned v = s[to * blockDim.x + t];
  if (i < n)
    out[i] = v;
  if (sums != nullptr && t == blockDim.x - 1)
    sums[blockIdx.x] = v;
}

__global__ void rows(const float* in, float* out, float* few) {
  __shared__ float s[8][16];
  const int x = threadIdx.x, y = threadIdx.y;
  if (blockIdx.x == 3 && x > 12)
    return;
  for (int round = 0; round < 3; ++round) {
    s[y][x] = in[((blockIdx.x * 3 + round) * 8 + y) * 16 + x];
    __syncthreads();
    const float v = s[7 - y][x], w = s[y][0];
    const float both = v + 2 * w;
    out[(blockIdx.x * 8 + y) * 16 + x] += both;
    if (x == 3)
      few[(blockIdx.x * 3 + round) * 8 + y] = both;
    __syncthreads();
    const float other = s[y][x] * 2;
    float changed = s[y ^ 1][x];
    out[(blockIdx.x * 8 + y) * 16 + x] -= other;
    changed += 1;
    if (y == 0 && x < 4 && blockIdx.x == 1)
      few[100 + x] = changed + other;
    __syncthreads();
    const unsigned char narrow = (unsigned char)s[y][x];
    double wide = s[y][x];
    s[y][x] = wide * 3;
    if (threadIdx.y == 2) {
      few[104 + blockIdx.x * 16 + x] += float(wide + narrow);
      s[y][x] -= float(wide);
    }
    __syncthreads();
  }
  float last = s[y][x];
  out[(blockIdx.x * 8 + y) * 16 + x] += last;
  if (x < 2)
    out[(blockIdx.x * 8 + y) * 16 + x] *= last;
}

template <class T> __global__ void ends(const T* in, T* out) {
  __shared__ T s[128];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  {
    int v = s[127 - threadIdx.x];
    T same = s[threadIdx.x];
    out[threadIdx.x] = v * same;
    if (threadIdx.x == 127)
      out[0] = v + same;
  }
  __syncthreads();
  float v = s[threadIdx.x ^ 1];
  out[threadIdx.x + 128] = v;
  s[threadIdx.x ^ 1] = 0;
  if (threadIdx.x == 5)
    out[300] = v + s[4];
}

int main() {
  const int n = 1000;
  unsigned *in, *out, *sums;
  float *values, *results, *few;
  int *numbers, *products;
  cudaMallocManaged(&in, n * sizeof *in);
  cudaMallocManaged(&out, n * sizeof *out);
  cudaMallocManaged(&sums, 8 * sizeof *sums);
  cudaMallocManaged(&values, 4 * 3 * 128 * sizeof *values);
  cudaMallocManaged(&results, 4 * 128 * sizeof *results);
  cudaMallocManaged(&few, 200 * sizeof *few);
  cudaMallocManaged(&numbers, 128 * sizeof *numbers);
  cudaMallocManaged(&products, 301 * sizeof *products);
  for (int i = 0; i < n; ++i)
    in[i] = i * 7 % 31;
  scan<<<8, 128, 2 * 128 * sizeof(unsigned)>>>(in, out, sums, n);
  cudaDeviceSynchronize();
  unsigned long long sum = 0;
  for (int i = 0; i < n; ++i)
    sum = sum * 3 + out[i];
  printf("%llu %u %u %u\n", sum, sums[0], sums[3], sums[7]);
  scan<<<8, 128, 2 * 128 * sizeof(unsigned)>>>(in, out, nullptr, n);
  cudaDeviceSynchronize();
  printf("%u %u\n", out[127], out[999]);

  for (int i = 0; i < 4 * 3 * 128; ++i)
    values[i] = i * 13 % 97;
  for (int i = 0; i < 4 * 128; ++i)
    results[i] = 0;
  for (int i = 0; i < 200; ++i)
    few[i] = 0;
  rows<<<4, dim3(16, 8)>>>(values, results, few);
  cudaDeviceSynchronize();
  double all = 0;
  for (int i = 0; i < 4 * 128; ++i)
    all += double(results[i]) * (i % 11 + 1);
  double some = 0;
  for (int i = 0; i < 200; ++i)
    some += double(few[i]) * (i + 1);
  printf("%.0f %.0f\n", all, some);

  for (int i = 0; i < 128; ++i)
    numbers[i] = i * 5 % 23 + 1;
  products[0] = products[300] = 0;
  ends<<<1, 128>>>(numbers, products);
  cudaDeviceSynchronize();
  sum = 0;
  for (int i = 1; i < 256; ++i)
    sum = sum * 3 + products[i];
  printf("%d %d %llu\n", products[128], products[127], sum);
  return 0;
}
