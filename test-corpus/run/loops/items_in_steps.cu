// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads whose items end where the block's row does not: bounds of the running block and of a
// template, below which all, some or none of the items lie, negative ones and those of other types,
// branches for those outside, loops that go on or leave, counters by two and up to a last one, one
// item only, and blocks of several rows.
#include <cstdio>
#include <cuda_runtime.h>

template <int PER, class Limit> __global__ void below(const int* in, int* out, Limit n, int first) {
  __shared__ int s[96];
  int kept[PER];
  int sum = 0;
  for (int q = 0; q < PER; ++q) {
    const int i = first + threadIdx.x + q * 96;
    kept[q] = -q;
    if (i < n)
      kept[q] = in[i] * 3;
    else
      sum += q + 1;
  }
  s[threadIdx.x] = sum;
  __syncthreads();
  sum = s[95 - threadIdx.x];
  for (int q = 0; q < PER; ++q) {
    if (!(first + (int)threadIdx.x + q * 96 < n))
      continue;
    sum += kept[q];
  }
  __syncthreads();
  s[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned q = 0; q < PER; ++q) {
    const unsigned i = threadIdx.x + q * blockDim.x;
    if (i <= 96 * PER - 50)
      out[i] = kept[q] + s[threadIdx.x ^ 1];
  }
}

// Counters by two, up to a last one; two conditions; a condition that is negated.
template <int LAST> __global__ void others(const int* in, int* out, int n, int low) {
  __shared__ int s[128];
  int kept[LAST + 1] = {};
  for (int q = 0; q <= LAST; q += 2) {
    const int i = threadIdx.x + q * 128;
    if (i <= n)
      kept[q] = in[i];
  }
  s[threadIdx.x] = kept[LAST];
  __syncthreads();
  for (int q = 0; q <= LAST; ++q) {
    const int i = threadIdx.x + q * 128;
    if (i < n && i >= low)
      kept[q] += s[127 - threadIdx.x] + 1;
  }
  __syncthreads();
  s[threadIdx.x] = kept[0];
  __syncthreads();
  for (int q = 0; q <= LAST; ++q) {
    const int i = threadIdx.x + q * 128;
    if (i >= n)
      out[i] = -kept[q];
    else
      out[i] = kept[q] + s[threadIdx.x];
  }
}

// Rows of a block that end apart.
template <int PER> __global__ void rows(int* out, int width) {
  __shared__ int s[4][64];
  int kept[PER];
  const int x = threadIdx.x, y = threadIdx.y;
  for (int q = 0; q < PER; ++q) {
    kept[q] = 0;
    if (x + 64 * q + 7 * y < width)
      kept[q] = x * y + q;
  }
  s[y][x] = kept[PER - 1];
  __syncthreads();
  for (int q = 0; q < PER; ++q)
    if (x + 64 * q < width)
      out[(y * PER + q) * 64 + x] = kept[q] + s[3 - y][63 - x];
}

int host[4096];

void show(const char* name, int n, const int* out) {
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  unsigned sum = 0;
  for (int value : host)
    sum = sum * 31 + (unsigned)value;
  printf("%s %d: %u\n", name, n, sum);
}

int main() {
  int *in, *out;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  for (int i = 0; i < 4096; ++i)
    host[i] = i * 53 % 199 - 70;
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  const int limits[] = {-5, 0, 1, 31, 32, 95, 96, 97, 128, 160, 191, 192, 250, 287, 288, 300, 4000};
  for (int n : limits) {
    cudaMemset(out, 0, sizeof host);
    below<3><<<1, 96>>>(in, out, n, 0);
    show("below 3", n, out);
    below<3><<<1, 96>>>(in, out, (long long)n, 11);
    show("below 3 wide", n, out);
    below<1><<<1, 96>>>(in, out, n, 2);
    show("below 1", n, out);
    below<8><<<1, 96>>>(in, out, (short)n, 0);
    show("below 8 short", n, out);
    cudaMemset(out, 0, sizeof host);
    others<2><<<1, 128>>>(in, out, n < 4000 ? n : 383, 20);
    show("others 2", n, out);
    others<5><<<1, 128>>>(in, out, n < 4000 ? n : 700, 130);
    show("others 5", n, out);
    cudaMemset(out, 0, sizeof host);
    rows<2><<<1, dim3(64, 4)>>>(out, n);
    show("rows 2", n, out);
    rows<5><<<1, dim3(64, 4)>>>(out, n);
    show("rows 5", n, out);
  }
  // Unsigned bounds, near to where places would wrap around.
  below<2><<<1, 96>>>(in, out, 150u, 0);
  show("below 2 unsigned", 150, out);
  below<2><<<1, 96>>>(in, out, 2147483647, 0);
  show("below 2", 2147483647, out);
  cudaFree(in);
  cudaFree(out);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
