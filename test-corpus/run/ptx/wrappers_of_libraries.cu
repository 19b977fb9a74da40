// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Wrappers of inline PTX as libraries write them: ldmatrix, mma.sync and cp.async on arrays by
// reference, elect, votes, shuffles with predicates, rounding, conversions, memory orders and
// atomics.
#include <cstdint>
#include <cstdio>
#include <cuda_fp16.h>
__device__ __forceinline__ unsigned smemAddr(const void* p) {
  return (unsigned)__cvta_generic_to_shared(p);
}
__device__ __forceinline__ void ldmx4(unsigned (&r)[4], unsigned a) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];\n"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(a));
}
__device__ __forceinline__ void ldmx2t(unsigned (&r)[2], unsigned a) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];\n"
               : "=r"(r[0]), "=r"(r[1])
               : "r"(a));
}
__device__ __forceinline__ void mma16816(float (&d)[4], const unsigned (&a)[4],
                                         const unsigned (&b)[2]) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
               "{%8,%9}, {%0,%1,%2,%3};\n"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
__device__ __forceinline__ void cpAsync16(void* s, const void* g) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(smemAddr(s)), "l"(g));
}
__device__ __forceinline__ void cpCommit() { asm volatile("cp.async.commit_group;\n" ::); }
template <int N> __device__ __forceinline__ void cpWait() {
  asm volatile("cp.async.wait_group %0;\n" ::"n"(N));
}
__global__ void gemm(const half* A, const half* B, float* C, int K) {
  __shared__ __align__(16) half sA[16][16], sB[16][8];
  int l = threadIdx.x;
  float acc[4] = {};
  for (int k = 0; k < K; k += 16) {
    cpAsync16(&sA[l / 2][(l % 2) * 8], A + (l / 2) * K + k + (l % 2) * 8);
    if (l < 16)
      cpAsync16(&sB[l][0], B + (k + l) * 8);
    cpCommit();
    cpWait<0>();
    __syncthreads();
    unsigned a[4], b[2];
    ldmx4(a, smemAddr(&sA[l % 16][(l / 16) * 8]));
    ldmx2t(b, smemAddr(&sB[l % 16][0]));
    mma16816(acc, a, b);
    __syncthreads();
  }
  int g = l / 4, t = l % 4;
  C[g * 8 + t * 2] = acc[0];
  C[g * 8 + t * 2 + 1] = acc[1];
  C[(g + 8) * 8 + t * 2] = acc[2];
  C[(g + 8) * 8 + t * 2 + 1] = acc[3];
}
__device__ __forceinline__ uint32_t elect() {
  uint32_t p = 0;
  asm volatile(
      "{\n.reg .b32 %%rx;\n.reg .pred %%px;\n elect.sync %%rx|%%px, %1;\n@%%px mov.s32 %0, 1;\n}\n"
      : "+r"(p)
      : "r"(0xFFFFFFFF));
  return p;
}
__global__ void misc(uint32_t* o, const float* f) {
  uint32_t t = threadIdx.x, r, q;
  int i;
  float x;
  double d;
  uint64_t u;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(r));
  q = r;
  asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(r));
  q = q * 31 + r;
  asm("mov.u32 %0, %%ntid.x;" : "=r"(r));
  q = q * 31 + r;
  asm volatile("mov.u32 %0, %%warpid;" : "=r"(r)); // where the warp happens to run
  q = q * 31 + (r < 64);
  asm volatile("{.reg .pred p; setp.lt.u32 p, %1, 7; vote.sync.ballot.b32 %0, p, 0xffffffff;}"
               : "=r"(r)
               : "r"(t & 31));
  q = q * 31 + r;
  asm volatile("{.reg .pred p, q; setp.ne.u32 p, %1, 40; vote.sync.all.pred q, p, 0xffffffff; "
               "selp.u32 %0, 5, 6, q;}"
               : "=r"(r)
               : "r"(t));
  q = q * 31 + r;
  asm volatile("shfl.sync.up.b32 %0, %1, 3, 0, 0xffffffff;" : "=r"(r) : "r"(t));
  q = q * 31 + r;
  asm volatile("{.reg .pred p; shfl.sync.down.b32 %0|p, %1, 4, 31, -1; @!p add.u32 %0, %0, 1000;}"
               : "=r"(r)
               : "r"(t * 3));
  q = q * 31 + r;
  asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(r) : "r"(t % 5));
  q = q * 31 + r;
  asm volatile("redux.sync.max.s32 %0, %1, 0xffffffff;" : "=r"(i) : "r"(int(t * 17 % 23) - 9));
  q = q * 31 + i;
  asm volatile("activemask.b32 %0;" : "=r"(r));
  q = q * 31 + r;
  q = q * 31 + elect();
  asm volatile("bar.sync 1, 64;" ::: "memory");
  asm volatile("barrier.sync 2;" ::);
  asm volatile("bar.warp.sync 0xffffffff;");
  asm("fma.rn.ftz.f32 %0, %1, %2, %3;" : "=f"(x) : "f"(f[t]), "f"(2.5f), "f"(0.125f));
  q = q * 31 + __float_as_uint(x);
  asm("mul.rz.f32 %0, %1, %1;" : "=f"(x) : "f"(f[t]));
  q = q * 31 + __float_as_uint(x);
  asm("sqrt.rn.f32 %0, %1;" : "=f"(x) : "f"(fabsf(f[t])));
  q = q * 31 + __float_as_uint(x);
  asm("div.rn.f32 %0, %1, %2;" : "=f"(x) : "f"(f[t]), "f"(3.0f));
  q = q * 31 + __float_as_uint(x);
  asm("cvt.rn.f64.s64 %0, %1;" : "=d"(d) : "l"((long long)t << 40 | 3));
  asm("mov.b64 %0, %1;" : "=l"(u) : "d"(d));
  q = q * 31 + uint32_t(u >> 32) + uint32_t(u);
  asm("cvt.rpi.f32.f32 %0, %1;" : "=f"(x) : "f"(f[t]));
  q = q * 31 + __float_as_uint(x);
  asm("cvt.u8.u32 %0, %1;" : "=r"(r) : "r"(t * 300));
  q = q * 31 + r;
  asm("cvt.sat.u8.s32 %0, %1;" : "=r"(r) : "r"(int(t * 30) - 500));
  q = q * 31 + r;
  asm("cvt.s64.s32 %0, %1;" : "=l"(u) : "r"(-int(t)));
  q = q * 31 + uint32_t(u >> 32);
  asm("min.NaN.f32 %0, %1, %2;" : "=f"(x) : "f"(f[t]), "f"(0.1f));
  q = q * 31 + __float_as_uint(x);
  asm("abs.f32 %0, %1;" : "=f"(x) : "f"(f[t]));
  asm("neg.f32 %0, %0;" : "+f"(x));
  asm("copysign.f32 %0, %1, %0;" : "+f"(x) : "f"(f[t]));
  q = q * 31 + __float_as_uint(x);
  asm("{.reg .pred p; testp.normal.f32 p, %1; selp.u32 %0, 3, 4, p;}" : "=r"(r) : "f"(x));
  q = q * 31 + r;
  asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(t), "r"(q), "r"(7));
  q ^= r;
  asm("mad.hi.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(q), "r"(q), "r"(7));
  q ^= r;
  asm("mul.wide.s16 %0, %1, %2;" : "=r"(i) : "h"((short)t), "h"((short)-77));
  q = q * 31 + i;
  asm("slct.s32.f32 %0, %1, %2, %3;" : "=r"(i) : "r"(1), "r"(2), "f"(f[t]));
  q = q * 31 + i;
  asm("set.gt.u32.f32 %0, %1, %2;" : "=r"(r) : "f"(f[t]), "f"(0.f));
  q = q * 31 + r;
  asm("cnot.b32 %0, %1;" : "=r"(r) : "r"(t & 3));
  q = q * 31 + r;
  asm("shl.b32 %0, %1, %2;" : "=r"(r) : "r"(q), "r"(t));
  q ^= r;
  asm("shr.s32 %0, %1, %2;" : "=r"(i) : "r"(int(q)), "r"(t));
  q ^= i;
  asm("rem.u32 %0, %1, %2;" : "=r"(r) : "r"(q), "r"(t + 1));
  q = q * 31 + r;
  asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(r) : "r"(q), "r"(t * 99), "r"(5));
  q = q * 31 + r;
  asm("vshr.u32.u32.u32.clamp.add %0, %1, %2, %3;" : "=r"(r) : "r"(q), "r"(t), "r"(3));
  q = q * 31 + r;
  uint32_t* sp = o + 64 + t;
  asm volatile("st.global.wb.u32 [%0], %1;" ::"l"(sp), "r"(q));
  asm volatile("ld.volatile.global.u32 %0, [%1];" : "=r"(r) : "l"(sp));
  asm volatile("st.release.gpu.global.u32 [%0+256], %1;" ::"l"(sp), "r"(r ^ 1));
  asm volatile("ld.acquire.sys.global.u32 %0, [%1+256];" : "=r"(r) : "l"(sp));
  asm volatile("fence.acq_rel.gpu;" ::: "memory");
  asm volatile("membar.gl;");
  asm volatile("prefetch.global.L2 [%0];" ::"l"(sp));
  asm volatile("prefetchu.L1 [%0];" ::"l"(sp));
  uint16_t h;
  asm volatile("ld.global.u16 %0, [%1];" : "=h"(h) : "l"(sp));
  q = q * 31 + r + h;
  asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;" : "=r"(r) : "l"(sp), "r"(r ^ 1), "r"(12u));
  q = q * 31 + r;
  asm volatile("atom.acq_rel.gpu.global.exch.b32 %0, [%1], %2;" : "=r"(r) : "l"(sp), "r"(13u));
  q = q * 31 + r;
  asm volatile("atom.global.inc.u32 %0, [%1], %2;" : "=r"(r) : "l"(sp), "r"(13u));
  q = q * 31 + r;
  asm volatile("red.global.add.f32 [%0], %1;" ::"l"((float*)(o + 300)), "f"(1.0f));
  __shared__ unsigned sh[64];
  unsigned sa = smemAddr(sh + t);
  asm volatile("st.shared.u32 [%0], %1;" ::"r"(sa), "r"(t * 5));
  asm volatile("bar.sync 0;");
  unsigned sb = smemAddr(sh + (t ^ 3));
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(r) : "r"(sb));
  q = q * 31 + r;
  asm volatile("bar.sync 0;");
  asm volatile("atom.shared.add.u32 %0, [%1], %2;" : "=r"(r) : "r"(sa), "r"(9u));
  q = q * 31 + r;
  asm volatile("bar.sync 0;");
  asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];"
               : "=r"(r), "=r"(i)
               : "r"(smemAddr(sh + (t & ~1))));
  asm volatile("bar.sync 0;");
  asm("{ .reg .b32 a, b; .reg .f32 z; mov.b32 a, %1; and.b32 b, a, 0xff; cvt.rn.f32.u32 z, b; "
      "mul.f32 z, z, 0f3F000000; cvt.rzi.u32.f32 %0, z; }"
      : "=r"(r)
      : "r"(q));
  q = q * 31 + r;
  o[t] = q;
}
int main() {
  half *A, *B;
  float* C;
  const int K = 64;
  cudaMallocManaged(&A, 16 * K * 2);
  cudaMallocManaged(&B, K * 8 * 2);
  cudaMallocManaged(&C, 512);
  for (int i = 0; i < 16 * K; i++)
    A[i] = __float2half(i * 7 % 11 - 5);
  for (int i = 0; i < K * 8; i++)
    B[i] = __float2half(i * 3 % 13 - 6);
  gemm<<<1, 32>>>(A, B, C, K);
  cudaError_t e = cudaDeviceSynchronize();
  int bad = 0;
  for (int i = 0; i < 16; i++)
    for (int j = 0; j < 8; j++) {
      float w = 0;
      for (int k = 0; k < K; k++)
        w += __half2float(A[i * K + k]) * __half2float(B[k * 8 + j]);
      bad += w != C[i * 8 + j];
    }
  printf("bad %d %s\n", bad, cudaGetErrorString(e));
  uint32_t* o;
  float* f;
  cudaMallocManaged(&o, 4096);
  cudaMallocManaged(&f, 256);
  for (int i = 0; i < 64; i++)
    f[i] = (i - 30) * 0.73f;
  misc<<<1, 64>>>(o, f);
  e = cudaDeviceSynchronize();
  uint32_t h = 0;
  for (int i = 0; i < 64; i++)
    h = h * 31 + o[i];
  printf("%08x %08x %08x %s\n", h, o[0], o[63], cudaGetErrorString(e));
}
