// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fast intrinsics (__sinf, __expf, __fdividef ...) are as near to the exact value as the GPU's are.
// TOLERANCE: 2e-4
#include <cstdio>

__global__ void k(float* out) {
  float x = 0.4f + 0.7f * threadIdx.x;
  float* r = out + threadIdx.x * 12;
  r[0] = __sinf(x) + 2;
  r[1] = __cosf(x) + 2;
  r[2] = __tanf(x * 0.3f);
  r[3] = __expf(x);
  r[4] = __exp10f(x * 0.3f);
  r[5] = __logf(x + 2);
  r[6] = __log2f(x + 2);
  r[7] = __log10f(x + 2);
  r[8] = __powf(x, 1.5f);
  r[9] = __fdividef(x, 3);
  float s, c;
  __sincosf(x, &s, &c);
  r[10] = s * 10 + c + 20;
  r[11] = __frsqrt_rn(x);
}

int main() {
  float* out;
  cudaMallocManaged(&out, 4 * 12 * sizeof(float));
  k<<<1, 4>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 48; ++i)
    printf("%.6g%c", out[i], i % 6 == 5 ? '\n' : ' ');
  return 0;
}
