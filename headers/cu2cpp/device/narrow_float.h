// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the functions of half and bfloat16 share: bits in and out, signs, saturation, minimum and
// maximum. Number is __half or __nv_bfloat16.
#ifndef CU2CPP_DEVICE_NARROW_FLOAT_H
#define CU2CPP_DEVICE_NARROW_FLOAT_H

#include <cu2cpp/device/narrow_format.h>

namespace cu2cpp {
namespace detail {

/// Narrow<Number> gives the bits of a 16-bit number type.
template <class Number> struct Narrow;

template <class Number, class Wide> inline Number narrow(Wide x) {
  return Narrow<Number>::make(encodeNearest<typename Narrow<Number>::Format>(x));
}
template <class Number> inline bool unordered(const Number& a, const Number& b) {
  constexpr unsigned infinity = Narrow<Number>::Format::infinity;
  return (Narrow<Number>::bits(a) & 0x7fffu) > infinity ||
         (Narrow<Number>::bits(b) & 0x7fffu) > infinity;
}
template <class Number> inline Number flipSign(const Number& a) {
  return Narrow<Number>::make(unordered(a, a) ? 0x7fffu : Narrow<Number>::bits(a) ^ 0x8000u);
}
template <class Number> inline Number dropSign(const Number& a) {
  return Narrow<Number>::make(unordered(a, a) ? 0x7fffu : Narrow<Number>::bits(a) & 0x7fffu);
}
template <class Number> inline Number saturate(const Number& a) {
  const float x = float(a);
  return x > 1.0f ? Number(1.0f) : x > 0.0f ? a : Narrow<Number>::make(0);
}
template <class Number> inline Number notNegative(const Number& a) {
  return unordered(a, a) ? a : float(a) > 0.0f ? a : Narrow<Number>::make(0);
}

/// ordinal() orders all numbers, -0 before +0.
template <class Number> inline int ordinal(const Number& a) {
  const int bits = Narrow<Number>::bits(a);
  return bits & 0x8000 ? -(bits & 0x7fff) - 1 : bits;
}
template <bool nanWins, class Number, class Better>
inline Number select(const Number& a, const Number& b, Better better) {
  const bool noA = unordered(a, a), noB = unordered(b, b);
  if (noA || noB)
    return nanWins || (noA && noB) ? Narrow<Number>::make(0x7fff) : noA ? b : a;
  return better(ordinal(b), ordinal(a)) ? b : a;
}
template <bool nanWins, class Number> inline Number lesser(const Number& a, const Number& b) {
  return select<nanWins>(a, b, [](int x, int y) { return x < y; });
}
template <bool nanWins, class Number> inline Number greater(const Number& a, const Number& b) {
  return select<nanWins>(a, b, [](int x, int y) { return x > y; });
}

} // namespace detail
} // namespace cu2cpp

#endif
