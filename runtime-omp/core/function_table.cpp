// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Look-up of kernels by address.
#include "core/function_table.h"

namespace cu2cpp::rt {

void FunctionTable::add(const void* kernel, detail::ArgumentReader reader,
                        const detail::ParameterLayout& layout) {
  std::lock_guard lock(mutex_);
  Function& function = byAddress_[kernel];
  function.reader = reader;
  function.layout = layout;
}

std::optional<Function> FunctionTable::find(const void* kernel) const {
  std::lock_guard lock(mutex_);
  const auto found = byAddress_.find(kernel);
  if (found == byAddress_.end())
    return std::nullopt;
  return found->second;
}

void FunctionTable::remove(const void* kernel) {
  std::lock_guard lock(mutex_);
  byAddress_.erase(kernel);
}

std::vector<const void*> FunctionTable::all() const {
  std::lock_guard lock(mutex_);
  std::vector<const void*> result;
  for (const auto& entry : byAddress_)
    result.push_back(entry.first);
  return result;
}

} // namespace cu2cpp::rt
