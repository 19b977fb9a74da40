// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer intrinsics: bit counts, reversal, high products, byte permutes, funnel shifts, average and sum of differences.
#include <cstdio>

__global__ void k(long long* out) {
  unsigned x = 0x12345678u * (threadIdx.x + 1);
  int s = int(x ^ 0x9e3779b9u);
  unsigned long long y = (unsigned long long)x * 0x100000001b3ull + threadIdx.x;
  long long* r = out + threadIdx.x * 32;
  int n = 0;
  r[n++] = __popc(x);
  r[n++] = __popcll(y);
  r[n++] = __clz(x >> (threadIdx.x * 5));
  r[n++] = __clzll(y >> 7);
  r[n++] = __clz(0);
  r[n++] = __ffs(x << threadIdx.x);
  r[n++] = __ffsll(y << 9);
  r[n++] = __ffs(0);
  r[n++] = __brev(x);
  r[n++] = (long long)__brevll(y);
  r[n++] = __byte_perm(x, ~x, 0x3715 + threadIdx.x);
  r[n++] = __mulhi(s, 123456789);
  r[n++] = __umulhi(x, 4000000000u);
  r[n++] = __mul64hi((long long)y, -987654321987654321ll);
  r[n++] = (long long)__umul64hi(y, 18000000000000000000ull);
  r[n++] = __mul24(s, 1000003);
  r[n++] = __umul24(x, 77777777u);
  r[n++] = __sad(s, -5, 7);
  r[n++] = __usad(x, 3000000000u, 9);
  r[n++] = __hadd(s, 1000001);
  r[n++] = __rhadd(s, 1000002);
  r[n++] = __uhadd(x, 4294967295u);
  r[n++] = __urhadd(x, 4294967295u);
  r[n++] = __funnelshift_l(x, ~x, 5 + threadIdx.x * 11);
  r[n++] = __funnelshift_r(x, ~x, 5 + threadIdx.x * 11);
  r[n++] = __funnelshift_lc(x, ~x, 30 + threadIdx.x);
  r[n++] = __funnelshift_rc(x, ~x, 30 + threadIdx.x);
  r[n++] = min(s, 5) + max(s, -5);
  r[n++] = abs(s / 3);
  r[n++] = llabs((long long)y >> 3);
  r[n++] = (long long)umin(x, 2000000000u) + umax(x, 9u);
  r[n++] = s >> 3;
}

int main() {
  long long* out;
  cudaMallocManaged(&out, 4 * 32 * sizeof(long long));
  k<<<1, 4>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 128; ++i)
    printf("%lld%c", out[i], i % 8 == 7 ? '\n' : ' ');
  return 0;
}
