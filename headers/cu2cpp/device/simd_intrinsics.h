// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SIMD-within-a-word: two halves or four bytes of an unsigned word. Plain arithmetic wraps; `ss`
// and `us` saturate; comparisons give all ones (vcmp) or one (vset) in each lane that holds.
//
// CUDA Math API, 'SIMD Intrinsics'.
#ifndef CU2CPP_DEVICE_SIMD_INTRINSICS_H
#define CU2CPP_DEVICE_SIMD_INTRINSICS_H

namespace cu2cpp {
namespace detail {

/// SignedLane and UnsignedLane read lane i of `bits` bits and clamp to its range.
template <unsigned bits> struct SignedLane {
  static constexpr int least = -(1 << (bits - 1)), most = (1 << (bits - 1)) - 1;
  static int read(unsigned word, unsigned i) {
    return int(word << (32 - bits * (i + 1))) >> (32 - bits);
  }
};
template <unsigned bits> struct UnsignedLane {
  static constexpr int least = 0, most = (1 << bits) - 1;
  static int read(unsigned word, unsigned i) { return int(word >> bits * i & unsigned(most)); }
};

template <class Lane> inline int clampLane(int x) noexcept {
  return x < Lane::least ? Lane::least : x > Lane::most ? Lane::most : x;
}
template <class Lane, unsigned bits>
inline unsigned sumOfDifferences(unsigned a, unsigned b) noexcept {
  unsigned sum = 0;
  for (unsigned i = 0; i < 32 / bits; ++i) {
    const int d = Lane::read(a, i) - Lane::read(b, i);
    sum += unsigned(d < 0 ? -d : d);
  }
  return sum;
}

} // namespace detail
} // namespace cu2cpp

// Loops written out: compilers would make an instance of a function template for each of these in
// every file.
#define CU2CPP_SIMD_LANES(Lane, bits, second, expression)                                          \
  using LaneType = cu2cpp::detail::Lane<bits>;                                                     \
  unsigned result = 0;                                                                             \
  for (unsigned i = 0; i < 32 / bits; ++i) {                                                       \
    const int x = LaneType::read(a, i);                                                            \
    second result |= (unsigned(expression) & ((1u << bits) - 1)) << bits * i;                      \
  }                                                                                                \
  return result;
#define CU2CPP_SIMD_2(name, Lane, expression)                                                      \
  inline unsigned name##2(unsigned a, unsigned b) noexcept {                                       \
    CU2CPP_SIMD_LANES(Lane, 16, const int y = LaneType::read(b, i);, expression)                   \
  }                                                                                                \
  inline unsigned name##4(unsigned a, unsigned b) noexcept {                                       \
    CU2CPP_SIMD_LANES(Lane, 8, const int y = LaneType::read(b, i);, expression)                    \
  }
#define CU2CPP_SIMD_1(name, expression)                                                            \
  inline unsigned name##2(unsigned a) noexcept { CU2CPP_SIMD_LANES(SignedLane, 16, , expression) } \
  inline unsigned name##4(unsigned a) noexcept { CU2CPP_SIMD_LANES(SignedLane, 8, , expression) }

