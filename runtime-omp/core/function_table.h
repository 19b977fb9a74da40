// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels whose address was taken: how to read their arguments, and the attributes that the program
// has set; and the limits of those that have their own.
#ifndef CU2CPP_CORE_FUNCTION_TABLE_H
#define CU2CPP_CORE_FUNCTION_TABLE_H

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include <cu2cpp/kernel_call.h>

#include "core/device.h"

namespace cu2cpp::rt {

/// Function is a kernel as it was made known; the members are the table's.
struct Function {
  detail::ArgumentReader reader = nullptr;
  detail::ParameterLayout layout;
  unsigned mostThreads = limits::blockThreads; // `__launch_bounds__`
  std::size_t staticShared = 0;                // bytes of its own variables
  std::optional<std::size_t> dynamicSharedAsked;
  int carveout = -1;
  ::dim3 cluster{0, 0, 0};    // size in blocks that each launch must have; 0: any
  bool largeClusters = false; // more than 8 blocks

  /// dynamicSharedLimit() is what a launch may ask for.
  std::size_t dynamicSharedLimit() const {
    return dynamicSharedAsked ? *dynamicSharedAsked : rest(limits::sharedBytes);
  }
  /// mostDynamicShared() is what the program may set that limit to.
  std::size_t mostDynamicShared() const { return rest(limits::sharedBytesOptIn); }

private:
  std::size_t rest(std::size_t bytes) const { return bytes - std::min(bytes, staticShared); }
};

class FunctionTable {
public:
  void add(const void* kernel, detail::ArgumentReader reader,
           const detail::ParameterLayout& layout);
  /// limit() is about a kernel whether it is known or not.
  void limit(const void* kernel, unsigned threads, std::size_t sharedBytes, ::dim3 cluster);
  std::optional<Function> find(const void* kernel) const;
  /// dynamicSharedLimit() is also about kernels that are not known.
  std::size_t dynamicSharedLimit(const void* kernel) const;
  /// mostThreads() is what a launch with this many threads a block must not exceed. Looks up only
  /// where some kernel's limit is less.
  unsigned mostThreads(const void* kernel, unsigned wanted) const {
    return wanted <= leastLimit_.load(std::memory_order_relaxed) ? limits::blockThreads
                                                                 : lookUpThreads(kernel);
  }
  /// findInClusters() finds a kernel, known or not, that has to run in clusters. Looks up only
  /// where there are such.
  std::optional<Function> findInClusters(const void* kernel) const {
    return anyClusters_.load(std::memory_order_relaxed) ? lookUpInClusters(kernel) : std::nullopt;
  }
  void remove(const void* kernel);
  /// all() has those that only have limits, too.
  std::vector<const void*> all() const;
  /// change() applies the change to a known kernel; false if it is not known.
  template <class Change> bool change(const void* kernel, Change apply) {
    std::lock_guard lock(mutex_);
    const auto found = byAddress_.find(kernel);
    if (found == byAddress_.end() || !found->second.reader)
      return false;
    apply(found->second);
    noteClusters(found->second);
    return true;
  }

private:
  unsigned lookUpThreads(const void* kernel) const;
  std::optional<Function> lookUpInClusters(const void* kernel) const;
  void noteClusters(const Function& function) {
    if (function.cluster.x)
      anyClusters_.store(true, std::memory_order_relaxed);
  }

  // Set before the kernel can be launched, by the file that holds it.
  std::atomic<unsigned> leastLimit_{limits::blockThreads};
  std::atomic<bool> anyClusters_{false};
  mutable std::mutex mutex_; // a leaf
  std::unordered_map<const void*, Function> byAddress_;
};

/// functionTable() is the process's. It can be told of limits before the runtime starts: programs
/// may set its environment first.
FunctionTable& functionTable();

} // namespace cu2cpp::rt

#endif
