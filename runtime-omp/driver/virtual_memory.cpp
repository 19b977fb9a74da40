// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Virtual memory management: address ranges are reserved without memory, memory is a file without a
// name, and mapping puts one into the other. Access is the page protection.
//
// CUDA Driver API, 'Virtual Memory Management'.
#include <map>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "driver/driver.h"

using namespace cu2cpp::rt;

namespace {

constexpr std::size_t granularity = std::size_t(2) << 20; // as a GPU's

struct PhysicalMemory {
  PhysicalMemory() = default;
  PhysicalMemory(const PhysicalMemory&) = delete;
  ~PhysicalMemory() {
    if (counted)
      process().allocations.unreserve(device, bytes);
  }

  std::shared_ptr<SharedFile> file;
  std::size_t bytes = 0;
  int device = 0;
  bool counted = false; // as memory of the device
  CUmemAllocationProp properties{};
  int references = 1; // of the program; mappings keep the memory besides
};

struct Mapping {
  std::size_t bytes;
  std::shared_ptr<PhysicalMemory> memory;
  std::map<int, unsigned> access; // by device
};

struct VirtualMemory {
  std::mutex mutex; // before that of the allocation table
  std::map<CUdeviceptr, std::size_t> reserved;
  std::map<CUmemGenericAllocationHandle, std::shared_ptr<PhysicalMemory>> handles;
  std::map<CUdeviceptr, Mapping> mapped;
};
VirtualMemory& memory() {
  static auto& theMemory = *new VirtualMemory;
  return theMemory;
}

bool isDevice(int number) { return number >= 0 && number < process().deviceCount(); }
bool isWhole(std::size_t bytes) { return bytes != 0 && bytes % granularity == 0; }

CUresult check(const CUmemLocation& location) {
  switch (location.type) {
  case CU_MEM_LOCATION_TYPE_DEVICE:
    return isDevice(location.id) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
  case CU_MEM_LOCATION_TYPE_HOST:
  case CU_MEM_LOCATION_TYPE_HOST_NUMA:
  case CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT:
    return CUDA_SUCCESS;
  default:
    return CUDA_ERROR_INVALID_VALUE;
  }
}

// The number under which access from a place is kept.
int numberOf(const CUmemLocation& location) {
  return location.type == CU_MEM_LOCATION_TYPE_DEVICE ? location.id : cudaCpuDeviceId;
}

CUresult check(const CUmemAllocationProp* properties) {
  if (!properties || properties->type != CU_MEM_ALLOCATION_TYPE_PINNED)
    return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult result = check(properties->location); result != CUDA_SUCCESS)
    return result;
  if (properties->requestedHandleTypes & ~unsigned(CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR))
    return CUDA_ERROR_NOT_SUPPORTED;
  return CUDA_SUCCESS;
}

CUmemGenericAllocationHandle handleOf(const std::shared_ptr<PhysicalMemory>& physical) {
  return reinterpret_cast<CUmemGenericAllocationHandle>(physical.get());
}

// With the mutex held: the mappings that together are the range; empty if it has gaps.
std::vector<std::map<CUdeviceptr, Mapping>::iterator> mappingsOf(CUdeviceptr start,
                                                                 std::size_t bytes) {
  std::vector<std::map<CUdeviceptr, Mapping>::iterator> result;
  CUdeviceptr next = start;
  for (auto one = memory().mapped.find(start);
       one != memory().mapped.end() && one->first == next && next < start + bytes; ++one) {
    next += one->second.bytes;
    result.push_back(one);
  }
  if (next != start + bytes)
    result.clear();
  return result;
}

} // namespace

extern "C" CUresult cuMemGetAllocationGranularity(size_t* size, const CUmemAllocationProp* prop,
                                                  CUmemAllocationGranularity_flags option) {
  return driverCall([=] {
    if (!size || (option != CU_MEM_ALLOC_GRANULARITY_MINIMUM &&
                  option != CU_MEM_ALLOC_GRANULARITY_RECOMMENDED))
      return CUDA_ERROR_INVALID_VALUE;
    *size = granularity;
    return check(prop);
  });
}

