// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory as PTX addresses it: registers hold addresses as numbers, those of shared memory in 32
// bits; loads and stores have an order.
//
// PTX ISA, 'Addresses as Operands', 'Memory Consistency Model', 'cp.async'.
#ifndef CU2CPP_DEVICE_PTX_MEMORY_H
#define CU2CPP_DEVICE_PTX_MEMORY_H

#include <cstddef>
#include <cstring>

#include <cu2cpp/device_functions.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cu2cpp/device/turn.h>

namespace cu2cpp {
namespace detail {

/// sharedAt() is the place in the running block's shared memory whose address ends in these 32
/// bits.
void* sharedAt(unsigned lowBits) noexcept;

} // namespace detail

namespace ptx {

/// at() is the memory at an address. An address of 32 bits lies in shared memory.
template <class Type, class Pointed>
inline Type& at(Pointed* address, std::ptrdiff_t offset = 0) noexcept {
  return *(Type*)((char*)(const volatile void*)address + offset);
}
template <class Type>
inline Type& at(unsigned long long address, std::ptrdiff_t offset = 0) noexcept {
  return *(Type*)(address + (unsigned long long)offset);
}
template <class Type> inline Type& at(unsigned long address, std::ptrdiff_t offset = 0) noexcept {
  return *(Type*)(address + (unsigned long)offset);
}
template <class Type> inline Type& at(long long address, std::ptrdiff_t offset = 0) noexcept {
  return at<Type>((unsigned long long)address, offset);
}
template <class Type> inline Type& at(long address, std::ptrdiff_t offset = 0) noexcept {
  return at<Type>((unsigned long)address, offset);
}
template <class Type> inline Type& at(unsigned address, std::ptrdiff_t offset = 0) noexcept {
  return *(Type*)((char*)cu2cpp::detail::sharedAt(address) + offset);
}

/// generic() makes a whole address of one that may have been kept in 32 bits.
inline unsigned long long generic(unsigned long long address) noexcept {
  return address >> 32 ? address : (unsigned long long)cu2cpp::detail::sharedAt(unsigned(address));
}

namespace detail {
using namespace cu2cpp::detail;

template <class Type> inline Type loadOnce(const Type* address, int order) noexcept {
  giveTurn(); // programs poll memory with these
  Type value;
  if constexpr (sizeof(Type) <= 8) {
    __atomic_load(const_cast<Type*>(address), &value, __ATOMIC_RELAXED);
  } else { // vectors: each access by itself
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    value = *address;
  }
  if (order != __ATOMIC_RELAXED)
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
  return value;
}
template <class Type> inline void storeOnce(Type* address, Type value, int order) noexcept {
  if (order != __ATOMIC_RELAXED)
    __atomic_thread_fence(__ATOMIC_RELEASE);
  if constexpr (sizeof(Type) <= 8) {
    __atomic_store(address, &value, __ATOMIC_RELAXED);
  } else {
    *address = value;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
  }
  giveTurn();
}
} // namespace detail

template <class Type> inline Type loadRelaxed(const Type* address) noexcept {
  return detail::loadOnce(address, __ATOMIC_RELAXED);
}
template <class Type> inline Type loadVolatile(const Type* address) noexcept {
  return loadRelaxed(address);
}
template <class Type> inline Type loadAcquire(const Type* address) noexcept {
  return detail::loadOnce(address, __ATOMIC_ACQUIRE);
}
template <class Type, class Value> inline void storeRelaxed(Type* address, Value value) noexcept {
  detail::storeOnce(address, Type(value), __ATOMIC_RELAXED);
}
template <class Type, class Value> inline void storeVolatile(Type* address, Value value) noexcept {
  storeRelaxed(address, value);
}
template <class Type, class Value> inline void storeRelease(Type* address, Value value) noexcept {
  detail::storeOnce(address, Type(value), __ATOMIC_RELEASE);
}

/// cp_async() copies at once: `given` bytes, and zeros up to `size`.
inline void cp_async(char* to, const char* from, unsigned size, unsigned given) noexcept {
  std::memcpy(to, from, given);
  std::memset(to + given, 0, size - given);
}
inline void cp_async(char* to, const char* from, unsigned size) noexcept {
  std::memcpy(to, from, size);
}

inline void prefetch(const void* address) noexcept { __builtin_prefetch(address); }

} // namespace ptx
} // namespace cu2cpp

#endif
