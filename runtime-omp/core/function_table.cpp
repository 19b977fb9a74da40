// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Look-up of kernels by address.
#include "core/function_table.h"

namespace cu2cpp::rt {

void FunctionTable::add(const void* kernel, detail::ArgumentReader reader) {
  std::lock_guard lock(mutex_);
  byAddress_[kernel].reader = reader;
}

std::optional<Function> FunctionTable::find(const void* kernel) const {
  std::lock_guard lock(mutex_);
  const auto found = byAddress_.find(kernel);
  if (found == byAddress_.end())
    return std::nullopt;
  return found->second;
}

} // namespace cu2cpp::rt
