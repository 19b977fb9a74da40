// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer, SIMD, conversion and rounding intrinsics against straightforward references.
#include <cfenv>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <cu2cpp/ptx.h>

#include <cu2cpp/device_functions.h>

namespace {

using Limits32 = std::numeric_limits<int>;

std::vector<unsigned> words() {
  std::vector<unsigned> w = {0u,          1u,          2u,          0x7fu,       0x80u,
                             0xffu,       0x7fffu,     0x8000u,     0xffffu,     0x7fffffffu,
                             0x80000000u, 0xffffffffu, 0x80808080u, 0x7f7f7f7fu, 0x80008000u,
                             0x7fff7fffu, 0x01ff8000u, 0x00010001u};
  std::mt19937 random(1);
  for (int i = 0; i < 60; ++i)
    w.push_back(static_cast<unsigned>(random()));
  return w;
}

int lane(unsigned word, int bits, int i, bool isSigned) {
  const unsigned raw = word >> bits * i & ((1u << bits) - 1);
  return isSigned && raw >> (bits - 1) ? int(raw) - (1 << bits) : int(raw);
}
int clampTo(int x, int bits, bool isSigned) {
  const int least = isSigned ? -(1 << (bits - 1)) : 0;
  const int most = isSigned ? (1 << (bits - 1)) - 1 : (1 << bits) - 1;
  return x < least ? least : x > most ? most : x;
}

// Compares a SIMD function with a function of lanes, on all pairs of words().
template <class Simd, class Lane> void expectLanes(int bits, bool isSigned, Simd simd, Lane f) {
  for (const unsigned a : words())
    for (const unsigned b : words()) {
      unsigned expected = 0;
      for (int i = 0; i < 32 / bits; ++i)
        expected |= (unsigned(f(lane(a, bits, i, isSigned), lane(b, bits, i, isSigned))) &
                     ((1u << bits) - 1))
                    << bits * i;
      ASSERT_EQ(expected, simd(a, b)) << std::hex << a << ' ' << b;
    }
}

} // namespace

#define EXPECT_LANES(name, isSigned, expression)                                                   \
  expectLanes(16, isSigned, name##2, [](int x, int y) {                                            \
    [[maybe_unused]] constexpr int bits = 16;                                                      \
    return expression;                                                                             \
  });                                                                                              \
  expectLanes(8, isSigned, name##4, [](int x, int y) {                                             \
    [[maybe_unused]] constexpr int bits = 8;                                                       \
    return expression;                                                                             \
  })

TEST(SimdIntrinsics, ArithmeticByLanes) {
  EXPECT_LANES(__vadd, true, x + y);
  EXPECT_LANES(__vsub, true, x - y);
  EXPECT_LANES(__vaddss, true, clampTo(x + y, bits, true));
  EXPECT_LANES(__vaddus, false, clampTo(x + y, bits, false));
  EXPECT_LANES(__vsubss, true, clampTo(x - y, bits, true));
  EXPECT_LANES(__vsubus, false, clampTo(x - y, bits, false));
  EXPECT_LANES(__vabsdiffs, true, std::abs(x - y));
  EXPECT_LANES(__vabsdiffu, false, std::abs(x - y));
  EXPECT_LANES(__vmaxs, true, std::max(x, y));
  EXPECT_LANES(__vmaxu, false, std::max(x, y));
  EXPECT_LANES(__vmins, true, std::min(x, y));
  EXPECT_LANES(__vminu, false, std::min(x, y));
  EXPECT_LANES(__vavgu, false, int(std::floor((x + y) / 2.0 + 0.5)));
  EXPECT_LANES(__vhaddu, false, int(std::floor((x + y) / 2.0)));
  EXPECT_LANES(__vavgs, true, int(std::round((x + y) / 2.0)));
}

TEST(SimdIntrinsics, ComparisonsByLanes) {
  EXPECT_LANES(__vcmpeq, false, x == y ? -1 : 0);
  EXPECT_LANES(__vcmpne, false, x != y ? -1 : 0);
  EXPECT_LANES(__vcmpgts, true, x > y ? -1 : 0);
  EXPECT_LANES(__vcmpgeu, false, x >= y ? -1 : 0);
  EXPECT_LANES(__vsetles, true, x <= y ? 1 : 0);
  EXPECT_LANES(__vsetltu, false, x < y ? 1 : 0);
}

