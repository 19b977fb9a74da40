// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums that tensor cores round: every type and shape with numbers of different sizes, so that the
// order of additions, what is cut off and how results are rounded all show.
#include <cstdio>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

__device__ unsigned next(unsigned& state) { return state = state * 1664525u + 1013904223u; }
/// Numbers whose exponents spread over `range` powers of two.
__device__ float number(int i, int range) {
  unsigned state = unsigned(i) * 2654435761u + 12345u;
  next(state);
  const float fraction = 1.0f + float(next(state) >> 9) / 8388608.0f;
  const int exponent = range == 0 ? 0 : int((next(state) >> 8) % unsigned(range)) - range / 2;
  return (next(state) >> 31 ? -fraction : fraction) * exp2f(float(exponent));
}
template <class T> __device__ unsigned bitsOf(T low, T high) {
  unsigned short a, b;
  memcpy(&a, &low, 2);
  memcpy(&b, &high, 2);
  return a | unsigned(b) << 16;
}
template <class T> __device__ unsigned pairOf(int i, int range) {
  return bitsOf(T(number(2 * i, range)), T(number(2 * i + 1, range)));
}
__device__ unsigned tf32Of(int i, int range) {
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(number(i, range)));
  return bits;
}

#define SUMS "{%0, %1, %2, %3}"
#define MMA(shape, types, a, b)                                                                    \
  "mma.sync.aligned." shape ".row.col." types " " SUMS ", " a ", " b ", " SUMS ";"

