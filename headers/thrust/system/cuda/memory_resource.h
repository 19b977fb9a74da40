// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory resources over cudaMalloc(), cudaMallocManaged() and cudaMallocHost().
#ifndef CU2CPP_THRUST_CUDA_MEMORY_RESOURCE_H
#define CU2CPP_THRUST_CUDA_MEMORY_RESOURCE_H

#include <cstddef>

#include <cuda_runtime_api.h>

#include <thrust/mr/host_memory_resource.h>
#include <thrust/mr/memory_resource.h>
#include <thrust/system/cuda/pointer.h>
#include <thrust/system/detail/bad_alloc.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
namespace detail {

template <cudaError_t (*allocate)(void**, std::size_t), cudaError_t (*release)(void*),
          class Pointer>
class Resource final : public thrust::mr::memory_resource<Pointer> {
public:
  Pointer do_allocate(std::size_t bytes, std::size_t) override {
    void* memory = nullptr;
    const cudaError_t error = allocate(&memory, bytes);
    if (error != cudaSuccess) {
      ::cudaGetLastError();
      throw thrust::system::detail::bad_alloc(::cudaGetErrorString(error));
    }
    return Pointer(memory);
  }
  void do_deallocate(Pointer memory, std::size_t, std::size_t) override {
    release(thrust::detail::pointer_traits<Pointer>::get(memory));
  }
};

inline cudaError_t allocateDevice(void** p, std::size_t bytes) { return ::cudaMalloc(p, bytes); }
inline cudaError_t allocateManaged(void** p, std::size_t bytes) {
  return ::cudaMallocManaged(p, bytes, cudaMemAttachGlobal);
}
inline cudaError_t allocatePinned(void** p, std::size_t bytes) {
  return ::cudaMallocHost(p, bytes);
}
inline cudaError_t releaseDevice(void* p) { return ::cudaFree(p); }
inline cudaError_t releasePinned(void* p) { return ::cudaFreeHost(p); }

} // namespace detail

using memory_resource =
    detail::Resource<detail::allocateDevice, detail::releaseDevice, pointer<void>>;
using universal_memory_resource =
    detail::Resource<detail::allocateManaged, detail::releaseDevice, universal_pointer<void>>;
using universal_host_pinned_memory_resource =
    detail::Resource<detail::allocatePinned, detail::releasePinned, universal_pointer<void>>;

} // namespace cuda
} // namespace system
namespace cuda {
using thrust::system::cuda::memory_resource;
using thrust::system::cuda::universal_host_pinned_memory_resource;
using thrust::system::cuda::universal_memory_resource;
} // namespace cuda
THRUST_NAMESPACE_END

#endif
