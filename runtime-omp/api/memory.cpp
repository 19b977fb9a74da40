// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory management: allocation, page-locked and managed memory, what is known of a pointer.
//
// CUDA Runtime API, 'Memory Management', 'Stream Ordered Memory Allocator', 'Unified Addressing'.
#include <cu2cpp/block.h>
#include <driver_functions.h>

#include "api/graph_nodes.h"
#include "api/memory_pool.h"
#include "api/runtime_use.h"

using namespace cu2cpp::rt;

namespace {

constexpr std::size_t pitchAlignment = 512;

Status allocate(MemoryKind kind, void** out, std::size_t bytes, unsigned flags) {
  usesRuntime = true;
  if (!out)
    return Status::InvalidValue;
  if (process().captures.anyActive())
    if (const Status status = process().captures.checkUnsafe(); status != Status::Ok)
      return status;
  if (bytes == 0) {
    *out = nullptr; // succeeds on a GPU too
    return Status::Ok;
  }
  return process().allocations.allocate(kind, bytes, currentDevice().number(), flags,
                                        machine().memoryBytes, out);
}

Status freeAtOnce(void* p, MemoryKind kind, MemoryKind orKind) {
  const std::optional<Allocation> removed = process().allocations.remove(p, kind, orKind);
  if (!removed)
    return Status::InvalidValue;
  forgetHints(*removed);
  if (removed->shared)
    forgetIpc(*removed);
  AllocationTable::release(*removed);
  return Status::Ok;
}

// What a kernel frees may still be read by copies and kernels that it asked for before.
class FreeAfterChildren final : public Work {
public:
  FreeAfterChildren(void* p, MemoryKind kind, MemoryKind orKind)
      : pointer_(p), kind_(kind), orKind_(orKind) {}
  std::uint64_t parts() const override { return 1; }
  void run(std::uint64_t, std::uint64_t) noexcept override {
    (void)freeAtOnce(pointer_, kind_, orKind_); // nobody is there to be told
  }

private:
  void* pointer_;
  MemoryKind kind_, orKind_;
};

// Frees after all work of the device: kernels may still use the memory (cudaFree synchronises
// implicitly).
Status freeNow(void* p, MemoryKind kind, MemoryKind orKind) {
  usesRuntime = true;
  if (!p)
    return Status::Ok;
  if (process().captures.anyActive())
    if (const Status status = process().captures.checkUnsafe(); status != Status::Ok)
      return status;
  if (Status status = Status::Ok; freeGraphBlock(p, status))
    return status;
  const std::optional<Allocation> found = process().allocations.find(p);
  if (!found || found->address != reinterpret_cast<std::uintptr_t>(p))
    return Status::InvalidValue;
  if (found->pool) {
    const Status status = waitForDevice(found->pool->device());
    return status == Status::Ok ? freePooled(p, {}) : status;
  }
  if (::cu2cpp::detail::context.block) {
    inKernel.children->add(std::make_unique<FreeAfterChildren>(p, kind, orKind), false);
    return Status::Ok;
  }
  if (const Status status = waitForDevice(*process().devices[std::size_t(found->device)]);
      status != Status::Ok)
    return status;
  return freeAtOnce(p, kind, orKind);
}

bool rowsFit(std::size_t width, std::size_t rows, std::size_t& pitch, std::size_t& bytes) {
  return !__builtin_add_overflow(width, pitchAlignment - 1, &pitch) &&
         (pitch = pitch / pitchAlignment * pitchAlignment,
          !__builtin_mul_overflow(pitch, rows, &bytes));
}

} // namespace

extern "C" cudaError_t cudaMalloc(void** devPtr, size_t size) {
  return deviceCall([=] { return allocate(MemoryKind::Device, devPtr, size, 0); });
}

extern "C" cudaError_t cudaMallocPitch(void** devPtr, size_t* pitch, size_t width, size_t height) {
  return deviceCall([=] {
    std::size_t row = 0, bytes = 0;
    if (!devPtr || !pitch)
      return Status::InvalidValue;
    if (!rowsFit(width, height, row, bytes))
      return Status::OutOfMemory;
    const Status status = allocate(MemoryKind::Device, devPtr, bytes, 0);
    if (status == Status::Ok)
      *pitch = row;
    return status;
  });
}

extern "C" cudaError_t cudaMalloc3D(cudaPitchedPtr* pitchedDevPtr, cudaExtent extent) {
  return deviceCall([=] {
    std::size_t row = 0, bytes = 0, rows = 0;
    if (!pitchedDevPtr)
      return Status::InvalidValue;
    if (__builtin_mul_overflow(extent.height, extent.depth, &rows) ||
        !rowsFit(extent.width, rows, row, bytes))
      return Status::OutOfMemory;
    void* p = nullptr;
    const Status status = allocate(MemoryKind::Device, &p, bytes, 0);
    if (status == Status::Ok)
      *pitchedDevPtr = make_cudaPitchedPtr(p, row, extent.width, extent.height);
    return status;
  });
}

