// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stream-ordered allocation and memory pools.
//
// CUDA Runtime API, 'Stream Ordered Memory Allocator'.
#include "api/memory_pool.h"

#include <cstring>

#include <fcntl.h>
#include <unistd.h>

#include "api/graph_nodes.h"

namespace cu2cpp::rt {

Status freePooled(void* p, const Point& from) {
  const auto removed = process().allocations.remove(p, MemoryKind::Pool, MemoryKind::Pool);
  if (!removed)
    return Status::InvalidValue;
  removed->pool->free(p, from);
  return Status::Ok;
}

} // namespace cu2cpp::rt

using namespace cu2cpp::rt;

namespace {

std::shared_ptr<MemoryPool> poolOf(cudaMemPool_t handle) { return process().pools.find(handle); }
cudaMemPool_t handleOf(const std::shared_ptr<MemoryPool>& pool) {
  return reinterpret_cast<cudaMemPool_t>(pool.get());
}
bool isDevice(int number) { return number >= 0 && number < process().deviceCount(); }

Status allocateFrom(const std::shared_ptr<MemoryPool>& pool, void** out, std::size_t bytes,
                    const std::shared_ptr<Stream>& stream) {
  if (!out)
    return Status::InvalidValue;
  if (bytes == 0) {
    *out = nullptr;
    return Status::Ok;
  }
  if (stream->capturing.load(std::memory_order_relaxed)) {
    cudaMemAllocNodeParams params{};
    params.poolProps.allocType = cudaMemAllocationTypePinned;
    params.poolProps.location = {cudaMemLocationTypeDevice, pool->device().number()};
    params.bytesize = bytes;
    std::shared_ptr<const NodeBody> body;
    if (const Status status = makeAllocateBody(params, body); status != Status::Ok)
      return status;
    *out = params.dptr;
    return process().captures.add(stream, std::move(body));
  }
  return pool->allocate(bytes, stream, out);
}

// The point after all that work put into the stream now would wait for.
Status pointOf(const std::shared_ptr<Stream>& stream, Point& out) {
  if (process().captures.anyActive())
    if (const Status status = checkCaptures(stream); status != Status::Ok)
      return status;
  out = process().scheduler.here(stream);
  return Status::Ok;
}

template <class Body> cudaError_t poolCall(cudaMemPool_t handle, Body body) {
  return deviceCall([&] {
    const std::shared_ptr<MemoryPool> pool = poolOf(handle);
    return pool ? body(pool) : Status::InvalidValue;
  });
}

// What stands in the handle of a pointer for another process.
struct ExportedPointer {
  std::uint64_t offset, bytes;
};
static_assert(sizeof(ExportedPointer) <= sizeof(cudaMemPoolPtrExportData));

} // namespace

extern "C" cudaError_t cudaMallocAsync(void** devPtr, size_t size, cudaStream_t stream) {
  return deviceCall([=] {
    const std::shared_ptr<Stream> queue = streamOf(stream);
    return queue ? allocateFrom(queue->device.pool(), devPtr, size, queue) : Status::InvalidHandle;
  });
}

extern "C" cudaError_t cudaMallocFromPoolAsync(void** ptr, size_t size, cudaMemPool_t memPool,
                                               cudaStream_t stream) {
  return poolCall(memPool, [=](const std::shared_ptr<MemoryPool>& pool) {
    const std::shared_ptr<Stream> queue = streamOf(stream);
    return queue ? allocateFrom(pool, ptr, size, queue) : Status::InvalidHandle;
  });
}

