// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Allocation into typed pointers, and the CUDA 13 forms of the unified memory hints.
//
// CUDA Runtime API, 'C++ API Routines'.
#ifndef CU2CPP_API_MEMORY_H
#define CU2CPP_API_MEMORY_H

#include <cstddef>

#include <cuda_runtime_api.h>

// Casts in C's way: pointers to const objects can be allocated too.
template <class Type> inline cudaError_t cudaMalloc(Type** devPtr, std::size_t size) {
  return ::cudaMalloc((void**)devPtr, size);
}
template <class Type>
inline cudaError_t cudaMallocPitch(Type** devPtr, std::size_t* pitch, std::size_t width,
                                   std::size_t height) {
  return ::cudaMallocPitch((void**)devPtr, pitch, width, height);
}
template <class Type>
inline cudaError_t cudaMallocManaged(Type** devPtr, std::size_t size,
                                     unsigned int flags = cudaMemAttachGlobal) {
  return ::cudaMallocManaged((void**)devPtr, size, flags);
}
template <class Type>
inline cudaError_t cudaMallocHost(Type** ptr, std::size_t size, unsigned int flags = 0) {
  return ::cudaHostAlloc((void**)ptr, size, flags);
}
inline cudaError_t cudaMallocHost(void** ptr, std::size_t size, unsigned int flags) {
  return ::cudaHostAlloc(ptr, size, flags);
}
template <class Type>
inline cudaError_t cudaHostAlloc(Type** ptr, std::size_t size, unsigned int flags) {
  return ::cudaHostAlloc((void**)ptr, size, flags);
}
template <class Type>
inline cudaError_t cudaHostGetDevicePointer(Type** pDevice, void* pHost, unsigned int flags) {
  return ::cudaHostGetDevicePointer((void**)pDevice, pHost, flags);
}
template <class Type>
inline cudaError_t cudaMallocAsync(Type** devPtr, std::size_t size, cudaStream_t stream) {
  return ::cudaMallocAsync((void**)devPtr, size, stream);
}
template <class Type>
inline cudaError_t cudaMallocFromPoolAsync(Type** ptr, std::size_t size, cudaMemPool_t memPool,
                                           cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync((void**)ptr, size, memPool, stream);
}
/// cudaMallocAsync() from a pool, as C++ may call it.
template <class Type>
inline cudaError_t cudaMallocAsync(Type** ptr, std::size_t size, cudaMemPool_t memPool,
                                   cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync((void**)ptr, size, memPool, stream);
}
template <class Type>
inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, Type* devPtr,
                                            std::size_t length = 0,
                                            unsigned int flags = cudaMemAttachSingle) {
  return ::cudaStreamAttachMemAsync(stream, static_cast<void*>(devPtr), length, flags);
}

namespace cu2cpp {
namespace detail {
/// deviceOf() is the device number that CUDA 12 gives for a location: cudaCpuDeviceId for all host
/// locations, cudaInvalidDeviceId for what is no location.
inline int deviceOf(cudaMemLocation location) {
  switch (location.type) {
  case cudaMemLocationTypeDevice:
    return location.id;
  case cudaMemLocationTypeHost:
  case cudaMemLocationTypeHostNuma:
  case cudaMemLocationTypeHostNumaCurrent:
    return cudaCpuDeviceId;
  default:
    return cudaInvalidDeviceId;
  }
}
} // namespace detail
} // namespace cu2cpp

inline cudaError_t cudaMemPrefetchAsync(const void* devPtr, std::size_t count,
                                        cudaMemLocation location, unsigned int flags,
                                        cudaStream_t stream = nullptr) {
  (void)flags; // none defined, must be 0
  return ::cudaMemPrefetchAsync(devPtr, count, cu2cpp::detail::deviceOf(location), stream);
}
inline cudaError_t cudaMemAdvise(const void* devPtr, std::size_t count, cudaMemoryAdvise advice,
                                 cudaMemLocation location) {
  return ::cudaMemAdvise(devPtr, count, advice, cu2cpp::detail::deviceOf(location));
}

#endif
