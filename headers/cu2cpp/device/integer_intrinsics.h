// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer intrinsics: bit counting, 24-bit and high products, averages, byte permutation, funnel
// shifts, dot products.
//
// CUDA Math API, 'Integer Intrinsics'.
#ifndef CU2CPP_DEVICE_INTEGER_INTRINSICS_H
#define CU2CPP_DEVICE_INTEGER_INTRINSICS_H

#include <cu2cpp/attributes.h>
#include <vector_types.h>

inline int __popc(unsigned x) noexcept { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) noexcept { return __builtin_popcountll(x); }
inline int __clz(int x) noexcept { return x == 0 ? 32 : __builtin_clz(unsigned(x)); }
inline int __clzll(long long x) noexcept {
  return x == 0 ? 64 : __builtin_clzll((unsigned long long)x);
}
inline int __ffs(int x) noexcept { return __builtin_ffs(x); }
inline int __ffsll(long long x) noexcept { return __builtin_ffsll(x); }

inline unsigned __brev(unsigned x) noexcept {
  x = __builtin_bswap32(x);
  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  return (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
}
inline unsigned long long __brevll(unsigned long long x) noexcept {
  return (unsigned long long)__brev(unsigned(x)) << 32 | __brev(unsigned(x >> 32));
}

/// __fns() is the position of the offset-th set bit from bit `base` upwards (downwards if
/// negative); all ones if none.
inline unsigned __fns(unsigned mask, unsigned base, int offset) noexcept {
  if (offset == 0)
    return mask >> (base & 31) & 1 ? base : 0xffffffffu;
  const int step = offset > 0 ? 1 : -1;
  int left = offset > 0 ? offset : -offset;
  for (int bit = int(base); bit >= 0 && bit < 32; bit += step)
    if (mask >> bit & 1 && --left == 0)
      return unsigned(bit);
  return 0xffffffffu;
}

inline int __mulhi(int a, int b) noexcept { return int((long long)a * b >> 32); }
inline unsigned __umulhi(unsigned a, unsigned b) noexcept {
  return unsigned((unsigned long long)a * b >> 32);
}
inline long long __mul64hi(long long a, long long b) noexcept {
  __extension__ typedef __int128 Wide;
  return (long long)((Wide)a * b >> 64);
}
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) noexcept {
  __extension__ typedef unsigned __int128 Wide;
  return (unsigned long long)((Wide)a * b >> 64);
}
/// The low 32 bits of the product of the low 24 bits.
CU2CPP_PURE inline int __mul24(int a, int b) noexcept {
  return int(unsigned(int(unsigned(a) << 8) >> 8) * unsigned(int(unsigned(b) << 8) >> 8));
}
CU2CPP_PURE inline unsigned __umul24(unsigned a, unsigned b) noexcept {
  return (a & 0xffffffu) * (b & 0xffffffu);
}

inline unsigned __usad(unsigned a, unsigned b, unsigned c) noexcept {
  return (a > b ? a - b : b - a) + c;
}
inline unsigned __sad(int a, int b, unsigned c) noexcept {
  return (a > b ? unsigned(a) - unsigned(b) : unsigned(b) - unsigned(a)) + c;
}
inline int __hadd(int a, int b) noexcept { return int(((long long)a + b) >> 1); }
inline int __rhadd(int a, int b) noexcept { return int(((long long)a + b + 1) >> 1); }
inline unsigned __uhadd(unsigned a, unsigned b) noexcept {
  return unsigned(((unsigned long long)a + b) >> 1);
}
inline unsigned __urhadd(unsigned a, unsigned b) noexcept {
  return unsigned(((unsigned long long)a + b + 1) >> 1);
}

/// __byte_perm() picks four of the eight bytes of y:x, one for each hex digit of the selector (its
/// low 3 bits).
inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) noexcept {
  const unsigned long long bytes = (unsigned long long)y << 32 | x;
  unsigned result = 0;
  for (unsigned i = 0; i < 4; ++i)
    result |= unsigned(bytes >> 8 * (selector >> 4 * i & 7) & 0xff) << 8 * i;
  return result;
}

