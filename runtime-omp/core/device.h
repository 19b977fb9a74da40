// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device: the machine, or with CU2CPP_NUM_DEVICES one of several views of it. Holds what CUDA
// keeps per device: the default stream, limits, flags, peers, the error that a kernel left.
//
// CUDA C++ Programming Guide, 'Multi-Device System'.
#ifndef CU2CPP_CORE_DEVICE_H
#define CU2CPP_CORE_DEVICE_H

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/stream.h"

namespace cu2cpp::rt {

/// Machine is what the operating system tells about the processor and its memory; read once.
struct Machine {
  std::string processor;
  int cores = 1; // those that this process may use
  std::size_t memoryBytes = 0;
  std::size_t availableBytes = 0; // when the process started to use the runtime
  int cacheBytes = 0;             // last level
};
const Machine& machine();

/// Limits of a launch, those of compute capability 9.0.
namespace limits {
constexpr unsigned blockThreads = 1024, blockX = 1024, blockY = 1024, blockZ = 64;
constexpr unsigned gridX = 2147483647, gridY = 65535, gridZ = 65535;
constexpr std::size_t sharedBytes = 48 * 1024;       // without asking
constexpr std::size_t sharedBytesOptIn = 227 * 1024; // on request
constexpr int residentThreads = 2048, residentBlocks = 32;
constexpr std::size_t policyWindowBytes = (std::size_t(128) << 20) - 4096;
constexpr int leastPriority = 0, greatestPriority = -5;
} // namespace limits

class MemoryPool;

class Device {
public:
  explicit Device(int number);

  int number() const { return number_; }
  const std::shared_ptr<Stream>& legacyStream() const { return legacy_; }

  /// failure() is the error that a kernel left, which lasts until clearFailure().
  Status failure() const { return failure_.load(std::memory_order_acquire); }
  void fail(Status status);
  void clearFailure();

  // Set by API calls, from any thread.
  std::atomic<std::size_t> stackBytes, printfBytes, heapBytes;
  // Kept for those who ask: queues of launches and caches are the machine's own.
  std::atomic<std::size_t> pendingLaunches, fetchBytes, persistingBytes;
  std::atomic<unsigned> flags{0};
  std::atomic<int> cacheConfig{0}, sharedMemConfig{1};
  std::vector<std::atomic<bool>> peers; // by device number: access enabled

  void resetLimits();

  /// The pool that cudaMallocAsync() uses, and the one that is there from the start.
  std::shared_ptr<MemoryPool> pool() const;
  void setPool(std::shared_ptr<MemoryPool> pool);
  std::shared_ptr<MemoryPool> defaultPool;

private:
  int number_;
  std::shared_ptr<Stream> legacy_;
  std::atomic<Status> failure_{Status::Ok};
  mutable std::mutex mutex_; // a leaf
  std::shared_ptr<MemoryPool> pool_;
};

} // namespace cu2cpp::rt

#endif
