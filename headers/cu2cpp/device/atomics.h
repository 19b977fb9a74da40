// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic functions, each returning the old value. All have relaxed order. The `_system` forms are
// the same as the plain ones, since the device's memory is the host's; the `_block` forms are
// ordinary read-modify-writes, since a block stays on one OS thread and fibers switch only at
// calls. cu2cpp::inBlock has such a version of each under its plain name, for what translated code
// does to the block's own shared memory, and cu2cpp::inTurn one for code that never runs on fibers.
//
// CUDA C++ Programming Guide, 'Atomic Functions'.
#ifndef CU2CPP_DEVICE_ATOMICS_H
#define CU2CPP_DEVICE_ATOMICS_H

#include <cu2cpp/attributes.h>
#include <cu2cpp/device/turn.h>

namespace cu2cpp {
namespace detail {

/// atomicUpdate() replaces *address by next(*address); writes nothing when that changes nothing.
template <class Type, class Next> inline Type atomicUpdate(Type* address, Next next) {
  Type old;
  __atomic_load(address, &old, __ATOMIC_RELAXED);
  for (;;) {
    Type desired = next(old);
    // Compared as bits by the exchange; `==` here would take -0.0 for 0.0, which adding can tell
    // apart.
    if (__builtin_memcmp(&desired, &old, sizeof(Type)) == 0)
      return old;
    if (__atomic_compare_exchange(address, &old, &desired, true, __ATOMIC_RELAXED,
                                  __ATOMIC_RELAXED))
      return old;
  }
}

/// Sharable is Type at a place that may hold an object of another type (a float changed as an int).
/// volatile, since compilers are told that threads of a block don't depend on each other: two that
/// update one place must not become one vector.
template <class Type> struct Sharable {
  typedef volatile Type __attribute__((may_alias)) type;
};

template <class Type, class Next> inline Type blockUpdate(Type* address, Next next) {
  typename Sharable<Type>::type* const place = address;
  const Type old = *place;
  *place = next(old);
  return old;
}

template <class Type> inline Type atomicSwap(Type* address, Type value) {
  Type old;
  __atomic_exchange(address, &value, &old, __ATOMIC_RELAXED);
  return old;
}

template <class Type> inline Type compareAndSwap(Type* address, Type compare, Type value) {
  __atomic_compare_exchange(address, &compare, &value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return compare;
}

template <class Type> inline Type wrapSum(Type a, Type b) {
  Type sum;
  __builtin_add_overflow(a, b, &sum);
  return sum;
}
template <class Type> inline Type wrapDifference(Type a, Type b) {
  Type difference;
  __builtin_sub_overflow(a, b, &difference);
  return difference;
}

} // namespace detail
} // namespace cu2cpp

// name(Type*, V) in its three scopes and for the block's own memory. `fast` is the expression for
// other blocks' eyes, `next` the new value from `old`.
#define CU2CPP_ATOMIC(name, T, fast, next)                                                         \
  namespace cu2cpp {                                                                               \
  namespace inBlock {                                                                              \
  inline T name(T* address, T val) {                                                               \
    cu2cpp::detail::giveTurn();                                                                    \
    return cu2cpp::detail::blockUpdate(address, [val](T old) -> T { return next; });               \
  }                                                                                                \
  }                                                                                                \
  namespace inTurn {                                                                               \
  inline T name(T* address, T val) {                                                               \
    return cu2cpp::detail::blockUpdate(address, [val](T old) -> T { return next; });               \
  }                                                                                                \
  }                                                                                                \
  }                                                                                                \
  CU2CPP_IN_BLOCK inline T name(T* address, T val) {                                               \
    cu2cpp::detail::giveTurn();                                                                    \
    return fast;                                                                                   \
  }                                                                                                \
  inline T name##_system(T* address, T val) { return name(address, val); }                         \
  inline T name##_block(T* address, T val) { return cu2cpp::inBlock::name(address, val); }
#define CU2CPP_ATOMIC_BUILTIN(name, T, builtin, next)                                              \
  CU2CPP_ATOMIC(name, T, builtin(address, val, __ATOMIC_RELAXED), next)
#define CU2CPP_ATOMIC_UPDATE(name, T, next)                                                        \
  CU2CPP_ATOMIC(name, T,                                                                           \
                cu2cpp::detail::atomicUpdate(address, [val](T old) -> T { return next; }), next)

CU2CPP_ATOMIC_BUILTIN(atomicAdd, int, __atomic_fetch_add, cu2cpp::detail::wrapSum(old, val))
CU2CPP_ATOMIC_BUILTIN(atomicAdd, unsigned, __atomic_fetch_add, old + val)
CU2CPP_ATOMIC_BUILTIN(atomicAdd, unsigned long long, __atomic_fetch_add, old + val)
CU2CPP_ATOMIC_UPDATE(atomicAdd, float, old + val)
CU2CPP_ATOMIC_UPDATE(atomicAdd, double, old + val)

CU2CPP_ATOMIC_BUILTIN(atomicSub, int, __atomic_fetch_sub, cu2cpp::detail::wrapDifference(old, val))
CU2CPP_ATOMIC_BUILTIN(atomicSub, unsigned, __atomic_fetch_sub, old - val)

CU2CPP_ATOMIC(atomicExch, int, cu2cpp::detail::atomicSwap(address, val), ((void)old, val))
CU2CPP_ATOMIC(atomicExch, unsigned, cu2cpp::detail::atomicSwap(address, val), ((void)old, val))
CU2CPP_ATOMIC(atomicExch, unsigned long long, cu2cpp::detail::atomicSwap(address, val),
              ((void)old, val))
CU2CPP_ATOMIC(atomicExch, float, cu2cpp::detail::atomicSwap(address, val), ((void)old, val))

CU2CPP_ATOMIC_UPDATE(atomicMin, int, val < old ? val : old)
CU2CPP_ATOMIC_UPDATE(atomicMin, unsigned, val < old ? val : old)
CU2CPP_ATOMIC_UPDATE(atomicMin, long long, val < old ? val : old)
CU2CPP_ATOMIC_UPDATE(atomicMin, unsigned long long, val < old ? val : old)
CU2CPP_ATOMIC_UPDATE(atomicMax, int, old < val ? val : old)
CU2CPP_ATOMIC_UPDATE(atomicMax, unsigned, old < val ? val : old)
CU2CPP_ATOMIC_UPDATE(atomicMax, long long, old < val ? val : old)
CU2CPP_ATOMIC_UPDATE(atomicMax, unsigned long long, old < val ? val : old)

CU2CPP_ATOMIC_UPDATE(atomicInc, unsigned, old >= val ? 0u : old + 1u)
CU2CPP_ATOMIC_UPDATE(atomicDec, unsigned, old == 0u || old > val ? val : old - 1u)

CU2CPP_ATOMIC_BUILTIN(atomicAnd, int, __atomic_fetch_and, old& val)
CU2CPP_ATOMIC_BUILTIN(atomicAnd, unsigned, __atomic_fetch_and, old& val)
CU2CPP_ATOMIC_BUILTIN(atomicAnd, unsigned long long, __atomic_fetch_and, old& val)
CU2CPP_ATOMIC_BUILTIN(atomicOr, int, __atomic_fetch_or, old | val)
CU2CPP_ATOMIC_BUILTIN(atomicOr, unsigned, __atomic_fetch_or, old | val)
CU2CPP_ATOMIC_BUILTIN(atomicOr, unsigned long long, __atomic_fetch_or, old | val)
CU2CPP_ATOMIC_BUILTIN(atomicXor, int, __atomic_fetch_xor, old ^ val)
CU2CPP_ATOMIC_BUILTIN(atomicXor, unsigned, __atomic_fetch_xor, old ^ val)
CU2CPP_ATOMIC_BUILTIN(atomicXor, unsigned long long, __atomic_fetch_xor, old ^ val)

#undef CU2CPP_ATOMIC_UPDATE
#undef CU2CPP_ATOMIC_BUILTIN
#undef CU2CPP_ATOMIC

#define CU2CPP_ATOMIC_CAS(T)                                                                       \
  namespace cu2cpp {                                                                               \
  namespace inBlock {                                                                              \
  inline T atomicCAS(T* address, T compare, T val) {                                               \
    cu2cpp::detail::giveTurn();                                                                    \
    return cu2cpp::detail::blockUpdate(                                                            \
        address, [compare, val](T old) -> T { return old == compare ? val : old; });               \
  }                                                                                                \
  }                                                                                                \
  namespace inTurn {                                                                               \
  inline T atomicCAS(T* address, T compare, T val) {                                               \
    return cu2cpp::detail::blockUpdate(                                                            \
        address, [compare, val](T old) -> T { return old == compare ? val : old; });               \
  }                                                                                                \
  }                                                                                                \
  }                                                                                                \
  CU2CPP_IN_BLOCK inline T atomicCAS(T* address, T compare, T val) {                               \
    cu2cpp::detail::giveTurn();                                                                    \
    return cu2cpp::detail::compareAndSwap(address, compare, val);                                  \
  }                                                                                                \
  inline T atomicCAS_system(T* address, T compare, T val) {                                        \
    return atomicCAS(address, compare, val);                                                       \
  }                                                                                                \
  inline T atomicCAS_block(T* address, T compare, T val) {                                         \
    return cu2cpp::inBlock::atomicCAS(address, compare, val);                                      \
  }
CU2CPP_ATOMIC_CAS(int)
CU2CPP_ATOMIC_CAS(unsigned)
CU2CPP_ATOMIC_CAS(unsigned long long)
CU2CPP_ATOMIC_CAS(unsigned short)
#undef CU2CPP_ATOMIC_CAS

#include <cu2cpp/device/atomics_wide.h>

#endif
