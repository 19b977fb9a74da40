// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mathematical functions of half and bfloat16: checksums of the exactly rounded ones, values of the others.
// TOLERANCE: 0.008
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <class T> __global__ void values(float* out) {
  const int i = threadIdx.x;
  const T x = T(0.0625f + 0.37f * i);
  float* o = out + 13 * i;
  o[0] = float(hsqrt(x));
  o[1] = float(hrsqrt(x));
  o[2] = float(hrcp(x));
  o[3] = float(hlog(x));
  o[4] = float(hlog2(x));
  o[5] = float(hlog10(x));
  o[6] = float(hexp(x));
  o[7] = float(hexp2(x));
  o[8] = float(hexp10(x));
  o[9] = float(hsin(x));
  o[10] = float(hcos(x));
  o[11] = float(x / T(3.0f));
  o[12] = float(htanh_approx(x));
}

__global__ void exact(unsigned long long* sum) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const __half h = __ushort_as_half((unsigned short)i);
  const __nv_bfloat16 b = __ushort_as_bfloat16((unsigned short)i);
  if (__hisnan(h) || __hisnan(b))
    return;
  const unsigned r[] = {__half_as_ushort(hceil(h)),      __half_as_ushort(hfloor(h)),
                        __half_as_ushort(htrunc(h)),     __half_as_ushort(hrint(h)),
                        __half_as_ushort(hsqrt(h)),      __half_as_ushort(hrcp(h)),
                        __bfloat16_as_ushort(hceil(b)),  __bfloat16_as_ushort(hfloor(b)),
                        __bfloat16_as_ushort(htrunc(b)), __bfloat16_as_ushort(hrint(b))};
  for (int k = 0; k < 10; ++k)
    atomicAdd(&sum[k], r[k] * (2ull * i + 1));
}

int main() {
  float* out;
  unsigned long long* sum;
  cudaMallocManaged(&out, 13 * 16 * sizeof *out);
  cudaMallocManaged(&sum, 10 * sizeof *sum);
  for (int type = 0; type < 2; ++type) {
    if (type == 0)
      values<__half><<<1, 16>>>(out);
    else
      values<__nv_bfloat16><<<1, 16>>>(out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 16; ++i) {
      for (int k = 0; k < 13; ++k)
        printf("%g ", out[13 * i + k]);
      printf("\n");
    }
  }
  cudaMemset(sum, 0, 10 * sizeof *sum);
  exact<<<256, 256>>>(sum);
  cudaDeviceSynchronize();
  for (int k = 0; k < 10; ++k)
    printf("sum %016llx\n", sum[k]);
}
