// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Results rounded up, down or towards zero. The processor's rounding mode is left alone: the result
// rounded to nearest gives way to its neighbour where the error of that rounding says so, and the
// error of a sum, product, quotient or root can be computed exactly (T. J. Dekker; S. Boldo and
// J.-M. Muller, 'Exact and Approximated Error of the FMA'). Writing the mode costs more than that,
// and not all that runs a program heeds it (valgrind does not).
#ifndef CU2CPP_DEVICE_DIRECTED_ROUNDING_H
#define CU2CPP_DEVICE_DIRECTED_ROUNDING_H

namespace cu2cpp {
namespace detail {

enum class Direction { Zero, Up, Down };

/// opaque() is its argument, which the optimiser takes for any number: neither fast arithmetic
/// (-use_fast_math) nor fused operations reach across it.
template <class Type> inline Type opaque(Type x) noexcept {
#if defined(__x86_64__)
  __asm__("" : "+x"(x));
  return x;
#elif defined(__aarch64__)
  __asm__("" : "+w"(x));
  return x;
#else
  volatile Type kept = x;
  return kept;
#endif
}

inline int bitsOf(float x) noexcept {
  int bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}
inline long long bitsOf(double x) noexcept {
  long long bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}
/// above() is the next larger number.
template <class Type> inline Type above(Type x) noexcept {
  auto bits = bitsOf(x);
  const bool zero = static_cast<unsigned long long>(bits) << (65 - 8 * sizeof bits) == 0;
  bits = zero ? 1 : bits < 0 ? bits - 1 : bits + 1;
  Type result;
  __builtin_memcpy(&result, &bits, sizeof result);
  return result;
}

/// stepped() is a value rounded in the direction. `nearest` is one of the numbers that enclose the
/// value, and `error` has the sign of value - nearest; NaN is the error of what has none.
template <Direction direction, class Type>
inline Type stepped(Type nearest, double error) noexcept {
  const bool up =
      direction == Direction::Up || (direction == Direction::Zero && bitsOf(nearest) < 0);
  if (up)
    return error > 0 ? above(nearest) : nearest;
  return error < 0 ? -above(-nearest) : nearest;
}

/// narrowed() is high + low as a float, where low is less than half of high's last digit.
template <Direction direction> inline float narrowed(double high, double low = 0) noexcept {
  const float nearest = opaque(static_cast<float>(high));
  const double rest = high - static_cast<double>(nearest);
  return stepped<direction>(nearest, rest != 0 ? rest : low);
}

/// sum() is to nearest, but for the sign of zero: 1 - 1 is -0 when rounding down (IEEE 754, 6.3).
template <Direction direction> inline double sum(double a, double b) noexcept {
  return direction == Direction::Down ? -opaque(opaque(-a) - b) : opaque(a + b);
}
inline double sumError(double a, double b, double sum) noexcept {
  const bool inOrder = __builtin_fabs(a) >= __builtin_fabs(b);
  return opaque((inOrder ? b : a) - opaque(sum - (inOrder ? a : b)));
}

/// residual() has the sign of a * b + c, where c is -a * b to the last digits.
inline double residual(double a, double b, double c) noexcept {
  if (c == 0)
    return ((a > 0) - (a < 0)) * ((b > 0) - (b < 0));
  // Digits of the product that no double has would be lost.
  if (__builtin_fabs(c) < 0x1p-900) {
    const bool inOrder = __builtin_fabs(a) >= __builtin_fabs(b);
    return __builtin_fma(opaque((inOrder ? b : a) * 0x1p900), inOrder ? a : b, opaque(c * 0x1p900));
  }
  return __builtin_fma(a, b, c);
}

/// fusedError() is x * y + z - fused, rounded; none of its terms may overflow or underflow.
inline double fusedError(double x, double y, double z, double fused) noexcept {
  const double product = opaque(x * y), productRest = opaque(__builtin_fma(x, y, -product));
  const double low = opaque(z + productRest), lowRest = sumError(z, productRest, low);
  const double high = opaque(product + low), highRest = sumError(product, low, high);
  return opaque(opaque(opaque(high - fused) + highRest) + lowRest);
}
/// fusedErrorAnywhere() has the sign of x * y + z - fused for any finite numbers. What the terms
/// have in common of their exponents is taken out.
inline double fusedErrorAnywhere(double x, double y, double z, double fused) noexcept {
  if (x == 0 || y == 0)
    return 0;
  int exponentX, exponentY, exponentZ;
  x = __builtin_frexp(x, &exponentX);
  y = __builtin_frexp(y, &exponentY);
  z = __builtin_frexp(z, &exponentZ);
  const int exponent = exponentX + exponentY, distance = exponentZ - exponent;
  // Terms so far apart that the smaller one decides by its sign alone.
  constexpr int far = 200;
  if (z != 0 && distance > far)
    return x * y;
  z = __builtin_ldexp(z, distance < -far ? -far : distance);
  const double finer = opaque(__builtin_fma(x, y, z));
  const double rest = finer - __builtin_ldexp(fused, -exponent);
  return rest != 0 ? rest : fusedError(x, y, z, finer);
}

template <Direction direction> struct Directed {
  static float add(float x, float y) noexcept {
    const double a = x, b = y, high = sum<direction>(a, b);
    return narrowed<direction>(high, sumError(a, b, high));
  }
  static float multiply(float x, float y) noexcept {
    return narrowed<direction>(opaque(static_cast<double>(x) * static_cast<double>(y)));
  }
  // A quotient or root that is no float differs from every float in double, too.
  static float divide(float x, float y) noexcept {
    return narrowed<direction>(opaque(static_cast<double>(x) / opaque(static_cast<double>(y))));
  }
  static float squareRoot(float x) noexcept {
    return narrowed<direction>(opaque(__builtin_sqrt(opaque(static_cast<double>(x)))));
  }
  static float multiplyAdd(float x, float y, float z) noexcept {
    const double a = opaque(static_cast<double>(x) * static_cast<double>(y)), b = z,
                 high = sum<direction>(a, b);
    return narrowed<direction>(high, sumError(a, b, high));
  }

  static double add(double x, double y) noexcept {
    const double nearest = sum<direction>(x, y);
    return stepped<direction>(nearest, sumError(x, y, nearest));
  }
  static double multiply(double x, double y) noexcept {
    const double nearest = opaque(x * y);
    return stepped<direction>(nearest, residual(x, y, -nearest));
  }
  static double divide(double x, double y) noexcept {
    const double nearest = opaque(x / opaque(y)), rest = residual(-nearest, y, x);
    return stepped<direction>(nearest, y < 0 ? -rest : rest);
  }
  static double squareRoot(double x) noexcept {
    const double nearest = opaque(__builtin_sqrt(opaque(x)));
    return stepped<direction>(nearest, residual(-nearest, nearest, x));
  }
  static double multiplyAdd(double x, double y, double z) noexcept {
    const double nearest = direction == Direction::Down
                               ? -opaque(__builtin_fma(opaque(-x), y, opaque(-z)))
                               : opaque(__builtin_fma(x, y, z));
    const double product = __builtin_fabs(opaque(x * y));
    if (product > 0x1p-900 && product < 0x1p1000 && __builtin_fabs(z) < 0x1p1000)
      return stepped<direction>(nearest, fusedError(x, y, z, nearest));
    constexpr double infinity = __builtin_huge_val();
    if (!(product <= infinity && __builtin_fabs(x) < infinity && __builtin_fabs(y) < infinity &&
          __builtin_fabs(z) < infinity))
      return nearest;
    return stepped<direction>(nearest, __builtin_fabs(nearest) < infinity
                                           ? fusedErrorAnywhere(x, y, z, nearest)
                                           : -nearest);
  }

  /// toFloat() and toDouble() are of integers; both halves of one are numbers of double.
  template <class Integer> static float toFloat(Integer x) noexcept {
    const double a = upperHalf(x), b = static_cast<unsigned>(x), high = sum<direction>(a, b);
    return narrowed<direction>(high, sumError(a, b, high));
  }
  template <class Integer> static double toDouble(Integer x) noexcept {
    return add(upperHalf(x), static_cast<double>(static_cast<unsigned>(x)));
  }

private:
  template <class Integer> static double upperHalf(Integer x) noexcept {
    return static_cast<double>(x >> 32) * 4294967296.0;
  }
};

} // namespace detail
} // namespace cu2cpp

#endif
