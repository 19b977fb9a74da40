// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Allocation, page-locked and managed memory, and what is known of a pointer.
//
// CUDA Driver API, 'Memory Management', 'Unified Addressing'.
#include "driver/driver.h"

using namespace cu2cpp::rt;

extern "C" CUresult cuMemGetInfo(size_t* free, size_t* total) {
  return contextCall([=] { return cudaMemGetInfo(free, total); });
}
// Nothing is no size here (Driver API, 'cuMemAlloc').
extern "C" CUresult cuMemAlloc(CUdeviceptr* dptr, size_t bytesize) {
  return contextCall(
      [=] { return bytesize == 0 ? cudaErrorInvalidValue : ::cudaMalloc(into(dptr), bytesize); });
}
extern "C" CUresult cuMemAllocPitch(CUdeviceptr* dptr, size_t* pPitch, size_t WidthInBytes,
                                    size_t Height, unsigned int ElementSizeBytes) {
  return contextCall([=] {
    if (ElementSizeBytes != 4 && ElementSizeBytes != 8 && ElementSizeBytes != 16)
      return cudaErrorInvalidValue;
    return ::cudaMallocPitch(into(dptr), pPitch, WidthInBytes, Height);
  });
}
extern "C" CUresult cuMemAllocManaged(CUdeviceptr* dptr, size_t bytesize, unsigned int flags) {
  return contextCall([=]() -> CUresult {
    if (bytesize == 0)
      return CUDA_ERROR_INVALID_VALUE;
    return resultOf(::cudaMallocManaged(into(dptr), bytesize, flags));
  });
}
extern "C" CUresult cuMemAllocAsync(CUdeviceptr* dptr, size_t bytesize, CUstream hStream) {
  return contextCall([=] { return ::cudaMallocAsync(into(dptr), bytesize, hStream); });
}
extern "C" CUresult cuMemAllocHost(void** pp, size_t bytesize) {
  return contextCall([=] { return ::cudaMallocHost(pp, bytesize); });
}
extern "C" CUresult cuMemHostAlloc(void** pp, size_t bytesize, unsigned int Flags) {
  return contextCall([=] { return ::cudaHostAlloc(pp, bytesize, Flags); });
}
extern "C" CUresult cuMemFree(CUdeviceptr dptr) {
  return contextCall([=] { return cudaFree(at(dptr)); });
}
extern "C" CUresult cuMemFreeAsync(CUdeviceptr dptr, CUstream hStream) {
  return contextCall([=] { return cudaFreeAsync(at(dptr), hStream); });
}
extern "C" CUresult cuMemFreeHost(void* p) {
  return contextCall([=] { return cudaFreeHost(p); });
}
extern "C" CUresult cuMemHostRegister(void* p, size_t bytesize, unsigned int Flags) {
  return contextCall([=] { return cudaHostRegister(p, bytesize, Flags); });
}
extern "C" CUresult cuMemHostUnregister(void* p) {
  return contextCall([=] { return cudaHostUnregister(p); });
}
extern "C" CUresult cuMemHostGetDevicePointer(CUdeviceptr* pdptr, void* p, unsigned int Flags) {
  return contextCall([=] { return ::cudaHostGetDevicePointer(into(pdptr), p, Flags); });
}
extern "C" CUresult cuMemHostGetFlags(unsigned int* pFlags, void* p) {
  return contextCall([=] { return cudaHostGetFlags(pFlags, p); });
}
extern "C" CUresult cuMemGetAddressRange(CUdeviceptr* pbase, size_t* psize, CUdeviceptr dptr) {
  return contextCall([=] {
    const std::optional<Allocation> found = process().allocations.find(at(dptr));
    if (!found)
      return CUDA_ERROR_NOT_FOUND;
    if (pbase)
      *pbase = found->address;
    if (psize)
      *psize = found->bytes;
    return CUDA_SUCCESS;
  });
}
extern "C" CUresult cuMemPrefetchAsync(CUdeviceptr devPtr, size_t count, CUdevice dstDevice,
                                       CUstream hStream) {
  return contextCall([=] { return ::cudaMemPrefetchAsync(at(devPtr), count, dstDevice, hStream); });
}
extern "C" CUresult cuMemAdvise(CUdeviceptr devPtr, size_t count, CUmem_advise advice,
                                CUdevice device) {
  return contextCall([=] {
    return ::cudaMemAdvise(at(devPtr), count, static_cast<cudaMemoryAdvise>(advice), device);
  });
}
extern "C" CUresult cuMemRangeGetAttribute(void* data, size_t dataSize,
                                           CUmem_range_attribute attribute, CUdeviceptr devPtr,
                                           size_t count) {
  return contextCall([=] {
    return cudaMemRangeGetAttribute(data, dataSize, static_cast<cudaMemRangeAttribute>(attribute),
                                    at(devPtr), count);
  });
}
extern "C" CUresult cuMemRangeGetAttributes(void** data, size_t* dataSizes,
                                            CUmem_range_attribute* attributes, size_t numAttributes,
                                            CUdeviceptr devPtr, size_t count) {
  return contextCall([=] {
    return cudaMemRangeGetAttributes(data, dataSizes,
                                     reinterpret_cast<cudaMemRangeAttribute*>(attributes),
                                     numAttributes, at(devPtr), count);
  });
}

