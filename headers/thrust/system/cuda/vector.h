// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors of the system: what thrust::device_vector and thrust::universal_vector are.
#ifndef CU2CPP_THRUST_CUDA_VECTOR_H
#define CU2CPP_THRUST_CUDA_VECTOR_H

#include <vector>

#include <thrust/detail/vector_base.h>
#include <thrust/system/cuda/memory.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
template <class Type, class Allocator = allocator<Type>>
using vector = thrust::detail::vector_base<Type, Allocator>;
template <class Type, class Allocator = universal_allocator<Type>>
using universal_vector = thrust::detail::vector_base<Type, Allocator>;
template <class Type, class Allocator = universal_host_pinned_allocator<Type>>
using universal_host_pinned_vector = thrust::detail::vector_base<Type, Allocator>;
} // namespace cuda
} // namespace system
namespace cuda {
using thrust::system::cuda::universal_host_pinned_vector;
using thrust::system::cuda::universal_vector;
using thrust::system::cuda::vector;
} // namespace cuda
THRUST_NAMESPACE_END

#endif