extern "C" cudaError_t cudaFreeAsync(void* devPtr, cudaStream_t stream) {
  return deviceCall([=] {
    const std::shared_ptr<Stream> queue = streamOf(stream);
    if (!queue)
      return Status::InvalidHandle;
    if (!devPtr) // nothing to free, as for cudaFree()
      return Status::Ok;
    if (queue->capturing.load(std::memory_order_relaxed)) {
      std::shared_ptr<const NodeBody> body;
      const Status status = makeFreeBody(devPtr, body);
      return status == Status::Ok ? process().captures.add(queue, std::move(body)) : status;
    }
    if (Status status = Status::Ok; freeGraphBlock(devPtr, status))
      return status;
    Point point;
    if (const Status status = pointOf(queue, point); status != Status::Ok)
      return status;
    const auto removed = process().allocations.remove(devPtr, MemoryKind::Pool, MemoryKind::Device);
    if (!removed)
      return Status::InvalidValue;
    if (removed->pool) {
      removed->pool->free(devPtr, point);
      return Status::Ok;
    }
    // Memory of cudaMalloc() may be freed so too; it goes when its turn comes.
    struct Release final : Work {
      explicit Release(const Allocation& a) : allocation(a) {}
      // Also when the task is skipped after a failure, hence not in run().
      ~Release() override { AllocationTable::release(allocation); }
      std::uint64_t parts() const override { return 1; }
      void run(std::uint64_t, std::uint64_t) noexcept override {}
      Allocation allocation;
    };
    return submit(queue, std::make_unique<Release>(*removed), false);
  });
}

extern "C" cudaError_t cudaMemPoolCreate(cudaMemPool_t* memPool,
                                         const cudaMemPoolProps* poolProps) {
  return deviceCall([=] {
    if (!memPool || !poolProps || poolProps->allocType != cudaMemAllocationTypePinned)
      return Status::InvalidValue;
    const cudaMemLocation& location = poolProps->location;
    const bool onHost = location.type == cudaMemLocationTypeHost ||
                        location.type == cudaMemLocationTypeHostNuma ||
                        location.type == cudaMemLocationTypeHostNumaCurrent;
    if (!onHost && location.type != cudaMemLocationTypeDevice)
      return Status::InvalidValue;
    if (!onHost && !isDevice(location.id))
      return Status::InvalidValue;
    if (poolProps->handleTypes & ~unsigned(cudaMemHandleTypePosixFileDescriptor))
      return Status::NotSupported;
    std::shared_ptr<SharedFile> file;
    if (poolProps->handleTypes & cudaMemHandleTypePosixFileDescriptor) {
      file = SharedFile::create("cu2cpp-pool", 0);
      if (!file)
        return static_cast<Status>(cudaErrorOperatingSystem);
    }
    Device& device = onHost ? currentDevice() : *process().devices[std::size_t(location.id)];
    auto pool = std::make_shared<MemoryPool>(process().allocations, device, poolProps->maxSize,
                                             std::move(file));
    *memPool = handleOf(pool);
    process().pools.add(std::move(pool));
    return Status::Ok;
  });
}

