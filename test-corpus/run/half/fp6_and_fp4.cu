// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions between fp6, fp4 and wider numbers have NVIDIA's bits for every half and bfloat16,
// for floats and doubles of all sizes, and in both roundings; a checksum a function.
#include <cstdio>
#include <cuda_fp4.h>
#include <cuda_fp6.h>

__device__ void add(unsigned long long* sum, int k, unsigned long long bits, unsigned weight) {
  atomicAdd(&sum[k], bits * (2ull * weight + 1));
}

__global__ void convert(unsigned long long* sum) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  __half_raw h;
  __nv_bfloat16_raw b;
  __half2_raw h2;
  __nv_bfloat162_raw b2;
  h.x = b.x = h2.x = b2.x = (unsigned short)i;
  h2.y = b2.y = (unsigned short)(i * 7);
  // All signs and exponents, and near the numbers of the formats every 16 of their steps.
  const float wide = __uint_as_float(i * 65537u + 12345u);
  const float near = __uint_as_float((i & 1) << 31 | (0x3d000000u + (i >> 1) * 0xc00u));
  const float2 f2 = make_float2(near, wide);
  const double2 d2 = make_double2(near * 1.0000000001, wide * 0.9999999999);
  int k = 0;
  for (int mode = 0; mode < 2; ++mode) {
    const cudaRoundMode rounding = mode ? cudaRoundZero : cudaRoundNearest;
    for (int type = 0; type < 2; ++type) {
      const __nv_fp6_interpretation_t kind = type ? __NV_E3M2 : __NV_E2M3;
      add(sum, k++, __nv_cvt_halfraw_to_fp6(h, kind, rounding), i);
      add(sum, k++, __nv_cvt_bfloat16raw_to_fp6(b, kind, rounding), i);
      add(sum, k++, __nv_cvt_halfraw2_to_fp6x2(h2, kind, rounding), i);
      add(sum, k++, __nv_cvt_bfloat16raw2_to_fp6x2(b2, kind, rounding), i);
      add(sum, k++, __nv_cvt_float_to_fp6(wide, kind, rounding), i);
      add(sum, k++, __nv_cvt_float_to_fp6(near, kind, rounding), i);
      add(sum, k++, __nv_cvt_float2_to_fp6x2(f2, kind, rounding), i);
      add(sum, k++, __nv_cvt_double_to_fp6(d2.x, kind, rounding), i);
      add(sum, k++, __nv_cvt_double2_to_fp6x2(d2, kind, rounding), i);
    }
    add(sum, k++, __nv_cvt_halfraw_to_fp4(h, __NV_E2M1, rounding), i);
    add(sum, k++, __nv_cvt_bfloat16raw_to_fp4(b, __NV_E2M1, rounding), i);
    add(sum, k++, __nv_cvt_halfraw2_to_fp4x2(h2, __NV_E2M1, rounding), i);
    add(sum, k++, __nv_cvt_bfloat16raw2_to_fp4x2(b2, __NV_E2M1, rounding), i);
    add(sum, k++, __nv_cvt_float_to_fp4(wide, __NV_E2M1, rounding), i);
    add(sum, k++, __nv_cvt_float_to_fp4(near, __NV_E2M1, rounding), i);
    add(sum, k++, __nv_cvt_float2_to_fp4x2(f2, __NV_E2M1, rounding), i);
    add(sum, k++, __nv_cvt_double_to_fp4(d2.x, __NV_E2M1, rounding), i);
    add(sum, k++, __nv_cvt_double2_to_fp4x2(d2, __NV_E2M1, rounding), i);
  }
  for (int type = 0; type < 2; ++type) {
    const __nv_fp6_interpretation_t kind = type ? __NV_E3M2 : __NV_E2M3;
    const __half2_raw pair = __nv_cvt_fp6x2_to_halfraw2((__nv_fp6x2_storage_t)i, kind);
    add(sum, k++, pair.x | (unsigned)pair.y << 16, i);
    add(sum, k++, __nv_cvt_fp6_to_halfraw((__nv_fp6_storage_t)i, kind).x, i);
  }
  const __half2_raw pair = __nv_cvt_fp4x2_to_halfraw2((__nv_fp4x2_storage_t)i, __NV_E2M1);
  add(sum, k++, pair.x | (unsigned)pair.y << 16, i);
  add(sum, k++, __nv_cvt_fp4_to_halfraw((__nv_fp4_storage_t)i, __NV_E2M1).x, i);
}

