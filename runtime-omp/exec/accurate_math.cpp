// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that the C library computes less exactly than CUDA's tables allow (1 unit in the last
// place each); programs that call them get these. A file of its own: others are linked without it.
//
// CUDA C++ Programming Guide, 'Mathematical Functions Appendix'.
#include <cmath>

extern "C" {

double cbrt(double x) noexcept { return static_cast<double>(::cbrtl(x)); }

double exp10(double x) noexcept { return static_cast<double>(::powl(10.0L, x)); }

double tanh(double x) noexcept {
  const double size = std::fabs(x);
  if (!(size < 22.0)) // where it rounds to 1
    return std::isnan(x) ? x : std::copysign(1.0, x);
  const long double e = ::expm1l(2.0L * size);
  return std::copysign(static_cast<double>(e / (e + 2.0L)), x);
}

} // extern "C"
