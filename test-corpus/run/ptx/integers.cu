// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer instructions of inline PTX, with values where C++ has no defined result.
#include <cstdio>

struct Results {
  unsigned u[40];
  int s[16];
  unsigned long long w[16];
  unsigned short h[4];
};

__global__ void compute(Results* out, const unsigned* in, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n)
    return;
  const unsigned a = in[i], b = in[(i + 1) % n], c = in[(i + 2) % n];
  const int sa = int(a), sb = int(b), sc = int(c);
  const unsigned long long wa = (unsigned long long)a << 32 | b, wb = (unsigned long long)c << 32 | a;
  Results r;
  int k = 0;
  asm("add.u32 %0, %1, %2;" : "=r"(r.u[k]) : "r"(a), "r"(b)); ++k;
  asm("sub.s32 %0, %1, %2;" : "=r"(r.u[k]) : "r"(a), "r"(b)); ++k;
  asm("mul.lo.u32 %0, %1, %2;" : "=r"(r.u[k]) : "r"(a), "r"(b)); ++k;
  asm("mul.hi.u32 %0, %1, %2;" : "=r"(r.u[k]) : "r"(a), "r"(b)); ++k;
  asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(r.u[k]) : "r"(a), "r"(b), "r"(c)); ++k;
  asm("mad.hi.u32 %0, %1, %2, %3;" : "=r"(r.u[k]) : "r"(a), "r"(b), "r"(c)); ++k;
  asm("and.b32 %0, %1, %2;" : "=r"(r.u[k]) : "r"(a), "r"(b)); ++k;
  asm("or.b32 %0, %1, %2;" : "=r"(r.u[k]) : "r"(a), "r"(b)); ++k;
  asm("xor.b32 %0, %1, %2;" : "=r"(r.u[k]) : "r"(a), "r"(b)); ++k;
  asm("not.b32 %0, %1;" : "=r"(r.u[k]) : "r"(a)); ++k;
  asm("cnot.b32 %0, %1;" : "=r"(r.u[k]) : "r"(a & 1)); ++k;
  asm("shl.b32 %0, %1, %2;" : "=r"(r.u[k]) : "r"(a), "r"(b & 63)); ++k;
  asm("shr.u32 %0, %1, %2;" : "=r"(r.u[k]) : "r"(a), "r"(b & 63)); ++k;
  asm("shr.u32 %0, %1, 7;" : "=r"(r.u[k]) : "r"(a)); ++k;
  asm("min.u32 %0, %1, %2;" : "=r"(r.u[k]) : "r"(a), "r"(b)); ++k;
  asm("max.u32 %0, %1, %2;" : "=r"(r.u[k]) : "r"(a), "r"(b)); ++k;
  asm("popc.b32 %0, %1;" : "=r"(r.u[k]) : "r"(a)); ++k;
  asm("clz.b32 %0, %1;" : "=r"(r.u[k]) : "r"(a >> (b & 31))); ++k;
  asm("brev.b32 %0, %1;" : "=r"(r.u[k]) : "r"(a)); ++k;
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r.u[k]) : "r"(a), "r"(b & 63), "r"(c & 63)); ++k;
  asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(r.u[k]) : "r"(a), "r"(b), "r"(c & 63), "r"(a & 63)); ++k;
  asm("bfind.u32 %0, %1;" : "=r"(r.u[k]) : "r"(a >> (b & 31))); ++k;
  asm("bfind.shiftamt.u32 %0, %1;" : "=r"(r.u[k]) : "r"(a >> (b & 31))); ++k;
  asm("bfind.s32 %0, %1;" : "=r"(r.u[k]) : "r"(sa)); ++k;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(r.u[k]) : "r"(a), "r"(b), "r"(c)); ++k;
  asm("prmt.b32.f4e %0, %1, %2, %3;" : "=r"(r.u[k]) : "r"(a), "r"(b), "r"(c)); ++k;
  asm("prmt.b32.rc16 %0, %1, %2, %3;" : "=r"(r.u[k]) : "r"(a), "r"(b), "r"(c)); ++k;
  asm("prmt.b32.ecl %0, %1, %2, %3;" : "=r"(r.u[k]) : "r"(a), "r"(b), "r"(c)); ++k;
  asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(r.u[k]) : "r"(a), "r"(b), "r"(c & 63)); ++k;
  asm("shf.r.clamp.b32 %0, %1, %2, %3;" : "=r"(r.u[k]) : "r"(a), "r"(b), "r"(c & 63)); ++k;
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(r.u[k]) : "r"(a), "r"(b), "r"(c)); ++k;
  asm("lop3.b32 %0, %1, %2, %3, 0xEA;" : "=r"(r.u[k]) : "r"(a), "r"(b), "r"(c)); ++k;
  asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(r.u[k]) : "r"(a), "r"(b), "r"(c), "n"(0x1b)); ++k;
  asm("sad.u32 %0, %1, %2, %3;" : "=r"(r.u[k]) : "r"(a), "r"(b), "r"(c)); ++k;
  asm("mul24.lo.u32 %0, %1, %2;" : "=r"(r.u[k]) : "r"(a), "r"(b)); ++k;
  asm("mad24.lo.u32 %0, %1, %2, %3;" : "=r"(r.u[k]) : "r"(a), "r"(b), "r"(c)); ++k;
  asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(r.u[k]) : "r"(a), "r"(b), "r"(c)); ++k;
  asm("dp2a.lo.u32.u32 %0, %1, %2, %3;" : "=r"(r.u[k]) : "r"(a), "r"(b), "r"(c)); ++k;
  asm("div.u32 %0, %1, %2;" : "=r"(r.u[k]) : "r"(a), "r"(b | 1)); ++k;
  asm("rem.u32 %0, %1, %2;" : "=r"(r.u[k]) : "r"(a), "r"(b | 1)); ++k;

  asm("mul.hi.s32 %0, %1, %2;" : "=r"(r.s[0]) : "r"(sa), "r"(sb));
  asm("mad.lo.s32 %0, %1, %2, %3;" : "=r"(r.s[1]) : "r"(sa), "r"(sb), "r"(sc));
  asm("shr.s32 %0, %1, %2;" : "=r"(r.s[2]) : "r"(sa), "r"(b & 63));
  asm("min.s32 %0, %1, %2;" : "=r"(r.s[3]) : "r"(sa), "r"(sb));
  asm("max.s32 %0, %1, %2;" : "=r"(r.s[4]) : "r"(sa), "r"(sb));
  asm("abs.s32 %0, %1;" : "=r"(r.s[5]) : "r"(sa));
  asm("neg.s32 %0, %1;" : "=r"(r.s[6]) : "r"(sa));
  asm("bfe.s32 %0, %1, %2, %3;" : "=r"(r.s[7]) : "r"(sa), "r"(b & 31), "r"(c & 31));
  asm("add.sat.s32 %0, %1, %2;" : "=r"(r.s[8]) : "r"(sa), "r"(sb));
  asm("sub.sat.s32 %0, %1, %2;" : "=r"(r.s[9]) : "r"(sa), "r"(sb));
  asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(r.s[10]) : "r"(sa), "r"(sb), "r"(sc));
  asm("dp4a.u32.s32 %0, %1, %2, %3;" : "=r"(r.s[11]) : "r"(sa), "r"(sb), "r"(sc));
  asm("mul24.lo.s32 %0, %1, %2;" : "=r"(r.s[12]) : "r"(sa), "r"(sb));
  asm("slct.s32.s32 %0, %1, %2, %3;" : "=r"(r.s[13]) : "r"(sa), "r"(sb), "r"(sc));
  asm("div.s32 %0, %1, %2;" : "=r"(r.s[14]) : "r"(sa / 2), "r"(sb | 1));
  asm("rem.s32 %0, %1, %2;" : "=r"(r.s[15]) : "r"(sa / 2), "r"(sb | 1));

  asm("mul.wide.u32 %0, %1, %2;" : "=l"(r.w[0]) : "r"(a), "r"(b));
  asm("mul.wide.s32 %0, %1, %2;" : "=l"(r.w[1]) : "r"(sa), "r"(sb));
  asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(r.w[2]) : "r"(a), "r"(b), "l"(wa));
  asm("mul.lo.u64 %0, %1, %2;" : "=l"(r.w[3]) : "l"(wa), "l"(wb));
  asm("mul.hi.u64 %0, %1, %2;" : "=l"(r.w[4]) : "l"(wa), "l"(wb));
  asm("mul.hi.s64 %0, %1, %2;" : "=l"(r.w[5]) : "l"(wa), "l"(wb));
  asm("mad.lo.s64 %0, %1, %2, %3;" : "=l"(r.w[6]) : "l"(wa), "l"(wb), "l"(wa));
  asm("shl.b64 %0, %1, %2;" : "=l"(r.w[7]) : "l"(wa), "r"(c & 127));
  asm("shr.s64 %0, %1, %2;" : "=l"(r.w[8]) : "l"(wa), "r"(c & 127));
  asm("bfe.u64 %0, %1, %2, %3;" : "=l"(r.w[9]) : "l"(wa), "r"(b & 127), "r"(c & 127));
  asm("bfi.b64 %0, %1, %2, %3, %4;" : "=l"(r.w[10]) : "l"(wa), "l"(wb), "r"(b & 63), "r"(c & 63));
  asm("min.s64 %0, %1, %2;" : "=l"(r.w[11]) : "l"(wa), "l"(wb));
  asm("{ .reg .u32 p; popc.b64 p, %1; cvt.u64.u32 %0, p; }" : "=l"(r.w[12]) : "l"(wa));
  asm("brev.b64 %0, %1;" : "=l"(r.w[13]) : "l"(wa));
  asm("mov.b64 %0, {%1, %2};" : "=l"(r.w[14]) : "r"(a), "r"(b));
  {
    unsigned lo, hi;
    asm("mov.b64 {%0, %1}, %2;" : "=r"(lo), "=r"(hi) : "l"(wb));
    r.w[15] = (unsigned long long)lo << 32 | hi;
  }

  const unsigned short ha = (unsigned short)a, hb = (unsigned short)b;
  asm("add.u16 %0, %1, %2;" : "=h"(r.h[0]) : "h"(ha), "h"(hb));
  asm("mul.lo.u16 %0, %1, %2;" : "=h"(r.h[1]) : "h"(ha), "h"(hb));
  asm("mul.hi.u16 %0, %1, %2;" : "=h"(r.h[2]) : "h"(ha), "h"(hb));
  asm("max.s16 %0, %1, %2;" : "=h"(r.h[3]) : "h"(ha), "h"(hb));
  out[i] = r;
}

