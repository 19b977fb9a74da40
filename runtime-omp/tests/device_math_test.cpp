// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mathematical functions: edge cases by hand, and identities that the functions must satisfy to a
// few units in the last place over their range.
#include <cmath>
#include <limits>
#include <type_traits>

#include <gtest/gtest.h>

#include <cu2cpp/device_functions.h>
#include <cuComplex.h>
#include <math_constants.h>

namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

void expectClose(double expected, double actual, double ulps) {
  EXPECT_LE(std::fabs(actual - expected), ulps * eps * std::fabs(expected))
      << "expected " << expected << ", got " << actual;
}

} // namespace

TEST(DeviceMath, SinpiAndCospiAreExactAtQuarters) {
  for (int k = -9; k <= 9; ++k) {
    EXPECT_EQ(0.0, sinpi(double(k)));
    EXPECT_EQ(k % 2 ? -1.0 : 1.0, cospi(double(k)));
    EXPECT_EQ(0.0, cospi(k + 0.5));
    EXPECT_EQ(k % 2 ? -1.0 : 1.0, sinpi(k + 0.5));
  }
  EXPECT_EQ(1.0, cospi(1e300));
  EXPECT_TRUE(std::isnan(sinpi(INFINITY * 1.0)));
  EXPECT_TRUE(std::signbit(sinpi(-0.0)));
  for (double x = -3.0; x < 3.0; x += 0.0137) {
    const double s = std::sin(3.14159265358979323846L * x),
                 c = std::cos(3.14159265358979323846L * x);
    EXPECT_NEAR(s, sinpi(x), 2e-15);
    EXPECT_NEAR(c, cospi(x), 2e-15);
    double ss, cc;
    sincospi(x, &ss, &cc);
    EXPECT_EQ(sinpi(x), ss);
    EXPECT_EQ(cospi(x), cc);
    EXPECT_NEAR(s, sinpif(float(x)), 1e-6);
  }
}

TEST(DeviceMath, InversesOfTheErrorFunctions) {
  for (double x = -5.5; x < 5.5; x += 0.0713) {
    // The inverse magnifies an error of its argument by its slope; so test f(inverse(y)) == y.
    const double y = std::erf(x);
    if (std::fabs(y) < 1)
      expectClose(y, std::erf(erfinv(y)), 8);
    const double z = std::erfc(x);
    if (z > 0 && z < 2)
      expectClose(z, std::erfc(erfcinv(z)), 200);
  }
  expectClose(0.88622692545275801365e-12, erfinv(1e-12), 4);
  expectClose(0.47693627620446987338, erfinv(0.5), 4);
  expectClose(-0.47693627620446987338, erfcinv(1.5), 4);
  expectClose(26.209469960516124, erfcinv(1e-300), 40);
  expectClose(27.213293210812949, erfcinv(5e-324), 40);
  expectClose(27.098726978031863, erfcinv(2.5e-321), 40);
  EXPECT_EQ(INFINITY, erfinv(1.0));
  EXPECT_EQ(-INFINITY, erfinv(-1.0));
  EXPECT_EQ(INFINITY, erfcinv(0.0));
  EXPECT_TRUE(std::isnan(erfinv(1.01)));
  EXPECT_TRUE(std::isnan(erfcinv(-0.1)));
  EXPECT_NEAR(0.476936f, erfinvf(0.5f), 1e-6);
}

TEST(DeviceMath, NormalDistribution) {
  EXPECT_EQ(0.5, normcdf(0.0));
  expectClose(0.84134474606854294859, normcdf(1.0), 4);
  expectClose(0.15865525393145705141, normcdf(-1.0), 4);
  expectClose(7.6198530241605260660e-24, normcdf(-10.0), 16);
  expectClose(2.8854283516033e-316 / 1e-316, normcdf(-38.0) / 1e-316, 1e10); // subnormal
  EXPECT_EQ(1.0, normcdf(50.0));
  EXPECT_EQ(0.0, normcdf(-50.0));
  EXPECT_EQ(0.0, normcdfinv(0.5));
  expectClose(1.6448536269514722, normcdfinv(0.95), 8);
  for (const double p : {1e-300, 1e-40, 1e-9, 0.07, 0.3, 0.7}) {
    const double x = normcdfinv(p);
    expectClose(p, normcdf(x), 4 + 4 * x * x); // the slope of log(normcdf) is about -x
  }
  EXPECT_EQ(-INFINITY, normcdfinv(0.0));
  EXPECT_EQ(INFINITY, normcdfinv(1.0));
  EXPECT_TRUE(std::isnan(normcdfinv(1.5)));
}

