// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the functions of half and bfloat16 share: bits in and out, signs, saturation, minimum and
// maximum. N is __half or __nv_bfloat16.
#ifndef CU2CPP_DEVICE_NARROW_FLOAT_H
#define CU2CPP_DEVICE_NARROW_FLOAT_H

#include <cu2cpp/device/narrow_format.h>

namespace cu2cpp {
namespace detail {

/// Narrow<N> gives the bits of a 16-bit number type.
template <class N> struct Narrow;

template <class N, class Wide> inline N narrow(Wide x) {
  return Narrow<N>::make(encodeNearest<typename Narrow<N>::Format>(x));
}
template <class N> inline bool unordered(const N& a, const N& b) {
  constexpr unsigned infinity = Narrow<N>::Format::infinity;
  return (Narrow<N>::bits(a) & 0x7fffu) > infinity || (Narrow<N>::bits(b) & 0x7fffu) > infinity;
}
template <class N> inline N flipSign(const N& a) {
  return Narrow<N>::make(unordered(a, a) ? 0x7fffu : Narrow<N>::bits(a) ^ 0x8000u);
}
template <class N> inline N dropSign(const N& a) {
  return Narrow<N>::make(unordered(a, a) ? 0x7fffu : Narrow<N>::bits(a) & 0x7fffu);
}
template <class N> inline N saturate(const N& a) {
  const float x = float(a);
  return x > 1.0f ? N(1.0f) : x > 0.0f ? a : Narrow<N>::make(0);
}
template <class N> inline N notNegative(const N& a) {
  return unordered(a, a) ? a : float(a) > 0.0f ? a : Narrow<N>::make(0);
}

/// ordinal() orders all numbers, -0 before +0.
template <class N> inline int ordinal(const N& a) {
  const int bits = Narrow<N>::bits(a);
  return bits & 0x8000 ? -(bits & 0x7fff) - 1 : bits;
}
template <bool nanWins, class N, class Better>
inline N select(const N& a, const N& b, Better better) {
  const bool noA = unordered(a, a), noB = unordered(b, b);
  if (noA || noB)
    return nanWins || (noA && noB) ? Narrow<N>::make(0x7fff) : noA ? b : a;
  return better(ordinal(b), ordinal(a)) ? b : a;
}
template <bool nanWins, class N> inline N lesser(const N& a, const N& b) {
  return select<nanWins>(a, b, [](int x, int y) { return x < y; });
}
template <bool nanWins, class N> inline N greater(const N& a, const N& b) {
  return select<nanWins>(a, b, [](int x, int y) { return x > y; });
}

} // namespace detail
} // namespace cu2cpp

#endif