TEST(SimdIntrinsics, OneOperandAndSums) {
  expectLanes(
      8, true, [](unsigned a, unsigned) { return __vabs4(a); },
      [](int x, int) { return std::abs(x); });
  expectLanes(
      16, true, [](unsigned a, unsigned) { return __vabsss2(a); },
      [](int x, int) { return clampTo(std::abs(x), 16, true); });
  expectLanes(
      8, true, [](unsigned a, unsigned) { return __vnegss4(a); },
      [](int x, int) { return clampTo(-x, 8, true); });
  expectLanes(
      16, true, [](unsigned a, unsigned) { return __vneg2(a); }, [](int x, int) { return -x; });
  EXPECT_EQ(255u + 127 + 1 + 0, __vsads4(0x7f7f0005u, 0x80000105u));
  EXPECT_EQ(1u + 0x7f + 1 + 0, __vsadu4(0x7f7f0005u, 0x80000105u));
  EXPECT_EQ(0xffffu + 1, __vsads2(0x7fff0000u, 0x8000ffffu));
}

TEST(IntegerIntrinsics, Bits) {
  for (const unsigned w : words()) {
    int count = 0, leading = 32, first = 0;
    unsigned reversed = 0;
    for (int i = 0; i < 32; ++i)
      if (w >> i & 1) {
        ++count;
        leading = 31 - i;
        first = first ? first : i + 1;
        reversed |= 1u << (31 - i);
      }
    EXPECT_EQ(count, __popc(w));
    EXPECT_EQ(leading, __clz(int(w)));
    EXPECT_EQ(first, __ffs(int(w)));
    EXPECT_EQ(reversed, __brev(w));
    EXPECT_EQ(2 * count, __popcll((unsigned long long)w << 32 | w));
    EXPECT_EQ((unsigned long long)reversed << 32 | 0x80000000u,
              __brevll(1ull << 32 | 0 | w) | 0x80000000u)
        << w;
  }
  EXPECT_EQ(64, __clzll(0));
  EXPECT_EQ(31, __clzll(1ll << 32));
  EXPECT_EQ(0, __ffsll(0));
  EXPECT_EQ(41, __ffsll(1ll << 40));
  EXPECT_EQ(0u, __fns(0x11u, 0, 1));
  EXPECT_EQ(4u, __fns(0x11u, 0, 2));
  EXPECT_EQ(0xffffffffu, __fns(0x11u, 0, 3));
  EXPECT_EQ(4u, __fns(0x11u, 31, -1));
  EXPECT_EQ(0xffffffffu, __fns(0x11u, 1, 0));
}

TEST(IntegerIntrinsics, Products) {
  for (const unsigned a : words())
    for (const unsigned b : words()) {
      EXPECT_EQ(unsigned((unsigned long long)a * b >> 32), __umulhi(a, b));
      EXPECT_EQ(int((long long)int(a) * int(b) >> 32), __mulhi(int(a), int(b)));
      const auto low24 = [](unsigned x) {
        return (long long)(x & 0xffffff) - (x & 0x800000 ? 1 << 24 : 0);
      };
      EXPECT_EQ(int(low24(a) * low24(b)), __mul24(int(a), int(b)));
      EXPECT_EQ(unsigned((unsigned long long)(a & 0xffffff) * (b & 0xffffff)), __umul24(a, b));
      EXPECT_EQ(int(((long long)int(a) + int(b)) >> 1), __hadd(int(a), int(b)));
      EXPECT_EQ(unsigned(((unsigned long long)a + b + 1) / 2), __urhadd(a, b));
      EXPECT_EQ(unsigned(std::llabs((long long)int(a) - int(b)) + 7), __sad(int(a), int(b), 7u));
      int sum = 5;
      unsigned usum = 5;
      for (int i = 0; i < 4; ++i) {
        sum += lane(a, 8, i, true) * lane(b, 8, i, true);
        usum += unsigned(lane(a, 8, i, false) * lane(b, 8, i, false));
      }
      EXPECT_EQ(sum, __dp4a(int(a), int(b), 5));
      EXPECT_EQ(usum, __dp4a(a, b, 5u));
      EXPECT_EQ(lane(a, 16, 0, true) * lane(b, 8, 2, true) +
                    lane(a, 16, 1, true) * lane(b, 8, 3, true),
                __dp2a_hi(int(a), int(b), 0));
    }
  EXPECT_EQ(-1, __mul64hi(-1, 1));
  EXPECT_EQ(~0ull - 1, __umul64hi(~0ull, ~0ull));
}