extern "C" cudaError_t cudaMallocManaged(void** devPtr, size_t size, unsigned int flags) {
  return deviceCall([=] {
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)
      return Status::InvalidValue;
    return allocate(MemoryKind::Managed, devPtr, size, flags);
  });
}

extern "C" cudaError_t cudaHostAlloc(void** pHost, size_t size, unsigned int flags) {
  return deviceCall([=] {
    if (flags & ~unsigned(cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined))
      return Status::InvalidValue;
    return allocate(MemoryKind::Pinned, pHost, size, flags);
  });
}

extern "C" cudaError_t cudaMallocHost(void** ptr, size_t size) {
  return cudaHostAlloc(ptr, size, cudaHostAllocDefault);
}

extern "C" cudaError_t cudaFree(void* devPtr) {
  return deviceCall([=] { return freeNow(devPtr, MemoryKind::Device, MemoryKind::Managed); });
}

extern "C" cudaError_t cudaFreeHost(void* ptr) {
  return deviceCall([=] { return freeNow(ptr, MemoryKind::Pinned, MemoryKind::Pinned); });
}

extern "C" cudaError_t cudaHostRegister(void* ptr, size_t size, unsigned int flags) {
  return deviceCall([=] {
    constexpr unsigned known = cudaHostRegisterPortable | cudaHostRegisterMapped |
                               cudaHostRegisterIoMemory | cudaHostRegisterReadOnly;
    if (!ptr || size == 0 || (flags & ~known))
      return Status::InvalidValue;
    return process().allocations.insert({reinterpret_cast<std::uintptr_t>(ptr), size,
                                         MemoryKind::Registered, currentDevice().number(), flags});
  });
}

extern "C" cudaError_t cudaHostUnregister(void* ptr) {
  return deviceCall([=] {
    if (!ptr)
      return Status::InvalidValue;
    if (process().allocations.remove(ptr, MemoryKind::Registered, MemoryKind::Registered))
      return Status::Ok;
    // In the middle of what is registered, or page-locked in another way.
    return process().allocations.find(ptr) ? Status::InvalidValue : Status::HostMemoryNotRegistered;
  });
}

// Host and device see page-locked memory at one address (unified addressing).
extern "C" cudaError_t cudaHostGetDevicePointer(void** pDevice, void* pHost, unsigned int flags) {
  return deviceCall([=] {
    const std::optional<Allocation> found = process().allocations.find(pHost);
    if (!pDevice || flags != 0 || !found || !found->hostReaches())
      return Status::InvalidValue;
    *pDevice = pHost;
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaHostGetFlags(unsigned int* pFlags, void* pHost) {
  return deviceCall([=] {
    const std::optional<Allocation> found = process().allocations.find(pHost);
    if (!pFlags || !found ||
        (found->kind != MemoryKind::Pinned && found->kind != MemoryKind::Registered))
      return Status::InvalidValue;
    *pFlags = found->flags | cudaHostAllocMapped; // all of it is mapped under unified addressing
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  return deviceCall([=] {
    const std::size_t used = process().allocations.usedBytes(currentDevice().number());
    const std::size_t available = machine().availableBytes;
    if (free)
      *free = available > used ? available - used : 0;
    if (total)
      *total = machine().memoryBytes;
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes,
                                                const void* ptr) {
  return deviceCall([=] {
    if (!attributes)
      return Status::InvalidValue;
    void* const address = const_cast<void*>(ptr);
    // CUDA 11 and later: unknown memory is no error (Runtime API, 'cudaPointerGetAttributes').
    *attributes = {cudaMemoryTypeUnregistered, cudaInvalidDeviceId, nullptr, address};
    const std::optional<Allocation> found = process().allocations.find(ptr);
    if (!found)
      return Status::Ok;
    attributes->device = found->device;
    attributes->devicePointer = address;
    switch (found->kind) {
    case MemoryKind::Device:
    case MemoryKind::Symbol:
    case MemoryKind::Graph:
    case MemoryKind::Pool:
    case MemoryKind::Virtual:
    case MemoryKind::Foreign:
      attributes->type = cudaMemoryTypeDevice;
      attributes->hostPointer = nullptr;
      break;
    case MemoryKind::Managed:
    case MemoryKind::ManagedSymbol:
      attributes->type = cudaMemoryTypeManaged;
      break;
    case MemoryKind::Pinned:
    case MemoryKind::Registered:
      attributes->type = cudaMemoryTypeHost;
      break;
    }
    return Status::Ok;
  });
}
