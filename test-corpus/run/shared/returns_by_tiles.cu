// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that return, branch and loop by what lies in a tile, which is a copy of global memory.
#include <cstdio>

static int *in, *out;
constexpr int N = 1024;

static void start() {
  cudaMallocManaged(&in, N * sizeof(int));
  cudaMallocManaged(&out, N * sizeof(int));
  for (int i = 0; i < N; ++i) {
    in[i] = i * 37 % 101;
    out[i] = 0;
  }
}

static void show(const char* name) {
  const cudaError_t error = cudaDeviceSynchronize();
  long long sum = 0;
  for (int i = 0; i < N; ++i) {
    sum += (long long)out[i] * (i % 13 + 1);
    out[i] = 0;
  }
  printf("%s %lld %s\n", name, sum, cudaGetErrorName(error));
}

__global__ void k1(const int* in, int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = in[i];
  __syncthreads();
  if (s[63 - t] > 50) return; out[i] = s[t];
}

__global__ void k2(const int* in, int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = in[i];
  __syncthreads();
  if (!(s[63 - t] > 50)) { out[i] = s[t]; }
}

__global__ void k3(const int* in, int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = in[i];
  __syncthreads();
  if (s[63 - t] <= 50) out[i] = s[t];
}

__global__ void k4(const int* in, int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = in[i];
  __syncthreads();
  int v = s[63 - t]; if (v <= 50) out[i] = s[t];
}

__global__ void k5(const int* in, int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = in[i];
  __syncthreads();
  for (int k = 0; s[(t + k) % 64] < 60 && k < 9; ++k) out[i] += s[t];
}

__global__ void k6(const int* in, int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = in[i];
  __syncthreads();
  out[i] = s[63 - t] <= 50 ? s[t] : 0;
}

__global__ void k7(const int* in, int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = in[i];
  __syncthreads();
  switch (s[63 - t] & 3) { case 0: out[i] = s[t]; break; case 1: out[i] = 1; default: out[i] += 2; }
}

int main() { 
  start();
  k1<<<4, 64>>>(in, out); show("k1");
  k2<<<4, 64>>>(in, out); show("k2");
  k3<<<4, 64>>>(in, out); show("k3");
  k4<<<4, 64>>>(in, out); show("k4");
  k5<<<4, 64>>>(in, out); show("k5");
  k6<<<4, 64>>>(in, out); show("k6");
  k7<<<4, 64>>>(in, out); show("k7");
}