extern "C" CUresult cuMemAddressReserve(CUdeviceptr* ptr, size_t size, size_t alignment,
                                        CUdeviceptr addr, unsigned long long flags) {
  return driverCall([=] {
    if (!ptr || !isWhole(size) || flags != 0 || (alignment & (alignment - 1)) != 0)
      return CUDA_ERROR_INVALID_VALUE;
    const std::size_t aligned = std::max(alignment, granularity);
    if (std::size_t wide = 0; __builtin_add_overflow(size, aligned, &wide))
      return CUDA_ERROR_OUT_OF_MEMORY;
    // A wished address is taken if it is free; else any other.
    void* p = addr % granularity == 0 && addr != 0
                  ? mmap(at(addr), size, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0)
                  : MAP_FAILED;
    if (p == MAP_FAILED) {
      void* const wide = mmap(nullptr, size + aligned, PROT_NONE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (wide == MAP_FAILED)
        return CUDA_ERROR_OUT_OF_MEMORY;
      const auto from = reinterpret_cast<std::uintptr_t>(wide);
      const std::uintptr_t start = (from + aligned - 1) / aligned * aligned;
      if (start > from)
        munmap(wide, start - from);
      if (start + size < from + size + aligned)
        munmap(reinterpret_cast<void*>(start + size), from + aligned - start);
      p = reinterpret_cast<void*>(start);
    }
    *ptr = reinterpret_cast<CUdeviceptr>(p);
    std::lock_guard lock(memory().mutex);
    memory().reserved[*ptr] = size;
    return CUDA_SUCCESS;
  });
}

extern "C" CUresult cuMemAddressFree(CUdeviceptr ptr, size_t size) {
  return driverCall([=] {
    std::lock_guard lock(memory().mutex);
    const auto found = memory().reserved.find(ptr);
    if (found == memory().reserved.end() || found->second != size)
      return CUDA_ERROR_INVALID_VALUE;
    const auto inside = memory().mapped.lower_bound(ptr);
    if (inside != memory().mapped.end() && inside->first < ptr + size)
      return CUDA_ERROR_INVALID_VALUE; // unmap first
    memory().reserved.erase(found);
    munmap(at(ptr), size);
    return CUDA_SUCCESS;
  });
}

extern "C" CUresult cuMemCreate(CUmemGenericAllocationHandle* handle, size_t size,
                                const CUmemAllocationProp* prop, unsigned long long flags) {
  return driverCall([=] {
    if (!handle || !isWhole(size) || flags != 0)
      return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult result = check(prop); result != CUDA_SUCCESS)
      return result;
    auto physical = std::make_shared<PhysicalMemory>();
    physical->bytes = size;
    if (prop->location.type == CU_MEM_LOCATION_TYPE_DEVICE) {
      physical->device = prop->location.id;
      physical->counted =
          process().allocations.reserve(physical->device, size, machine().memoryBytes);
      if (!physical->counted)
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    physical->file = SharedFile::create("cu2cpp-vmm", size);
    if (!physical->file)
      return CUDA_ERROR_OUT_OF_MEMORY;
    physical->properties = *prop;
    std::lock_guard lock(memory().mutex);
    *handle = handleOf(physical);
    memory().handles[*handle] = std::move(physical);
    return CUDA_SUCCESS;
  });
}

extern "C" CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
  return driverCall([=] {
    std::lock_guard lock(memory().mutex);
    const auto found = memory().handles.find(handle);
    if (found == memory().handles.end())
      return CUDA_ERROR_INVALID_VALUE;
    if (--found->second->references == 0)
      memory().handles.erase(found);
    return CUDA_SUCCESS;
  });
}

extern "C" CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* handle, void* addr) {
  return driverCall([=] {
    const auto address = reinterpret_cast<CUdeviceptr>(addr);
    std::lock_guard lock(memory().mutex);
    auto after = memory().mapped.upper_bound(address);
    if (!handle || after == memory().mapped.begin())
      return CUDA_ERROR_INVALID_VALUE;
    const auto& [start, mapping] = *std::prev(after);
    if (address >= start + mapping.bytes)
      return CUDA_ERROR_INVALID_VALUE;
    *handle = handleOf(mapping.memory);
    // The program may have released its last reference while the mapping kept the memory.
    if (memory().handles.emplace(*handle, mapping.memory).second)
      mapping.memory->references = 0;
    ++mapping.memory->references;
    return CUDA_SUCCESS;
  });
}

