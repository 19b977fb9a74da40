// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With -fmad=false products of half and bfloat16 numbers are rounded before they are added.
// FLAGS: -fmad=false
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <class T> __global__ void sums(const T* in, T* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const T a = in[i], b = in[i + n], c = in[i + 2 * n];
  const T product = b * c;
  out[i] = a * b + c;
  out[i + n] = a - product;
}

__global__ void pairs(const __half2* in, __half2* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __hadd2(__hmul2(in[i], in[i + n]), in[i + 2 * n]);
  out[i + n] = in[i];
  out[i + n] -= in[i + n] * in[i + 2 * n];
}

template <class T> void print(const char* name, const T* out, int count) {
  unsigned hash = 2166136261u;
  const unsigned short* words = reinterpret_cast<const unsigned short*>(out);
  for (int i = 0; i < count; ++i)
    hash = (hash ^ words[i]) * 16777619u;
  printf("%-10s %08x  %04x %04x\n", name, hash, words[0], words[1]);
}

int main() {
  const int n = 4096;
  __half *h, *hOut;
  __nv_bfloat16 *b, *bOut;
  cudaMallocManaged(&h, 3 * n * sizeof *h);
  cudaMallocManaged(&hOut, 2 * n * sizeof *hOut);
  cudaMallocManaged(&b, 3 * n * sizeof *b);
  cudaMallocManaged(&bOut, 2 * n * sizeof *bOut);
  unsigned state = 1;
  for (int i = 0; i < 3 * n; ++i) {
    state = state * 1664525u + 1013904223u;
    const float x = float(state >> 8) / 8388608.0f - 1.0f;
    h[i] = __float2half(x);
    b[i] = __float2bfloat16(x);
  }
  sums<<<n / 128, 128>>>(h, hOut, n);
  sums<<<n / 128, 128>>>(b, bOut, n);
  cudaDeviceSynchronize();
  print("half", hOut, 2 * n);
  print("bfloat16", bOut, 2 * n);
  pairs<<<n / 256, 128>>>(reinterpret_cast<__half2*>(h), reinterpret_cast<__half2*>(hOut), n / 2);
  cudaDeviceSynchronize();
  print("half2", hOut, 2 * n);
  return 0;
}