CU2CPP_SIMD_1(__vabs, x < 0 ? -x : x)
CU2CPP_SIMD_1(__vabsss, cu2cpp::detail::clampLane<LaneType>(x < 0 ? -x : x))
CU2CPP_SIMD_1(__vneg, -x)
CU2CPP_SIMD_1(__vnegss, cu2cpp::detail::clampLane<LaneType>(-x))
CU2CPP_SIMD_2(__vadd, UnsignedLane, x + y)
CU2CPP_SIMD_2(__vaddss, SignedLane, cu2cpp::detail::clampLane<LaneType>(x + y))
CU2CPP_SIMD_2(__vaddus, UnsignedLane, cu2cpp::detail::clampLane<LaneType>(x + y))
CU2CPP_SIMD_2(__vsub, UnsignedLane, x - y)
CU2CPP_SIMD_2(__vsubss, SignedLane, cu2cpp::detail::clampLane<LaneType>(x - y))
CU2CPP_SIMD_2(__vsubus, UnsignedLane, cu2cpp::detail::clampLane<LaneType>(x - y))
CU2CPP_SIMD_2(__vabsdiffs, SignedLane, x < y ? y - x : x - y)
CU2CPP_SIMD_2(__vabsdiffu, UnsignedLane, x < y ? y - x : x - y)
// Averages: signed ones round halves away from zero, unsigned ones up; vhaddu rounds down.
CU2CPP_SIMD_2(__vavgs, SignedLane, (x + y + (x + y >= 0)) >> 1)
CU2CPP_SIMD_2(__vavgu, UnsignedLane, (x + y + 1) >> 1)
CU2CPP_SIMD_2(__vhaddu, UnsignedLane, (x + y) >> 1)
CU2CPP_SIMD_2(__vmaxs, SignedLane, x < y ? y : x)
CU2CPP_SIMD_2(__vmins, SignedLane, y < x ? y : x)
CU2CPP_SIMD_2(__vmaxu, UnsignedLane, x < y ? y : x)
CU2CPP_SIMD_2(__vminu, UnsignedLane, y < x ? y : x)

CU2CPP_SIMD_2(__vcmpeq, UnsignedLane, x == y ? -1 : 0)
CU2CPP_SIMD_2(__vcmpne, UnsignedLane, x != y ? -1 : 0)
CU2CPP_SIMD_2(__vcmpges, SignedLane, x >= y ? -1 : 0)
CU2CPP_SIMD_2(__vcmpgeu, UnsignedLane, x >= y ? -1 : 0)
CU2CPP_SIMD_2(__vcmpgts, SignedLane, x > y ? -1 : 0)
CU2CPP_SIMD_2(__vcmpgtu, UnsignedLane, x > y ? -1 : 0)
CU2CPP_SIMD_2(__vcmples, SignedLane, x <= y ? -1 : 0)
CU2CPP_SIMD_2(__vcmpleu, UnsignedLane, x <= y ? -1 : 0)
CU2CPP_SIMD_2(__vcmplts, SignedLane, x < y ? -1 : 0)
CU2CPP_SIMD_2(__vcmpltu, UnsignedLane, x < y ? -1 : 0)
CU2CPP_SIMD_2(__vseteq, UnsignedLane, x == y ? 1 : 0)
CU2CPP_SIMD_2(__vsetne, UnsignedLane, x != y ? 1 : 0)
CU2CPP_SIMD_2(__vsetges, SignedLane, x >= y ? 1 : 0)
CU2CPP_SIMD_2(__vsetgeu, UnsignedLane, x >= y ? 1 : 0)
CU2CPP_SIMD_2(__vsetgts, SignedLane, x > y ? 1 : 0)
CU2CPP_SIMD_2(__vsetgtu, UnsignedLane, x > y ? 1 : 0)
CU2CPP_SIMD_2(__vsetles, SignedLane, x <= y ? 1 : 0)
CU2CPP_SIMD_2(__vsetleu, UnsignedLane, x <= y ? 1 : 0)
CU2CPP_SIMD_2(__vsetlts, SignedLane, x < y ? 1 : 0)
CU2CPP_SIMD_2(__vsetltu, UnsignedLane, x < y ? 1 : 0)
#undef CU2CPP_SIMD_LANES
#undef CU2CPP_SIMD_1
#undef CU2CPP_SIMD_2

inline unsigned __vsads2(unsigned a, unsigned b) noexcept {
  return cu2cpp::detail::sumOfDifferences<cu2cpp::detail::SignedLane<16>, 16>(a, b);
}
inline unsigned __vsads4(unsigned a, unsigned b) noexcept {
  return cu2cpp::detail::sumOfDifferences<cu2cpp::detail::SignedLane<8>, 8>(a, b);
}
inline unsigned __vsadu2(unsigned a, unsigned b) noexcept {
  return cu2cpp::detail::sumOfDifferences<cu2cpp::detail::UnsignedLane<16>, 16>(a, b);
}
inline unsigned __vsadu4(unsigned a, unsigned b) noexcept {
  return cu2cpp::detail::sumOfDifferences<cu2cpp::detail::UnsignedLane<8>, 8>(a, b);
}

#endif
