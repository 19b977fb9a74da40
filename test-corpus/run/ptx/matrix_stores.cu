// GEMM with mma.sync of many shapes: m16n8k8 tf32, m16n8k16 f16/bf16, m16n8k32 s8, m8n8k4 f64, m16n8k16 f16 accumulators, sparse-free; ldmatrix x4 and trans
#include <cstdio>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cstdint>
__device__ float av(int i, int k) { return ((i * 7 + k * 3) % 11 - 5) * 0.25f; }
__device__ float bv(int k, int j) { return ((k * 5 + j * 2) % 13 - 6) * 0.125f; }
template <class T> __device__ uint32_t pack(T lo, T hi) { uint16_t a = *(uint16_t *)&lo, b = *(uint16_t *)&hi; return a | (uint32_t)b << 16; }
__global__ void f16(float *o) {
    int l = threadIdx.x, g = l / 4, q = l % 4; uint32_t a[4], b[2]; float c[4] = {1, 2, 3, 4};
    for (int r = 0; r < 4; r++) { int row = g + (r & 1) * 8, k = q * 2 + (r >> 1) * 8; a[r] = pack(__float2half(av(row, k)), __float2half(av(row, k + 1))); }
    for (int r = 0; r < 2; r++) { int k = q * 2 + r * 8; b[r] = pack(__float2half(bv(k, g)), __float2half(bv(k + 1, g))); }
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};" : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    for (int r = 0; r < 4; r++) o[l * 4 + r] = c[r];
    uint32_t h[2] = {0, pack(__float2half(1.f), __float2half(-1.f))}; asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1};" : "+r"(h[0]), "+r"(h[1]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    o[128 + l * 2] = __uint_as_float(h[0]); o[128 + l * 2 + 1] = __uint_as_float(h[1]);
}
__global__ void bf16(float *o) {
    int l = threadIdx.x, g = l / 4, q = l % 4; uint32_t a[2], b[1]; float c[4] = {};
    for (int r = 0; r < 2; r++) a[r] = pack(__float2bfloat16(av(g + r * 8, q * 2)), __float2bfloat16(av(g + r * 8, q * 2 + 1))); b[0] = pack(__float2bfloat16(bv(q * 2, g)), __float2bfloat16(bv(q * 2 + 1, g)));
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};" : "=f"(c[0]), "=f"(c[1]), "=f"(c[2]), "=f"(c[3]) : "r"(a[0]), "r"(a[1]), "r"(b[0]), "f"(.5f), "f"(.25f), "f"(0.f), "f"(-1.f)); for (int r = 0; r < 4; r++) o[l * 4 + r] = c[r];
}
__global__ void tf32(float *o) {
    int l = threadIdx.x, g = l / 4, q = l % 4; uint32_t a[4], b[2]; float c[4] = {};
    for (int r = 0; r < 4; r++) { float x = av(g + (r & 1) * 8, q + (r >> 1) * 4) * 1.1f; asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(a[r]) : "f"(x)); } for (int r = 0; r < 2; r++) { float x = bv(q + r * 4, g) * 0.9f; asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(b[r]) : "f"(x)); }
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};" : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1])); for (int r = 0; r < 4; r++) o[l * 4 + r] = c[r];
}
__global__ void s8(int *o) {
    int l = threadIdx.x, g = l / 4, q = l % 4; uint32_t a[4] = {}, b[2] = {}; int c[4] = {l, -l, 0, 7};
    for (int r = 0; r < 4; r++) for (int e = 0; e < 4; e++) { int row = g + (r & 1) * 8, k = q * 4 + e + (r >> 1) * 16; a[r] |= (uint32_t)(uint8_t)(row * 9 - k * 5) << (8 * e); } for (int r = 0; r < 2; r++) for (int e = 0; e < 4; e++) b[r] |= (uint32_t)(uint8_t)(((q * 4 + e + r * 16) * 3) ^ (g * 17)) << (8 * e);
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};" : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1])); for (int r = 0; r < 4; r++) o[l * 4 + r] = c[r];
}
__global__ void f64(double *o) {
    int l = threadIdx.x; double a = av(l / 4, l % 4) * 1.01, b = bv(l % 4, l / 4) / 3, c[2] = {0.1, 0.2}; asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};" : "+d"(c[0]), "+d"(c[1]) : "d"(a), "d"(b)); o[l * 2] = c[0]; o[l * 2 + 1] = c[1];
}
__global__ void ldm(unsigned *o) {
    __shared__ __align__(16) half s[32 * 8 * 2]; int l = threadIdx.x; for (int i = l; i < 512; i += 32) s[i] = __float2half(i); __syncthreads();
    uint32_t r[4], ad = (uint32_t)__cvta_generic_to_shared(s + l * 8);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(ad)); for (int i = 0; i < 4; i++) o[l * 8 + i] = r[i];
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : "r"(ad)); o[l * 8 + 4] = r[0]; o[l * 8 + 5] = r[1];
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(r[0]) : "r"(r[1])); o[l * 8 + 6] = r[0]; __syncthreads();
    asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %2};" ::"r"(ad + 512), "r"(r[1]), "r"(r[0])); __syncthreads(); o[l * 8 + 7] = *(uint32_t *)(s + 256 + l * 2);
}
int main() {
    float *f; cudaMallocManaged(&f, 4096); int *i = (int *)f; double *d = (double *)f; unsigned *u = (unsigned *)f;
    auto hash = [&](int n) { unsigned h = 5; for (int k = 0; k < n; k++) h = h * 33 ^ u[k]; return h; };
#define RUN(k, n, ...) k<<<1, 32>>>(__VA_ARGS__); cudaDeviceSynchronize(); printf("%-6s %s %08x ", #k, cudaGetErrorName(cudaGetLastError()), hash(n));
    RUN(f16, 192, f) printf("%g %g %g\n", f[0], f[50], f[127]); RUN(bf16, 128, f) printf("%g %g %g\n", f[0], f[50], f[127]); RUN(tf32, 128, f) printf("%.9g %.9g %.9g\n", f[0], f[50], f[127]);
    RUN(s8, 128, i) printf("%d %d %d\n", i[0], i[50], i[127]); RUN(f64, 128, d) printf("%.17g %.17g\n", d[0], d[63]); RUN(ldm, 256, u) printf("%08x %08x\n", u[9], u[6]);
}
