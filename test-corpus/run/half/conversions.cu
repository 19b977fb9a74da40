// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions between half, bfloat16, fp8, integers and float have the GPU's bits in every rounding.
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

__device__ void add(unsigned long long* sum, int k, unsigned long long bits, unsigned weight) {
  atomicAdd(&sum[k], bits * (2ull * weight + 1));
}

__global__ void fromNarrow(unsigned long long* sum) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const __half h = __ushort_as_half((unsigned short)i);
  const __nv_bfloat16 b = __ushort_as_bfloat16((unsigned short)i);
  int k = 0;
  add(sum, k++, (unsigned)__half2int_rn(h), i);
  add(sum, k++, (unsigned)__half2int_rz(h), i);
  add(sum, k++, (unsigned)__half2int_rd(h), i);
  add(sum, k++, (unsigned)__half2int_ru(h), i);
  add(sum, k++, __half2uint_rn(h), i);
  add(sum, k++, (unsigned short)__half2short_rd(h), i);
  add(sum, k++, __half2ushort_ru(h), i);
  add(sum, k++, (unsigned long long)__half2ll_rn(h), i);
  add(sum, k++, __half2ull_rz(h), i);
  add(sum, k++, (unsigned)__bfloat162int_rn(b), i);
  add(sum, k++, __bfloat162uint_ru(b), i);
  add(sum, k++, (unsigned short)__bfloat162short_rz(b), i);
  add(sum, k++, (unsigned long long)__bfloat162ll_rd(b), i);
  add(sum, k++, __bfloat162ull_rn(b), i);
  if (!__hisnan(h))
    add(sum, k, __float_as_uint(__half2float(h)), i);
  ++k;
  __half_raw raw;
  raw.x = (unsigned short)i;
  for (int type = 0; type < 2; ++type)
    add(sum, k++, __nv_cvt_halfraw_to_fp8(raw, __NV_SATFINITE, (__nv_fp8_interpretation_t)type), i);
  if (i < 256) {
    add(sum, k++, __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)i, __NV_E4M3).x, i);
    add(sum, k++, __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)i, __NV_E5M2).x, i);
  }
}

__global__ void toNarrow(unsigned long long* sum) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float f = __uint_as_float(i * 65537u + 12345u);
  const int n = (int)(i * 2654435761u) >> (i % 29);
  const long long l = (long long)(i * 0x9e3779b97f4a7c15ull) >> (i % 61);
  int k = 20;
  if (f == f) {
    add(sum, k + 0, __half_as_ushort(__float2half_rn(f)), i);
    add(sum, k + 1, __half_as_ushort(__float2half_rz(f)), i);
    add(sum, k + 2, __half_as_ushort(__float2half_rd(f)), i);
    add(sum, k + 3, __half_as_ushort(__float2half_ru(f)), i);
    add(sum, k + 4, __bfloat16_as_ushort(__float2bfloat16_rn(f)), i);
    add(sum, k + 5, __bfloat16_as_ushort(__float2bfloat16_rz(f)), i);
    add(sum, k + 6, __bfloat16_as_ushort(__float2bfloat16_rd(f)), i);
    add(sum, k + 7, __bfloat16_as_ushort(__float2bfloat16_ru(f)), i);
    add(sum, k + 8, __half_as_ushort(__double2half((double)f * 1.0000000001)), i);
    add(sum, k + 9, __bfloat16_as_ushort(__double2bfloat16((double)f * 1.0000000001)), i);
    add(sum, k + 10, __nv_cvt_float_to_fp8(f, __NV_SATFINITE, __NV_E4M3), i);
    add(sum, k + 11, __nv_cvt_float_to_fp8(f, __NV_SATFINITE, __NV_E5M2), i);
    add(sum, k + 12, __nv_cvt_float_to_fp8(f, __NV_NOSAT, __NV_E4M3), i);
    add(sum, k + 13, __nv_cvt_float_to_fp8(f, __NV_NOSAT, __NV_E5M2), i);
  }
  k += 14;
  add(sum, k++, __half_as_ushort(__int2half_rn(n)), i);
  add(sum, k++, __half_as_ushort(__int2half_rz(n)), i);
  add(sum, k++, __half_as_ushort(__int2half_rd(n)), i);
  add(sum, k++, __half_as_ushort(__uint2half_ru((unsigned)n)), i);
  add(sum, k++, __half_as_ushort(__ll2half_rn(l)), i);
  add(sum, k++, __bfloat16_as_ushort(__int2bfloat16_rn(n)), i);
  add(sum, k++, __bfloat16_as_ushort(__uint2bfloat16_rd((unsigned)n)), i);
  add(sum, k++, __bfloat16_as_ushort(__ll2bfloat16_rn(l)), i);
  add(sum, k++, __bfloat16_as_ushort(__ll2bfloat16_rz(l)), i);
  add(sum, k++, __bfloat16_as_ushort(__ull2bfloat16_ru((unsigned long long)l)), i);
}

int main() {
  constexpr int sums = 48;
  unsigned long long* sum;
  cudaMallocManaged(&sum, sums * sizeof *sum);
  cudaMemset(sum, 0, sums * sizeof *sum);
  fromNarrow<<<256, 256>>>(sum);
  toNarrow<<<256, 256>>>(sum);
  cudaDeviceSynchronize();
  for (int k = 0; k < sums; ++k)
    printf("%2d: %016llx\n", k, sum[k]);
  const __nv_fp8_e4m3 small(0.3f), large(1e9f);
  const __nv_fp8x4_e5m2 four(make_float4(1.0f, -2.5f, 0.1f, 70000.0f));
  const float4 back = static_cast<float4>(four);
  printf("%g %g %g %g %g %g\n", (float)small, (float)large, back.x, back.y, back.z, back.w);
}
