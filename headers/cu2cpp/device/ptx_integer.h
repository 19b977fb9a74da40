// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX's integer instructions that CUDA has no function for: bit fields, shifts by any distance, and
// carry chains.
//
// PTX ISA, 'Integer Arithmetic Instructions', 'Extended-Precision Integer Arithmetic Instructions',
// 'Logic and Shift Instructions'.
#ifndef CU2CPP_DEVICE_PTX_INTEGER_H
#define CU2CPP_DEVICE_PTX_INTEGER_H

#include <limits>
#include <type_traits>

#include <cu2cpp/attributes.h>
#include <cu2cpp/device/integer_intrinsics.h>

namespace cu2cpp {
namespace ptx {

template <class Type> inline constexpr unsigned bitsOf = unsigned(sizeof(Type) * 8);

/// Shifts by the type's width or more leave zeros, or copies of the sign.
template <class Type> inline Type shl(Type x, unsigned by) noexcept {
  return by >= bitsOf<Type> ? Type(0) : Type(x << by);
}
template <class Type> inline Type shr(Type x, unsigned by) noexcept {
  return Type(x >>
              (by >= bitsOf<Type> ? (std::is_signed<Type>::value ? bitsOf<Type> - 1 : 0) : by)) *
         Type(std::is_signed<Type>::value || by < bitsOf<Type>);
}

/// bfe() is the field of `length` bits at `position`; beyond the top, zeros or copies of the sign.
template <class Type> inline Type bfe(Type x, unsigned position, unsigned length) noexcept {
  using Unsigned = std::make_unsigned_t<Type>;
  position &= 0xff;
  length &= 0xff;
  if (length == 0)
    return 0;
  const Type moved = shr<Type>(x, position);
  if (length >= bitsOf<Type>)
    return moved;
  const unsigned unused = bitsOf<Type> - length;
  if (std::is_signed<Type>::value && position + length > bitsOf<Type>)
    return moved; // copies of the sign already
  return Type(Unsigned(moved) << unused) >> unused;
}

/// bfi() puts the low `length` bits of `field` into `base` at `position`.
template <class Type>
inline Type bfi(Type field, Type base, unsigned position, unsigned length) noexcept {
  position &= 0xff;
  length &= 0xff;
  if (length == 0 || position >= bitsOf<Type>)
    return base;
  const Type ones = length >= bitsOf<Type> ? ~Type(0) : Type((Type(1) << length) - 1);
  const Type mask = Type(ones << position);
  return (base & ~mask) | ((field << position) & mask);
}

/// bfind() is the number of the highest bit that is set (of a negative number: that is clear), or
/// all ones; bfind_shiftamt() is the shift that moves it to the top.
template <class Type> inline unsigned bfind(Type x) noexcept {
  using Unsigned = std::make_unsigned_t<Type>;
  const Unsigned value = std::is_signed<Type>::value && x < 0 ? Unsigned(~x) : Unsigned(x);
  return value == 0 ? ~0u : 63u - unsigned(__builtin_clzll(value));
}
template <class Type> inline unsigned bfind_shiftamt(Type x) noexcept {
  const unsigned at = bfind(x);
  return at == ~0u ? at : bitsOf<Type> - 1 - at;
}

/// bmsk() is a mask of `width` ones at `position`: clamped, or both modulo 32.
template <bool clamp> inline unsigned bmsk(unsigned position, unsigned width) noexcept {
  const unsigned end = (position & 31) + (width & 31);
  const unsigned from = clamp && position > 31 ? 0u : ~0u << (position & 31);
  const unsigned beyond = end > 31 || (clamp && width > 31) ? 0u : ~0u << end;
  return from & ~beyond;
}

/// szext() extends the low `width` bits of a number; clamped, or modulo 32, where 0 bits are 0.
template <bool clamp, class Type> inline Type szext(Type x, unsigned width) noexcept {
  using Unsigned = std::make_unsigned_t<Type>;
  if (clamp && width > 31)
    return x;
  const unsigned unused = 32 - (width & 31);
  return unused == 32 ? Type(0) : Type(Type(Unsigned(x) << unused) >> unused);
}

/// The upper 32 of a product's 48 bits.
inline int mul24_hi(int a, int b) noexcept {
  const auto low24 = [](int x) { return (long long)(int(unsigned(x) << 8) >> 8); };
  return int(low24(a) * low24(b) >> 16);
}
inline unsigned mul24_hi(unsigned a, unsigned b) noexcept {
  return unsigned((unsigned long long)(a & 0xffffff) * (b & 0xffffff) >> 16);
}

/// lop3() is any function of three bits: bit 4a+2b+c of `table`.
template <unsigned table> inline unsigned lop3(unsigned a, unsigned b, unsigned c) noexcept {
  unsigned result = 0;
  for (unsigned row = 0; row < 8; ++row)
    if (table >> row & 1)
      result |= (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
  return result;
}

/// prmt() picks four bytes of the pair b:a, one for each hex digit of the selector; a digit from 8
/// stands for copies of the sign of byte digit - 8.
inline unsigned prmt(unsigned a, unsigned b, unsigned selector) noexcept {
  const unsigned bytes = __byte_perm(a, b, selector);
  unsigned signs = 0, copied = 0;
  for (unsigned i = 0; i < 4; ++i)
    if (selector >> (4 * i + 3) & 1) {
      copied |= 0xffu << 8 * i;
      signs |= (bytes >> (8 * i + 7) & 1 ? 0xffu : 0u) << 8 * i;
    }
  return (bytes & ~copied) | signs;
}
/// prmt's modes: bytes of the pair b:a from a position that c names, in a fixed pattern.
namespace detail {
inline unsigned bytesOf(unsigned a, unsigned b, unsigned selector) noexcept {
  return __byte_perm(a, b, selector);
}
} // namespace detail
inline unsigned prmt_f4e(unsigned a, unsigned b, unsigned c) noexcept {
  static constexpr unsigned patterns[] = {0x3210, 0x4321, 0x5432, 0x6543};
  return detail::bytesOf(a, b, patterns[c & 3]);
}
inline unsigned prmt_b4e(unsigned a, unsigned b, unsigned c) noexcept {
  static constexpr unsigned patterns[] = {0x5670, 0x6701, 0x7012, 0x0123};
  return detail::bytesOf(a, b, patterns[c & 3]);
}
inline unsigned prmt_rc8(unsigned a, unsigned b, unsigned c) noexcept {
  return detail::bytesOf(a, b, (c & 3) * 0x1111);
}
inline unsigned prmt_rc16(unsigned a, unsigned b, unsigned c) noexcept {
  return detail::bytesOf(a, b, c & 1 ? 0x3232 : 0x1010);
}
inline unsigned prmt_ecl(unsigned a, unsigned b, unsigned c) noexcept {
  static constexpr unsigned patterns[] = {0x3210, 0x3211, 0x3222, 0x3333};
  return detail::bytesOf(a, b, patterns[c & 3]);
}
inline unsigned prmt_ecr(unsigned a, unsigned b, unsigned c) noexcept {
  static constexpr unsigned patterns[] = {0x0000, 0x1110, 0x2210, 0x3210};
  return detail::bytesOf(a, b, patterns[c & 3]);
}

/// saturated() is the number of type Type that lies nearest.
template <class Type, class From> inline Type saturated(From x) noexcept {
  using Limits = std::numeric_limits<Type>;
  if (std::is_signed<From>::value && x < From(0)) {
    if (!std::is_signed<Type>::value)
      return 0;
    return (long long)(x) < (long long)(Limits::min()) ? Limits::min() : Type(x);
  }
  return (unsigned long long)(x) > (unsigned long long)(Limits::max()) ? Limits::max() : Type(x);
}
inline int add_sat(int a, int b) noexcept { return saturated<int>((long long)a + b); }
inline int sub_sat(int a, int b) noexcept { return saturated<int>((long long)a - b); }

/// carryFlag() is the carry that one inline assembly statement leaves for the next. Volatile, since
/// threads that run as one vector would share it.
namespace detail {
#ifdef CU2CPP_PARSE
extern volatile bool carry;
#else
inline thread_local volatile bool carry = false;
#endif
} // namespace detail
CU2CPP_THREAD inline volatile bool& carryFlag() noexcept { return detail::carry; }

/// Sums and differences of a chain; `_cc` sets the flag, `c` in addc and subc adds it.
template <class Type, class Flag> inline Type add_cc(Type a, Type b, Flag& carry) noexcept {
  const Type sum = Type(a + b);
  carry = sum < a;
  return sum;
}
template <class Type, class Flag> inline Type addc(Type a, Type b, const Flag& carry) noexcept {
  return Type(a + b + Type(carry));
}
template <class Type, class Flag> inline Type addc_cc(Type a, Type b, Flag& carry) noexcept {
  const Type sum = Type(a + b), all = Type(sum + Type(carry));
  carry = sum < a || all < sum;
  return all;
}
template <class Type, class Flag> inline Type sub_cc(Type a, Type b, Flag& borrow) noexcept {
  borrow = a < b;
  return Type(a - b);
}
template <class Type, class Flag> inline Type subc(Type a, Type b, const Flag& borrow) noexcept {
  return Type(a - b - Type(borrow));
}
template <class Type, class Flag> inline Type subc_cc(Type a, Type b, Flag& borrow) noexcept {
  const Type difference = Type(a - b), all = Type(difference - Type(borrow));
  borrow = a < b || difference < Type(borrow);
  return all;
}

/// Dot products of bytes whose signs may differ.
template <class TypeA, class TypeB, class Sum>
inline Sum dp4a(unsigned a, unsigned b, Sum c) noexcept {
  using ByteA = std::conditional_t<std::is_signed<TypeA>::value, signed char, unsigned char>;
  using ByteB = std::conditional_t<std::is_signed<TypeB>::value, signed char, unsigned char>;
  unsigned sum = unsigned(c);
  for (unsigned i = 0; i < 4; ++i)
    sum += unsigned(int(ByteA(a >> 8 * i)) * int(ByteB(b >> 8 * i)));
  return Sum(sum);
}
template <class TypeA, class TypeB, class Sum>
inline Sum dp2a_lo(unsigned a, unsigned b, Sum c) noexcept {
  using HalfA = std::conditional_t<std::is_signed<TypeA>::value, short, unsigned short>;
  using ByteB = std::conditional_t<std::is_signed<TypeB>::value, signed char, unsigned char>;
  unsigned sum = unsigned(c);
  for (unsigned i = 0; i < 2; ++i)
    sum += unsigned(int(HalfA(a >> 16 * i)) * int(ByteB(b >> 8 * i)));
  return Sum(sum);
}
template <class TypeA, class TypeB, class Sum>
inline Sum dp2a_hi(unsigned a, unsigned b, Sum c) noexcept {
  return dp2a_lo<TypeA, TypeB>(a, b >> 16, c);
}

} // namespace ptx
} // namespace cu2cpp

#endif
