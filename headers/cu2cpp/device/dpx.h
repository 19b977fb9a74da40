// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DPX: additions with maximum or minimum, of three operands, with a predicate that says which
// operand won; for 32-bit numbers and for pairs of 16-bit ones. Sums wrap around; `relu` also takes
// zero.
//
// CUDA C++ Programming Guide, 'DPX'.
#ifndef CU2CPP_DEVICE_DPX_H
#define CU2CPP_DEVICE_DPX_H

#include <cu2cpp/device/simd_intrinsics.h>

namespace cu2cpp {
namespace detail {

template <class Type> inline Type wrapAdd(Type a, Type b) noexcept {
  return Type(unsigned(a) + unsigned(b));
}
template <class Type> inline Type larger(Type a, Type b) noexcept { return a < b ? b : a; }
template <class Type> inline Type smaller(Type a, Type b) noexcept { return b < a ? b : a; }

/// eachHalf() applies f to the 16-bit halves of three words.
template <class Type, class Function>
inline unsigned eachHalf(unsigned a, unsigned b, unsigned c, Function f) noexcept {
  const unsigned low = (unsigned short)f(Type(a), Type(b), Type(c));
  const unsigned high = (unsigned short)f(Type(a >> 16), Type(b >> 16), Type(c >> 16));
  return high << 16 | low;
}

} // namespace detail
} // namespace cu2cpp

