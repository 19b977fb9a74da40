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

#include <cu2cpp/device/conversions.h>

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

/// multiply() adds A * B to C, `group` products at a time. All numbers are below 2^128, so that a
/// product and what it is scaled by fit a double.
template <int group, int m, int n, int inner>
inline void multiply(const float (&a)[m][inner], const float (&b)[inner][n], double (&c)[m][n]) {
  static_assert(inner % group == 0, "products come in whole groups");
  int exponents[inner][n];
  for (int k = 0; k < inner; ++k)
    for (int j = 0; j < n; ++j)
      exponents[k][j] = exponentOf(b[k][j]);
  for (int i = 0; i < m; ++i)
    for (int first = 0; first < inner; first += group) {
      int largest[n];
      double sum[n], scale[n];
      for (int j = 0; j < n; ++j) {
        c[i][j] = cutToFloat(c[i][j]);
        largest[j] = exponentOf(float(c[i][j]));
      }
      for (int k = first; k < first + group; ++k) {
        const int exponent = exponentOf(a[i][k]);
        for (int j = 0; j < n; ++j) {
          const int both = exponent + exponents[k][j];
          largest[j] = both > largest[j] ? both : largest[j];
        }
      }
      for (int j = 0; j < n; ++j) {
        largest[j] = largest[j] < -300 ? -300 : largest[j];
        scale[j] = powerOfTwo(25 - largest[j]);
        sum[j] = __builtin_trunc(c[i][j] * scale[j]);
      }
      for (int k = first; k < first + group; ++k) {
        const double factor = a[i][k];
        for (int j = 0; j < n; ++j)
          sum[j] += __builtin_trunc(factor * b[k][j] * scale[j]);
      }
      for (int j = 0; j < n; ++j)
        c[i][j] = sum[j] * powerOfTwo(largest[j] - 25);
    }
}

} // namespace tensor
} // namespace detail
} // namespace cu2cpp

#endif