TEST(IntegerIntrinsics, PermutationAndFunnelShifts) {
  EXPECT_EQ(0x33221100u, __byte_perm(0x33221100u, 0x77665544u, 0x3210));
  EXPECT_EQ(0x44556677u, __byte_perm(0x33221100u, 0x77665544u, 0x4567));
  EXPECT_EQ(0x00773311u, __byte_perm(0x33221100u, 0x77665544u, 0x0731));
  EXPECT_EQ(0x00000000u, __byte_perm(0x33221100u, 0x77665544u, 0x8888)); // only 3 bits count
  EXPECT_EQ(0x23456789u, __funnelshift_l(0x9abcdef0u, 0x12345678u, 4));
  EXPECT_EQ(0x12345678u, __funnelshift_l(0x9abcdef0u, 0x12345678u, 32));
  EXPECT_EQ(0x9abcdef0u, __funnelshift_lc(0x9abcdef0u, 0x12345678u, 32));
  EXPECT_EQ(0x89abcdefu, __funnelshift_r(0x9abcdef0u, 0x12345678u, 4));
  EXPECT_EQ(0x9abcdef0u, __funnelshift_r(0x9abcdef0u, 0x12345678u, 32));
  EXPECT_EQ(0x12345678u, __funnelshift_rc(0x9abcdef0u, 0x12345678u, 99));
}

// nvcc compiles casts to cvt.rzi, which clamps; to 8 and 16 bits by way of 32.
TEST(Conversions, CastsClamp) {
  using cu2cpp::clamped;
  EXPECT_EQ(-2, (int)clamped(-2.9f));
  EXPECT_EQ(Limits32::max(), (int)clamped(2147483648.0f));
  EXPECT_EQ(2147483520, (int)clamped(2147483520.0f));
  EXPECT_EQ(Limits32::min(), (int)clamped(-1e10f));
  EXPECT_EQ(0, (int)clamped(NAN));
  EXPECT_EQ(Limits32::min(), (int)clamped(double(NAN)));
  EXPECT_EQ(2147483647, (int)clamped(2147483647.9));
  EXPECT_EQ(0u, (unsigned)clamped(-5.0f));
  EXPECT_EQ(4294967295u, (unsigned)clamped(1e20));
  EXPECT_EQ(3000000000u, static_cast<unsigned>(clamped(3e9)));
  EXPECT_EQ(std::numeric_limits<long long>::max(), (long long)clamped(INFINITY));
  EXPECT_EQ(0u, (unsigned long long)clamped(-1e30));
  EXPECT_EQ(44, (unsigned char)clamped(300.0f));
  EXPECT_EQ(255, (unsigned char)clamped(1e12f));
  EXPECT_EQ(0, (unsigned char)clamped(-1.0f));
  EXPECT_EQ(-56, (signed char)clamped(200.0f));
  EXPECT_EQ(-1, (short)clamped(1e12f));
  EXPECT_EQ(0, (short)clamped(-1e12f));
  const int initialized = clamped(-1e30);
  EXPECT_EQ(Limits32::min(), initialized);
  // In instances of templates for other types nothing changes.
  EXPECT_EQ(-7, (int)clamped(-7ll));
  EXPECT_EQ(2.5f, (float)clamped(2.5f));
}

