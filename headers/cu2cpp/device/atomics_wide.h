// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic functions on several numbers and on any type of 16 bytes: sums of float2 and
// float4 (each number by itself, as on a GPU), exchange and compare-and-swap by bits.
//
// CUDA C++ Programming Guide, 'Atomic Functions'.
#ifndef CU2CPP_DEVICE_ATOMICS_WIDE_H
#define CU2CPP_DEVICE_ATOMICS_WIDE_H

#include <type_traits>

#include <cu2cpp/device/atomics.h>
#include <vector_types.h>

namespace cu2cpp {
namespace detail {

/// swap128() is a compare-and-swap of 16 aligned bytes; `expected` becomes what was there.
bool swap128(void* address, void* expected, const void* desired) noexcept;

template <class Type>
using IfWide = std::enable_if_t<
    sizeof(Type) == 16 && alignof(Type) >= 16 && std::is_trivially_copyable<Type>::value, Type>;

template <class Type>
inline Type wideCompareAndSwap(Type* address, Type compare, Type value) noexcept {
  giveTurn();
  swap128(address, &compare, &value);
  return compare;
}
template <class Type> inline Type wideExchange(Type* address, Type value) noexcept {
  giveTurn();
  Type old = value;
  while (!swap128(address, &old, &value)) {
  }
  return old;
}

} // namespace detail
} // namespace cu2cpp

#define CU2CPP_ATOMIC_ANY(scope)                                                                   \
  template <class Type>                                                                            \
  inline cu2cpp::detail::IfWide<Type> atomicCAS##scope(Type* address, Type compare, Type val) {    \
    return cu2cpp::detail::wideCompareAndSwap(address, compare, val);                              \
  }                                                                                                \
  template <class Type>                                                                            \
  inline cu2cpp::detail::IfWide<Type> atomicExch##scope(Type* address, Type val) {                 \
    return cu2cpp::detail::wideExchange(address, val);                                             \
  }                                                                                                \
  /* What nvcc's headers call for them; the operands are 16 bytes in memory. */                    \
  inline void __u128AtomicCAS##scope(void* address, void* compare, void* val, void* old) {         \
    cu2cpp::detail::giveTurn();                                                                    \
    unsigned long long expected[2];                                                                \
    __builtin_memcpy(expected, compare, 16);                                                       \
    cu2cpp::detail::swap128(address, expected, val);                                               \
    __builtin_memcpy(old, expected, 16);                                                           \
  }                                                                                                \
  inline void __u128AtomicExch##scope(void* address, void* val, void* old) {                       \
    cu2cpp::detail::giveTurn();                                                                    \
    unsigned long long expected[2] = {0, 0};                                                       \
    while (!cu2cpp::detail::swap128(address, expected, val)) {                                     \
    }                                                                                              \
    __builtin_memcpy(old, expected, 16);                                                           \
  }                                                                                                \
  inline float2 atomicAdd##scope(float2* address, float2 val) {                                    \
    float2 old;                                                                                    \
    old.x = atomicAdd##scope(&address->x, val.x);                                                  \
    old.y = atomicAdd##scope(&address->y, val.y);                                                  \
    return old;                                                                                    \
  }                                                                                                \
  inline float4 atomicAdd##scope(float4* address, float4 val) {                                    \
    float4 old;                                                                                    \
    old.x = atomicAdd##scope(&address->x, val.x);                                                  \
    old.y = atomicAdd##scope(&address->y, val.y);                                                  \
    old.z = atomicAdd##scope(&address->z, val.z);                                                  \
    old.w = atomicAdd##scope(&address->w, val.w);                                                  \
    return old;                                                                                    \
  }
CU2CPP_ATOMIC_ANY()
CU2CPP_ATOMIC_ANY(_block)
CU2CPP_ATOMIC_ANY(_system)
#undef CU2CPP_ATOMIC_ANY

#endif