TEST(DeviceMath, ScaledErrorFunction) {
  EXPECT_EQ(1.0, erfcx(0.0));
  expectClose(0.42758357615580700441, erfcx(1.0), 4);
  expectClose(5.0089800807622834663, erfcx(-1.0), 4);
  expectClose(0.056140992743822585, erfcx(10.0), 8);
  expectClose(erfcx(25.999999), erfcx(26.000001), 1e10); // the two branches meet
  expectClose(0.0056418958354775628695 * (1 - 0.5e-4 + 0.75e-8 - 1.875e-12), erfcx(100.0), 10);
  EXPECT_EQ(INFINITY, erfcx(-27.0));
}

TEST(DeviceMath, BesselFunctionsOfImaginaryArgument) {
  EXPECT_EQ(1.0, cyl_bessel_i0(0.0));
  EXPECT_EQ(0.0, cyl_bessel_i1(0.0));
  for (double x = 0.1; x < 60; x *= 1.37) {
    expectClose(std::cyl_bessel_i(0.0, x), cyl_bessel_i0(x), 100);
    expectClose(std::cyl_bessel_i(1.0, x), cyl_bessel_i1(x), 100);
    EXPECT_EQ(-cyl_bessel_i1(x), cyl_bessel_i1(-x));
  }
}

TEST(DeviceMath, LengthsDoNotOverflow) {
  expectClose(5e200, norm3d(3e200, 4e200, 0.0), 2);
  EXPECT_EQ(2.0, norm4d(1.0, 1.0, 1.0, 1.0));
  EXPECT_EQ(0.5, rnorm4d(1.0, -1.0, 1.0, -1.0));
  expectClose(5e-200, norm3d(3e-200, -4e-200, 0.0), 2);
  EXPECT_EQ(0x1p-1070, norm4d(0x1p-1071, -0x1p-1071, 0x1p-1071, 0x1p-1071));
  EXPECT_EQ(0x1p999, rnorm4d(0x1p-1001, 0x1p-1001, 0x1p-1001, 0x1p-1001) * 0.5);
  EXPECT_EQ(INFINITY, norm4d(0x1p1023, 0x1p1023, 0x1p1023, 0x1p1023));
  EXPECT_EQ(INFINITY, rnorm3d(0.0, 0.0, 0.0));
  EXPECT_EQ(0.0, rhypot(INFINITY, 1.0));
  EXPECT_EQ(INFINITY, norm3d(NAN, -INFINITY, 0.0));
  EXPECT_TRUE(std::isnan(norm3d(NAN, 1.0, 0.0)));
  const float v[] = {2.0f, 3.0f, 6.0f};
  EXPECT_EQ(7.0f, normf(3, v));
  EXPECT_EQ(0.2f, rhypotf(3.0f, 4.0f));
}

TEST(DeviceMath, RootsAndFastOnes) {
  EXPECT_EQ(0.5, rsqrt(4.0));
  EXPECT_EQ(INFINITY, rsqrtf(0.0f));
  EXPECT_EQ(-0.5, rcbrt(-8.0));
  EXPECT_EQ(1000.0f, exp10(3.0f));
  EXPECT_EQ(0.75f, __fdividef(3.0f, 4.0f));
  EXPECT_NEAR(2.718281828f, __expf(1.0f), 1e-6);
  EXPECT_NEAR(8.0f, __powf(2.0f, 3.0f), 1e-5);
  EXPECT_EQ(0.0f, __saturatef(NAN));
  EXPECT_EQ(1.0f, __saturatef(7.0f));
  EXPECT_EQ(0.0f, __saturatef(-7.0f));
  EXPECT_EQ(0.25f, __saturatef(0.25f));
}

