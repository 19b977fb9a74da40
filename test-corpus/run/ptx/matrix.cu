// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix instructions in inline PTX: mma.sync of halves, bfloat16, tf32, double, bytes and 4-bit numbers, ldmatrix plain and
// transposed, a tiled product that uses both. Small whole numbers, so that sums are exact.
#include <cstdint>
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ unsigned pack(float a, float b) {
  const __half2 h = __floats2half2_rn(a, b);
  return *reinterpret_cast<const unsigned*>(&h);
}
__device__ unsigned packBf(float a, float b) {
  const __nv_bfloat162 h = __floats2bfloat162_rn(a, b);
  return *reinterpret_cast<const unsigned*>(&h);
}
__device__ float number(int i) { return float((i * 37) % 11 - 5); }
__device__ unsigned word(int i) { return (i * 2654435761u) ^ (i << 7); }

__global__ void halves(float* out) {
  const int l = threadIdx.x;
  unsigned a[4], b[2];
  for (int i = 0; i < 4; ++i)
    a[i] = pack(number(l * 8 + 2 * i), number(l * 8 + 2 * i + 1));
  for (int i = 0; i < 2; ++i)
    b[i] = pack(number(l * 5 + 2 * i + 3), number(l * 5 + 2 * i + 4));
  float c[4] = {0, 1, 2, number(l)}, d[4];
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"
               : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[3]), "r"(b[1]));
  unsigned h[2] = {pack(1, 2), pack(3, number(l))};
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1};"
               : "+r"(h[0]), "+r"(h[1])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  for (int i = 0; i < 4; ++i)
    out[l * 8 + i] = d[i];
  out[l * 8 + 4] = float(h[0]);
  out[l * 8 + 5] = float(h[1] % 65536);
  for (int i = 0; i < 4; ++i)
    a[i] = packBf(number(l * 8 + 2 * i), number(l * 8 + 2 * i + 1));
  b[0] = packBf(number(l), number(l + 1));
  b[1] = packBf(number(l + 2), number(l + 3));
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  out[l * 8 + 6] = d[0] + d[1];
  out[l * 8 + 7] = d[2] - d[3];
}

__global__ void others(double* out) {
  const int l = threadIdx.x;
  unsigned a[4], b[2];
  float d[4] = {};
  for (int i = 0; i < 4; ++i)
    a[i] = __float_as_uint(number(l * 4 + i));
  b[0] = __float_as_uint(number(l + 7));
  b[1] = __float_as_uint(number(l * 3 + 1));
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  out[l * 8] = d[0] + d[1] * 10 + d[2] * 100 + d[3] * 1000;
  double x = 1, y = number(l);
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
               : "+d"(x), "+d"(y)
               : "d"(double(number(l * 2))), "d"(double(number(l * 9))));
  out[l * 8 + 1] = x;
  out[l * 8 + 2] = y;
  int s[4] = {1, 2, 3, l};
  for (int i = 0; i < 4; ++i)
    a[i] = word(l * 4 + i);
  b[0] = word(l + 1000);
  b[1] = word(l + 2000);
  asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+r"(s[0]), "+r"(s[1]), "+r"(s[2]), "+r"(s[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  out[l * 8 + 3] = s[0] + s[1] * 2.0 + s[2] * 3.0 + s[3] * 4.0;
  asm volatile("mma.sync.aligned.m16n8k16.row.col.s32.u8.s8.s32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
               : "+r"(s[0]), "+r"(s[1]), "+r"(s[2]), "+r"(s[3])
               : "r"(a[0]), "r"(a[1]), "r"(b[1]));
  out[l * 8 + 4] = s[0] + s[1] * 2.0 + s[2] * 3.0 + s[3] * 4.0;
  int q[2] = {5, l};
  asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0,%1}, {%2}, {%3}, {%0,%1};"
               : "+r"(q[0]), "+r"(q[1])
               : "r"(a[2]), "r"(b[0]));
  out[l * 8 + 5] = q[0];
  out[l * 8 + 6] = q[1];
}

