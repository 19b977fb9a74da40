// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the split form keeps between regions: PerThread<T> holds a value for each thread of a block, Exited remembers which
// threads have returned.
#ifndef CU2CPP_SPLIT_H
#define CU2CPP_SPLIT_H

#include <cstddef>
#include <cstring>
#include <memory>
#include <type_traits>

#include <cu2cpp/block.h>

namespace cu2cpp {

namespace detail {

/// The largest block (CUDA C++ Programming Guide, 'Compute Capabilities').
constexpr unsigned maxThreadsPerBlock = 1024;
/// Values up to this size live on the stack, where the compiler knows that nothing else points to them.
constexpr std::size_t largestStackValue = 32;

} // namespace detail

/// PerThread<T> is a local variable of a kernel that is alive across a barrier: one T for each thread of the block. As
/// with the variable itself, a T without a constructor starts without a value.
template <class T, bool onStack = (sizeof(T) <= detail::largestStackValue)> class PerThread;

template <class T> class PerThread<T, true> {
public:
  explicit PerThread(const Block&) {}
  /// Starts every thread's value as a copy of `value` (a parameter that the kernel changes).
  template <class V> PerThread(const Block& block, const V& value) {
    for (unsigned i = 0, n = block.threadCount(); i < n; ++i)
      values_[i] = value;
  }
  T& operator[](const Thread& thread) { return values_[thread.index]; }

private:
  alignas(64) T values_[detail::maxThreadsPerBlock];
};

template <class T> class PerThread<T, false> {
  using Element = std::remove_all_extents_t<T>;

public:
  explicit PerThread(const Block& block) : values_(new Holder[block.threadCount()]) {}
  template <class V> PerThread(const Block& block, const V& value) : PerThread(block) {
    for (unsigned i = 0, n = block.threadCount(); i < n; ++i)
      values_[i].value = value;
  }
  T& operator[](const Thread& thread) { return values_[thread.index].value; }

private:
  struct Holder {
    T value;
  };
  std::unique_ptr<Holder[]> values_;
};

/// Exited remembers the threads that have returned: they take no part in what follows.
class Exited {
public:
  explicit Exited(const Block& block) : threads_(block.threadCount()) {
    std::memset(exited_, 0, threads_ * sizeof(exited_[0]));
  }
  void add(const Thread& thread) {
    exited_[thread.index] = 1;
    ++count_;
  }
  bool has(const Thread& thread) const { return exited_[thread.index] != 0; }
  bool all() const { return count_ == threads_; }

private:
  unsigned threads_;
  unsigned count_ = 0;
  // As wide as the data beside it: loops with flags of another width vectorise badly.
  int exited_[detail::maxThreadsPerBlock];
};

} // namespace cu2cpp

#endif