TEST(DeviceMath, OverloadsChooseTheTypeAsInCuda) {
  EXPECT_TRUE((std::is_same<decltype(max(1.0f, 2.0)), double>::value));
  EXPECT_TRUE((std::is_same<decltype(max(1, 2u)), unsigned>::value));
  EXPECT_TRUE((std::is_same<decltype(min(1ll, 2ull)), unsigned long long>::value));
  EXPECT_TRUE((std::is_same<decltype(min(short(1), short(2))), int>::value));
  EXPECT_TRUE((std::is_same<decltype(sqrt(1.0f)), float>::value));
  EXPECT_TRUE((std::is_same<decltype(rsqrt(1.0f)), float>::value));
  EXPECT_TRUE((std::is_same<decltype(abs(-1.0f)), float>::value));
  EXPECT_TRUE((std::is_same<decltype(abs(-1ll)), long long>::value));
  EXPECT_EQ(0xffffffffu, max(-1, 1u)); // compared as unsigned
  EXPECT_EQ(2.0f, max(NAN, 2.0f));
  EXPECT_EQ(2.0f, min(2.0f, NAN));
  EXPECT_TRUE(std::isnan(max(NAN, NAN)));
  EXPECT_EQ(-3, min(-3, 4));
}

// PTX ISA, 'max': a NaN yields to a number, +0 is greater than -0.
template <class T, class Least, class Greatest>
void expectGpuOrder(Least least, Greatest greatest) {
  const volatile T none = NAN, zero = 0, minusZero = -zero, one = 1, two = 2;
  EXPECT_EQ(1, least(one, two));
  EXPECT_EQ(1, least(two, one));
  EXPECT_EQ(2, greatest(one, two));
  EXPECT_EQ(2, greatest(two, one));
  EXPECT_EQ(-2, least(-two, -two));
  EXPECT_EQ(-2, greatest(-two, -two));
  for (const T number : {T(two), T(zero), -T(INFINITY)}) {
    EXPECT_EQ(number, least(none, number));
    EXPECT_EQ(number, least(number, none));
    EXPECT_EQ(number, greatest(none, number));
    EXPECT_EQ(number, greatest(number, none));
  }
  EXPECT_TRUE(std::isnan(least(none, none)));
  EXPECT_TRUE(std::isnan(greatest(none, none)));
  EXPECT_TRUE(std::signbit(least(zero, minusZero)));
  EXPECT_TRUE(std::signbit(least(minusZero, zero)));
  EXPECT_FALSE(std::signbit(least(zero, zero)));
  EXPECT_FALSE(std::signbit(greatest(zero, minusZero)));
  EXPECT_FALSE(std::signbit(greatest(minusZero, zero)));
  EXPECT_TRUE(std::signbit(greatest(minusZero, minusZero)));
}

TEST(DeviceMath, MinimumAndMaximumKnowNanAndSignedZero) {
  expectGpuOrder<float>([](float a, float b) { return fminf(a, b); },
                        [](float a, float b) { return fmaxf(a, b); });
  expectGpuOrder<float>([](float a, float b) { return min(a, b); },
                        [](float a, float b) { return max(a, b); });
  expectGpuOrder<double>([](double a, double b) { return fmin(a, b); },
                         [](double a, double b) { return fmax(a, b); });
  expectGpuOrder<double>([](double a, double b) { return min(a, b); },
                         [](double a, double b) { return max(a, b); });
}

TEST(DeviceMath, Complex) {
  const cuDoubleComplex q =
      cuCdiv(make_cuDoubleComplex(1e300, 1e300), make_cuDoubleComplex(1e300, -1e300));
  expectClose(1.0, cuCimag(q) + 0.0, 4);
  EXPECT_NEAR(0.0, cuCreal(q), 1e-15);
  const cuComplex p = cuCmulf(make_cuComplex(1, 2), make_cuComplex(3, 4));
  EXPECT_EQ(-5.0f, p.x);
  EXPECT_EQ(10.0f, p.y);
  EXPECT_EQ(5.0f, cuCabsf(make_cuComplex(3, -4)));
}
