// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic functions with an order and a scope of CUDA 12.8: `__nv_atomic_fetch_add(&sum, 1,
// __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK)`. The value's type is the pointer's. Scopes change
// nothing, since the device's memory is the host's; the orders' numbers are those of the host's
// compilers.
//
// CUDA C++ Programming Guide, 'Atomic Functions'.
#ifndef CU2CPP_DEVICE_ATOMICS_BUILTIN_H
#define CU2CPP_DEVICE_ATOMICS_BUILTIN_H

#include <type_traits>

#include <cu2cpp/device/atomics_wide.h>

enum {
  __NV_ATOMIC_RELAXED,
  __NV_ATOMIC_CONSUME,
  __NV_ATOMIC_ACQUIRE,
  __NV_ATOMIC_RELEASE,
  __NV_ATOMIC_ACQ_REL,
  __NV_ATOMIC_SEQ_CST
};
enum {
  __NV_THREAD_SCOPE_THREAD,
  __NV_THREAD_SCOPE_BLOCK,
  __NV_THREAD_SCOPE_CLUSTER,
  __NV_THREAD_SCOPE_DEVICE,
  __NV_THREAD_SCOPE_SYSTEM
};

namespace cu2cpp {
namespace detail {

/// Value is Type where a function's argument must not decide what Type is.
template <class Type> struct SameType {
  typedef typename std::remove_volatile<Type>::type type;
};
template <class Type> using Value = typename SameType<Type>::type;

/// orderedFence() gives relaxed operations their order, from either side.
inline void orderedFence(int order) noexcept {
  if (order != __NV_ATOMIC_RELAXED)
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

template <class Type, bool wide = sizeof(Type) == 16> struct PlainAtomic {
  static Type load(const volatile Type* address) noexcept {
    Type value;
    __atomic_load(address, &value, __ATOMIC_RELAXED);
    return value;
  }
  static void store(volatile Type* address, Type value) noexcept {
    __atomic_store(address, &value, __ATOMIC_RELAXED);
  }
  static bool swapIf(volatile Type* address, Type& expected, Type desired) noexcept {
    return __atomic_compare_exchange(address, &expected, &desired, false, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED);
  }
};
template <class Type> struct PlainAtomic<Type, true> {
  static bool swapIf(volatile Type* address, Type& expected, Type desired) noexcept {
    return swap128(const_cast<Type*>(address), &expected, &desired);
  }
  static Type load(const volatile Type* address) noexcept {
    Type value{};
    swapIf(const_cast<volatile Type*>(address), value, value);
    return value;
  }
  static void store(volatile Type* address, Type value) noexcept {
    Type old = value;
    while (!swapIf(address, old, value)) {
    }
  }
};

/// orderedUpdate() replaces *address by next(*address) and returns what was there.
template <class Type, class Next>
inline Value<Type> orderedUpdate(Type* address, int order, Next next) noexcept {
  typedef PlainAtomic<Value<Type>> Place;
  giveTurn();
  orderedFence(order);
  Value<Type> old = Place::load(address);
  while (!Place::swapIf(address, old, next(old))) {
  }
  orderedFence(order);
  return old;
}

} // namespace detail
} // namespace cu2cpp

template <class Type>
inline cu2cpp::detail::Value<Type> __nv_atomic_load_n(Type* ptr, int order,
                                                      int = __NV_THREAD_SCOPE_SYSTEM) {
  cu2cpp::detail::giveTurn();
  cu2cpp::detail::orderedFence(order);
  const cu2cpp::detail::Value<Type> value =
      cu2cpp::detail::PlainAtomic<typename std::remove_cv<Type>::type>::load(ptr);
  cu2cpp::detail::orderedFence(order);
  return value;
}
template <class Type>
inline void __nv_atomic_load(Type* ptr, typename std::remove_cv<Type>::type* ret, int order,
                             int scope = __NV_THREAD_SCOPE_SYSTEM) {
  *ret = __nv_atomic_load_n(ptr, order, scope);
}
template <class Type>
inline void __nv_atomic_store_n(Type* ptr, cu2cpp::detail::Value<Type> val, int order,
                                int = __NV_THREAD_SCOPE_SYSTEM) {
  cu2cpp::detail::giveTurn();
  cu2cpp::detail::orderedFence(order);
  cu2cpp::detail::PlainAtomic<cu2cpp::detail::Value<Type>>::store(ptr, val);
  cu2cpp::detail::orderedFence(order);
}
template <class Type>
inline void __nv_atomic_store(Type* ptr, cu2cpp::detail::Value<Type>* val, int order,
                              int scope = __NV_THREAD_SCOPE_SYSTEM) {
  __nv_atomic_store_n(ptr, *val, order, scope);
}
template <class Type>
inline cu2cpp::detail::Value<Type>
__nv_atomic_exchange_n(Type* ptr, cu2cpp::detail::Value<Type> val, int order,
                       int = __NV_THREAD_SCOPE_SYSTEM) {
  return cu2cpp::detail::orderedUpdate(ptr, order,
                                       [&](const cu2cpp::detail::Value<Type>&) { return val; });
}
template <class Type>
inline void __nv_atomic_exchange(Type* ptr, cu2cpp::detail::Value<Type>* val,
                                 cu2cpp::detail::Value<Type>* ret, int order,
                                 int scope = __NV_THREAD_SCOPE_SYSTEM) {
  *ret = __nv_atomic_exchange_n(ptr, *val, order, scope);
}
template <class Type>
inline bool __nv_atomic_compare_exchange_n(Type* ptr, cu2cpp::detail::Value<Type>* expected,
                                           cu2cpp::detail::Value<Type> desired, bool,
                                           int success_order, int failure_order,
                                           int = __NV_THREAD_SCOPE_SYSTEM) {
  cu2cpp::detail::giveTurn();
  cu2cpp::detail::orderedFence(success_order | failure_order);
  const bool swapped =
      cu2cpp::detail::PlainAtomic<cu2cpp::detail::Value<Type>>::swapIf(ptr, *expected, desired);
  cu2cpp::detail::orderedFence(success_order | failure_order);
  return swapped;
}
template <class Type>
inline bool __nv_atomic_compare_exchange(Type* ptr, cu2cpp::detail::Value<Type>* expected,
                                         cu2cpp::detail::Value<Type>* desired, bool weak,
                                         int success_order, int failure_order,
                                         int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return __nv_atomic_compare_exchange_n(ptr, expected, *desired, weak, success_order, failure_order,
                                        scope);
}

#define CU2CPP_ATOMIC_OF_ORDER(name, next)                                                         \
  template <class Type>                                                                            \
  inline cu2cpp::detail::Value<Type> __nv_atomic_fetch_##name(                                     \
      Type* ptr, cu2cpp::detail::Value<Type> val, int order, int = __NV_THREAD_SCOPE_SYSTEM) {     \
    typedef cu2cpp::detail::Value<Type> Number;                                                    \
    return cu2cpp::detail::orderedUpdate(ptr, order,                                               \
                                         [val](Number old) -> Number { return Number(next); });    \
  }                                                                                                \
  template <class Type>                                                                            \
  inline void __nv_atomic_##name(Type* ptr, cu2cpp::detail::Value<Type> val, int order,            \
                                 int scope = __NV_THREAD_SCOPE_SYSTEM) {                           \
    __nv_atomic_fetch_##name(ptr, val, order, scope);                                              \
  }
CU2CPP_ATOMIC_OF_ORDER(add, old + val)
CU2CPP_ATOMIC_OF_ORDER(sub, old - val)
CU2CPP_ATOMIC_OF_ORDER(min, val < old ? val : old)
CU2CPP_ATOMIC_OF_ORDER(max, old < val ? val : old)
CU2CPP_ATOMIC_OF_ORDER(and, old& val)
CU2CPP_ATOMIC_OF_ORDER(or, old | val)
CU2CPP_ATOMIC_OF_ORDER(xor, old ^ val)
#undef CU2CPP_ATOMIC_OF_ORDER

inline void __nv_atomic_thread_fence(int order, int = __NV_THREAD_SCOPE_SYSTEM) {
  cu2cpp::detail::giveTurn();
  cu2cpp::detail::orderedFence(order);
}

#endif
