// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types that CUB's interfaces name: KeyValuePair, DoubleBuffer, Uninitialized, and what is known of
// key types (Traits).
//
// CUB documentation, 'Utilities'.
#ifndef CU2CPP_CUB_UTIL_TYPE_CUH
#define CU2CPP_CUB_UTIL_TYPE_CUH

#include <cfloat>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <ostream>
#include <type_traits>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cub/version.cuh>

#define CUB_NAMESPACE_BEGIN namespace cub {
#define CUB_NAMESPACE_END }
#define CUB_RUNTIME_FUNCTION __host__ __device__

namespace cub {

struct NullType {
  template <class Element> NullType& operator=(const Element&) { return *this; }
  bool operator==(const NullType&) const { return true; }
  bool operator!=(const NullType&) const { return false; }
};
template <int First> struct Int2Type {
  enum { VALUE = First };
};
template <bool Condition, class Then, class Else> struct If {
  using Type = std::conditional_t<Condition, Then, Else>;
};
template <class First, class Second> struct Equals {
  enum { VALUE = std::is_same<First, Second>::value, NEGATE = !VALUE };
};
template <int Number, int Current = Number, int Count = 0> struct Log2 {
  enum { VALUE = Log2<Number, (Current >> 1), Count + 1>::VALUE };
};
template <int Number, int Count> struct Log2<Number, 0, Count> {
  enum { VALUE = (1 << (Count - 1) < Number) ? Count : Count - 1 };
};
template <int Number> struct PowerOfTwo {
  enum { VALUE = (Number & (Number - 1)) == 0 };
};

template <class Key, class Value> struct KeyValuePair {
  using Key_ = Key;
  Key key;
  Value value;
  KeyValuePair() = default;
  KeyValuePair(const Key& k, const Value& v) : key(k), value(v) {}
  bool operator!=(const KeyValuePair& b) const { return !(value == b.value && key == b.key); }
  bool operator==(const KeyValuePair& b) const { return value == b.value && key == b.key; }
};

/// DoubleBuffer is two buffers of which a sort says which one holds the result.
template <class Element> struct DoubleBuffer {
  Element* d_buffers[2];
  int selector;
  DoubleBuffer() : d_buffers{nullptr, nullptr}, selector(0) {}
  DoubleBuffer(Element* current, Element* alternate) : d_buffers{current, alternate}, selector(0) {}
  Element* Current() { return d_buffers[selector]; }
  Element* Alternate() { return d_buffers[selector ^ 1]; }
};

/// Uninitialized<Element> is room for an Element, as shared memory wants it.
template <class Element> struct Uninitialized {
  alignas(Element) unsigned char storage[sizeof(Element)];
  Element& Alias() { return reinterpret_cast<Element&>(*this); }
};

enum Category { NOT_A_NUMBER, SIGNED_INTEGER, UNSIGNED_INTEGER, FLOATING_POINT };

namespace detail {

template <int bytes> struct BitsOfSize;
template <> struct BitsOfSize<1> {
  using type = std::uint8_t;
};
template <> struct BitsOfSize<2> {
  using type = std::uint16_t;
};
template <> struct BitsOfSize<4> {
  using type = std::uint32_t;
};
template <> struct BitsOfSize<8> {
  using type = std::uint64_t;
};
template <> struct BitsOfSize<16> {
  using type = unsigned __int128;
};

template <class Element>
constexpr bool isFloat =
    std::is_floating_point<Element>::value || std::is_same<Element, ::__half>::value ||
    std::is_same<Element, ::__nv_bfloat16>::value;
template <class Element>
constexpr bool isSigned = std::is_signed<Element>::value || std::is_same<Element, __int128>::value;
template <class Element>
constexpr bool isKey =
    std::is_integral<Element>::value || std::is_enum<Element>::value || isFloat<Element> ||
    std::is_same<Element, __int128>::value || std::is_same<Element, unsigned __int128>::value;

/// keyBits() is a key as a number whose order is the key's: with the sign turned, and negative
/// floating-point numbers turned over. The two zeros are one key.
template <class Element>
inline typename BitsOfSize<sizeof(Element)>::type keyBits(const Element& key) {
  using Bits = typename BitsOfSize<sizeof(Element)>::type;
  constexpr Bits high = Bits(Bits(1) << (sizeof(Element) * 8 - 1));
  Bits bits;
  std::memcpy(&bits, &key, sizeof bits);
  if constexpr (isFloat<Element>) {
    if (bits == high)
      bits = 0;
    return bits & high ? Bits(~bits) : Bits(bits ^ high);
  } else if constexpr (isSigned<Element>) {
    return Bits(bits ^ high);
  } else {
    return bits;
  }
}
/// digitsOf() is the bits [begin, end) of a key in its order.
template <class Element> inline auto digitsOf(const Element& key, int begin, int end) {
  auto bits = keyBits(key);
  using Bits = decltype(bits);
  const int width = int(sizeof(Element)) * 8;
  if (end < width)
    bits = Bits(bits & ((Bits(1) << end) - 1));
  return begin >= width ? Bits(0) : Bits(bits >> begin);
}

} // namespace detail

template <class Element> struct NumericTraits {
  static constexpr Category CATEGORY = detail::isFloat<Element>    ? FLOATING_POINT
                                       : !detail::isKey<Element>   ? NOT_A_NUMBER
                                       : detail::isSigned<Element> ? SIGNED_INTEGER
                                                                   : UNSIGNED_INTEGER;
  enum { PRIMITIVE = detail::isKey<Element>, NULL_TYPE = std::is_same<Element, NullType>::value };
  using UnsignedBits =
      typename detail::BitsOfSize<sizeof(Element) <= 16 && PRIMITIVE ? sizeof(Element) : 1>::type;
  static Element Max() { return std::numeric_limits<Element>::max(); }
  static Element Lowest() { return std::numeric_limits<Element>::lowest(); }
};
template <class Element> struct Traits : NumericTraits<std::remove_cv_t<Element>> {};
template <class Element> using FpLimits = std::numeric_limits<Element>;

} // namespace cub

#endif
