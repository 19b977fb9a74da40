// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that vectorised loops call have the accuracy that CUDA promises, and the C
// library's values where there is no number.
#include <cmath>
#include <cstdint>
#include <cstring>

#include <gtest/gtest.h>

#if defined(__x86_64__) && defined(__GLIBC__)

#define AVX2 __attribute__((target("avx2,fma")))

typedef double Double4 __attribute__((vector_size(32)));
typedef float Float8 __attribute__((vector_size(32)));

extern "C" {
AVX2 Double4 _ZGVdN4v_exp(Double4);
AVX2 Double4 _ZGVdN4v_log(Double4);
AVX2 Double4 _ZGVdN4v_sin(Double4);
AVX2 Double4 _ZGVdN4v_cos(Double4);
AVX2 Double4 _ZGVdN4v_tan(Double4);
AVX2 Float8 _ZGVdN8v_expf(Float8);
AVX2 Float8 _ZGVdN8v_logf(Float8);
}

namespace {

/// Distance in units in the last place of the exact value rounded to T.
template <class T> double distance(T got, long double exact) {
  const T rounded = static_cast<T>(exact);
  if (std::isnan(rounded) || std::isnan(got))
    return std::isnan(rounded) && std::isnan(got) ? 0 : HUGE_VAL;
  if (got == rounded)
    return 0;
  if (std::isinf(got) || std::isinf(rounded))
    return HUGE_VAL;
  const T next = std::nextafter(std::fabs(rounded), T(HUGE_VAL));
  return static_cast<double>(std::fabs(got - exact) / (next - std::fabs(rounded)));
}

template <class Exact>
AVX2 double worstOfDoubles(Double4 (*function)(Double4), Exact exact, double low, double high) {
  double worst = 0;
  for (int i = 0; i < 40000; ++i) {
    Double4 x;
    for (int lane = 0; lane < 4; ++lane)
      x[lane] = low + (high - low) * ((i * 4 + lane + 0.37) / 160000.0);
    const Double4 y = function(x);
    for (int lane = 0; lane < 4; ++lane)
      worst = std::max(worst, distance<double>(y[lane], exact(static_cast<long double>(x[lane]))));
  }
  return worst;
}

/// Over a part of all floats, among them infinities, NaNs and subnormal numbers.
template <class Exact> AVX2 double worstOfFloats(Float8 (*function)(Float8), Exact exact) {
  double worst = 0;
  for (std::uint64_t bits = 0; bits < (std::uint64_t(1) << 32); bits += 8 * 4096 - 3) {
    Float8 x;
    for (int lane = 0; lane < 8; ++lane) {
      const std::uint32_t word =
          static_cast<std::uint32_t>(bits + 4096u * static_cast<unsigned>(lane));
      float value;
      std::memcpy(&value, &word, sizeof value);
      x[lane] = value;
    }
    const Float8 y = function(x);
    for (int lane = 0; lane < 8; ++lane)
      worst = std::max(worst, distance<float>(y[lane], exact(static_cast<long double>(x[lane]))));
  }
  return worst;
}

class VectorMath : public testing::Test {
protected:
  void SetUp() override {
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
      GTEST_SKIP() << "this processor has no AVX2";
  }
};

TEST_F(VectorMath, ExponentialAndLogarithmOfDoublesAreWithinOneUnit) {
  const auto exponential = [](long double x) { return std::exp(x); };
  const auto logarithm = [](long double x) { return std::log(x); };
  EXPECT_LE(worstOfDoubles(_ZGVdN4v_exp, exponential, -760, 760), 1.0);
  EXPECT_LE(worstOfDoubles(_ZGVdN4v_exp, exponential, -1, 1), 1.0);
  EXPECT_LE(worstOfDoubles(_ZGVdN4v_log, logarithm, 0.4, 2.5), 1.0);
  EXPECT_LE(worstOfDoubles(_ZGVdN4v_log, logarithm, -1e-300, 1e300), 1.0);
}

TEST_F(VectorMath, SineCosineAndTangentOfDoublesAreWithinTwoUnits) {
  const auto sine = [](long double x) { return std::sin(x); };
  const auto cosine = [](long double x) { return std::cos(x); };
  const auto tangent = [](long double x) { return std::tan(x); };
  for (double range : {1.0, 10.0, 9e4, 1e9}) {
    EXPECT_LE(worstOfDoubles(_ZGVdN4v_sin, sine, -range, range), 2.0) << range;
    EXPECT_LE(worstOfDoubles(_ZGVdN4v_cos, cosine, -range, range), 2.0) << range;
    EXPECT_LE(worstOfDoubles(_ZGVdN4v_tan, tangent, -range, range), 2.0) << range;
  }
}

AVX2 bool keepsSignsOfZeros(Double4 (*function)(Double4)) {
  const Double4 y = function(Double4{-0.0, 0.0, 1.0, -0.0});
  return y[0] == 0 && y[1] == 0 && y[3] == 0 && std::signbit(y[0]) && !std::signbit(y[1]) &&
         std::signbit(y[3]);
}

TEST_F(VectorMath, SineAndTangentOfZeroHaveItsSign) {
  EXPECT_TRUE(keepsSignsOfZeros(_ZGVdN4v_sin));
  EXPECT_TRUE(keepsSignsOfZeros(_ZGVdN4v_tan));
}

TEST_F(VectorMath, ExponentialAndLogarithmOfFloatsAreWithinOneUnit) {
  EXPECT_LE(worstOfFloats(_ZGVdN8v_expf, [](long double x) { return std::exp(x); }), 1.0);
  EXPECT_LE(worstOfFloats(_ZGVdN8v_logf, [](long double x) { return std::log(x); }), 1.0);
}

} // namespace

#endif
