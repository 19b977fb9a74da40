// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Allocators of the system, and its malloc and free.
#ifndef CU2CPP_THRUST_CUDA_MEMORY_H
#define CU2CPP_THRUST_CUDA_MEMORY_H

#include <cstddef>

#include <thrust/detail/type_traits.h>
#include <thrust/memory.h>
#include <thrust/mr/allocator.h>
#include <thrust/system/cuda/detail/element.h>
#include <thrust/system/cuda/memory_resource.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {

inline pointer<void> malloc(std::size_t bytes) {
  tag system;
  return pointer<void>(detail::malloc(system, bytes));
}
template <class Type> inline pointer<Type> malloc(std::size_t count) {
  return pointer<Type>(
      static_cast<Type*>(thrust::system::cuda::malloc(count * sizeof(Type)).get()));
}
inline void free(pointer<void> memory) {
  tag system;
  detail::free(system, memory.get());
}
template <class Type>
using allocator = thrust::mr::stateless_resource_allocator<Type, memory_resource>;
template <class Type>
using universal_allocator =
    thrust::mr::stateless_resource_allocator<Type, universal_memory_resource>;
template <class Type>
using universal_host_pinned_allocator =
    thrust::mr::stateless_resource_allocator<Type, universal_host_pinned_memory_resource>;

} // namespace cuda
} // namespace system
namespace cuda {
using thrust::system::cuda::allocator;
using thrust::system::cuda::free;
using thrust::system::cuda::malloc;
using thrust::system::cuda::universal_allocator;
using thrust::system::cuda::universal_host_pinned_allocator;
} // namespace cuda
THRUST_NAMESPACE_END

#endif
