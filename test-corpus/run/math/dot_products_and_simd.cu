// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __dp4a and __dp2a products and the common SIMD-in-a-word intrinsics.
#include <cstdio>

__global__ void k(unsigned* out) {
  unsigned a = 0x80ff7f01u + threadIdx.x * 0x01030507u, b = 0x12f4a6c8u ^ (threadIdx.x * 0x0f0f0f0fu);
  unsigned* r = out + threadIdx.x * 16;
  int n = 0;
  r[n++] = __dp4a(int(a), int(b), 100);
  r[n++] = __dp4a(a, b, 100u);
  r[n++] = __dp2a_lo(int(a), int(b), 7);
  r[n++] = __dp2a_hi(a, b, 7u);
  r[n++] = __vadd4(a, b);
  r[n++] = __vsub4(a, b);
  r[n++] = __vaddus4(a, b);
  r[n++] = __vsubss4(a, b);
  r[n++] = __vmaxu4(a, b);
  r[n++] = __vmins4(a, b);
  r[n++] = __vabsdiffu4(a, b);
  r[n++] = __vsadu4(a, b);
  r[n++] = __vcmpgtu4(a, b);
  r[n++] = __vadd2(a, b);
  r[n++] = __vmaxs2(a, b);
  r[n++] = __vavgu4(a, b);
}

int main() {
  unsigned* out;
  cudaMallocManaged(&out, 4 * 16 * sizeof(unsigned));
  k<<<1, 4>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; ++i)
    printf("%08x%c", out[i], i % 8 == 7 ? '\n' : ' ');
  return 0;
}
