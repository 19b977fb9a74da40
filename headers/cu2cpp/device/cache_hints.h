// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores with cache hints, which a CPU's caches don't take: plain accesses. Templates
// where CUDA lists types; any type that it lists works.
//
// CUDA C++ Programming Guide, 'Read-Only Data Cache Load Function', 'Load/Store Functions Using
// Cache Hints'.
#ifndef CU2CPP_DEVICE_CACHE_HINTS_H
#define CU2CPP_DEVICE_CACHE_HINTS_H

template <class T> inline T __ldg(const T* address) { return *address; }
template <class T> inline T __ldca(const T* address) { return *address; }
template <class T> inline T __ldcg(const T* address) { return *address; }
template <class T> inline T __ldcs(const T* address) { return *address; }
// These promise to look at memory again: a value that another thread may be changing.
template <class T> inline T __ldlu(const T* address) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  return *address;
}
template <class T> inline T __ldcv(const T* address) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  return *address;
}

namespace cu2cpp {
namespace detail {
template <class T> struct Same {
  using Type = T;
};
} // namespace detail
} // namespace cu2cpp

// The value converts to the type of the place, as in CUDA's overloads.
template <class T> inline void __stwb(T* address, typename cu2cpp::detail::Same<T>::Type value) {
  *address = value;
}
template <class T> inline void __stcg(T* address, typename cu2cpp::detail::Same<T>::Type value) {
  *address = value;
}
template <class T> inline void __stcs(T* address, typename cu2cpp::detail::Same<T>::Type value) {
  *address = value;
}
template <class T> inline void __stwt(T* address, typename cu2cpp::detail::Same<T>::Type value) {
  *address = value;
}

#endif
