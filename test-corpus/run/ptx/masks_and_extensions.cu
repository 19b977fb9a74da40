// inline PTX of many kinds, with hashes
#include <cstdio>
#include <cstdint>
__device__ uint32_t rnd(uint32_t &s) { s ^= s << 13; s ^= s >> 17; s ^= s << 5; return s; }
__device__ __forceinline__ uint32_t mix(uint32_t h, uint64_t v) { h = (h ^ (uint32_t)v) * 16777619u; return (h ^ (uint32_t)(v >> 32)) * 16777619u; }
__global__ void ints(uint32_t *o) {
    uint32_t s = 12345u + threadIdx.x * 7919u, h[24]; for (auto &x : h) x = 2166136261u;
    for (int it = 0; it < 50; it++) {
        uint32_t a = rnd(s), b = rnd(s), c = rnd(s), r, r2; int q; uint64_t w; uint32_t p8 = b & 31;
        asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b & 63), "r"(c & 63)); h[0] = mix(h[0], r);
        asm("bfe.s32 %0, %1, %2, %3;" : "=r"(q) : "r"(a), "r"(b & 63), "r"(c & 63)); h[1] = mix(h[1], q);
        asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(a), "r"(b), "r"(c & 63), "r"(a & 63)); h[2] = mix(h[2], r);
        asm("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); h[3] = mix(h[3], r);
        asm("prmt.b32.f4e %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); asm("prmt.b32.rc16 %0, %1, %2, %3;" : "=r"(r2) : "r"(a), "r"(b), "r"(c)); h[3] = mix(h[3], r + r2 * 3);
        asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); asm("lop3.b32 %0, %1, %2, %3, 0xCA;" : "=r"(r2) : "r"(a), "r"(b), "r"(c)); h[4] = mix(h[4], r ^ r2);
        asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); asm("shf.r.clamp.b32 %0, %1, %2, %3;" : "=r"(r2) : "r"(a), "r"(b), "r"(c & 63)); h[5] = mix(h[5], r ^ r2 * 5);
        asm("mad.lo.cc.u32 %0, %2, %3, %4; \n\t madc.hi.u32 %1, %2, %3, 7;" : "=r"(r), "=r"(r2) : "r"(a), "r"(b), "r"(c)); h[6] = mix(h[6], r ^ r2 * 5);
        asm("{\n\t add.cc.u32 %0, %2, %3;\n\t addc.u32 %1, %4, 0;\n\t}" : "=r"(r), "=r"(r2) : "r"(a), "r"(b), "r"(c)); h[7] = mix(h[7], r ^ r2 * 5);
        asm("sub.cc.u32 %0, %2, %3; subc.cc.u32 %1, %4, %2;" : "=r"(r), "=r"(r2) : "r"(a), "r"(b), "r"(c)); h[8] = mix(h[8], r ^ r2 * 5);
        asm("mul.wide.u32 %0, %1, %2;" : "=l"(w) : "r"(a), "r"(b)); h[9] = mix(h[9], w); asm("mad.wide.s32 %0, %1, %2, %3;" : "=l"(w) : "r"(a), "r"(b), "l"(w)); h[9] = mix(h[9], w);
        asm("bfind.u32 %0, %1;" : "=r"(r) : "r"(a >> p8)); asm("bfind.shiftamt.s32 %0, %1;" : "=r"(r2) : "r"((int)a >> p8)); h[10] = mix(h[10], r ^ r2 * 5);
        asm("brev.b32 %0, %1;" : "=r"(r) : "r"(a)); asm("popc.b32 %0, %1;" : "=r"(r2) : "r"(r & b)); h[11] = mix(h[11], r ^ r2);
        asm("clz.b64 %0, %1;" : "=r"(r) : "l"(w >> (b & 63))); h[12] = mix(h[12], r);
        asm("sad.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); asm("sad.s32 %0, %1, %2, %3;" : "=r"(r2) : "r"(a), "r"(b), "r"(c)); h[13] = mix(h[13], r + 3 * r2);
        asm("dp4a.u32.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); asm("dp2a.lo.s32.u32 %0, %1, %2, %3;" : "=r"(r2) : "r"(a), "r"(b), "r"(c)); h[14] = mix(h[14], r + 3 * r2);
        asm("mul24.lo.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); asm("mad24.hi.u32 %0, %1, %2, %3;" : "=r"(r2) : "r"(a), "r"(b), "r"(c)); h[15] = mix(h[15], r + 3 * r2);
        asm("{ .reg .pred p, q; setp.lt.and.s32 p|q, %1, %2, 1; @p add.u32 %0, %3, 1; @!p sub.u32 %0, %3, 2; }" : "=r"(r) : "r"(a), "r"(b), "r"(c)); h[16] = mix(h[16], r);
        asm("{ .reg .pred p; setp.ge.u32 p, %1, %2; selp.b32 %0, %3, %1, p; }" : "=r"(r) : "r"(a), "r"(b), "r"(c)); h[17] = mix(h[17], r);
        asm("slct.u32.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); asm("set.gt.u32.u32 %0, %1, %2;" : "=r"(r2) : "r"(a), "r"(b)); h[18] = mix(h[18], r + r2);
        asm("vadd4.u32.u32.u32.sat %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(r2) : "r"(a), "r"(b), "r"(c)); h[19] = mix(h[19], r + 3 * r2);
        asm("fns.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b & 31), "r"((int)(c & 7) - 3)); h[20] = mix(h[20], r);
        asm("szext.wrap.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(r2) : "r"(a & 63), "r"(b & 63)); h[21] = mix(h[21], r + 3 * r2);
        asm("{ .reg .b16 lo, hi; mov.b32 {lo, hi}, %1; mov.b32 %0, {hi, lo}; }" : "=r"(r) : "r"(a)); asm("mov.b64 {%0, %1}, %2;" : "=r"(r2), "=r"(q) : "l"(w)); h[22] = mix(h[22], r + 3 * r2 + q);
        uint16_t u16; asm("cvt.sat.u16.s32 %0, %1;" : "=h"(u16) : "r"((int)a >> (b & 15))); asm("cvt.s32.s8 %0, %1;" : "=r"(r) : "r"(a)); asm("cvt.sat.s8.s32 %0, %1;" : "=r"(r2) : "r"((int)a >> 20)); h[23] = mix(h[23], u16 + 3 * r + 7 * r2);
    }
    for (int i = 0; i < 24; i++) atomicXor(&o[i], h[i] * (threadIdx.x * 2 + 1));
}
__global__ void floats(float *o, double *d) {
    float a = 1.7f + threadIdx.x * 0.31f, b = -0.37f * threadIdx.x + 2.2f, r; double x; int i; unsigned u;
    asm("fma.rn.ftz.f32 %0, %1, %2, %1;" : "=f"(r) : "f"(a), "f"(b)); o[0] = r; asm("add.rz.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); o[1] = r;
    asm("mul.rp.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); o[2] = r; asm("div.rn.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); o[3] = r;
    asm("sqrt.rm.f32 %0, %1;" : "=f"(r) : "f"(a)); o[4] = r; asm("rcp.rn.f32 %0, %1;" : "=f"(r) : "f"(b)); o[5] = r;
    asm("cvt.rni.s32.f32 %0, %1;" : "=r"(i) : "f"(b * 10)); o[6] = i; asm("cvt.rmi.f32.f32 %0, %1;" : "=f"(r) : "f"(b)); o[7] = r;
    asm("min.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); o[8] = r; asm("copysign.f32 %0, %1, %2;" : "=f"(r) : "f"(b), "f"(a)); o[9] = r;
    asm("{ .reg .pred p; testp.infinite.f32 p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(u) : "f"(a)); o[10] = u;
    asm("fma.rz.f64 %0, %1, %2, %3;" : "=d"(x) : "d"((double)a), "d"((double)b), "d"(0.1)); d[0] = x; asm("cvt.rz.f32.f64 %0, %1;" : "=f"(r) : "d"(x)); o[11] = r;
    asm("mov.b64 %0, {%1, %2};" : "=d"(x) : "r"(0), "r"(0x40090000 + (int)threadIdx.x)); d[1] = x; asm("{.reg .f32 t; mul.f32 t, %1, 0f3FC00000; add.f32 %0, t, 0fBF800000;}" : "=f"(r) : "f"(a)); o[12] = r;
    asm("neg.f64 %0, %1; abs.f64 %0, %0;" : "=d"(x) : "d"((double)b)); d[2] = x; asm("fma.rn.sat.f32 %0, %1, %2, %2;" : "=f"(r) : "f"(a), "f"(b)); o[13] = r;
}
int main() {
    uint32_t *o; cudaMallocManaged(&o, 96); cudaMemset(o, 0, 96); ints<<<1, 64>>>(o); cudaDeviceSynchronize(), printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    for (int i = 0; i < 24; i++) printf("%2d %08x\n", i, o[i]);
    float *f; double *d; cudaMallocManaged(&f, 64); cudaMallocManaged(&d, 64);
    floats<<<1, 1>>>(f, d); cudaDeviceSynchronize(), printf("%s\n", cudaGetErrorName(cudaGetLastError())); for (int i = 0; i < 14; i++) printf("%.9g ", f[i]); for (int i = 0; i < 3; i++) printf("%.17g ", d[i]); printf("\n");
}
