// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mathematical functions called with float arguments are float, with mixed ones double, as under nvcc: each line names the
// result's type of the calls in it.
#include <cmath>
#include <cstdio>
#include <type_traits>

template <class Want, class... Got> constexpr bool allAre = (std::is_same<Want, Got>::value && ...);

__global__ void k(int* checked, float f, double d, int i, unsigned u, long l, unsigned long ul, long long ll,
                  unsigned long long ull, short s, unsigned char c) {
  int q;
  float fp;
  static_assert(allAre<float, decltype(fmax(f, f)), decltype(fmin(f, f)), decltype(max(f, f)), decltype(min(f, f))>, "");
  static_assert(allAre<float, decltype(abs(f)), decltype(fabs(f)), decltype(fabsf(f)), decltype(sqrt(f))>, "");
  static_assert(allAre<float, decltype(rsqrt(f)), decltype(cbrt(f)), decltype(rcbrt(f)), decltype(exp(f))>, "");
  static_assert(allAre<float, decltype(exp2(f)), decltype(exp10(f)), decltype(expm1(f)), decltype(log(f))>, "");
  static_assert(allAre<float, decltype(log2(f)), decltype(log10(f)), decltype(log1p(f)), decltype(logb(f))>, "");
  static_assert(allAre<float, decltype(pow(f, f)), decltype(powf(f, i)), decltype(sin(f)), decltype(cos(f))>, "");
  static_assert(allAre<float, decltype(tan(f)), decltype(asin(f)), decltype(acos(f)), decltype(atan(f))>, "");
  static_assert(allAre<float, decltype(atan2(f, f)), decltype(sinh(f)), decltype(cosh(f)), decltype(tanh(f))>, "");
  static_assert(allAre<float, decltype(asinh(f)), decltype(acosh(f)), decltype(atanh(f)), decltype(sinpi(f))>, "");
  static_assert(allAre<float, decltype(cospi(f)), decltype(floor(f)), decltype(ceil(f)), decltype(trunc(f))>, "");
  static_assert(allAre<float, decltype(round(f)), decltype(rint(f)), decltype(nearbyint(f)), decltype(fma(f, f, f))>, "");
  static_assert(allAre<float, decltype(fmod(f, f)), decltype(remainder(f, f)), decltype(remquo(f, f, &q))>, "");
  static_assert(allAre<float, decltype(hypot(f, f)), decltype(fdim(f, f)), decltype(copysign(f, f))>, "");
  static_assert(allAre<float, decltype(nextafter(f, f)), decltype(ldexp(f, i)), decltype(scalbn(f, i))>, "");
  static_assert(allAre<float, decltype(scalbln(f, l)), decltype(frexp(f, &q)), decltype(modf(f, &fp))>, "");
  static_assert(allAre<float, decltype(erf(f)), decltype(erfc(f)), decltype(erfinv(f)), decltype(erfcinv(f))>, "");
  static_assert(allAre<float, decltype(erfcx(f)), decltype(tgamma(f)), decltype(lgamma(f)), decltype(normcdf(f))>, "");
  static_assert(allAre<float, decltype(normcdfinv(f)), decltype(j0(f)), decltype(j1(f)), decltype(jn(i, f))>, "");
  static_assert(allAre<float, decltype(y0(f)), decltype(std::fmax(f, f)), decltype(std::sqrt(f))>, "");
  static_assert(allAre<float, decltype(std::abs(f)), decltype(std::pow(f, f)), decltype(std::exp(f))>, "");
  static_assert(allAre<float, decltype(std::fma(f, f, f)), decltype(std::hypot(f, f)), decltype(__expf(f))>, "");
  static_assert(allAre<float, decltype(__powf(f, f)), decltype(fdividef(f, f)), decltype(__fdividef(f, f))>, "");
  static_assert(allAre<float, decltype(norm3df(f, f, f)), decltype(rhypotf(f, f)), decltype(::sqrt(f))>, "");
  static_assert(allAre<float, decltype(::fmax(f, f)), decltype(::abs(f))>, "");
  static_assert(allAre<double, decltype(fmax(f, d)), decltype(fmin(d, f)), decltype(max(f, d)), decltype(min(d, f))>, "");
  static_assert(allAre<double, decltype(max(d, d)), decltype(abs(d)), decltype(fabs(d)), decltype(fabs(i))>, "");
  static_assert(allAre<double, decltype(sqrt(d)), decltype(sqrt(i)), decltype(rsqrt(d)), decltype(exp10(d))>, "");
  static_assert(allAre<double, decltype(exp(i)), decltype(log(i)), decltype(pow(f, i)), decltype(pow(d, d))>, "");
  static_assert(allAre<double, decltype(pow(f, d)), decltype(pow(d, i)), decltype(pow(i, i)), decltype(atan2(f, d))>, "");
  static_assert(allAre<double, decltype(sinpi(d)), decltype(sin(i)), decltype(floor(i)), decltype(fma(f, f, d))>, "");
  static_assert(allAre<double, decltype(fma(d, d, d)), decltype(fmod(f, d)), decltype(fmod(f, i)), decltype(j0(d))>, "");
  static_assert(allAre<double, decltype(yn(i, d)), decltype(std::pow(f, i)), decltype(norm3d(d, d, d))>, "");
  static_assert(allAre<double, decltype(norm3d(f, f, f)), decltype(rhypot(d, d)), decltype(fdivide(d, d))>, "");
  static_assert(allAre<double, decltype(fmax(i, d)), decltype(fmax(f, i))>, "");
  static_assert(allAre<int, decltype(max(i, i)), decltype(max(s, s)), decltype(max(c, c)), decltype(max(s, i))>, "");
  static_assert(allAre<int, decltype(min(c, i)), decltype(abs(i)), decltype(abs(s)), decltype(abs(c))>, "");
  static_assert(allAre<int, decltype(ilogb(f))>, "");
  static_assert(allAre<unsigned, decltype(max(u, u)), decltype(max(i, u)), decltype(min(u, i))>, "");
  static_assert(allAre<long, decltype(max(l, l)), decltype(abs(l)), decltype(lround(f)), decltype(lrint(f))>, "");
  static_assert(allAre<long, decltype(labs(l))>, "");
  static_assert(allAre<unsigned long, decltype(max(ul, ul))>, "");
  static_assert(allAre<long long, decltype(max(ll, ll)), decltype(abs(ll)), decltype(llround(f))>, "");
  static_assert(allAre<long long, decltype(llrint(d)), decltype(llabs(ll))>, "");
  static_assert(allAre<unsigned long long, decltype(min(ull, ull)), decltype(max(ll, ull))>, "");
  static_assert(allAre<bool, decltype(isnan(f)), decltype(isinf(d)), decltype(isfinite(f)), decltype(signbit(f))>, "");
  static_assert(allAre<bool, decltype(std::isnan(f))>, "");
  *checked = 151;
}

int main() {
  int* checked;
  cudaMallocManaged(&checked, sizeof(int));
  k<<<1, 1>>>(checked, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
  cudaDeviceSynchronize();
  printf("%d calls\n%s\n", *checked, *checked == 151 ? "PASS" : "FAIL");
  return 0;
}
