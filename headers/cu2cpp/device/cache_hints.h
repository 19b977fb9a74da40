// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores with cache hints, which a CPU's caches don't take: plain accesses. Templates
// where CUDA lists types; any type that it lists works.
//
// CUDA C++ Programming Guide, 'Read-Only Data Cache Load Function', 'Load/Store Functions Using
// Cache Hints'.
#ifndef CU2CPP_DEVICE_CACHE_HINTS_H
#define CU2CPP_DEVICE_CACHE_HINTS_H

template <class Value> inline Value __ldg(const Value* address) { return *address; }
template <class Value> inline Value __ldca(const Value* address) { return *address; }
template <class Value> inline Value __ldcg(const Value* address) { return *address; }
template <class Value> inline Value __ldcs(const Value* address) { return *address; }
// These promise to look at memory again: a value that another thread may be changing.
template <class Value> inline Value __ldlu(const Value* address) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  return *address;
}
template <class Value> inline Value __ldcv(const Value* address) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  return *address;
}

namespace cu2cpp {
namespace detail {
template <class Value> struct Same {
  using Type = Value;
};
} // namespace detail
} // namespace cu2cpp

// The value converts to the type of the place, as in CUDA's overloads.
template <class Value>
inline void __stwb(Value* address, typename cu2cpp::detail::Same<Value>::Type value) {
  *address = value;
}
template <class Value>
inline void __stcg(Value* address, typename cu2cpp::detail::Same<Value>::Type value) {
  *address = value;
}
template <class Value>
inline void __stcs(Value* address, typename cu2cpp::detail::Same<Value>::Type value) {
  *address = value;
}
template <class Value>
inline void __stwt(Value* address, typename cu2cpp::detail::Same<Value>::Type value) {
  *address = value;
}

#endif