// A device's pool gives way to its default pool (Runtime API, 'cudaMemPoolDestroy').
extern "C" cudaError_t cudaMemPoolDestroy(cudaMemPool_t memPool) {
  return poolCall(memPool, [=](const std::shared_ptr<MemoryPool>& pool) {
    for (const std::unique_ptr<Device>& device : process().devices) {
      if (device->defaultPool == pool)
        return Status::InvalidValue;
      if (device->pool() == pool)
        device->setPool(nullptr);
    }
    process().pools.remove(memPool);
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaMemPoolTrimTo(cudaMemPool_t memPool, size_t minBytesToKeep) {
  return poolCall(memPool, [=](const std::shared_ptr<MemoryPool>& pool) {
    pool->trim(minBytesToKeep);
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t memPool, cudaMemPoolAttr attr,
                                               void* value) {
  return poolCall(memPool, [=](const std::shared_ptr<MemoryPool>& pool) {
    if (!value)
      return Status::InvalidValue;
    const MemoryPool::Counts counts = pool->counts();
    auto& number = *static_cast<int*>(value);
    auto& bytes = *static_cast<unsigned long long*>(value);
    switch (attr) {
    case cudaMemPoolReuseFollowEventDependencies:
      number = pool->followEvents;
      return Status::Ok;
    case cudaMemPoolReuseAllowOpportunistic:
      number = pool->opportunistic;
      return Status::Ok;
    case cudaMemPoolReuseAllowInternalDependencies:
      number = pool->internalDependencies;
      return Status::Ok;
    case cudaMemPoolAttrReleaseThreshold:
      bytes = pool->threshold;
      return Status::Ok;
    case cudaMemPoolAttrReservedMemCurrent:
      bytes = counts.reserved;
      return Status::Ok;
    case cudaMemPoolAttrReservedMemHigh:
      bytes = counts.reservedHigh;
      return Status::Ok;
    case cudaMemPoolAttrUsedMemCurrent:
      bytes = counts.used;
      return Status::Ok;
    case cudaMemPoolAttrUsedMemHigh:
      bytes = counts.usedHigh;
      return Status::Ok;
    }
    return Status::InvalidValue;
  });
}

extern "C" cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t memPool, cudaMemPoolAttr attr,
                                               void* value) {
  return poolCall(memPool, [=](const std::shared_ptr<MemoryPool>& pool) {
    if (!value)
      return Status::InvalidValue;
    switch (attr) {
    case cudaMemPoolReuseFollowEventDependencies:
      pool->followEvents = *static_cast<int*>(value);
      return Status::Ok;
    case cudaMemPoolReuseAllowOpportunistic:
      pool->opportunistic = *static_cast<int*>(value);
      return Status::Ok;
    case cudaMemPoolReuseAllowInternalDependencies:
      pool->internalDependencies = *static_cast<int*>(value);
      return Status::Ok;
    case cudaMemPoolAttrReleaseThreshold:
      pool->threshold = *static_cast<unsigned long long*>(value);
      return Status::Ok;
    case cudaMemPoolAttrReservedMemHigh: // can be reset only
    case cudaMemPoolAttrUsedMemHigh:
      if (*static_cast<unsigned long long*>(value) != 0)
        return Status::InvalidValue;
      pool->resetHigh(attr == cudaMemPoolAttrUsedMemHigh);
      return Status::Ok;
    default:
      return Status::InvalidValue;
    }
  });
}

// All devices reach all memory; access can't be taken away.
extern "C" cudaError_t cudaMemPoolSetAccess(cudaMemPool_t memPool,
                                            const cudaMemAccessDesc* descList, size_t count) {
  return poolCall(memPool, [=](const std::shared_ptr<MemoryPool>& pool) {
    if (count > 0 && !descList)
      return Status::InvalidValue;
    for (std::size_t i = 0; i < count; ++i) {
      const cudaMemLocation& location = descList[i].location;
      if (location.type != cudaMemLocationTypeDevice)
        return Status::InvalidValue;
      if (!isDevice(location.id))
        return Status::InvalidDevice;
      // A pool's own device always has access, and pools know none to read only.
      if (location.id == pool->device().number() && descList[i].flags == cudaMemAccessFlagsProtNone)
        return Status::InvalidDevice;
      if (descList[i].flags == cudaMemAccessFlagsProtRead)
        return Status::NotSupported;
    }
    for (std::size_t i = 0; i < count; ++i)
      pool->setAccess(descList[i].location.id, int(descList[i].flags));
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t memPool,
                                            cudaMemLocation* location) {
  return poolCall(memPool, [=](const std::shared_ptr<MemoryPool>& pool) {
    if (!flags || !location || location->type != cudaMemLocationTypeDevice)
      return Status::InvalidValue;
    if (!isDevice(location->id))
      return Status::InvalidDevice;
    *flags = location->id == pool->device().number()
                 ? cudaMemAccessFlagsProtReadWrite
                 : static_cast<cudaMemAccessFlags>(pool->access(location->id));
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* memPool, int device) {
  return deviceCall([=] {
    if (!memPool)
      return Status::InvalidValue;
    if (!isDevice(device))
      return Status::InvalidDevice;
    *memPool = handleOf(process().devices[std::size_t(device)]->defaultPool);
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* memPool, int device) {
  return deviceCall([=] {
    if (!memPool)
      return Status::InvalidValue;
    if (!isDevice(device))
      return Status::InvalidDevice;
    *memPool = handleOf(process().devices[std::size_t(device)]->pool());
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t memPool) {
  return poolCall(memPool, [=](const std::shared_ptr<MemoryPool>& pool) {
    if (!isDevice(device))
      return Status::InvalidDevice;
    if (pool->device().number() != device)
      return Status::InvalidValue;
    process().devices[std::size_t(device)]->setPool(pool);
    return Status::Ok;
  });
}

namespace {

// The forms of CUDA 13 that name a location: devices have pools, the host shares the device's.
Status deviceAt(const cudaMemLocation* location, cudaMemAllocationType type, int& device) {
  if (!location || type != cudaMemAllocationTypePinned)
    return Status::InvalidValue;
  device = location->type == cudaMemLocationTypeDevice ? location->id : currentDevice().number();
  return location->type == cudaMemLocationTypeInvalid ? Status::InvalidValue : Status::Ok;
}

} // namespace

extern "C" cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t* memPool, cudaMemLocation* location,
                                                cudaMemAllocationType type) {
  int device = 0;
  if (const Status status = deviceAt(location, type, device); status != Status::Ok)
    return plainCall([=] { return status; });
  return cudaDeviceGetDefaultMemPool(memPool, device);
}

extern "C" cudaError_t cudaMemGetMemPool(cudaMemPool_t* memPool, cudaMemLocation* location,
                                         cudaMemAllocationType type) {
  int device = 0;
  if (const Status status = deviceAt(location, type, device); status != Status::Ok)
    return plainCall([=] { return status; });
  return cudaDeviceGetMemPool(memPool, device);
}

extern "C" cudaError_t cudaMemSetMemPool(cudaMemLocation* location, cudaMemAllocationType type,
                                         cudaMemPool_t memPool) {
  int device = 0;
  if (const Status status = deviceAt(location, type, device); status != Status::Ok)
    return plainCall([=] { return status; });
  return cudaDeviceSetMemPool(device, memPool);
}

extern "C" cudaError_t cudaMemPoolExportToShareableHandle(void* shareableHandle,
                                                          cudaMemPool_t memPool,
                                                          cudaMemAllocationHandleType handleType,
                                                          unsigned int flags) {
  return poolCall(memPool, [=](const std::shared_ptr<MemoryPool>& pool) {
    if (!shareableHandle || flags != 0 || handleType != cudaMemHandleTypePosixFileDescriptor ||
        !pool->file())
      return Status::InvalidValue;
    const int fd = fcntl(pool->file()->fd(), F_DUPFD, 0);
    if (fd < 0)
      return static_cast<Status>(cudaErrorOperatingSystem);
    *static_cast<int*>(shareableHandle) = fd;
    return Status::Ok;
  });
}

// The handle is the descriptor itself, cast to a pointer.
extern "C" cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t* memPool,
                                                            void* shareableHandle,
                                                            cudaMemAllocationHandleType handleType,
                                                            unsigned int flags) {
  return deviceCall([=] {
    const int fd = int(reinterpret_cast<std::intptr_t>(shareableHandle));
    if (!memPool || flags != 0 || handleType != cudaMemHandleTypePosixFileDescriptor)
      return Status::InvalidValue;
    const int own = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (own < 0)
      return Status::InvalidValue;
    auto pool = std::make_shared<MemoryPool>(process().allocations, currentDevice(), 0,
                                             std::make_shared<SharedFile>(own));
    *memPool = handleOf(pool);
    process().pools.add(std::move(pool));
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaMemPoolExportPointer(cudaMemPoolPtrExportData* exportData, void* ptr) {
  return deviceCall([=] {
    const std::optional<Allocation> found = process().allocations.find(ptr);
    std::size_t bytes = 0;
    const std::size_t offset = found && found->pool ? found->pool->offsetOf(ptr, bytes) : SIZE_MAX;
    if (!exportData || offset == SIZE_MAX)
      return Status::InvalidValue;
    const ExportedPointer exported{offset, bytes};
    *exportData = {};
    std::memcpy(exportData, &exported, sizeof exported);
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaMemPoolImportPointer(void** ptr, cudaMemPool_t memPool,
                                                cudaMemPoolPtrExportData* exportData) {
  return poolCall(memPool, [=](const std::shared_ptr<MemoryPool>& pool) {
    if (!ptr || !exportData)
      return Status::InvalidValue;
    ExportedPointer exported;
    std::memcpy(&exported, exportData, sizeof exported);
    return pool->import(exported.offset, exported.bytes, ptr);
  });
}
