// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warp and block functions that take references to arrays: constant ones, of templates, rows of
// larger arrays, members.
#include <cstdio>
__device__ __forceinline__ void two(float (&d)[2], const unsigned (&a)[4], unsigned (&c)[2]) {
  d[0] += __shfl_xor_sync(~0u, a[0], 1);
  c[1] = __shfl_xor_sync(~0u, a[3], 2);
}
template <int N> __device__ float sumAll(const float (&a)[N], int by) {
  float s = 0;
  for (int i = 0; i < N; i++)
    s += __shfl_xor_sync(~0u, a[i], by) * (i + 1);
  return s;
}
template <class T, int M, int N> __device__ void rows(const T (&a)[M][N], T (&o)[M]) {
  for (int i = 0; i < M; i++) {
    T s = 0;
    for (int j = 0; j < N; j++)
      s += a[i][j];
    for (int d = 16; d; d /= 2)
      s += __shfl_down_sync(0xffffffffu, s, d);
    o[i] = s;
  }
}
struct Frag {
  float v[4];
  unsigned m[2];
};
__device__ void blockRot(const int (&a)[3], int (&r)[3], int* s) {
  for (int i = 0; i < 3; i++) {
    s[threadIdx.x] = a[i];
    __syncthreads();
    r[i] = s[(threadIdx.x + i + 1) % blockDim.x];
    __syncthreads();
  }
}
__device__ void byPointer(const float* a, float* b) {
  for (int i = 0; i < 4; i++)
    b[i] = __shfl_xor_sync(~0u, a[i], 8);
}
__global__ void k(float* o) {
  float d[2] = {};
  unsigned a[4], c[2];
  for (int i = 0; i < 4; i++)
    a[i] = threadIdx.x * i;
  two(d, a, c);
  float acc[2][4];
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 4; j++)
      acc[i][j] = threadIdx.x + i * 10 + j;
  float r = 0;
  for (int i = 0; i < 2; i++)
    r += sumAll(acc[i], 1 << i);
  Frag f;
  for (int i = 0; i < 4; i++)
    f.v[i] = i * threadIdx.x;
  r += sumAll(f.v, 4);
  float q[2];
  rows(acc, q);
  float p[4];
  byPointer(acc[1], p);
  o[threadIdx.x] = d[0] + c[1] * 3 + r * 5 + q[0] + q[1] * 2 + p[2];
}
__global__ void k2(int* o) {
  __shared__ int s[96];
  int a[3] = {int(threadIdx.x), int(threadIdx.x) * 2, 7}, r[3];
  blockRot(a, r, s);
  int m[2][3] = {{1, 2, int(threadIdx.x)}, {4, 5, 6}};
  int z[3];
  blockRot(m[0], z, s);
  o[threadIdx.x] = r[0] + r[1] * 3 + r[2] + z[0] + z[2] * 5;
}
int main() {
  float* o;
  cudaMallocManaged(&o, 512);
  k<<<1, 32>>>(o);
  cudaDeviceSynchronize();
  double s = 0;
  for (int i = 0; i < 32; i++)
    s += o[i] * (i + 1);
  printf("%.1f %s\n", s, cudaGetErrorString(cudaGetLastError()));
  int* q = (int*)o;
  k2<<<1, 96>>>(q);
  cudaDeviceSynchronize();
  long h = 0;
  for (int i = 0; i < 96; i++)
    h = h * 7 + q[i];
  printf("%ld\n", h);
}