TEST(Conversions, ToIntegersRoundAndClamp) {
  EXPECT_EQ(2, __float2int_rn(2.5f));
  EXPECT_EQ(4, __float2int_rn(3.5f));
  EXPECT_EQ(-2, __float2int_rz(-2.9f));
  EXPECT_EQ(-3, __float2int_rd(-2.1f));
  EXPECT_EQ(-2, __float2int_ru(-2.9f));
  EXPECT_EQ(Limits32::max(), __float2int_rn(2147483648.0f));
  EXPECT_EQ(2147483520, __float2int_rn(2147483520.0f));
  EXPECT_EQ(Limits32::min(), __float2int_rn(-3e9f));
  EXPECT_EQ(0, __float2int_rn(NAN));
  EXPECT_EQ(Limits32::min(), __double2int_rn(NAN));
  EXPECT_EQ(0u, __float2uint_rn(NAN));
  EXPECT_EQ(0u, __float2uint_rn(-1.0f));
  EXPECT_EQ(0xffffffffu, __float2uint_rn(4294967296.0f));
  EXPECT_EQ(0xffffff00u, __float2uint_rn(4294967040.0f));
  EXPECT_EQ(0x80000000u, __double2uint_rz(NAN));
  EXPECT_EQ(2147483647, __double2int_rd(2147483647.9));
  EXPECT_EQ(Limits32::max(), __double2int_ru(2147483647.1));
  EXPECT_EQ(std::numeric_limits<long long>::max(), __double2ll_rn(9.3e18));
  EXPECT_EQ(std::numeric_limits<long long>::min(), __float2ll_rn(NAN));
  EXPECT_EQ(~0ull, __double2ull_rn(1e20));
  EXPECT_EQ(1ull << 63, __double2ull_rn(NAN));
  EXPECT_EQ(18446744073709549568ull, __double2ull_rz(18446744073709549568.0));
}

TEST(Conversions, FromIntegersInEachDirection) {
  EXPECT_EQ(16777216.0f, __int2float_rn(16777217));
  EXPECT_EQ(16777216.0f, __int2float_rz(16777217));
  EXPECT_EQ(16777218.0f, __int2float_ru(16777217));
  EXPECT_EQ(-16777218.0f, __int2float_rd(-16777217));
  EXPECT_EQ(4294967296.0f, __uint2float_ru(0xffffffffu));
  EXPECT_EQ(4294967040.0f, __uint2float_rz(0xffffffffu));
  EXPECT_EQ(18446744073709551616.0f, __ull2float_ru(~0ull));
  EXPECT_EQ(18446742974197923840.0f, __ull2float_rd(~0ull));
  EXPECT_EQ(9007199254740992.0, __ll2double_rd(9007199254740993ll));
  EXPECT_EQ(9007199254740994.0, __ll2double_ru(9007199254740993ll));
  EXPECT_EQ(0x1.fffffep0f, __double2float_rd(0x1.ffffffp0));
  EXPECT_EQ(0x1p1f, __double2float_ru(0x1.ffffffp0));
  EXPECT_EQ(std::numeric_limits<float>::max(), __double2float_rz(1e300));
  EXPECT_EQ(INFINITY, __double2float_rn(1e300));
}

TEST(Conversions, Bits) {
  EXPECT_EQ(0x3f800000, __float_as_int(1.0f));
  EXPECT_EQ(1.0f, __int_as_float(0x3f800000));
  EXPECT_EQ(0x80000000u, __float_as_uint(-0.0f));
  EXPECT_EQ(0x3ff0000000000000ll, __double_as_longlong(1.0));
  EXPECT_EQ(1.0, __longlong_as_double(0x3ff0000000000000ll));
  EXPECT_EQ(0x40091eb8, __double2hiint(3.14));
  EXPECT_EQ(0x51eb851f, __double2loint(3.14));
  EXPECT_EQ(3.14, __hiloint2double(0x40091eb8, 0x51eb851f));
}

// An exact value: high is the nearest double, low what is left, to a few digits.
struct Exact {
  double high, low;
};
Exact exactSum(double a, double b) {
  const double high = a + b, back = high - a;
  return {high, (a - (high - back)) + (b - back)};
}
Exact exactQuotient(double a, double b) {
  const double high = a / b;
  return {high, std::fma(-high, b, a) / b};
}
Exact exactRoot(double a) {
  const double high = std::sqrt(a);
  return {high, std::fma(-high, high, a) / (2 * high)};
}

// Directed results are below or equal, above or equal, and neighbours.
template <class T> void expectEnclosed(Exact exact, T rd, T rn, T ru, T rz) {
  ASSERT_LE(rd - exact.high, exact.low);
  ASSERT_GE(ru - exact.high, exact.low);
  ASSERT_TRUE(rd == ru || std::nextafter(rd, static_cast<T>(INFINITY)) == ru);
  ASSERT_EQ(exact.high < 0 ? ru : rd, rz);
  ASSERT_TRUE(rn == rd || rn == ru);
}

