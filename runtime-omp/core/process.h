// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime's one state: devices, memory, kernels, streams, events, the scheduler. Made at first
// use and never destroyed, since threads of the runtime and destructors of the program may outlive
// any order of destruction.
#ifndef CU2CPP_CORE_PROCESS_H
#define CU2CPP_CORE_PROCESS_H

#include <atomic>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "core/allocation_table.h"
#include "core/capture.h"
#include "core/device.h"
#include "core/event.h"
#include "core/function_table.h"
#include "core/graph_exec.h"
#include "core/memory_pool.h"
#include "core/scheduler.h"

namespace cu2cpp::rt {

/// HandleTable maps the handles that programs hold to objects; a handle that was never given out or
/// is destroyed is found to be so.
template <class T> class HandleTable {
public:
  const void* add(std::shared_ptr<T> object) {
    std::lock_guard lock(mutex_);
    const void* const handle = object.get();
    byHandle_[handle] = std::move(object);
    return handle;
  }
  std::shared_ptr<T> find(const void* handle) const {
    std::lock_guard lock(mutex_);
    const auto found = byHandle_.find(handle);
    return found == byHandle_.end() ? nullptr : found->second;
  }
  std::shared_ptr<T> remove(const void* handle) {
    std::lock_guard lock(mutex_);
    const auto found = byHandle_.find(handle);
    if (found == byHandle_.end())
      return nullptr;
    std::shared_ptr<T> result = std::move(found->second);
    byHandle_.erase(found);
    return result;
  }
  template <class Keep> void removeUnless(Keep keep) {
    std::lock_guard lock(mutex_);
    for (auto entry = byHandle_.begin(); entry != byHandle_.end();)
      entry = keep(*entry->second) ? std::next(entry) : byHandle_.erase(entry);
  }
  std::vector<std::shared_ptr<T>> all() const {
    std::lock_guard lock(mutex_);
    std::vector<std::shared_ptr<T>> result;
    for (const auto& entry : byHandle_)
      result.push_back(entry.second);
    return result;
  }

private:
  mutable std::mutex mutex_; // a leaf
  std::unordered_map<const void*, std::shared_ptr<T>> byHandle_;
};

class Process {
public:
  Process();

  std::vector<std::unique_ptr<Device>> devices;
  AllocationTable& allocations = allocationTable();
  FunctionTable& functions = functionTable();
  HandleTable<Stream> streams; // those that the program created
  HandleTable<Event> events;
  HandleTable<MemoryPool> pools; // the default pools too
  HandleTable<Graph> graphs;
  HandleTable<Node> graphNodes;
  HandleTable<GraphExec> graphExecs;
  HandleTable<UserObject> userObjects;
  Captures captures;
  Scheduler scheduler;
  bool launchBlocking = false; // CUDA_LAUNCH_BLOCKING=1
  std::atomic<bool> perThreadDefaultStream{false};

  int deviceCount() const { return int(devices.size()); }
  std::shared_ptr<Stream> createStream(Device& device, bool blocking, int priority);
  /// trimPools() gives memory back after a synchronisation.
  void trimPools();
  /// synchronize() waits for all work of the device.
  void synchronize(Device& device);

private:
  std::atomic<unsigned long long> lastStreamId_{2}; // 1 and 2 are the default streams
};

Process& process();

/// currentDevice() is the calling thread's device; selectDevice() changes it.
Device& currentDevice();
void selectDevice(int number);
/// threadStream() is the calling thread's own default stream on the device.
std::shared_ptr<Stream> threadStream(Device& device);

} // namespace cu2cpp::rt

#endif