/// show() prints what one number is as every other type.
template <class Small> __host__ __device__ void show(const char* name, Small x) {
  printf("%s %02x: %g %g %g %g %d %u %lld %llu %d %u %d %u %d\n", name, x.__x, (float)x, (double)x,
         (float)(__half)x, (float)(__nv_bfloat16)x, (int)x, (unsigned)x, (long long)x,
         (unsigned long long)x, (int)(short)x, (unsigned)(unsigned short)x, (int)(signed char)x,
         (unsigned)(unsigned char)x, (int)(bool)x);
}

template <class Small> __host__ __device__ void showAll(const char* name) {
  show(name, Small(0.3f));
  show(name, Small(-2.25));
  show(name, Small(-7));
  show(name, Small(5u));
  show(name, Small((short)-300));
  show(name, Small((unsigned short)2));
  show(name, Small(1ll << 40));
  show(name, Small(3ull));
  show(name, Small(__half(-0.0f)));
  show(name, Small(__nv_bfloat16(1.375f)));
  show(name, Small(INFINITY));
  show(name, Small(-INFINITY));
}

template <class Four> __host__ __device__ void showFour(const char* name, Four x) {
  const float4 back = static_cast<float4>(x);
  printf("%s %08x: %g %g %g %g, %d bytes\n", name, (unsigned)x.__x, back.x, back.y, back.z, back.w,
         (int)sizeof x);
}

template <class Two, class Four> __host__ __device__ void showVectors(const char* name) {
  const Two two(make_float2(1.3f, -100.0f));
  const float2 back = static_cast<float2>(two);
  const __half2 halves = static_cast<__half2>(Two(make_double2(-0.7, 3.4)));
  const Two others(halves), more(__nv_bfloat162(__nv_bfloat16(2.0f), __nv_bfloat16(-0.5f)));
  printf("%s %04x %04x %04x: %g %g %g %g, %d bytes\n", name, two.__x, others.__x, more.__x, back.x,
         back.y, __low2float(halves), __high2float(halves), (int)sizeof two);
  showFour(name, Four(make_float4(1.3f, -7.8f, 0.3f, 0.0f)));
  showFour(name, Four(halves, __half2(__half(6.0f), __half(-0.125f))));
}

__host__ __device__ void showTypes() {
  showAll<__nv_fp6_e2m3>("e2m3");
  showAll<__nv_fp6_e3m2>("e3m2");
  showAll<__nv_fp4_e2m1>("e2m1");
  showVectors<__nv_fp6x2_e2m3, __nv_fp6x4_e2m3>("e2m3");
  showVectors<__nv_fp6x2_e3m2, __nv_fp6x4_e3m2>("e3m2");
  showVectors<__nv_fp4x2_e2m1, __nv_fp4x4_e2m1>("e2m1");
}

__global__ void onDevice() { showTypes(); }

int main() {
  constexpr int sums = 60;
  unsigned long long* sum;
  cudaMallocManaged(&sum, sums * sizeof *sum);
  cudaMemset(sum, 0, sums * sizeof *sum);
  convert<<<256, 256>>>(sum);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  for (int k = 0; k < sums; ++k)
    printf("%2d: %016llx\n", k, sum[k]);
  onDevice<<<1, 1>>>();
  cudaDeviceSynchronize();
  showTypes();
  cudaFree(sum);
}
