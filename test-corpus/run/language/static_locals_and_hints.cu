// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Static locals of device functions, constexpr tables, optimisation hints, diagnostic pragmas, attributes, assertions about
// alignment, unusual operators and literals.
#include <cstdint>
#include <cstdio>

#pragma nv_diag_suppress 177
#pragma nv_diagnostic push
#pragma nv_diag_default 177
#pragma nv_diagnostic pop
#pragma diag_suppress 550

__device__ int nextNumber() {
  static int given = 100;
  return atomicAdd(&given, 1);
}
template <class T> __device__ T* scratch() {
  static T room[4];
  return room;
}
__device__ constexpr int primes[] = {2, 3, 5, 7, 11, 13};
__device__ constexpr float halves[3] = {0.5f, 1.5f, 2.5f};
__device__ static const int squares[4] = {0, 1, 4, 9};
struct Settings {
  static constexpr int size = 8;
  static constexpr float scale = 0.25f;
  enum { Depth = 3 };
};

[[nodiscard]] __device__ __noinline__ int slow(int x) { return x * 3; }
__device__ [[gnu::always_inline]] inline int fast(int x) { return x * 5; }
[[deprecated("old")]] __device__ inline int old(int x) { return x; }

__global__ void __launch_bounds__(64) statics(int* out) {
  const int n = nextNumber();
  atomicMax(&out[0], n);
  atomicMin(&out[1], n);
  atomicAdd(&out[2], n);
  if (threadIdx.x == 0) {
    scratch<int>()[1] = 5;
    scratch<float>()[1] = 1.5f;
    out[3] = scratch<int>()[1] + int(scratch<float>()[1] * 2);
  }
}

__global__ void hints(const int* __restrict__ in, int* __restrict__ out, int n) {
  const int i = threadIdx.x;
  const int* p = static_cast<const int*>(__builtin_assume_aligned(in, 16));
  __builtin_assume(n > 0);
  int v = 0;
  if (__builtin_expect(i < n, 1))
    v = p[i];
#pragma unroll 4
  for (int k = 0; k < Settings::size; ++k)
    v += k;
#pragma unroll(2)
  for (int k = 0; k < Settings::Depth; ++k)
    v += slow(k);
#pragma unroll 1
  for (int k = 0; k < 3; ++k)
    v += fast(k) * squares[k];
#pragma unroll Settings::Depth
  for (int k = 0; k < 6; ++k)
    v += primes[k];
  _Pragma("unroll") for (int k = 0; k < 3; ++k) v += int(halves[k] * 2);
  for (int k = 0; k < 2; ++k)
    v ^= k;
  switch (i & 3) {
  case 0:
    v += 1;
    [[fallthrough]];
  case 1:
    v += 10;
    break;
  case 2:
    v = -v;
    break;
  default:
    if (i > 1000)
      __builtin_unreachable();
    v += 0b1010 + 0x1'0 + 1'000;
  }
  out[i] = v;
}

__global__ void operators(long long* out) {
  const unsigned i = threadIdx.x;
  int a = -7, b = 3;
  out[0] = a / b * 100 + a % b;
  out[1] = (a >> 1) * 100 + (int(0x80000000u) >> 31);
  out[2] = (a < 0) ? !b : ~b;
  out[3] = sizeof(long) * 100 + sizeof(void*) * 10 + sizeof(wchar_t);
  out[4] = (++a, b) + (a &= 5, a |= 8, a ^= 3, a <<= 2, a >>= 1, a);
  out[5] = static_cast<signed char>(200) + static_cast<unsigned char>(-1) + int('a') + int(u8"x"[0]);
  out[6] = (long long)(uint64_t(1) << 40) + (INT64_C(1) << 33) + i;
  int c[3] = {1, 2, 3}, *q = c;
  out[7] = *q++ + *++q * 10 + (q - c) * 100 + 1 [c] * 1000;
  auto t = [](auto... x) { return (x - ...); };
  out[8] = t(100, 20, 3);
  out[9] = alignof(double4) * 100 + alignof(float3) + (&c[2] > &c[0]);
  const char text[] = "kernel", *s = R"(raw\n)";
  out[10] = sizeof text * 100 + text[5] + s[3];
  if (i == 0)
    goto done;
  out[11] = 1;
  return;
done:
  out[11] = 2;
}

int main() {
  int *in, *out;
  long long* wide;
  cudaMallocManaged(&in, 64 * sizeof *in);
  cudaMallocManaged(&out, 64 * sizeof *out);
  cudaMallocManaged(&wide, 16 * sizeof *wide);
  out[0] = 0;
  out[1] = 1 << 30;
  out[2] = 0;
  statics<<<2, 64>>>(out);
  cudaDeviceSynchronize();
  printf("%d %d %d %d\n", out[0], out[1], out[2], out[3]);
  for (int i = 0; i < 64; ++i)
    in[i] = i * i;
  hints<<<1, 64>>>(in, out, 50);
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; i += 7)
    printf("%d ", out[i]);
  printf("\n");
  operators<<<1, 1>>>(wide);
  cudaDeviceSynchronize();
  for (int i = 0; i < 12; ++i)
    printf("%lld ", wide[i]);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  return 0;
}
