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
  template <class T> NullType& operator=(const T&) { return *this; }
  bool operator==(const NullType&) const { return true; }
  bool operator!=(const NullType&) const { return false; }
};
template <int A> struct Int2Type {
  enum { VALUE = A };
};
template <bool Condition, class Then, class Else> struct If {
  using Type = std::conditional_t<Condition, Then, Else>;
};
template <class A, class B> struct Equals {
  enum { VALUE = std::is_same<A, B>::value, NEGATE = !VALUE };
};
template <int N, int Current = N, int Count = 0> struct Log2 {
  enum { VALUE = Log2<N, (Current >> 1), Count + 1>::VALUE };
};
template <int N, int Count> struct Log2<N, 0, Count> {
  enum { VALUE = (1 << (Count - 1) < N) ? Count : Count - 1 };
};
template <int N> struct PowerOfTwo {
  enum { VALUE = (N & (N - 1)) == 0 };
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
template <class T> struct DoubleBuffer {
  T* d_buffers[2];
  int selector;
  DoubleBuffer() : d_buffers{nullptr, nullptr}, selector(0) {}
  DoubleBuffer(T* current, T* alternate) : d_buffers{current, alternate}, selector(0) {}
  T* Current() { return d_buffers[selector]; }
  T* Alternate() { return d_buffers[selector ^ 1]; }
};

/// Uninitialized<T> is room for a T, as shared memory wants it.
template <class T> struct Uninitialized {
  alignas(T) unsigned char storage[sizeof(T)];
  T& Alias() { return reinterpret_cast<T&>(*this); }
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

template <class T>
constexpr bool isFloat = std::is_floating_point<T>::value || std::is_same<T, ::__half>::value ||
                         std::is_same<T, ::__nv_bfloat16>::value;
template <class T>
constexpr bool isSigned = std::is_signed<T>::value || std::is_same<T, __int128>::value;
template <class T>
constexpr bool isKey =
    std::is_integral<T>::value || std::is_enum<T>::value || isFloat<T> ||
    std::is_same<T, __int128>::value || std::is_same<T, unsigned __int128>::value;

/// keyBits() is a key as a number whose order is the key's: with the sign turned, and negative
/// floating-point numbers turned over. The two zeros are one key.
template <class T> inline typename BitsOfSize<sizeof(T)>::type keyBits(const T& key) {
  using Bits = typename BitsOfSize<sizeof(T)>::type;
  constexpr Bits high = Bits(Bits(1) << (sizeof(T) * 8 - 1));
  Bits bits;
  std::memcpy(&bits, &key, sizeof bits);
  if constexpr (isFloat<T>) {
    if (bits == high)
      bits = 0;
    return bits & high ? Bits(~bits) : Bits(bits ^ high);
  } else if constexpr (isSigned<T>) {
    return Bits(bits ^ high);
  } else {
    return bits;
  }
}
/// digitsOf() is the bits [begin, end) of a key in its order.
template <class T> inline auto digitsOf(const T& key, int begin, int end) {
  auto bits = keyBits(key);
  using Bits = decltype(bits);
  const int width = int(sizeof(T)) * 8;
  if (end < width)
    bits = Bits(bits & ((Bits(1) << end) - 1));
  return begin >= width ? Bits(0) : Bits(bits >> begin);
}

} // namespace detail

template <class T> struct NumericTraits {
  static constexpr Category CATEGORY = detail::isFloat<T>    ? FLOATING_POINT
                                       : !detail::isKey<T>   ? NOT_A_NUMBER
                                       : detail::isSigned<T> ? SIGNED_INTEGER
                                                             : UNSIGNED_INTEGER;
  enum { PRIMITIVE = detail::isKey<T>, NULL_TYPE = std::is_same<T, NullType>::value };
  using UnsignedBits =
      typename detail::BitsOfSize<sizeof(T) <= 16 && PRIMITIVE ? sizeof(T) : 1>::type;
  static T Max() { return std::numeric_limits<T>::max(); }
  static T Lowest() { return std::numeric_limits<T>::lowest(); }
};
template <class T> struct Traits : NumericTraits<std::remove_cv_t<T>> {};
template <class T> using FpLimits = std::numeric_limits<T>;

} // namespace cub

#endif
