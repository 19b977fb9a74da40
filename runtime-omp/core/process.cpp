// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The process's state and the calling thread's part of it.
#include "core/process.h"

#include "core/profiler.h"
#include "exec/faults.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <map>

namespace cu2cpp::rt {
namespace {

thread_local int deviceOfThread = 0;

std::atomic<Process*> created{nullptr};

// Before all static objects of the program, so that it is called after their destructors, which may
// use the runtime.
__attribute__((constructor(101))) void stopAtExit() {
  std::atexit([] {
    if (Process* existing = created.load())
      existing->scheduler.stop();
    reportProfile();
  });
}

int wantedDevices() {
  const char* text = std::getenv("CU2CPP_NUM_DEVICES");
  const int count = text ? std::atoi(text) : 1;
  return std::clamp(count, 0, 64);
}

} // namespace

Process::Process() {
  watchFaults();
  const int count = wantedDevices();
  for (int i = 0; i < count; ++i) {
    devices.push_back(std::make_unique<Device>(i));
    devices.back()->defaultPool =
        std::make_shared<MemoryPool>(allocations, *devices.back(), 0, nullptr);
    pools.add(devices.back()->defaultPool);
    devices.back()->peers = std::vector<std::atomic<bool>>(std::size_t(count));
  }
  const char* blocking = std::getenv("CUDA_LAUNCH_BLOCKING");
  launchBlocking = blocking && std::atoi(blocking) != 0;
  created = this;
}

Process& process() {
  static Process& theProcess = *new Process;
  return theProcess;
}

Device& currentDevice() { return *process().devices[std::size_t(deviceOfThread)]; }
void selectDevice(int number) { deviceOfThread = number; }

std::shared_ptr<Stream> Process::createStream(Device& device, bool blocking, int priority) {
  auto stream = std::make_shared<Stream>(
      device, ++lastStreamId_, blocking,
      std::clamp(priority, limits::greatestPriority, limits::leastPriority));
  streams.add(stream);
  return stream;
}

std::shared_ptr<Stream> threadStream(Device& device) {
  // Ends with the thread; work that is still queued keeps the stream alive.
  thread_local std::map<int, std::shared_ptr<Stream>> byDevice;
  std::shared_ptr<Stream>& stream = byDevice[device.number()];
  if (!stream)
    stream = std::make_shared<Stream>(device, 2, true, limits::leastPriority);
  return stream;
}

void Process::trimPools() {
  if (!MemoryPool::anyFree())
    return;
  for (const std::shared_ptr<MemoryPool>& pool : pools.all())
    pool->synchronized();
}

// Includes streams that were destroyed with work pending: that work counts too.
void Process::synchronize(Device& device) {
  for (const Point& point : scheduler.pending(device))
    scheduler.wait(point);
}

} // namespace cu2cpp::rt