inline int __viaddmax_s32(int a, int b, int c) noexcept {
  return cu2cpp::detail::larger(cu2cpp::detail::wrapAdd(a, b), c);
}
inline int __vimax3_s32(int a, int b, int c) noexcept {
  return cu2cpp::detail::larger(cu2cpp::detail::larger(a, b), c);
}
inline int __vibmax_s32(int a, int b, bool* pred) noexcept {
  *pred = a >= b;
  return cu2cpp::detail::larger(a, b);
}
inline int __viaddmax_s32_relu(int a, int b, int c) noexcept {
  return cu2cpp::detail::larger(__viaddmax_s32(a, b, c), 0);
}
inline int __vimax3_s32_relu(int a, int b, int c) noexcept {
  return cu2cpp::detail::larger(__vimax3_s32(a, b, c), 0);
}
inline int __vimax_s32_relu(int a, int b) noexcept {
  return cu2cpp::detail::larger(cu2cpp::detail::larger(a, b), 0);
}
inline int __viaddmin_s32(int a, int b, int c) noexcept {
  return cu2cpp::detail::smaller(cu2cpp::detail::wrapAdd(a, b), c);
}
inline int __vimin3_s32(int a, int b, int c) noexcept {
  return cu2cpp::detail::smaller(cu2cpp::detail::smaller(a, b), c);
}
inline int __vibmin_s32(int a, int b, bool* pred) noexcept {
  *pred = a <= b;
  return cu2cpp::detail::smaller(a, b);
}
inline int __viaddmin_s32_relu(int a, int b, int c) noexcept {
  return cu2cpp::detail::larger(__viaddmin_s32(a, b, c), 0);
}
inline int __vimin3_s32_relu(int a, int b, int c) noexcept {
  return cu2cpp::detail::larger(__vimin3_s32(a, b, c), 0);
}
inline int __vimin_s32_relu(int a, int b) noexcept {
  return cu2cpp::detail::larger(cu2cpp::detail::smaller(a, b), 0);
}
inline unsigned __viaddmax_u32(unsigned a, unsigned b, unsigned c) noexcept {
  return cu2cpp::detail::larger(cu2cpp::detail::wrapAdd(a, b), c);
}
inline unsigned __vimax3_u32(unsigned a, unsigned b, unsigned c) noexcept {
  return cu2cpp::detail::larger(cu2cpp::detail::larger(a, b), c);
}
inline unsigned __vibmax_u32(unsigned a, unsigned b, bool* pred) noexcept {
  *pred = a >= b;
  return cu2cpp::detail::larger(a, b);
}
inline unsigned __viaddmin_u32(unsigned a, unsigned b, unsigned c) noexcept {
  return cu2cpp::detail::smaller(cu2cpp::detail::wrapAdd(a, b), c);
}
inline unsigned __vimin3_u32(unsigned a, unsigned b, unsigned c) noexcept {
  return cu2cpp::detail::smaller(cu2cpp::detail::smaller(a, b), c);
}
inline unsigned __vibmin_u32(unsigned a, unsigned b, bool* pred) noexcept {
  *pred = a <= b;
  return cu2cpp::detail::smaller(a, b);
}
inline unsigned __viaddmax_s16x2(unsigned a, unsigned b, unsigned c) noexcept {
  using namespace cu2cpp::detail;
  return cu2cpp::detail::eachHalf<short>(
      a, b, c, [](int x, int y, int z) { return larger(int((short)(x + y)), z); });
}
inline unsigned __vimax3_s16x2(unsigned a, unsigned b, unsigned c) noexcept {
  using namespace cu2cpp::detail;
  return cu2cpp::detail::eachHalf<short>(
      a, b, c, [](int x, int y, int z) { return larger(larger(x, y), z); });
}
inline unsigned __viaddmax_s16x2_relu(unsigned a, unsigned b, unsigned c) noexcept {
  using namespace cu2cpp::detail;
  return cu2cpp::detail::eachHalf<short>(
      a, b, c, [](int x, int y, int z) { return larger(larger(int((short)(x + y)), z), 0); });
}
inline unsigned __vimax3_s16x2_relu(unsigned a, unsigned b, unsigned c) noexcept {
  using namespace cu2cpp::detail;
  return cu2cpp::detail::eachHalf<short>(
      a, b, c, [](int x, int y, int z) { return larger(larger(larger(x, y), z), 0); });
}
inline unsigned __vimax_s16x2_relu(unsigned a, unsigned b) noexcept {
  using namespace cu2cpp::detail;
  return cu2cpp::detail::eachHalf<short>(a, b, 0, [](int x, int y, int z) {
    (void)z;
    return larger(larger(x, y), 0);
  });
}
inline unsigned __vibmax_s16x2(unsigned a, unsigned b, bool* pred_hi, bool* pred_lo) noexcept {
  *pred_hi = (short)(a >> 16) >= (short)(b >> 16);
  *pred_lo = (short)a >= (short)b;
  return cu2cpp::detail::eachHalf<short>(
      a, b, 0, [](int x, int y, int) { return cu2cpp::detail::larger(x, y); });
}
inline unsigned __viaddmin_s16x2(unsigned a, unsigned b, unsigned c) noexcept {
  using namespace cu2cpp::detail;
  return cu2cpp::detail::eachHalf<short>(
      a, b, c, [](int x, int y, int z) { return smaller(int((short)(x + y)), z); });
}
inline unsigned __vimin3_s16x2(unsigned a, unsigned b, unsigned c) noexcept {
  using namespace cu2cpp::detail;
  return cu2cpp::detail::eachHalf<short>(
      a, b, c, [](int x, int y, int z) { return smaller(smaller(x, y), z); });
}
inline unsigned __viaddmin_s16x2_relu(unsigned a, unsigned b, unsigned c) noexcept {
  using namespace cu2cpp::detail;
  return cu2cpp::detail::eachHalf<short>(
      a, b, c, [](int x, int y, int z) { return larger(smaller(int((short)(x + y)), z), 0); });
}
inline unsigned __vimin3_s16x2_relu(unsigned a, unsigned b, unsigned c) noexcept {
  using namespace cu2cpp::detail;
  return cu2cpp::detail::eachHalf<short>(
      a, b, c, [](int x, int y, int z) { return larger(smaller(smaller(x, y), z), 0); });
}
inline unsigned __vimin_s16x2_relu(unsigned a, unsigned b) noexcept {
  using namespace cu2cpp::detail;
  return cu2cpp::detail::eachHalf<short>(a, b, 0, [](int x, int y, int z) {
    (void)z;
    return larger(smaller(x, y), 0);
  });
}
inline unsigned __vibmin_s16x2(unsigned a, unsigned b, bool* pred_hi, bool* pred_lo) noexcept {
  *pred_hi = (short)(a >> 16) <= (short)(b >> 16);
  *pred_lo = (short)a <= (short)b;
  return cu2cpp::detail::eachHalf<short>(
      a, b, 0, [](int x, int y, int) { return cu2cpp::detail::smaller(x, y); });
}
inline unsigned __viaddmax_u16x2(unsigned a, unsigned b, unsigned c) noexcept {
  using namespace cu2cpp::detail;
  return cu2cpp::detail::eachHalf<unsigned short>(
      a, b, c, [](int x, int y, int z) { return larger(int((unsigned short)(x + y)), z); });
}
inline unsigned __vimax3_u16x2(unsigned a, unsigned b, unsigned c) noexcept {
  using namespace cu2cpp::detail;
  return cu2cpp::detail::eachHalf<unsigned short>(
      a, b, c, [](int x, int y, int z) { return larger(larger(x, y), z); });
}
inline unsigned __vibmax_u16x2(unsigned a, unsigned b, bool* pred_hi, bool* pred_lo) noexcept {
  *pred_hi = (unsigned short)(a >> 16) >= (unsigned short)(b >> 16);
  *pred_lo = (unsigned short)a >= (unsigned short)b;
  return cu2cpp::detail::eachHalf<unsigned short>(
      a, b, 0, [](int x, int y, int) { return cu2cpp::detail::larger(x, y); });
}
inline unsigned __viaddmin_u16x2(unsigned a, unsigned b, unsigned c) noexcept {
  using namespace cu2cpp::detail;
  return cu2cpp::detail::eachHalf<unsigned short>(
      a, b, c, [](int x, int y, int z) { return smaller(int((unsigned short)(x + y)), z); });
}
inline unsigned __vimin3_u16x2(unsigned a, unsigned b, unsigned c) noexcept {
  using namespace cu2cpp::detail;
  return cu2cpp::detail::eachHalf<unsigned short>(
      a, b, c, [](int x, int y, int z) { return smaller(smaller(x, y), z); });
}
inline unsigned __vibmin_u16x2(unsigned a, unsigned b, bool* pred_hi, bool* pred_lo) noexcept {
  *pred_hi = (unsigned short)(a >> 16) <= (unsigned short)(b >> 16);
  *pred_lo = (unsigned short)a <= (unsigned short)b;
  return cu2cpp::detail::eachHalf<unsigned short>(
      a, b, 0, [](int x, int y, int) { return cu2cpp::detail::smaller(x, y); });
}

#endif