namespace {

template <class T> CUresult give(void* data, T value) {
  *static_cast<T*>(data) = value;
  return CUDA_SUCCESS;
}

CUmemorytype typeOf(const Allocation& allocation) {
  return allocation.hostReaches() && !allocation.isManaged() ? CU_MEMORYTYPE_HOST
                                                             : CU_MEMORYTYPE_DEVICE;
}

CUresult pointerAttribute(void* data, CUpointer_attribute attribute, CUdeviceptr ptr) {
  const std::optional<Allocation> found = process().allocations.find(at(ptr));
  if (!data)
    return CUDA_ERROR_INVALID_VALUE;
  if (!found)
    return CUDA_ERROR_INVALID_VALUE;
  switch (attribute) {
  case CU_POINTER_ATTRIBUTE_CONTEXT:
    return give(data, handleOf(currentContext()));
  case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    return give(data, typeOf(*found));
  case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
    return give(data, ptr);
  case CU_POINTER_ATTRIBUTE_HOST_POINTER:
    if (!found->hostReaches())
      return CUDA_ERROR_INVALID_VALUE;
    return give(data, at(ptr));
  case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    return give(data, unsigned(found->isManaged()));
  case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
    return give(data, found->device);
  case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
    return give(data, CUdeviceptr(found->address));
  case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
    return give(data, found->bytes);
  case CU_POINTER_ATTRIBUTE_MAPPED:
    return give(data, 1);
  case CU_POINTER_ATTRIBUTE_BUFFER_ID:
    return give(data, static_cast<unsigned long long>(found->address));
  case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    return give(data, 0u);
  case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
    return give(data, reinterpret_cast<CUmemoryPool>(found->pool.get()));
  case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
    return give(data, int(found->kind == MemoryKind::Device));
  default:
    return CUDA_ERROR_INVALID_VALUE;
  }
}

// What there is to say of unknown memory.
void giveNothing(void* data, CUpointer_attribute attribute) {
  switch (attribute) {
  case CU_POINTER_ATTRIBUTE_CONTEXT:
  case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
  case CU_POINTER_ATTRIBUTE_HOST_POINTER:
  case CU_POINTER_ATTRIBUTE_BUFFER_ID:
  case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
  case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
  case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
    give(data, 0ull);
    break;
  case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
    give(data, int(CU_DEVICE_INVALID));
    break;
  default:
    give(data, 0);
  }
}

} // namespace

extern "C" CUresult cuPointerGetAttribute(void* data, CUpointer_attribute attribute,
                                          CUdeviceptr ptr) {
  return contextCall([=] { return pointerAttribute(data, attribute, ptr); });
}
// Asking for several is no error for unknown memory: the answers are empty.
extern "C" CUresult cuPointerGetAttributes(unsigned int numAttributes,
                                           CUpointer_attribute* attributes, void** data,
                                           CUdeviceptr ptr) {
  return contextCall([=] {
    if (numAttributes == 0 || !attributes || !data)
      return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < numAttributes; ++i)
      if (pointerAttribute(data[i], attributes[i], ptr) != CUDA_SUCCESS && data[i])
        giveNothing(data[i], attributes[i]);
    return CUDA_SUCCESS;
  });
}
extern "C" CUresult cuPointerSetAttribute(const void* value, CUpointer_attribute attribute,
                                          CUdeviceptr ptr) {
  return contextCall([=] {
    // Copies of the synchronous API are synchronous here with or without it.
    const bool known = attribute == CU_POINTER_ATTRIBUTE_SYNC_MEMOPS && value &&
                       process().allocations.find(at(ptr));
    return known ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  });
}

extern "C" CUresult cuIpcGetMemHandle(CUipcMemHandle* pHandle, CUdeviceptr dptr) {
  return contextCall([=] { return cudaIpcGetMemHandle(pHandle, at(dptr)); });
}
extern "C" CUresult cuIpcOpenMemHandle(CUdeviceptr* pdptr, CUipcMemHandle handle,
                                       unsigned int Flags) {
  return contextCall([=] { return cudaIpcOpenMemHandle(into(pdptr), handle, Flags); });
}
extern "C" CUresult cuIpcCloseMemHandle(CUdeviceptr dptr) {
  return contextCall([=] { return cudaIpcCloseMemHandle(at(dptr)); });
}
extern "C" CUresult cuIpcGetEventHandle(CUipcEventHandle* pHandle, CUevent event) {
  return contextCall([=] { return cudaIpcGetEventHandle(pHandle, event); });
}
extern "C" CUresult cuIpcOpenEventHandle(CUevent* phEvent, CUipcEventHandle handle) {
  return contextCall([=] { return cudaIpcOpenEventHandle(phEvent, handle); });
}