TEST(Rounding, FloatResultsEncloseTheExactValue) {
  std::mt19937 random(2);
  std::uniform_real_distribution<float> mantissa(1.0f, 2.0f);
  std::uniform_int_distribution<int> exponent(-20, 20);
  for (int i = 0; i < 2000; ++i) {
    const float x = std::ldexp(mantissa(random), exponent(random)) * (random() % 2 ? 1.0f : -1.0f);
    const float y = std::ldexp(mantissa(random), exponent(random)) * (random() % 2 ? 1.0f : -1.0f);
    const double a = x, b = y; // products are exact
    expectEnclosed({a * b, 0}, __fmul_rd(x, y), __fmul_rn(x, y), __fmul_ru(x, y), __fmul_rz(x, y));
    expectEnclosed(exactSum(a, b), __fadd_rd(x, y), __fadd_rn(x, y), __fadd_ru(x, y),
                   __fadd_rz(x, y));
    expectEnclosed(exactSum(a, -b), __fsub_rd(x, y), __fsub_rn(x, y), __fsub_ru(x, y),
                   __fsub_rz(x, y));
    expectEnclosed(exactQuotient(a, b), __fdiv_rd(x, y), __fdiv_rn(x, y), __fdiv_ru(x, y),
                   __fdiv_rz(x, y));
    expectEnclosed(exactQuotient(1, a), __frcp_rd(x), __frcp_rn(x), __frcp_ru(x), __frcp_rz(x));
    const float p = std::fabs(x);
    expectEnclosed(exactRoot(p), __fsqrt_rd(p), __fsqrt_rn(p), __fsqrt_ru(p), __fsqrt_rz(p));
    expectEnclosed(exactSum(a * b, 1), __fmaf_rd(x, y, 1), __fmaf_rn(x, y, 1), __fmaf_ru(x, y, 1),
                   __fmaf_rz(x, y, 1));
  }
}

TEST(Rounding, DoubleResultsEncloseTheExactValue) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> mantissa(1.0, 2.0);
  std::uniform_int_distribution<int> exponent(-60, 60);
  for (int i = 0; i < 2000; ++i) {
    const double x = std::ldexp(mantissa(random), exponent(random)) * (random() % 2 ? 1 : -1);
    const double y = std::ldexp(mantissa(random), exponent(random)) * (random() % 2 ? 1 : -1);
    const double product = x * y, rest = std::fma(x, y, -product);
    expectEnclosed({product, rest}, __dmul_rd(x, y), __dmul_rn(x, y), __dmul_ru(x, y),
                   __dmul_rz(x, y));
    expectEnclosed(exactSum(x, y), __dadd_rd(x, y), __dadd_rn(x, y), __dadd_ru(x, y),
                   __dadd_rz(x, y));
    expectEnclosed(exactSum(x, -y), __dsub_rd(x, y), __dsub_rn(x, y), __dsub_ru(x, y),
                   __dsub_rz(x, y));
    expectEnclosed(exactQuotient(x, y), __ddiv_rd(x, y), __ddiv_rn(x, y), __ddiv_ru(x, y),
                   __ddiv_rz(x, y));
    expectEnclosed(exactQuotient(1, x), __drcp_rd(x), __drcp_rn(x), __drcp_ru(x), __drcp_rz(x));
    const double p = std::fabs(x);
    expectEnclosed(exactRoot(p), __dsqrt_rd(p), __dsqrt_rn(p), __dsqrt_ru(p), __dsqrt_rz(p));
    // What is left of a product, and what a far smaller term does to it.
    expectEnclosed({rest, 0}, __fma_rd(x, y, -product), __fma_rn(x, y, -product),
                   __fma_ru(x, y, -product), __fma_rz(x, y, -product));
    if (rest == 0)
      continue;
    for (const double z : {std::ldexp(rest, -300), -std::ldexp(rest, -300)})
      expectEnclosed({product, rest}, __fma_rd(x, y, z), __fma_rn(x, y, z), __fma_ru(x, y, z),
                     __fma_rz(x, y, z));
  }
}

