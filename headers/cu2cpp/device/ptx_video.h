// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX's video instructions: integer operations on whole registers, on their halves or bytes, with
// saturation and a second operation on the result.
//
// PTX ISA, 'Video Instructions'.
#ifndef CU2CPP_DEVICE_PTX_VIDEO_H
#define CU2CPP_DEVICE_PTX_VIDEO_H

#include <limits>
#include <type_traits>

#include <cu2cpp/device/ptx_integer.h>

namespace cu2cpp {
namespace ptx {

/// part_b() and part_h() are a byte or half of a register, as a number of the sign of Type.
template <class Type> inline Type part_b(unsigned x, unsigned which) noexcept {
  return std::is_signed<Type>::value ? Type((signed char)(x >> 8 * which))
                                     : Type(x >> 8 * which & 0xff);
}
template <class Type> inline Type part_h(unsigned x, unsigned which) noexcept {
  return std::is_signed<Type>::value ? Type(short(x >> 16 * which))
                                     : Type(x >> 16 * which & 0xffff);
}

namespace detail {

using Wide = long long;
inline Wide operate_add(Wide a, Wide b) { return a + b; }
inline Wide operate_sub(Wide a, Wide b) { return a - b; }
inline Wide operate_absdiff(Wide a, Wide b) { return a < b ? b - a : a - b; }
inline Wide operate_min(Wide a, Wide b) { return a < b ? a : b; }
inline Wide operate_max(Wide a, Wide b) { return a < b ? b : a; }
/// Averages round up.
inline Wide operate_avrg(Wide a, Wide b) { return (a + b + 1) >> 1; }

template <class TypeD> inline TypeD fitted(Wide x, bool saturates) noexcept {
  if (!saturates)
    return TypeD(x);
  using Limits = std::numeric_limits<TypeD>;
  return x < Wide(Limits::min())   ? Limits::min()
         : x > Wide(Limits::max()) ? Limits::max()
                                   : TypeD(x);
}

template <unsigned bits, bool isSigned> inline Wide element(unsigned x, unsigned which) noexcept {
  constexpr unsigned unused = 32 - bits;
  const unsigned raised = x << (32 - bits * (which + 1));
  return isSigned ? Wide(int(raised) >> unused) : Wide(raised >> unused);
}

/// The elements of a result are kept in their bits; with `saturates` they stay in range.
template <unsigned bits, class TypeD, class TypeA, class TypeB, class Operate>
inline unsigned packed(unsigned a, unsigned b, bool saturates, Operate operate) noexcept {
  unsigned result = 0;
  for (unsigned i = 0; i < 32 / bits; ++i) {
    Wide x = operate(element<bits, std::is_signed<TypeA>::value>(a, i),
                     element<bits, std::is_signed<TypeB>::value>(b, i));
    if (saturates) {
      const Wide low = std::is_signed<TypeD>::value ? -(Wide(1) << (bits - 1)) : 0;
      const Wide high = (Wide(1) << (bits - std::is_signed<TypeD>::value)) - 1;
      x = x < low ? low : x > high ? high : x;
    }
    result |= (unsigned(x) & (0xffffffffu >> (32 - bits))) << bits * i;
  }
  return result;
}

} // namespace detail

#define CU2CPP_VIDEO(name)                                                                         \
  template <class TypeD, class TypeA, class TypeB>                                                 \
  inline TypeD v##name(TypeA a, TypeB b, bool saturates = false) {                                 \
    return detail::fitted<TypeD>(detail::operate_##name(a, b), saturates);                         \
  }
#define CU2CPP_VIDEO_PACKED(name)                                                                  \
  template <class TypeD, class TypeA, class TypeB>                                                 \
  inline unsigned v##name##2(unsigned a, unsigned b, bool saturates = false) {                     \
    return detail::packed<16, TypeD, TypeA, TypeB>(a, b, saturates, detail::operate_##name);       \
  }                                                                                                \
  template <class TypeD, class TypeA, class TypeB>                                                 \
  inline unsigned v##name##4(unsigned a, unsigned b, bool saturates = false) {                     \
    return detail::packed<8, TypeD, TypeA, TypeB>(a, b, saturates, detail::operate_##name);        \
  }
CU2CPP_VIDEO(add)
CU2CPP_VIDEO(sub)
CU2CPP_VIDEO(absdiff)
CU2CPP_VIDEO(min)
CU2CPP_VIDEO(max)
CU2CPP_VIDEO_PACKED(add)
CU2CPP_VIDEO_PACKED(sub)
CU2CPP_VIDEO_PACKED(absdiff)
CU2CPP_VIDEO_PACKED(min)
CU2CPP_VIDEO_PACKED(max)
CU2CPP_VIDEO_PACKED(avrg)
#undef CU2CPP_VIDEO
#undef CU2CPP_VIDEO_PACKED

/// Shifts: distances beyond 32 count as 32, or modulo 32 (`_wrap`).
template <class TypeD, class TypeA, class TypeB>
inline TypeD vshl(TypeA a, TypeB by, bool saturates = false) {
  return detail::fitted<TypeD>(detail::Wide(a) << (unsigned(by) > 32 ? 32 : unsigned(by)),
                               saturates);
}
template <class TypeD, class TypeA, class TypeB>
inline TypeD vshr(TypeA a, TypeB by, bool saturates = false) {
  return detail::fitted<TypeD>(detail::Wide(a) >> (unsigned(by) > 32 ? 32 : unsigned(by)),
                               saturates);
}
template <class TypeD, class TypeA, class TypeB>
inline TypeD vshl_wrap(TypeA a, TypeB by, bool saturates = false) {
  return vshl<TypeD, TypeA, TypeB>(a, TypeB(unsigned(by) & 31), saturates);
}
template <class TypeD, class TypeA, class TypeB>
inline TypeD vshr_wrap(TypeA a, TypeB by, bool saturates = false) {
  return vshr<TypeD, TypeA, TypeB>(a, TypeB(unsigned(by) & 31), saturates);
}

/// The sum of a register's bytes or halves.
template <class Type> inline Type sumOfBytes(unsigned x) noexcept {
  Type sum = 0;
  for (unsigned i = 0; i < 4; ++i)
    sum += part_b<Type>(x, i);
  return sum;
}
template <class Type> inline Type sumOfHalves(unsigned x) noexcept {
  return part_h<Type>(x, 0) + part_h<Type>(x, 1);
}

} // namespace ptx
} // namespace cu2cpp

#endif