extern "C" CUresult cuMemMap(CUdeviceptr ptr, size_t size, size_t offset,
                             CUmemGenericAllocationHandle handle, unsigned long long flags) {
  return driverCall([=] {
    std::lock_guard lock(memory().mutex);
    const auto found = memory().handles.find(handle);
    // Whole allocations only (Driver API, 'cuMemMap').
    if (found == memory().handles.end() || flags != 0 || offset != 0 || ptr % granularity != 0)
      return CUDA_ERROR_INVALID_VALUE;
    if (size != found->second->bytes)
      return CUDA_ERROR_NOT_SUPPORTED;
    auto after = memory().reserved.upper_bound(ptr);
    if (after == memory().reserved.begin())
      return CUDA_ERROR_INVALID_VALUE;
    const auto& [start, bytes] = *std::prev(after);
    if (ptr + size > start + bytes)
      return CUDA_ERROR_INVALID_VALUE;
    const auto next = memory().mapped.lower_bound(ptr);
    if ((next != memory().mapped.end() && next->first < ptr + size) ||
        (next != memory().mapped.begin() &&
         std::prev(next)->first + std::prev(next)->second.bytes > ptr))
      return CUDA_ERROR_INVALID_VALUE; // mapped already
    if (mmap(at(ptr), size, PROT_NONE, MAP_SHARED | MAP_FIXED, found->second->file->fd(), 0) ==
        MAP_FAILED)
      return CUDA_ERROR_OUT_OF_MEMORY;
    memory().mapped[ptr] = {size, found->second, {}};
    process().allocations.insertBlock(
        {std::uintptr_t(ptr), size, MemoryKind::Virtual, found->second->device, 0});
    return CUDA_SUCCESS;
  });
}

extern "C" CUresult cuMemUnmap(CUdeviceptr ptr, size_t size) {
  return driverCall([=]() -> CUresult {
    for (const std::unique_ptr<Device>& device : process().devices)
      if (const Status status = waitForDevice(*device); status != Status::Ok)
        return resultOf(status);
    std::lock_guard lock(memory().mutex);
    const auto all = mappingsOf(ptr, size);
    if (all.empty()) {
      // Nothing to take away from a reserved range where nothing is mapped.
      const auto next = memory().mapped.lower_bound(ptr);
      const auto after = memory().reserved.upper_bound(ptr);
      const bool inside = after != memory().reserved.begin() &&
                          ptr + size <= std::prev(after)->first + std::prev(after)->second;
      const bool nothing = (next == memory().mapped.end() || next->first >= ptr + size) &&
                           (next == memory().mapped.begin() ||
                            std::prev(next)->first + std::prev(next)->second.bytes <= ptr);
      return inside && nothing && size > 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    }
    for (const auto& one : all) {
      (void)process().allocations.remove(at(one->first), MemoryKind::Virtual, MemoryKind::Virtual);
      memory().mapped.erase(one);
    }
    mmap(at(ptr), size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    return CUDA_SUCCESS;
  });
}

// All devices are the same processor: a page is as accessible as the most that one of them may do.
extern "C" CUresult cuMemSetAccess(CUdeviceptr ptr, size_t size, const CUmemAccessDesc* desc,
                                   size_t count) {
  return driverCall([=] {
    if (!desc || count == 0)
      return CUDA_ERROR_INVALID_VALUE;
    for (std::size_t i = 0; i < count; ++i) {
      if (const CUresult result = check(desc[i].location); result != CUDA_SUCCESS)
        return result;
      if (desc[i].flags != CU_MEM_ACCESS_FLAGS_PROT_NONE &&
          desc[i].flags != CU_MEM_ACCESS_FLAGS_PROT_READ &&
          desc[i].flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
        return CUDA_ERROR_INVALID_VALUE;
    }
    std::lock_guard lock(memory().mutex);
    const auto all = mappingsOf(ptr, size);
    if (all.empty())
      return CUDA_ERROR_INVALID_VALUE;
    for (const auto& one : all) {
      for (std::size_t i = 0; i < count; ++i)
        one->second.access[numberOf(desc[i].location)] = desc[i].flags;
      unsigned most = 0;
      for (const auto& entry : one->second.access)
        most |= entry.second;
      const int protection = most == CU_MEM_ACCESS_FLAGS_PROT_READWRITE ? PROT_READ | PROT_WRITE
                             : most == CU_MEM_ACCESS_FLAGS_PROT_READ    ? PROT_READ
                                                                        : PROT_NONE;
      mprotect(at(one->first), one->second.bytes, protection);
    }
    return CUDA_SUCCESS;
  });
}

extern "C" CUresult cuMemGetAccess(unsigned long long* flags, const CUmemLocation* location,
                                   CUdeviceptr ptr) {
  return driverCall([=] {
    std::lock_guard lock(memory().mutex);
    auto after = memory().mapped.upper_bound(ptr);
    if (!flags || !location || after == memory().mapped.begin())
      return CUDA_ERROR_INVALID_VALUE;
    const auto& [start, mapping] = *std::prev(after);
    if (ptr >= start + mapping.bytes)
      return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult result = check(*location); result != CUDA_SUCCESS)
      return result;
    const auto found = mapping.access.find(numberOf(*location));
    *flags = found == mapping.access.end() ? 0 : found->second;
    return CUDA_SUCCESS;
  });
}

extern "C" CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* prop,
                                                           CUmemGenericAllocationHandle handle) {
  return driverCall([=] {
    std::lock_guard lock(memory().mutex);
    const auto found = memory().handles.find(handle);
    if (!prop || found == memory().handles.end())
      return CUDA_ERROR_INVALID_VALUE;
    *prop = found->second->properties;
    return CUDA_SUCCESS;
  });
}