template <int kind> __global__ void bySync(float* out, int range, int steps) {
  const int lane = threadIdx.x;
  float c[4];
  unsigned h[2] = {pairOf<half>(lane * 2 + 5000, range), pairOf<half>(lane * 2 + 5001, range)};
  for (int i = 0; i < 4; ++i)
    c[i] = number(lane * 4 + i + 9000, range);
  for (int step = 0; step < steps; ++step) {
    unsigned a[4], b[2];
    for (int i = 0; i < 6; ++i) {
      const int at = (step * 32 + lane) * 6 + i;
      (i < 4 ? a[i] : b[i - 4]) = kind >= 4                ? tf32Of(at, range)
                                  : kind == 1 || kind == 3 ? pairOf<__nv_bfloat16>(at, range)
                                                           : pairOf<half>(at, range);
    }
    if (kind == 0)
      asm volatile(MMA("m16n8k16", "f32.f16.f16.f32", "{%4, %5, %6, %7}", "{%8, %9}") : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    if (kind == 1)
      asm volatile(MMA("m16n8k16", "f32.bf16.bf16.f32", "{%4, %5, %6, %7}", "{%8, %9}") : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    if (kind == 2)
      asm volatile(MMA("m16n8k8", "f32.f16.f16.f32", "{%4, %5}", "{%6}") : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(a[0]), "r"(a[1]), "r"(b[0]));
    if (kind == 3)
      asm volatile(MMA("m16n8k8", "f32.bf16.bf16.f32", "{%4, %5}", "{%6}") : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(a[0]), "r"(a[1]), "r"(b[0]));
    if (kind == 4)
      asm volatile(MMA("m16n8k8", "f32.tf32.tf32.f32", "{%4, %5, %6, %7}", "{%8, %9}") : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    if (kind == 5)
      asm volatile(MMA("m16n8k4", "f32.tf32.tf32.f32", "{%4, %5}", "{%6}") : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(a[0]), "r"(a[1]), "r"(b[0]));
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};" : "+r"(h[0]), "+r"(h[1]) : "r"(a[0] & 0xbfffbfffu), "r"(a[1] & 0xbfffbfffu), "r"(a[2] & 0xbfffbfffu), "r"(a[3] & 0xbfffbfffu), "r"(b[0] & 0xbfffbfffu), "r"(b[1] & 0xbfffbfffu));
  }
  for (int i = 0; i < 4; ++i)
    out[lane * 4 + i] = c[i];
  for (int i = 0; i < 2; ++i)
    out[128 + lane * 2 + i] = __uint_as_float(h[i]);
}

template <class Kind> struct Stored {
  using type = Kind;
};
template <> struct Stored<wmma::precision::tf32> {
  using type = float;
};

template <class Kind, class Sum, int m, int n, int k>
__global__ void byFragments(Sum* out, int range, int steps) {
  using T = typename Stored<Kind>::type;
  __shared__ T a[m * k], b[k * n];
  wmma::fragment<wmma::matrix_a, m, n, k, Kind, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, m, n, k, Kind, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, m, n, k, Sum> fc;
  wmma::fill_fragment(fc, Sum(0.37f));
  for (int step = 0; step < steps; ++step) {
    for (int i = threadIdx.x; i < m * k; i += 32)
      a[i] = T(number(i + 7000 * step, range));
    for (int i = threadIdx.x; i < n * k; i += 32)
      b[i] = T(number(i + 7000 * step + 3500, range));
    __syncthreads();
    wmma::load_matrix_sync(fa, a, k);
    wmma::load_matrix_sync(fb, b, k);
    if constexpr (sizeof(T) == 4) {
      for (int i = 0; i < fa.num_elements; ++i)
        fa.x[i] = wmma::__float_to_tf32(fa.x[i]);
      for (int i = 0; i < fb.num_elements; ++i)
        fb.x[i] = wmma::__float_to_tf32(fb.x[i]);
    }
    wmma::mma_sync(fc, fa, fb, fc);
    __syncthreads();
  }
  wmma::store_matrix_sync(out, fc, n, wmma::mem_row_major);
}

static float* out;
static void show(const char* name, int range, int steps, int words) {
  const cudaError_t error = cudaDeviceSynchronize();
  unsigned hash = 5, word;
  for (int i = 0; i < words; ++i) {
    memcpy(&word, out + i, 4);
    hash = hash * 33 ^ word;
  }
  printf("%-22s range %2d steps %d %s %08x", name, range, steps, cudaGetErrorName(error), hash);
  for (int i = 0; i < 128; i += 41) {
    memcpy(&word, out + i, 4);
    printf(" %08x", word);
  }
  printf("\n");
}

template <class Kind, class Sum, int m, int n, int k> static void fragments(const char* name) {
  for (int range : {0, 6, 20})
    for (int steps : {1, 8}) {
      if (sizeof(Sum) == 2 && range > 6)
        continue;
      byFragments<Kind, Sum, m, n, k><<<1, 32>>>((Sum*)out, range, steps);
      show(name, range, steps, int(m * n * sizeof(Sum) / 4));
    }
}
template <int kind> static void sync(const char* name) {
  for (int range : {0, 6, 20})
    for (int steps : {1, 8}) {
      bySync<kind><<<1, 32>>>(out, range, steps);
      show(name, range, steps, kind == 0 && range < 20 ? 192 : 128);
    }
}

int main() {
  cudaMallocManaged(&out, 4096);
  sync<0>("m16n8k16 f16");
  sync<1>("m16n8k16 bf16");
  sync<2>("m16n8k8 f16");
  sync<3>("m16n8k8 bf16");
  sync<4>("m16n8k8 tf32");
  sync<5>("m16n8k4 tf32");
  fragments<half, float, 16, 16, 16>("16x16x16 half float");
  fragments<half, half, 16, 16, 16>("16x16x16 half half");
  fragments<half, float, 32, 8, 16>("32x8x16 half float");
  fragments<half, half, 8, 32, 16>("8x32x16 half half");
  fragments<__nv_bfloat16, float, 16, 16, 16>("16x16x16 bf16");
  fragments<__nv_bfloat16, float, 8, 32, 16>("8x32x16 bf16");
  fragments<wmma::precision::tf32, float, 16, 16, 8>("16x16x8 tf32");
}
