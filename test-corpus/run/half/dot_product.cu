// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// half2 in shared memory, shuffles of half types, atomicAdd of half, half2 and bfloat16, operators in templates.
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void dot(const __half2* a, const __half2* b, float* result, int n) {
  __shared__ __half2 partial[128];
  __half2 sum = __float2half2_rn(0.0f);
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    sum = __hfma2(a[i], b[i], sum);
  partial[threadIdx.x] = sum;
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d /= 2) {
    if (threadIdx.x < d)
      partial[threadIdx.x] = __hadd2(partial[threadIdx.x], partial[threadIdx.x + d]);
    __syncthreads();
  }
  if (threadIdx.x == 0)
    *result = __low2float(partial[0]) + __high2float(partial[0]);
}

template <class T> __global__ void shuffled(float* out) {
  T x = T(float(threadIdx.x));
  for (int d = 16; d > 0; d /= 2)
    x += __shfl_xor_sync(0xffffffffu, x, d);
  const T up = __shfl_up_sync(0xffffffffu, T(float(threadIdx.x)), 1);
  out[threadIdx.x] = float(x) + float(up) / 64.0f;
}

__global__ void atomics(__half* h, __half2* h2, __nv_bfloat16* b, float2* f2) {
  atomicAdd(h, __half(1.0f));
  atomicAdd(h2, __floats2half2_rn(1.0f, 0.5f));
  atomicAdd(b, __nv_bfloat16(0.5f));
  atomicAdd(f2, make_float2(1.0f, 2.0f));
}

__host__ __device__ __half axpy(__half a, __half x, __half y) {
  return __half(float(a) * float(x) + float(y));
}

int main() {
  const int n = 1024;
  __half2 *a, *b;
  float* out;
  cudaMallocManaged(&a, n * sizeof *a);
  cudaMallocManaged(&b, n * sizeof *b);
  cudaMallocManaged(&out, 64 * sizeof *out);
  for (int i = 0; i < n; ++i) {
    a[i] = __floats2half2_rn(0.01f * (i % 17), 0.02f * (i % 5));
    b[i] = __floats2half2_rn(0.5f, 0.25f);
  }
  dot<<<1, 128>>>(a, b, out, n);
  cudaDeviceSynchronize();
  printf("dot %g\n", out[0]);
  shuffled<__half><<<1, 32>>>(out);
  shuffled<__nv_bfloat16><<<1, 32>>>(out + 32);
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; i += 7)
    printf("%g ", out[i]);
  printf("\n");
  struct Sums {
    __half2 h2;
    float2 f2;
    __half h;
    __nv_bfloat16 b;
  }* sums;
  cudaMallocManaged(&sums, sizeof *sums);
  sums->h2 = __floats2half2_rn(0.0f, 0.0f);
  sums->f2 = make_float2(0.0f, 0.0f);
  sums->h = 0.0f;
  sums->b = 0.0f;
  atomics<<<4, 64>>>(&sums->h, &sums->h2, &sums->b, &sums->f2);
  cudaDeviceSynchronize();
  printf("%g %g %g %g %g %g\n", float(sums->h), float(sums->h2.x), float(sums->h2.y), float(sums->b),
         sums->f2.x, sums->f2.y);
  printf("%g %d\n", float(axpy(2.0f, 3.5f, -1.0f)), int(sizeof(__half2) + sizeof(__half)));
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