int main() {
  const int n = 4096;
  unsigned* in;
  Results* out;
  cudaMallocManaged(&in, n * sizeof(unsigned));
  cudaMallocManaged(&out, n * sizeof(Results));
  unsigned x = 12345;
  for (int i = 0; i < n; ++i) {
    x = x * 1664525u + 1013904223u;
    in[i] = i % 7 == 0 ? x >> (x & 31) : x ^ x >> 13;
  }
  in[0] = 0, in[1] = 0x80000000u, in[2] = 0xffffffffu, in[3] = 0x7fffffffu, in[4] = 1;
  compute<<<n / 256, 256>>>(out, in, n);
  cudaDeviceSynchronize();
  const auto mix = [](unsigned long long h, unsigned long long v) { return (h ^ v) * 1099511628211ull; };
  for (int k = 0; k < 40; ++k) {
    unsigned long long h = 14695981039346656037ull;
    for (int i = 0; i < n; ++i)
      h = mix(h, out[i].u[k]);
    printf("u%d %016llx  %08x %08x\n", k, h, out[1].u[k], out[77].u[k]);
  }
  for (int k = 0; k < 16; ++k) {
    unsigned long long h = 14695981039346656037ull, g = h;
    for (int i = 0; i < n; ++i) {
      h = mix(h, unsigned(out[i].s[k]));
      g = mix(g, out[i].w[k]);
    }
    printf("s%d %016llx  %d %d\n", k, h, out[1].s[k], out[77].s[k]);
    printf("w%d %016llx  %llx %llx\n", k, g, out[1].w[k], out[77].w[k]);
  }
  for (int k = 0; k < 4; ++k) {
    unsigned long long h = 14695981039346656037ull;
    for (int i = 0; i < n; ++i)
      h = mix(h, out[i].h[k]);
    printf("h%d %016llx  %x\n", k, h, out[77].h[k]);
  }
  return 0;
}
