// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices, and the machine as /proc and /sys describe it.
#include "core/device.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include <sched.h>
#include <unistd.h>

namespace cu2cpp::rt {
namespace {

// The value after "key : " in a file of such lines; empty if there is none.
std::string valueOf(const char* file, const std::string& key) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.compare(0, key.size(), key) != 0)
      continue;
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos || line.find_first_not_of(" \t", key.size()) != colon)
      continue;
    const std::size_t start = line.find_first_not_of(" \t", colon + 1);
    return start == std::string::npos ? "" : line.substr(start);
  }
  return "";
}

// A file that holds one number (with K, M as sysfs writes cache sizes); 0 if it holds none ("max").
std::size_t numberIn(const char* file) {
  std::ifstream in(file);
  std::size_t value = 0;
  char unit = 0;
  if (!(in >> value))
    return 0;
  in >> unit;
  return unit == 'K' ? value << 10 : unit == 'M' ? value << 20 : value;
}

std::size_t kiloBytes(const char* key) {
  return std::size_t(std::strtoull(valueOf("/proc/meminfo", key).c_str(), nullptr, 10)) * 1024;
}

// A container's memory limit (control groups version 2, then 1).
std::size_t memoryLimit() {
  for (const char* file :
       {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"})
    if (const std::size_t limit = numberIn(file))
      return limit;
  return SIZE_MAX;
}

int usableCores() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    return std::max(1, CPU_COUNT(&set));
  return std::max(1, int(sysconf(_SC_NPROCESSORS_ONLN)));
}

Machine readMachine() {
  Machine result;
  result.processor = valueOf("/proc/cpuinfo", "model name");
  if (result.processor.empty())
    result.processor = "CPU";
  result.cores = usableCores();
  const std::size_t limit = memoryLimit();
  const std::size_t physical =
      std::size_t(sysconf(_SC_PHYS_PAGES)) * std::size_t(sysconf(_SC_PAGESIZE));
  result.memoryBytes = std::min(physical, limit);
  result.availableBytes = std::min(result.memoryBytes, kiloBytes("MemAvailable"));
  if (result.availableBytes == 0)
    result.availableBytes = result.memoryBytes;
  for (int level = 3; level >= 1 && result.cacheBytes == 0; --level)
    result.cacheBytes = int(numberIn(
        ("/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(level) + "/size").c_str()));
  return result;
}

} // namespace

const Machine& machine() {
  static const Machine& theMachine = *new Machine(readMachine());
  return theMachine;
}

Device::Device(int number)
    : number_(number), legacy_(std::make_shared<Stream>(*this, 0, true, limits::leastPriority)) {
  resetLimits();
}

// A GPU's defaults, which programs print.
void Device::resetLimits() {
  stackBytes = 1024;
  printfBytes = 8650752;
  heapBytes = 8 << 20;
  pendingLaunches = 2048;
  fetchBytes = 64;
  persistingBytes = std::size_t(machine().cacheBytes) / 16 * 3;
}

void Device::fail(Status status) {
  Status none = Status::Ok;
  failure_.compare_exchange_strong(none, status, std::memory_order_acq_rel);
}

std::shared_ptr<MemoryPool> Device::pool() const {
  std::lock_guard lock(mutex_);
  return pool_ ? pool_ : defaultPool;
}

void Device::setPool(std::shared_ptr<MemoryPool> pool) {
  std::lock_guard lock(mutex_);
  pool_ = std::move(pool);
}

void Device::clearFailure() { failure_.store(Status::Ok, std::memory_order_release); }

} // namespace cu2cpp::rt
