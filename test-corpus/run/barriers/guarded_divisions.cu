// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Divisions that a condition keeps from dividing by zero: what bounds ranges of threads is not computed before it holds.
#include <cstdio>

__global__ void guarded(int* out, int m, int n) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  int v = s[63 - threadIdx.x];
  if (n != 0 && threadIdx.x < m / n)
    v += 1000;
  int w = 0;
  if (n != 0) {
    if (threadIdx.x + 1 < m % n)
      w = s[threadIdx.x];
    else
      w = 3;
  }
  out[threadIdx.x] = v + w;
}
__global__ void early(int* out, int m, int n) {
  __shared__ int s[64];
  if (n == 0) return;
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  int q = m / n;
  int v = s[63 - threadIdx.x];
  if (threadIdx.x < q) v += 1000;
  out[threadIdx.x] = v;
}
__global__ void data(int* out, const int* d, int m) {
  __shared__ int s[64];
  int n = d[0];
  if (n == 0) return;
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  int q = m / n;
  int v = s[63 - threadIdx.x];
  if (threadIdx.x < q) v += 1000;
  __syncthreads();
  s[threadIdx.x] = v;
  __syncthreads();
  if (threadIdx.x < q) v += s[threadIdx.x + 1];
  out[threadIdx.x] = v;
}
__global__ void inner(int* out, int m, int n) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  for (int k = 0; k < 2; ++k) {
    __syncthreads();
    if (n != 0) { int q = m / n; if (threadIdx.x < q) s[threadIdx.x] += q; if (threadIdx.x < m % n) s[threadIdx.x] += k; }
    __syncthreads();
  }
  out[threadIdx.x] = s[threadIdx.x];
}
__global__ void loops(int* out, int m, int n) {
  if (n > 0) {
    int part = m / n;
    for (int i = threadIdx.x; i < part; i += blockDim.x) out[i % 64] += 1;
  }
}
int main() { int* o; int* d; cudaMallocManaged(&o, 256); cudaMallocManaged(&d, 4);
  for (int n : {0, 3}) { *d = n; for (int i = 0; i < 64; ++i) o[i] = 7;
  guarded<<<1, 64>>>(o, 100, n); printf("%s ", cudaGetErrorString(cudaDeviceSynchronize())); printf("%d %d\n", o[0], o[63]);
  early<<<1, 64>>>(o, 100, n); printf("%s ", cudaGetErrorString(cudaDeviceSynchronize())); printf("%d %d\n", o[0], o[63]);
  data<<<1, 64>>>(o, d, 100); printf("%s ", cudaGetErrorString(cudaDeviceSynchronize())); printf("%d %d\n", o[0], o[63]);
  inner<<<1, 64>>>(o, 100, n); printf("%s ", cudaGetErrorString(cudaDeviceSynchronize())); printf("%d %d\n", o[0], o[63]);
  loops<<<1, 64>>>(o, 100, n); printf("%s ", cudaGetErrorString(cudaDeviceSynchronize())); printf("%d %d\n", o[0], o[63]); } }