__global__ void loads(unsigned* out) {
  __shared__ alignas(16) unsigned short tile[4][8][8];
  const int l = threadIdx.x;
  for (int i = l; i < 256; i += 32)
    (&tile[0][0][0])[i] = (unsigned short)(i * 3);
  __syncthreads();
  const unsigned address = unsigned(__cvta_generic_to_shared(&tile[l / 8][l % 8][0]));
  unsigned r[4], t[2], one;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(address));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];" : "=r"(t[0]), "=r"(t[1]) : "r"(address));
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(one) : "r"(address));
  for (int i = 0; i < 4; ++i)
    out[l * 8 + i] = r[i];
  out[l * 8 + 4] = t[0];
  out[l * 8 + 5] = t[1];
  out[l * 8 + 6] = one;
}

// C (32 x 16) = A (32 x 32) * B (32 x 16), two warps of 16 rows each.
__global__ void product(const __half* a, const __half* b, float* c) {
  __shared__ alignas(16) __half sa[32][32], sb[32][16];
  const int t = threadIdx.x, warp = t / 32, l = t % 32;
  for (int i = t; i < 32 * 32; i += blockDim.x)
    sa[i / 32][i % 32] = a[i];
  for (int i = t; i < 32 * 16; i += blockDim.x)
    sb[i / 16][i % 16] = b[i];
  __syncthreads();
  for (int column = 0; column < 16; column += 8) {
    float d[4] = {};
    for (int k = 0; k < 32; k += 16) {
      unsigned x[4], y[2];
      const unsigned pa = unsigned(__cvta_generic_to_shared(&sa[warp * 16 + l % 16][k + l / 16 * 8]));
      const unsigned pb = unsigned(__cvta_generic_to_shared(&sb[k + l % 16][column]));
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                   : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                   : "r"(pa));
      asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];" : "=r"(y[0]), "=r"(y[1]) : "r"(pb));
      asm volatile(
          "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
          : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
          : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
    }
    for (int i = 0; i < 4; ++i)
      c[(warp * 16 + l / 4 + i / 2 * 8) * 16 + column + l % 4 * 2 + i % 2] = d[i];
  }
}

int main() {
  float* f;
  double* d;
  unsigned* u;
  __half *a, *b;
  cudaMallocManaged(&f, 1024 * sizeof *f);
  cudaMallocManaged(&d, 256 * sizeof *d);
  cudaMallocManaged(&u, 256 * sizeof *u);
  cudaMallocManaged(&a, 1024 * sizeof *a);
  cudaMallocManaged(&b, 512 * sizeof *b);
  halves<<<1, 32>>>(f);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  for (int i = 0; i < 256; ++i)
    printf("%g%c", f[i], i % 8 == 7 ? '\n' : ' ');
  others<<<1, 32>>>(d);
  cudaDeviceSynchronize();
  for (int i = 0; i < 256; ++i)
    if (i % 8 != 7)
      printf("%g%c", d[i], i % 8 == 6 ? '\n' : ' ');
  loads<<<1, 32>>>(u);
  cudaDeviceSynchronize();
  for (int i = 0; i < 256; ++i)
    if (i % 8 != 7)
      printf("%08x%c", u[i], i % 8 == 6 ? '\n' : ' ');
  for (int i = 0; i < 1024; ++i)
    a[i] = __float2half(float((i * 7) % 9 - 4));
  for (int i = 0; i < 512; ++i)
    b[i] = __float2half(float((i * 5) % 7 - 3));
  product<<<1, 64>>>(a, b, f);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < 32; ++i)
    for (int j = 0; j < 16; ++j) {
      float sum = 0;
      for (int k = 0; k < 32; ++k)
        sum += __half2float(a[i * 32 + k]) * __half2float(b[k * 16 + j]);
      wrong += sum != f[i * 16 + j];
    }
  printf("wrong %d, %g %g\n", wrong, f[0], f[511]);
  return 0;
}
