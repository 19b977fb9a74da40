// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Allocation and look-up. Large blocks have pages of their own, which the threads that use them
// touch first; small ones come from core/small_blocks.h.
#include "core/allocation_table.h"

#include "core/memory_pool.h"
#include "core/small_blocks.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>

namespace cu2cpp::rt {
namespace {

constexpr std::size_t smallAlignment = 512;
constexpr std::size_t hugePage = std::size_t(2) << 20;
constexpr std::size_t largeBytes = std::size_t(16) << 10;
constexpr std::size_t zeroedBytes = std::size_t(1) << 20;

// Arrays that start at the same place of a page hinder each other: a load looks to the processor as
// if it read what was just stored 4096 bytes away, and waits (a stencil that writes the second of
// two such arrays ran 4 times slower). So large arrays start at one place out of eight.
unsigned nextLead() {
  static std::atomic<unsigned> taken{0};
  return taken.fetch_add(1, std::memory_order_relaxed) * 5 % 8 * smallAlignment;
}

void* take(std::size_t bytes, unsigned lead) {
  // Large ones have pages of their own, so that they can be shared with other processes.
  const std::size_t alignment = bytes >= 2 * hugePage ? hugePage
                                : bytes >= largeBytes ? roundToPages(1)
                                                      : smallAlignment;
  const std::size_t unit = std::min(alignment, roundToPages(1));
  std::size_t rounded = (bytes + lead + unit - 1) / unit * unit;
  const bool small = rounded <= SmallBlocks::largest;
  // A GPU maps whole pages of 2 MiB: what lies a little beyond an array is there, too.
  if (!small)
    rounded = (rounded + hugePage - 1) / hugePage * hugePage;
  void* p = small ? SmallBlocks::instance().take(std::max(rounded, unit), alignment)
                  : std::aligned_alloc(alignment, rounded);
  if (p && alignment == hugePage)
    madvise(p, rounded, MADV_HUGEPAGE); // a hint: fewer page faults at first touch
  // A GPU's fresh memory reads as zero, and programs that forget to clear a counter get away with
  // it there. Large blocks are fresh pages here too; small ones come from a heap full of old
  // values.
  if (p && rounded <= zeroedBytes)
    std::memset(p, 0, rounded);
  return p;
}

void giveBack(void* p) {
  if (!SmallBlocks::instance().giveBack(p))
    std::free(p);
}

bool countsAsDeviceMemory(MemoryKind kind) {
  return kind == MemoryKind::Device || kind == MemoryKind::Managed;
}

} // namespace

AllocationTable& allocationTable() {
  static AllocationTable& theTable = *new AllocationTable;
  return theTable;
}

Status AllocationTable::allocate(MemoryKind kind, std::size_t bytes, int device, unsigned flags,
                                 std::size_t capacity, void** out) {
  std::unique_lock lock(mutex_);
  if (bytes > capacity ||
      (countsAsDeviceMemory(kind) && bytes > capacity - std::min(capacity, used_[device])))
    return Status::OutOfMemory;
  const unsigned lead = bytes >= largeBytes ? nextLead() : 0;
  void* const memory = take(bytes, lead);
  if (!memory)
    return Status::OutOfMemory;
  void* const p = static_cast<char*>(memory) + lead;
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  byAddress_[address] = {address, bytes, kind, device, flags, false, lead};
  if (countsAsDeviceMemory(kind))
    used_[device] += bytes;
  *out = p;
  return Status::Ok;
}

std::optional<Allocation> AllocationTable::remove(const void* p, MemoryKind kind,
                                                  MemoryKind orKind) {
  std::unique_lock lock(mutex_);
  const auto found = byAddress_.find(reinterpret_cast<std::uintptr_t>(p));
  if (found == byAddress_.end() || (found->second.kind != kind && found->second.kind != orKind))
    return std::nullopt;
  // The last block of a pool may take it along, whose end uses the table again.
  Allocation result = std::move(found->second);
  byAddress_.erase(found);
  if (countsAsDeviceMemory(result.kind))
    used_[result.device] -= result.bytes;
  return result;
}

void AllocationTable::release(const Allocation& allocation) {
  if (allocation.shared) {
    // The heap writes into memory that it gets back; others must not see that.
    mmap(reinterpret_cast<void*>(allocation.address - allocation.lead),
         roundToPages(allocation.bytes + allocation.lead), PROT_READ | PROT_WRITE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  }
  // The others belong to somebody else.
  if (allocation.kind == MemoryKind::Device || allocation.kind == MemoryKind::Managed ||
      allocation.kind == MemoryKind::Pinned)
    giveBack(reinterpret_cast<void*>(allocation.address - allocation.lead));
}

Status AllocationTable::share(const void* p, std::shared_ptr<SharedFile>& out) {
  std::unique_lock lock(mutex_);
  const auto found = byAddress_.find(reinterpret_cast<std::uintptr_t>(p));
  if (found == byAddress_.end())
    return Status::InvalidValue;
  Allocation& allocation = found->second;
  if (allocation.bytes < largeBytes)
    return Status::NotSupported;
  const std::size_t bytes = roundToPages(allocation.bytes + allocation.lead);
  void* const start = reinterpret_cast<void*>(allocation.address - allocation.lead);
  const std::shared_ptr<SharedFile> file = SharedFile::create("cu2cpp-memory", bytes);
  void* const view =
      file ? mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file->fd(), 0) : MAP_FAILED;
  if (view == MAP_FAILED)
    return Status::OutOfMemory;
  std::memcpy(view, start, bytes);
  munmap(view, bytes);
  if (mmap(start, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file->fd(), 0) ==
      MAP_FAILED)
    return Status::OutOfMemory;
  allocation.shared = true;
  out = file;
  return Status::Ok;
}

void* AllocationTable::takeMemory(std::size_t bytes) { return take(bytes, 0); }
void AllocationTable::releaseMemory(void* p) { giveBack(p); }

void AllocationTable::insertBlock(Allocation allocation) {
  const std::uintptr_t address = allocation.address;
  std::unique_lock lock(mutex_);
  byAddress_[address] = std::move(allocation);
}

bool AllocationTable::reserve(int device, std::size_t bytes, std::size_t capacity) {
  std::unique_lock lock(mutex_);
  std::size_t& used = used_[device];
  if (bytes > capacity - std::min(capacity, used))
    return false;
  used += bytes;
  return true;
}

void AllocationTable::unreserve(int device, std::size_t bytes) {
  std::unique_lock lock(mutex_);
  std::size_t& used = used_[device];
  used -= std::min(used, bytes);
}

Status AllocationTable::insert(const Allocation& allocation) {
  std::unique_lock lock(mutex_);
  const auto after = byAddress_.lower_bound(allocation.address);
  if (after != byAddress_.end() && after->first < allocation.address + allocation.bytes)
    return Status::HostMemoryAlreadyRegistered;
  if (after != byAddress_.begin()) {
    const Allocation& before = std::prev(after)->second;
    if (before.address + before.bytes > allocation.address)
      return Status::HostMemoryAlreadyRegistered;
  }
  byAddress_[allocation.address] = allocation;
  return Status::Ok;
}

std::optional<Allocation> AllocationTable::find(const void* p) const {
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  std::shared_lock lock(mutex_);
  auto after = byAddress_.upper_bound(address);
  if (after == byAddress_.begin())
    return std::nullopt;
  const Allocation& candidate = std::prev(after)->second;
  if (address - candidate.address >= candidate.bytes)
    return std::nullopt;
  return candidate;
}

void AllocationTable::releaseAll(int device) {
  std::unique_lock lock(mutex_);
  for (auto entry = byAddress_.begin(); entry != byAddress_.end();) {
    if (entry->second.device != device || entry->second.kind >= MemoryKind::Symbol) {
      ++entry;
      continue;
    }
    release(entry->second);
    entry = byAddress_.erase(entry);
  }
  used_[device] = 0;
}

std::size_t AllocationTable::usedBytes(int device) const {
  std::shared_lock lock(mutex_);
  const auto found = used_.find(device);
  return found == used_.end() ? 0 : found->second;
}

#ifdef DLFO_STRUCT_HAS_EH_DBASE
// The loader's own look-up, without its lock: copies ask for each pointer that nobody allocated.
bool isStaticVariable(const void* p) {
  dl_find_object found;
  return _dl_find_object(const_cast<void*>(p), &found) == 0;
}
#else
bool isStaticVariable(const void* p) {
  struct Search {
    std::uintptr_t address;
    bool found;
  } search{reinterpret_cast<std::uintptr_t>(p), false};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        Search& s = *static_cast<Search*>(data);
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const ElfW(Phdr)& segment = info->dlpi_phdr[i];
          if (segment.p_type == PT_LOAD &&
              s.address - (info->dlpi_addr + segment.p_vaddr) < segment.p_memsz)
            s.found = true;
        }
        return int(s.found);
      },
      &search);
  return search.found;
}

#endif

} // namespace cu2cpp::rt
