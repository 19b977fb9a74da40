// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Carry chains of inline PTX: within one statement, and from one statement to the next.
#include <cstdio>

struct U128 {
  unsigned w[4];
};

__device__ U128 add128(U128 a, U128 b) {
  U128 r;
  asm("add.cc.u32 %0, %4, %8;\n\t"
      "addc.cc.u32 %1, %5, %9;\n\t"
      "addc.cc.u32 %2, %6, %10;\n\t"
      "addc.u32 %3, %7, %11;"
      : "=r"(r.w[0]), "=r"(r.w[1]), "=r"(r.w[2]), "=r"(r.w[3])
      : "r"(a.w[0]), "r"(a.w[1]), "r"(a.w[2]), "r"(a.w[3]), "r"(b.w[0]), "r"(b.w[1]), "r"(b.w[2]),
        "r"(b.w[3]));
  return r;
}

__device__ U128 sub128(U128 a, U128 b) {
  asm("sub.cc.u32 %0, %0, %4; subc.cc.u32 %1, %1, %5; subc.cc.u32 %2, %2, %6; subc.u32 %3, %3, %7;"
      : "+r"(a.w[0]), "+r"(a.w[1]), "+r"(a.w[2]), "+r"(a.w[3])
      : "r"(b.w[0]), "r"(b.w[1]), "r"(b.w[2]), "r"(b.w[3]));
  return a;
}

// The same in functions of one instruction each, as libraries of long numbers have them.
__device__ __forceinline__ unsigned addCC(unsigned a, unsigned b) {
  unsigned r;
  asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
__device__ __forceinline__ unsigned addcCC(unsigned a, unsigned b) {
  unsigned r;
  asm volatile("addc.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
__device__ __forceinline__ unsigned addc(unsigned a, unsigned b) {
  unsigned r;
  asm volatile("addc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
__device__ __forceinline__ unsigned madLoCC(unsigned a, unsigned b, unsigned c) {
  unsigned r;
  asm volatile("mad.lo.cc.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  return r;
}
__device__ __forceinline__ unsigned madcHi(unsigned a, unsigned b, unsigned c) {
  unsigned r;
  asm volatile("madc.hi.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  return r;
}

constexpr int limbs = 8;

__global__ void longSums(unsigned* sum, const unsigned* a, const unsigned* b, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n)
    return;
  sum[i] = addCC(a[i], b[i]);
#pragma unroll
  for (int k = 1; k < limbs; ++k)
    sum[k * n + i] = addcCC(a[k * n + i], b[k * n + i]);
  sum[limbs * n + i] = addc(0, 0);
}

__global__ void wideProducts(unsigned long long* out, const unsigned* a, const unsigned* b, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n)
    return;
  const unsigned lo = madLoCC(a[i], b[i], a[n + i]);
  const unsigned hi = madcHi(a[i], b[i], b[n + i]);
  unsigned long long r;
  asm("{\n\t"
      ".reg .u32 x, y, z;\n\t"
      "mul.lo.u32 x, %1, %2;\n\t"
      "mul.hi.u32 y, %1, %2;\n\t"
      "mad.lo.cc.u32 x, %3, %4, x;\n\t"
      "madc.hi.cc.u32 y, %3, %4, y;\n\t"
      "addc.u32 z, 0, 0;\n\t"
      "add.u32 y, y, z;\n\t"
      "mov.b64 %0, {x, y};\n\t"
      "}"
      : "=l"(r)
      : "r"(a[i]), "r"(b[i]), "r"(a[n + i]), "r"(b[n + i]));
  out[i] = r ^ ((unsigned long long)hi << 32 | lo);
}

__global__ void sums128(U128* out, const unsigned* a, const unsigned* b, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n)
    return;
  U128 x = {{a[i], a[n + i], a[2 * n + i], a[3 * n + i]}};
  U128 y = {{b[i], b[n + i], b[2 * n + i], b[3 * n + i]}};
  out[2 * i] = add128(x, y);
  out[2 * i + 1] = sub128(x, y);
}

int main() {
  const int n = 1000;
  unsigned *a, *b, *sum;
  unsigned long long* product;
  U128* wide;
  cudaMallocManaged(&a, limbs * n * sizeof(unsigned));
  cudaMallocManaged(&b, limbs * n * sizeof(unsigned));
  cudaMallocManaged(&sum, (limbs + 1) * n * sizeof(unsigned));
  cudaMallocManaged(&product, n * sizeof(unsigned long long));
  cudaMallocManaged(&wide, 2 * n * sizeof(U128));
  unsigned x = 99;
  for (int i = 0; i < limbs * n; ++i) {
    x = x * 1664525u + 1013904223u;
    a[i] = i % 5 ? x : 0xffffffffu;
    x = x * 1664525u + 1013904223u;
    b[i] = i % 5 ? x : i % 2;
  }
  longSums<<<4, 256>>>(sum, a, b, n);
  wideProducts<<<4, 256>>>(product, a, b, n);
  sums128<<<4, 256>>>(wide, a, b, n);
  cudaDeviceSynchronize();
  unsigned long long hash = 1, hashProducts = 1, hashWide = 1;
  for (int i = 0; i < (limbs + 1) * n; ++i)
    hash = (hash ^ sum[i]) * 1099511628211ull;
  for (int i = 0; i < n; ++i) {
    hashProducts = (hashProducts ^ product[i]) * 1099511628211ull;
    for (int k = 0; k < 8; ++k)
      hashWide = (hashWide ^ wide[2 * i + k / 4].w[k % 4]) * 1099511628211ull;
  }
  printf("%llx %llx %llx\n", hash, hashProducts, hashWide);
  for (int k = 0; k <= limbs; ++k)
    printf("%08x ", sum[k * n + 35]);
  printf("\n");
  return 0;
}