TEST(Rounding, DoubleEdges) {
  EXPECT_EQ(std::nextafter(1.0, 2.0), __dadd_ru(1.0, 1e-300));
  EXPECT_EQ(1.0, __dadd_rd(1.0, 1e-300));
  EXPECT_EQ(std::numeric_limits<double>::max(), __dmul_rz(1e308, 1e10));
  EXPECT_EQ(std::numeric_limits<double>::denorm_min(), __dmul_ru(1e-300, 1e-300));
  EXPECT_EQ(0.0, __dmul_rd(1e-300, 1e-300));
  EXPECT_EQ(0x1.5555555555556p-2, __ddiv_ru(1.0, 3.0));
  EXPECT_EQ(0x1.5555555555555p-2, __drcp_rd(3.0));
  EXPECT_EQ(0x1.6a09e667f3bcdp0, __dsqrt_ru(2.0));
  EXPECT_EQ(0x1.6a09e667f3bccp0, __dsqrt_rd(2.0));
  EXPECT_EQ(std::nextafter(-1.0, -2.0), __fma_rd(-1.0, 1.0, -1e-300));
  EXPECT_EQ(-0x1p-1074, __fma_rd(1e-300, -1e-300, 0.0));
  EXPECT_EQ(0x1p-1022, __fma_rz(-1e-300, -1e-300, 0x1p-1022));
  EXPECT_EQ(std::nextafter(0x1p-1022, 1.0), __fma_ru(-1e-300, -1e-300, 0x1p-1022));
  EXPECT_EQ(std::numeric_limits<double>::max(), __fma_rd(1e200, 1e200, 0.0));
  EXPECT_EQ(INFINITY, __fma_rz(1e200, INFINITY, 0.0));
  EXPECT_EQ(INFINITY, __ddiv_rd(1.0, 0.0));
  EXPECT_EQ(0x1p-1074, __ddiv_ru(1e-300, 1e300));
  EXPECT_TRUE(std::signbit(__dadd_rd(1.0, -1.0)));
  EXPECT_FALSE(std::signbit(__dadd_rz(1.0, -1.0)));
  EXPECT_TRUE(std::signbit(__fma_rd(2.0, 3.0, -6.0)));
  EXPECT_EQ(FE_TONEAREST, fegetround());
}

TEST(Rounding, ProductsAreNotMergedIntoSums) {
  volatile float a = 1.0f + 0x1p-12f, c = -1.0f;
  // Exact square is 1 + 2^-11 + 2^-24; rounded first, the last term goes.
  EXPECT_EQ(0x1p-11f, __fadd_rn(__fmul_rn(a, a), c));
  EXPECT_EQ(0x1p-11f + 0x1p-24f, __fmaf_rn(a, a, c));
}

// PTX ISA, 'bmsk', 'szext', 'mul24'.
TEST(PtxIntegers, MasksExtensionsAndProductsOf24Bits) {
  using namespace cu2cpp::ptx;
  EXPECT_EQ(0x00000ff0u, bmsk<true>(4, 8));
  EXPECT_EQ(0xfffffff0u, bmsk<true>(4, 28));
  EXPECT_EQ(0xfffffff0u, bmsk<true>(4, 40));
  EXPECT_EQ(0u, bmsk<true>(32, 8));
  EXPECT_EQ(0x000000ffu, bmsk<false>(32, 40));
  EXPECT_EQ(0u, bmsk<false>(4, 32));
  EXPECT_EQ(-1, (szext<true, int>(0x1f, 5)));
  EXPECT_EQ(0x1fu, (szext<true, unsigned>(0xffu, 5)));
  EXPECT_EQ(0, (szext<true, int>(-1, 0)));
  EXPECT_EQ(-7, (szext<true, int>(-7, 32)));
  EXPECT_EQ(0, (szext<false, int>(-7, 32)));
  EXPECT_EQ(1, (szext<false, int>(-7, 34)));
  EXPECT_EQ(0xfffffe00u, mul24_hi(0xffffffffu, 0xffffffu));
  EXPECT_EQ(-1, mul24_hi(-1, 5));
  EXPECT_EQ(0x10, mul24_hi(0x400, 0x400));
}
