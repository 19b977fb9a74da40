// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of products as the tensor cores of compute capability 9.0 form them for half, bfloat16 and
// tf32: the products of a group and what they are added to are shifted to the largest exponent
// among them, cut off 25 bits below it, added exactly and rounded toward zero.
//
// The rule is that of Fasi, Higham, Mikaitis and Pranesh, 'Numerical behavior of NVIDIA tensor
// cores' (2021); the bits and groups were read from outputs of an H100.
#ifndef CU2CPP_DEVICE_TENSOR_SUM_H
#define CU2CPP_DEVICE_TENSOR_SUM_H

#include <cu2cpp/block.h>
#include <cu2cpp/device/conversions.h>

// Loops over products, inside of which those over a row are vectors.
#if defined(__clang__)
#define CU2CPP_TENSOR_STEP _Pragma("clang loop vectorize(disable) unroll(disable)")
#else
#define CU2CPP_TENSOR_STEP
#endif

namespace cu2cpp {
namespace detail {
namespace tensor {

/// The exponent that a multiplier sees: that of a denormal number is the smallest one.
inline int exponentOf(float x) {
  const unsigned bits = sameBitsAs<unsigned>(x) & 0x7fffffffu;
  const int exponent = int(bits >> 23) - 127;
  return bits == 0 ? -1000 : exponent < -126 ? -126 : exponent;
}

inline double powerOfTwo(int exponent) {
  return sameBitsAs<double>((unsigned long long)(1023 + exponent) << 52);
}

/// A sum as a float, rounded toward zero.
inline float cutToFloat(double sum) {
  if (sum != sum)
    return sameBitsAs<float>(0x7fffffffu);
  return float(sameBitsAs<double>(sameBitsAs<unsigned long long>(sum) & ~0x1fffffffull));
}

/// Whether numbers are 0 or have exponents from -45 to 45: products of them, which have 22 bits,
/// and what they are scaled by are floats.
template <int rows, int columns> inline bool areNear(const float (&x)[rows][columns]) {
  bool near = true;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      const unsigned bits = sameBitsAs<unsigned>(x[i][j]) & 0x7fffffffu;
      near &= bits == 0 || (bits >> 23) - (127 - 45) <= 90;
    }
  return near;
}

/// Arithmetic of double serves any numbers: all are below 2^128, so that a product and what it is
/// scaled by fit.
template <class Number> struct Arithmetic {
  using Whole = double;
  static constexpr int lowest = -300, addedAtOnce = 16;
  static double scaleOf(int exponent) { return powerOfTwo(exponent); }
  static double cut(double x) { return __builtin_trunc(x); }
};
/// That of float serves numbers that areNear(): scaled products are integers of less than 28 bits,
/// of which eight at a time are added as such.
template <> struct Arithmetic<float> {
  using Whole = int;
  static constexpr int lowest = -90, addedAtOnce = 8;
  static float scaleOf(int exponent) { return sameBitsAs<float>(unsigned(127 + exponent) << 23); }
  static int cut(float x) { return int(x); }
};

template <class Number, int group, int m, int n, int inner>
inline void multiplyIn(const float (&a)[m][inner], const float (&b)[inner][n], double (&c)[m][n]) {
  using Ways = Arithmetic<Number>;
  using Whole = typename Ways::Whole;
  constexpr int most = group < Ways::addedAtOnce ? group : Ways::addedAtOnce;
  int exponents[inner][n];
  CU2CPP_TENSOR_STEP
  for (int k = 0; k < inner; ++k)
    CU2CPP_EACH_LANE
  for (int j = 0; j < n; ++j)
    exponents[k][j] = exponentOf(b[k][j]);
  for (int i = 0; i < m; ++i)
    for (int first = 0; first < inner; first += group) {
      int largest[n];
      Number start[n], scale[n];
      double sum[n];
      CU2CPP_EACH_LANE
      for (int j = 0; j < n; ++j) {
        start[j] = cutToFloat(c[i][j]);
        largest[j] = exponentOf(float(start[j]));
      }
      CU2CPP_TENSOR_STEP
      for (int k = first; k < first + group; ++k) {
        const int exponent = exponentOf(a[i][k]);
        CU2CPP_EACH_LANE
        for (int j = 0; j < n; ++j) {
          const int both = exponent + exponents[k][j];
          largest[j] = both > largest[j] ? both : largest[j];
        }
      }
      CU2CPP_EACH_LANE
      for (int j = 0; j < n; ++j) {
        largest[j] = largest[j] < Ways::lowest ? Ways::lowest : largest[j];
        scale[j] = Ways::scaleOf(25 - largest[j]);
        sum[j] = Ways::cut(start[j] * scale[j]);
      }
      for (int part = first; part < first + group; part += most) {
        Whole whole[n];
        CU2CPP_EACH_LANE
        for (int j = 0; j < n; ++j)
          whole[j] = Whole(-0.0); // to which any zero may be added
        CU2CPP_TENSOR_STEP
        for (int k = part; k < part + most; ++k) {
          const Number factor = a[i][k];
          CU2CPP_EACH_LANE
          for (int j = 0; j < n; ++j)
            whole[j] += Ways::cut(factor * b[k][j] * scale[j]);
        }
        CU2CPP_EACH_LANE
        for (int j = 0; j < n; ++j)
          sum[j] += whole[j];
      }
      CU2CPP_EACH_LANE
      for (int j = 0; j < n; ++j)
        c[i][j] = sum[j] * powerOfTwo(largest[j] - 25);
    }
}

/// multiply() adds A * B to C, `group` products at a time.
template <int group, int m, int n, int inner>
inline void multiply(const float (&a)[m][inner], const float (&b)[inner][n], double (&c)[m][n]) {
  static_assert(inner % group == 0, "products come in whole groups");
  bool near = areNear(a) && areNear(b);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      near &= __builtin_fabs(c[i][j]) < 0x1p120;
  if (near)
    multiplyIn<float, group>(a, b, c);
  else
    multiplyIn<double, group>(a, b, c);
}

} // namespace tensor
} // namespace detail
} // namespace cu2cpp

#undef CU2CPP_TENSOR_STEP

#endif
