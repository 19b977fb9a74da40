// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structures of narrow integers (uchar4, short2, a pixel of one's own) in memory. Compilers take
// the copy of one apart into its parts, and a loop over threads then gathers bytes; as one word, of
// which the parts are shifted out, neighbours' structures are one vector. Translated code says
// asWord() where it reads such a structure, and wordTo() where it stores one.
#ifndef CU2CPP_DEVICE_WORD_ACCESS_H
#define CU2CPP_DEVICE_WORD_ACCESS_H

#include <cstring>
#include <type_traits>

#include <cu2cpp/attributes.h>

namespace cu2cpp {
namespace detail {

template <unsigned size> struct WordOf {};
template <> struct WordOf<2> {
  using Type = unsigned short;
};
template <> struct WordOf<4> {
  using Type = unsigned;
};
template <> struct WordOf<8> {
  using Type = unsigned long long;
};

/// Others come from instances of templates.
template <class Type> constexpr bool fitsWord() {
  return (sizeof(Type) == 2 || sizeof(Type) == 4 || sizeof(Type) == 8) &&
         std::is_trivially_copyable<Type>::value;
}

} // namespace detail

/// asWord() is the value of a structure in memory.
template <class Type>
__host__ __device__ __attribute__((always_inline)) inline Type asWord(const Type& place) noexcept {
  if constexpr (detail::fitsWord<Type>()) {
    typename detail::WordOf<sizeof(Type)>::Type word;
    std::memcpy(&word, &place, sizeof word);
    unsigned char bytes[sizeof(Type)];
    for (unsigned i = 0; i < sizeof(Type); ++i)
      bytes[i] = static_cast<unsigned char>(word >> (8 * i));
    Type value = place;
    std::memcpy(&value, bytes, sizeof value);
    return value;
  } else {
    return place;
  }
}

/// WordTo is a structure in memory that is to be assigned to.
template <class Type> class WordTo {
public:
  __attribute__((always_inline)) explicit WordTo(Type& place) noexcept : place_(place) {}

  __attribute__((always_inline)) Type& operator=(const Type& value) const noexcept {
    if constexpr (detail::fitsWord<Type>()) {
      using Word = typename detail::WordOf<sizeof(Type)>::Type;
      unsigned char bytes[sizeof(Type)];
      std::memcpy(bytes, &value, sizeof value);
      Word word = 0;
      for (unsigned i = 0; i < sizeof(Type); ++i)
        word = static_cast<Word>(word | static_cast<Word>(bytes[i]) << (8 * i));
      std::memcpy(&place_, &word, sizeof word);
    } else {
      place_ = value;
    }
    return place_;
  }

private:
  Type& place_;
};

template <class Type>
__attribute__((always_inline)) inline WordTo<Type> wordTo(Type& place) noexcept {
  return WordTo<Type>(place);
}

} // namespace cu2cpp

#endif
