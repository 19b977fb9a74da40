// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores with cache hints (__ldg, __ldca, __ldcg, __ldcs, __ldlu, __ldcv, __stwb, __stcg, __stcs, __stwt) of
// scalar, vector and half types.
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <class T> __global__ void copies(const T* in, T* out, int n) {
  const int i = threadIdx.x;
  if (i >= n)
    return;
  switch (i % 6) {
  case 0:
    __stwb(out + i, __ldca(in + i));
    break;
  case 1:
    __stcg(out + i, __ldcg(in + i));
    break;
  case 2:
    __stcs(out + i, __ldcs(in + i));
    break;
  case 3:
    __stwt(out + i, __ldcv(in + i));
    break;
  case 4:
    __stcg(&out[i], __ldlu(&in[i]));
    break;
  default:
    out[i] = __ldg(&in[i]);
  }
}

template <class T> static void run(const char* name) {
  const int n = 40;
  unsigned char *in, *out;
  cudaMallocManaged(&in, n * sizeof(T));
  cudaMallocManaged(&out, n * sizeof(T));
  for (size_t i = 0; i < n * sizeof(T); ++i) {
    in[i] = (unsigned char)(i * 37 + 11);
    out[i] = 0;
  }
  copies<T><<<1, 64>>>((const T*)in, (T*)out, n);
  cudaDeviceSynchronize();
  int wrong = 0;
  unsigned sum = 0;
  for (size_t i = 0; i < n * sizeof(T); ++i) {
    wrong += in[i] != out[i];
    sum = sum * 31 + out[i];
  }
  printf("%-12s wrong %d sum %08x\n", name, wrong, sum);
}

int main() {
  run<char>("char");
  run<signed char>("signed char");
  run<short>("short");
  run<int>("int");
  run<long long>("long long");
  run<unsigned char>("uchar");
  run<unsigned short>("ushort");
  run<unsigned>("unsigned");
  run<unsigned long long>("ull");
  run<float>("float");
  run<double>("double");
  run<char2>("char2");
  run<char4>("char4");
  run<short2>("short2");
  run<short4>("short4");
  run<int2>("int2");
  run<int4>("int4");
  run<longlong2>("longlong2");
  run<uchar4>("uchar4");
  run<ushort2>("ushort2");
  run<uint2>("uint2");
  run<uint4>("uint4");
  run<ulonglong2>("ulonglong2");
  run<float2>("float2");
  run<float4>("float4");
  run<double2>("double2");
  run<__half>("half");
  run<__half2>("half2");
  run<__nv_bfloat16>("bfloat16");
  run<__nv_bfloat162>("bfloat162");
  return 0;
}
