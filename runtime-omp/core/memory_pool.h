// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory pools: blocks that a stream has freed and that later allocations get again. A block knows
// the point of its free, so that no task orders anything: it is usable at once in the stream that
// freed it, and elsewhere when the point is reached.
//
// CUDA C++ Programming Guide, 'Stream Ordered Memory Allocator'.
#ifndef CU2CPP_CORE_MEMORY_POOL_H
#define CU2CPP_CORE_MEMORY_POOL_H

#include <atomic>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "core/stream.h"

namespace cu2cpp::rt {

class AllocationTable;

/// SharedFile is memory in a file without a name, which other processes can map too.
class SharedFile {
public:
  explicit SharedFile(int fd) : fd_(fd) {}
  ~SharedFile();
  SharedFile(const SharedFile&) = delete;
  static std::shared_ptr<SharedFile> create(const char* name, std::size_t bytes);
  int fd() const { return fd_; }

private:
  int fd_;
};

/// roundToPages() rounds up to what can be mapped.
std::size_t roundToPages(std::size_t bytes);

class MemoryPool : public std::enable_shared_from_this<MemoryPool> {
public:
  /// Counts are CUDA's attributes of a pool.
  struct Counts {
    std::size_t reserved = 0, reservedHigh = 0, used = 0, usedHigh = 0;
  };

  MemoryPool(AllocationTable& table, Device& device, std::size_t maxBytes,
             std::shared_ptr<SharedFile> file);
  ~MemoryPool();
  MemoryPool(const MemoryPool&) = delete;

  Status allocate(std::size_t bytes, const std::shared_ptr<Stream>& stream, void** out);
  /// free() takes back a block that allocate() gave; it is unused from that point on.
  void free(void* p, const Point& from);
  /// trim() gives memory that nobody uses back to the system until no more than that is reserved.
  void trim(std::size_t bytesToKeep);
  /// synchronized() is called after a synchronisation: trims to the release threshold.
  void synchronized() {
    if (freeBytes_.load(std::memory_order_relaxed) > 0)
      trim(threshold);
  }

  /// anyFree() is true when some pool holds memory that nobody uses.
  static bool anyFree() { return freeInAll_.load(std::memory_order_relaxed) > 0; }

  Device& device() const { return device_; }
  Counts counts() const;
  void resetHigh(bool used);

  std::atomic<std::size_t> threshold{0};
  std::atomic<int> followEvents{1}, opportunistic{1}, internalDependencies{1};

  /// access() is what setAccess() said last: CUDA's flags. All devices reach all memory, so this
  /// is only for those who ask.
  int access(int device) const {
    std::lock_guard lock(mutex_);
    const auto found = access_.find(device);
    return found == access_.end() ? 0 : found->second;
  }
  void setAccess(int device, int flags) {
    std::lock_guard lock(mutex_);
    access_[device] = flags;
  }

  const std::shared_ptr<SharedFile>& file() const { return file_; }
  /// offsetOf() is where a block of a shared pool lies in the file, npos for what is none.
  std::size_t offsetOf(const void* p, std::size_t& bytes) const;
  /// import() maps a block of another process's pool.
  Status import(std::size_t offset, std::size_t bytes, void** out);

private:
  struct Block {
    void* memory = nullptr;
    std::size_t bytes = 0;
    std::size_t wanted = 0; // by its user
    std::size_t offset = 0; // in the shared file
    Point freed;
  };
  using FreeList = std::multimap<std::size_t, Block>;
  FreeList::iterator findFree(std::size_t bytes, const Stream* stream);
  bool takeFresh(std::size_t bytes, Block& out);
  void use(FreeList::node_type block, std::size_t bytes);
  void release(const Block& block);

  AllocationTable& table_;
  Device& device_;
  const std::size_t maxBytes_; // 0: no limit
  const std::shared_ptr<SharedFile> file_;
  mutable std::mutex mutex_; // before that of the allocation table
  FreeList free_;
  std::unordered_map<const void*, FreeList::node_type> used_; // a block's record moves with it
  std::map<int, int> access_;
  std::size_t fileEnd_ = 0;
  Counts counts_;
  void countFree(std::ptrdiff_t bytes) {
    freeBytes_ += std::size_t(bytes);
    freeInAll_ += std::size_t(bytes);
  }
  std::atomic<std::size_t> freeBytes_{0};
  static inline std::atomic<std::size_t> freeInAll_{0};
};

} // namespace cu2cpp::rt

#endif