/// Funnel shifts move hi:lo; the plain ones by shift modulo 32, the c ones by at most 32.
inline unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned shift) noexcept {
  return unsigned(((unsigned long long)hi << 32 | lo) << (shift & 31) >> 32);
}
inline unsigned __funnelshift_lc(unsigned lo, unsigned hi, unsigned shift) noexcept {
  return shift >= 32 ? lo : __funnelshift_l(lo, hi, shift);
}
inline unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned shift) noexcept {
  return unsigned(((unsigned long long)hi << 32 | lo) >> (shift & 31));
}
inline unsigned __funnelshift_rc(unsigned lo, unsigned hi, unsigned shift) noexcept {
  return shift >= 32 ? hi : __funnelshift_r(lo, hi, shift);
}

namespace cu2cpp {
namespace detail {

inline int signedByte(unsigned x, unsigned i) noexcept { return (signed char)(x >> 8 * i); }
inline int signedHalf(unsigned x, unsigned i) noexcept { return (short)(x >> 16 * i); }
inline unsigned unsignedByte(unsigned x, unsigned i) noexcept { return x >> 8 * i & 0xff; }
inline unsigned unsignedHalf(unsigned x, unsigned i) noexcept { return x >> 16 * i & 0xffff; }

} // namespace detail
} // namespace cu2cpp

// Dot products of bytes (dp4a), and of two halves with the low or high two bytes (dp2a), added to c
// with wrap-around.
inline int __dp4a(int a, int b, int c) noexcept {
  using namespace cu2cpp::detail;
  unsigned sum = unsigned(c);
  for (unsigned i = 0; i < 4; ++i)
    sum += unsigned(signedByte(unsigned(a), i) * signedByte(unsigned(b), i));
  return int(sum);
}
inline unsigned __dp4a(unsigned a, unsigned b, unsigned c) noexcept {
  using namespace cu2cpp::detail;
  for (unsigned i = 0; i < 4; ++i)
    c += unsignedByte(a, i) * unsignedByte(b, i);
  return c;
}
inline int __dp2a_lo(int a, int b, int c) noexcept {
  using namespace cu2cpp::detail;
  unsigned sum = unsigned(c);
  for (unsigned i = 0; i < 2; ++i)
    sum += unsigned(signedHalf(unsigned(a), i) * signedByte(unsigned(b), i));
  return int(sum);
}
inline int __dp2a_hi(int a, int b, int c) noexcept {
  return __dp2a_lo(a, int(unsigned(b) >> 16), c);
}
inline unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c) noexcept {
  using namespace cu2cpp::detail;
  for (unsigned i = 0; i < 2; ++i)
    c += unsignedHalf(a, i) * unsignedByte(b, i);
  return c;
}
inline unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c) noexcept {
  return __dp2a_lo(a, b >> 16, c);
}

// The same on vector types.
inline int __dp4a(char4 a, char4 b, int c) noexcept {
  return int(unsigned(c) + unsigned(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w));
}
inline unsigned __dp4a(uchar4 a, uchar4 b, unsigned c) noexcept {
  return c + unsigned(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w);
}
inline int __dp2a_lo(short2 a, char4 b, int c) noexcept {
  return int(unsigned(c) + unsigned(a.x * b.x + a.y * b.y));
}
inline int __dp2a_hi(short2 a, char4 b, int c) noexcept {
  return int(unsigned(c) + unsigned(a.x * b.z + a.y * b.w));
}
inline unsigned __dp2a_lo(ushort2 a, uchar4 b, unsigned c) noexcept {
  return c + unsigned(a.x) * b.x + unsigned(a.y) * b.y;
}
inline unsigned __dp2a_hi(ushort2 a, uchar4 b, unsigned c) noexcept {
  return c + unsigned(a.x) * b.z + unsigned(a.y) * b.w;
}

#endif
