// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic, comparisons, minimum and maximum of half and bfloat16 have the GPU's bits, for 65536 x 16 pairs.
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

constexpr int ops = 24;

__device__ unsigned bitsOf(__half x) { return __half_as_ushort(x); }
__device__ unsigned bitsOf(__nv_bfloat16 x) { return __bfloat16_as_ushort(x); }
__device__ unsigned bitsOf(bool x) { return x; }
template <class T> __device__ T fromBits(unsigned short bits);
template <> __device__ __half fromBits<__half>(unsigned short bits) { return __ushort_as_half(bits); }
template <> __device__ __nv_bfloat16 fromBits<__nv_bfloat16>(unsigned short bits) {
  return __ushort_as_bfloat16(bits);
}

template <class T> __global__ void checksums(unsigned long long* sum) {
  const unsigned a = blockIdx.x * blockDim.x + threadIdx.x;
  const T x = fromBits<T>((unsigned short)a);
  for (unsigned i = 0; i < 16; ++i) {
    const T y = fromBits<T>((unsigned short)((a * 40503u + i * 4099u) ^ (i << 12)));
    const T z = fromBits<T>((unsigned short)(a * 25717u + i * 977u));
    unsigned r[ops] = {
        bitsOf(__hadd_rn(x, y)),  bitsOf(__hsub_rn(x, y)),    bitsOf(__hmul_rn(x, y)),
        bitsOf(__hfma(x, y, z)),  bitsOf(__hadd_sat(x, y)),   bitsOf(__hfma_sat(x, y, z)),
        bitsOf(__hmin(x, y)),     bitsOf(__hmax(x, y)),       bitsOf(__hmin_nan(x, y)),
        bitsOf(__hmax_nan(x, y)), bitsOf(__heq(x, y)),        bitsOf(__hneu(x, y)),
        bitsOf(__hlt(x, y)),      bitsOf(__hgeu(x, y)),       bitsOf(__hne(x, y)),
        bitsOf(__hle(x, y)),      bitsOf(__hgt(x, y)),        bitsOf(__hltu(x, y)),
        bitsOf(__hneg(x)),        bitsOf(__habs(x)),          bitsOf(__hfma_relu(x, y, z)),
        bitsOf(__hisnan(x)),      unsigned(__hisinf(x) + 1),  bitsOf(__hmul_sat(x, y)),
    };
    for (int k = 0; k < ops; ++k)
      atomicAdd(&sum[k], (unsigned long long)r[k] * (a + 31u * i + 1));
  }
}

__global__ void pairs(unsigned* out) {
  const __half2 a = __floats2half2_rn(1.5f, -2.25f), b = __floats2half2_rn(0.1f, 3.0f);
  const __half2 r[] = {a + b, a - b, a * b, a / b, __hfma2(a, b, a), __hcmadd(a, b, a), -a, __habs2(a),
                       __hmin2(a, b), __hmax2(a, b), __hgt2(a, b), __lowhigh2highlow(a),
                       __lows2half2(a, b), __highs2half2(a, b), __low2half2(a), __high2half2(a)};
  for (int i = 0; i < 16; ++i)
    out[i] = __half_as_ushort(__low2half(r[i])) | __half_as_ushort(__high2half(r[i])) << 16;
  out[16] = __hgt2_mask(a, b);
  out[17] = (__hbgt2(a, b) << 2) | (__hbne2(a, b) << 1) | (a == b);
}

int main() {
  unsigned long long* sum;
  cudaMallocManaged(&sum, ops * sizeof *sum);
  for (int type = 0; type < 2; ++type) {
    cudaMemset(sum, 0, ops * sizeof *sum);
    if (type == 0)
      checksums<__half><<<256, 256>>>(sum);
    else
      checksums<__nv_bfloat16><<<256, 256>>>(sum);
    cudaDeviceSynchronize();
    for (int k = 0; k < ops; ++k)
      printf("%s %2d: %016llx\n", type ? "bf16" : "half", k, sum[k]);
  }
  unsigned* out;
  cudaMallocManaged(&out, 18 * sizeof *out);
  pairs<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 18; ++i)
    printf("pair %2d: %08x\n", i, out[i]);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
