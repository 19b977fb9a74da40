// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops and conditions that compare a place with a size that has no sign: for threads whose place lies below 0 it is a
// large one, so that these do nothing, while those behind them do; also places of 64 bits, widened from 32 without sign.
#include <cstdio>

__global__ void warps(const int* in, int* out, unsigned n, int first) {
  int sum = 0;
  for (int i = first + int(threadIdx.x % 32); i < n; i += 32)
    sum += in[i] * (i % 5 + 1);
  for (int d = 16; d > 0; d /= 2)
    sum += __shfl_down_sync(~0u, sum, d);
  out[threadIdx.x] = sum;
}

__global__ void wide(const int* in, int* out, int n) {
  int sum = 0;
  for (long long i = threadIdx.x - 5; i < n; i += 32)
    sum += in[i] * int(i % 5 + 1);
  out[threadIdx.x] = sum;
}

__global__ void grid(const int* in, int* out, size_t n) {
  for (int i = int(blockIdx.x * blockDim.x + threadIdx.x) - 7; i < n; i += gridDim.x * blockDim.x)
    out[i] = in[i] * 3 + i;
}

__global__ void given(const int* in, int* out, unsigned first, unsigned n) {
  for (int i = int(first) + int(threadIdx.x); i < n; i += blockDim.x)
    out[i] = in[i] * 2 + 1;
}

__global__ void tile(const int* in, int* out, unsigned w, unsigned h) {
  __shared__ int t[24][40];
  for (int y = threadIdx.y; y < 24; y += blockDim.y)
    for (int x = threadIdx.x; x < 40; x += blockDim.x)
      t[y][x] = -1;
  __syncthreads();
  for (int y = int(threadIdx.y) - 2; y < h; y += blockDim.y)
    for (int x = int(threadIdx.x) - 3; x < w; x += blockDim.x)
      t[y][x] = in[y * w + x] + y;
  __syncthreads();
  for (int y = threadIdx.y; y < 24; y += blockDim.y)
    for (int x = threadIdx.x; x < 40; x += blockDim.x)
      out[y * 40 + x] = t[y][x];
}

__global__ void guarded(const int* in, int* out, unsigned n) {
  const int x = int(blockIdx.x * blockDim.x + threadIdx.x) - 4;
  if (x >= n)
    return;
  for (int k = 0; k < 5; ++k)
    out[k * n + x] = in[x] + k * x;
}

static int host[4096];
void show(const char* name, int* device) {
  cudaMemcpy(host, device, sizeof(host), cudaMemcpyDeviceToHost);
  long long sum = 0, weighted = 0;
  for (int i = 0; i < 4096; ++i)
    sum += host[i], weighted += host[i] * (i % 241);
  printf("%s %lld %lld\n", name, sum, weighted);
  cudaMemset(device, 0, sizeof(host));
}

int main() {
  int *in, *out;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, sizeof(host));
  for (int i = 0; i < 4096; ++i)
    host[i] = i * 37 % 101;
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, sizeof(host));
  warps<<<1, 64>>>(in, out, 300, -9), show("warps", out);
  warps<<<1, 64>>>(in, out, 300, 9), show("warps", out);
  wide<<<1, 64>>>(in, out, 500), show("wide", out);
  grid<<<3, 64>>>(in, out, 500), show("grid", out);
  given<<<1, 64>>>(in, out, -5u, 300), show("given", out);
  tile<<<1, dim3(32, 4)>>>(in, out, 37, 21), show("tile", out);
  tile<<<1, dim3(8, 4)>>>(in, out, 37, 21), show("tile", out);
  guarded<<<5, 64>>>(in, out, 300), show("guarded", out);
}
