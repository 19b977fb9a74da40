// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Look-up of kernels by address.
#include "core/function_table.h"

namespace cu2cpp::rt {

FunctionTable& functionTable() {
  static FunctionTable& theTable = *new FunctionTable;
  return theTable;
}

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
  if (found == byAddress_.end() || !found->second.reader)
    return std::nullopt;
  return found->second;
}

void FunctionTable::limit(const void* kernel, unsigned threads, std::size_t sharedBytes,
                          ::dim3 cluster) {
  std::lock_guard lock(mutex_);
  Function& function = byAddress_[kernel];
  function.mostThreads = threads;
  function.staticShared = sharedBytes;
  function.cluster = cluster;
  noteClusters(function);
  leastLimit_.store(std::min(leastLimit_.load(std::memory_order_relaxed), threads),
                    std::memory_order_relaxed);
}

std::size_t FunctionTable::dynamicSharedLimit(const void* kernel) const {
  std::lock_guard lock(mutex_);
  const auto found = byAddress_.find(kernel);
  return found == byAddress_.end() ? limits::sharedBytes : found->second.dynamicSharedLimit();
}

unsigned FunctionTable::lookUpThreads(const void* kernel) const {
  std::lock_guard lock(mutex_);
  const auto found = byAddress_.find(kernel);
  return found == byAddress_.end() ? limits::blockThreads : found->second.mostThreads;
}

std::optional<Function> FunctionTable::lookUpInClusters(const void* kernel) const {
  std::lock_guard lock(mutex_);
  const auto found = byAddress_.find(kernel);
  if (found == byAddress_.end() || found->second.cluster.x == 0)
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
