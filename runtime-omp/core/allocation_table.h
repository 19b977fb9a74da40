// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All memory that the runtime has given out or was told about, by address. Pointers are checked
// against it, so that a bad free or a copy beyond an allocation is an error code and never a crash.
//
// CUDA C++ Programming Guide, 'Device Memory', 'Page-Locked Host Memory'.
#ifndef CU2CPP_CORE_ALLOCATION_TABLE_H
#define CU2CPP_CORE_ALLOCATION_TABLE_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <shared_mutex>

#include "exec/status.h"

namespace cu2cpp::rt {

class MemoryPool;
class SharedFile;

enum class MemoryKind {
  Device,
  Managed,
  Pinned,        // page-locked, allocated here
  Registered,    // page-locked, the program's own
  Symbol,        // a global variable of device code
  ManagedSymbol, // a global variable of both sides
  Graph,         // belongs to an allocation node of a graph
  Pool,          // from a memory pool, in a stream's order
  Virtual,       // mapped at an address that was reserved before
  Foreign,       // another process's or API's, mapped here
};

struct Allocation {
  std::uintptr_t address = 0;
  std::size_t bytes = 0;
  MemoryKind kind = MemoryKind::Device;
  int device = 0;
  unsigned flags = 0;
  bool shared = false; ///< other processes may map it
  unsigned lead = 0;   ///< bytes between the start of the memory taken and `address`
  std::shared_ptr<MemoryPool> pool = nullptr; ///< of a block of a pool, which lives as long

  /// hostReaches() is false for device memory: programs for a GPU may not touch it from the host.
  bool hostReaches() const {
    return isManaged() || kind == MemoryKind::Pinned || kind == MemoryKind::Registered;
  }
  bool isManaged() const {
    return kind == MemoryKind::Managed || kind == MemoryKind::ManagedSymbol;
  }
  bool deviceReaches() const { return true; } // unified addressing: page-locked memory too
};

class AllocationTable {
public:
  /// allocate() gives memory of that kind, aligned to 256 bytes at least. `capacity` is the
  /// device's memory, of which all device and managed allocations together are a part.
  Status allocate(MemoryKind kind, std::size_t bytes, int device, unsigned flags,
                  std::size_t capacity, void** out);

  /// remove() takes the allocation that starts at p out of the table if its kind is one of the two;
  /// release() then gives its memory back. Apart, since memory freed in a stream's order is
  /// released later.
  std::optional<Allocation> remove(const void* p, MemoryKind kind, MemoryKind orKind);
  static void release(const Allocation& allocation);

  /// insert() records memory that is not ours: registered host memory, variables.
  Status insert(const Allocation& allocation);

  /// insertBlock() records a block of a pool, which can't overlap anything.
  void insertBlock(Allocation allocation);

  /// reserve() counts memory that is taken for a pool; false when the device has no more.
  bool reserve(int device, std::size_t bytes, std::size_t capacity);
  void unreserve(int device, std::size_t bytes);

  /// share() puts the allocation's pages into a file that other processes can map; NotSupported for
  /// one that shares its pages with others.
  Status share(const void* p, std::shared_ptr<SharedFile>& out);

  /// takeMemory() and releaseMemory() are what all allocations come from.
  static void* takeMemory(std::size_t bytes);
  static void releaseMemory(void* p);

  /// find() is the allocation that contains the address; a pointer just behind one is in none.
  std::optional<Allocation> find(const void* p) const;

  /// releaseAll() frees what belongs to the device.
  void releaseAll(int device);

  /// usedBytes() counts device and managed memory of the device.
  std::size_t usedBytes(int device) const;

private:
  mutable std::shared_mutex mutex_; // a leaf: nothing else is locked under it
  std::map<std::uintptr_t, Allocation> byAddress_;
  std::map<int, std::size_t> used_;
};

/// allocationTable() is the process's. It can be told of variables before there are devices.
AllocationTable& allocationTable();

/// isStaticVariable() says whether the address lies in the image of the program or of a library, as
/// translated __device__,
/// __constant__ and __managed__ variables do.
bool isStaticVariable(const void* p);

} // namespace cu2cpp::rt

#endif
