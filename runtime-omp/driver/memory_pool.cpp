// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory pools and the memory of graphs: the runtime's under other names.
//
// CUDA Driver API, 'Stream Ordered Memory Allocator', 'Graph Management'.
#include "driver/driver.h"

using namespace cu2cpp::rt;

extern "C" CUresult cuMemAllocFromPoolAsync(CUdeviceptr* dptr, size_t bytesize, CUmemoryPool pool,
                                            CUstream hStream) {
  return contextCall(
      [=] { return ::cudaMallocFromPoolAsync(into(dptr), bytesize, pool, hStream); });
}
extern "C" CUresult cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* poolProps) {
  return driverCall(
      [=] { return cudaMemPoolCreate(pool, like<const cudaMemPoolProps>(poolProps)); });
}
extern "C" CUresult cuMemPoolDestroy(CUmemoryPool pool) {
  return driverCall([=] { return cudaMemPoolDestroy(pool); });
}
extern "C" CUresult cuMemPoolGetAccess(CUmemAccess_flags* flags, CUmemoryPool memPool,
                                       CUmemLocation* location) {
  return driverCall([=] {
    return cudaMemPoolGetAccess(like<cudaMemAccessFlags>(flags), memPool,
                                like<cudaMemLocation>(location));
  });
}
extern "C" CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc* map,
                                       size_t count) {
  return driverCall(
      [=] { return cudaMemPoolSetAccess(pool, like<const cudaMemAccessDesc>(map), count); });
}
extern "C" CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attr,
                                          void* value) {
  return driverCall(
      [=] { return cudaMemPoolGetAttribute(pool, static_cast<cudaMemPoolAttr>(attr), value); });
}
extern "C" CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attr,
                                          void* value) {
  return driverCall(
      [=] { return cudaMemPoolSetAttribute(pool, static_cast<cudaMemPoolAttr>(attr), value); });
}
extern "C" CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t minBytesToKeep) {
  return driverCall([=] { return cudaMemPoolTrimTo(pool, minBytesToKeep); });
}
extern "C" CUresult cuMemPoolExportToShareableHandle(void* handle_out, CUmemoryPool pool,
                                                     CUmemAllocationHandleType handleType,
                                                     unsigned long long flags) {
  return driverCall([=] {
    return cudaMemPoolExportToShareableHandle(
        handle_out, pool, static_cast<cudaMemAllocationHandleType>(handleType), unsigned(flags));
  });
}
extern "C" CUresult cuMemPoolImportFromShareableHandle(CUmemoryPool* pool_out, void* handle,
                                                       CUmemAllocationHandleType handleType,
                                                       unsigned long long flags) {
  return driverCall([=] {
    return cudaMemPoolImportFromShareableHandle(
        pool_out, handle, static_cast<cudaMemAllocationHandleType>(handleType), unsigned(flags));
  });
}
extern "C" CUresult cuMemPoolExportPointer(CUmemPoolPtrExportData* shareData_out, CUdeviceptr ptr) {
  return driverCall([=] { return cudaMemPoolExportPointer(shareData_out, at(ptr)); });
}
extern "C" CUresult cuMemPoolImportPointer(CUdeviceptr* ptr_out, CUmemoryPool pool,
                                           CUmemPoolPtrExportData* shareData) {
  return driverCall([=] { return cudaMemPoolImportPointer(into(ptr_out), pool, shareData); });
}

extern "C" CUresult cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attr,
                                                 void* value) {
  return driverCall([=] {
    return cudaDeviceGetGraphMemAttribute(device, static_cast<cudaGraphMemAttributeType>(attr),
                                          value);
  });
}
extern "C" CUresult cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attr,
                                                 void* value) {
  return driverCall([=] {
    return cudaDeviceSetGraphMemAttribute(device, static_cast<cudaGraphMemAttributeType>(attr),
                                          value);
  });
}
extern "C" CUresult cuDeviceGraphMemTrim(CUdevice device) {
  return driverCall([=] { return cudaDeviceGraphMemTrim(device); });
}
