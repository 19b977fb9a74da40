// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels whose address was taken: how to read their arguments, and the attributes that the program
// has set.
#ifndef CU2CPP_CORE_FUNCTION_TABLE_H
#define CU2CPP_CORE_FUNCTION_TABLE_H

#include <cstddef>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include <cu2cpp/kernel_call.h>

#include "core/device.h"

namespace cu2cpp::rt {

struct Function {
  detail::ArgumentReader reader = nullptr;
  detail::ParameterLayout layout;
  std::size_t dynamicSharedLimit = limits::sharedBytes;
  int carveout = -1;
  ::dim3 cluster{0, 0, 0};    // size in blocks that each launch must have; 0: any
  bool largeClusters = false; // more than 8 blocks
};

class FunctionTable {
public:
  void add(const void* kernel, detail::ArgumentReader reader,
           const detail::ParameterLayout& layout);
  std::optional<Function> find(const void* kernel) const;
  void remove(const void* kernel);
  std::vector<const void*> all() const;
  /// change() applies the change to a known kernel; false if it is not known.
  template <class Change> bool change(const void* kernel, Change apply) {
    std::lock_guard lock(mutex_);
    const auto found = byAddress_.find(kernel);
    if (found == byAddress_.end())
      return false;
    apply(found->second);
    return true;
  }

private:
  mutable std::mutex mutex_; // a leaf
  std::unordered_map<const void*, Function> byAddress_;
};

} // namespace cu2cpp::rt

#endif
