// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory pools.
#include "core/memory_pool.h"

#include <algorithm>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/allocation_table.h"
#include "core/device.h"

namespace cu2cpp::rt {
namespace {

constexpr std::size_t granularity = 512;

// A block may be this much larger than what is asked for.
std::size_t mostFor(std::size_t bytes) { return bytes + std::max(bytes / 4, granularity * 8); }

void* mapFile(int fd, std::size_t offset, std::size_t bytes) {
  void* const p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, off_t(offset));
  return p == MAP_FAILED ? nullptr : p;
}

} // namespace

SharedFile::~SharedFile() { close(fd_); }

std::shared_ptr<SharedFile> SharedFile::create(const char* name, std::size_t bytes) {
  const int fd = memfd_create(name, MFD_CLOEXEC);
  if (fd < 0)
    return nullptr;
  auto file = std::make_shared<SharedFile>(fd);
  return ftruncate(fd, off_t(bytes)) == 0 ? file : nullptr;
}

std::size_t roundToPages(std::size_t bytes) {
  static const auto page = std::size_t(sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

MemoryPool::MemoryPool(AllocationTable& table, Device& device, std::size_t maxBytes,
                       std::shared_ptr<SharedFile> file)
    : table_(table), device_(device), maxBytes_(maxBytes), file_(std::move(file)) {}

// What is still allocated stays until it is freed (Runtime API, 'cudaMemPoolDestroy'): each
// allocation keeps its pool, so there is none left here.
MemoryPool::~MemoryPool() { trim(0); }

MemoryPool::FreeList::iterator MemoryPool::findFree(std::size_t bytes, const Stream* stream) {
  const std::size_t most = mostFor(bytes);
  auto elsewhere = free_.end();
  for (auto entry = free_.lower_bound(bytes); entry != free_.end() && entry->first <= most;
       ++entry) {
    if (entry->second.freed.stream.get() == stream)
      return entry;
    if (elsewhere == free_.end() && opportunistic && entry->second.freed.reached())
      elsewhere = entry;
  }
  return elsewhere;
}

bool MemoryPool::takeFresh(std::size_t bytes, Block& out) {
  if ((maxBytes_ != 0 && counts_.reserved + bytes > maxBytes_) ||
      !table_.reserve(device_.number(), bytes, machine().memoryBytes))
    return false;
  out.bytes = bytes;
  if (!file_) {
    out.memory = AllocationTable::takeMemory(bytes);
  } else {
    out.offset = fileEnd_;
    if (ftruncate(file_->fd(), off_t(fileEnd_ + bytes)) == 0)
      out.memory = mapFile(file_->fd(), fileEnd_, bytes);
    if (out.memory)
      fileEnd_ += bytes;
  }
  if (!out.memory) {
    table_.unreserve(device_.number(), bytes);
    return false;
  }
  counts_.reserved += bytes;
  counts_.reservedHigh = std::max(counts_.reservedHigh, counts_.reserved);
  return true;
}

Status MemoryPool::allocate(std::size_t bytes, const std::shared_ptr<Stream>& stream, void** out) {
  if (bytes > machine().memoryBytes)
    return Status::OutOfMemory;
  const std::size_t rounded =
      file_ ? roundToPages(bytes) : (bytes + granularity - 1) / granularity * granularity;
  std::lock_guard lock(mutex_);
  auto found = findFree(rounded, stream.get());
  if (found != free_.end()) {
    countFree(-std::ptrdiff_t(found->second.bytes));
  } else {
    Block fresh;
    if (!takeFresh(rounded, fresh))
      return Status::OutOfMemory;
    found = free_.emplace(fresh.bytes, std::move(fresh));
  }
  *out = found->second.memory;
  use(free_.extract(found), bytes);
  return Status::Ok;
}

void MemoryPool::use(FreeList::node_type node, std::size_t bytes) {
  Block& block = node.mapped();
  block.freed = {};
  block.wanted = bytes;
  counts_.used += bytes;
  counts_.usedHigh = std::max(counts_.usedHigh, counts_.used);
  void* const p = block.memory;
  table_.insertBlock({reinterpret_cast<std::uintptr_t>(p), bytes, MemoryKind::Pool,
                      device_.number(), 0, false, 0, shared_from_this()});
  used_[p] = std::move(node);
}

void MemoryPool::free(void* p, const Point& from) {
  std::lock_guard lock(mutex_);
  const auto found = used_.find(p);
  FreeList::node_type node = std::move(found->second);
  used_.erase(found);
  Block& block = node.mapped();
  counts_.used -= block.wanted;
  countFree(std::ptrdiff_t(block.bytes));
  block.freed = from;
  free_.insert(std::move(node));
}

void MemoryPool::trim(std::size_t bytesToKeep) {
  std::lock_guard lock(mutex_);
  for (auto entry = free_.begin(); entry != free_.end() && counts_.reserved > bytesToKeep;) {
    if (!entry->second.freed.reached()) {
      ++entry;
      continue;
    }
    release(entry->second);
    countFree(-std::ptrdiff_t(entry->first));
    entry = free_.erase(entry);
  }
}

void MemoryPool::release(const Block& block) {
  counts_.reserved -= block.bytes;
  table_.unreserve(device_.number(), block.bytes);
  if (!file_) {
    AllocationTable::releaseMemory(block.memory);
    return;
  }
  munmap(block.memory, block.bytes);
  fallocate(file_->fd(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, off_t(block.offset),
            off_t(block.bytes));
}

MemoryPool::Counts MemoryPool::counts() const {
  std::lock_guard lock(mutex_);
  return counts_;
}

void MemoryPool::resetHigh(bool used) {
  std::lock_guard lock(mutex_);
  (used ? counts_.usedHigh : counts_.reservedHigh) = used ? counts_.used : counts_.reserved;
}

std::size_t MemoryPool::offsetOf(const void* p, std::size_t& bytes) const {
  std::lock_guard lock(mutex_);
  const auto found = used_.find(p);
  if (!file_ || found == used_.end())
    return SIZE_MAX;
  const Block& block = found->second.mapped();
  bytes = block.bytes;
  return block.offset;
}

Status MemoryPool::import(std::size_t offset, std::size_t bytes, void** out) {
  void* const p = file_ ? mapFile(file_->fd(), offset, bytes) : nullptr;
  if (!p)
    return Status::InvalidValue;
  std::lock_guard lock(mutex_);
  if (!table_.reserve(device_.number(), bytes, SIZE_MAX))
    return Status::OutOfMemory;
  counts_.reserved += bytes;
  use(free_.extract(free_.emplace(bytes, Block{p, bytes, bytes, offset, {}})), bytes);
  *out = p;
  return Status::Ok;
}

} // namespace cu2cpp::rt