extern "C" CUresult cuMemExportToShareableHandle(void* shareableHandle,
                                                 CUmemGenericAllocationHandle handle,
                                                 CUmemAllocationHandleType handleType,
                                                 unsigned long long flags) {
  return driverCall([=] {
    std::lock_guard lock(memory().mutex);
    const auto found = memory().handles.find(handle);
    if (!shareableHandle || found == memory().handles.end() || flags != 0)
      return CUDA_ERROR_INVALID_VALUE;
    if (handleType != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
      return CUDA_ERROR_NOT_SUPPORTED;
    if (!(found->second->properties.requestedHandleTypes & handleType))
      return CUDA_ERROR_INVALID_VALUE;
    const int fd = fcntl(found->second->file->fd(), F_DUPFD, 0);
    if (fd < 0)
      return CUDA_ERROR_OPERATING_SYSTEM;
    *static_cast<int*>(shareableHandle) = fd;
    return CUDA_SUCCESS;
  });
}

// The handle is the descriptor itself, cast to a pointer; it stays the caller's.
extern "C" CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle* handle,
                                                   void* osHandle,
                                                   CUmemAllocationHandleType shHandleType) {
  return driverCall([=] {
    if (!handle)
      return CUDA_ERROR_INVALID_VALUE;
    if (shHandleType != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
      return CUDA_ERROR_NOT_SUPPORTED;
    const int fd = fcntl(int(reinterpret_cast<std::intptr_t>(osHandle)), F_DUPFD_CLOEXEC, 0);
    if (fd < 0)
      return CUDA_ERROR_INVALID_VALUE;
    auto physical = std::make_shared<PhysicalMemory>();
    physical->file = std::make_shared<SharedFile>(fd);
    struct stat about{};
    if (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode) || !isWhole(std::size_t(about.st_size)))
      return CUDA_ERROR_INVALID_VALUE; // no memory that cuMemCreate() has made
    physical->bytes = std::size_t(about.st_size);
    physical->device = currentDevice().number();
    physical->properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    physical->properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, physical->device};
    physical->properties.requestedHandleTypes = shHandleType;
    std::lock_guard lock(memory().mutex);
    *handle = handleOf(physical);
    memory().handles[*handle] = std::move(physical);
    return CUDA_SUCCESS;
  });
}
