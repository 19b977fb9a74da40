// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers and references to the system's memory.
#ifndef CU2CPP_THRUST_CUDA_POINTER_H
#define CU2CPP_THRUST_CUDA_POINTER_H

#include <type_traits>

#include <thrust/detail/pointer.h>
#include <thrust/detail/reference.h>
#include <thrust/system/cuda/detail/policy.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
template <class Type> using reference = thrust::tagged_reference<Type, tag>;
template <class Type> using pointer = thrust::pointer<Type, tag, reference<Type>>;
/// Memory that the host reads and writes by itself.
template <class Type>
using universal_pointer =
    thrust::pointer<Type, tag, typename std::add_lvalue_reference<Type>::type>;
} // namespace cuda
} // namespace system
namespace cuda {
using thrust::system::cuda::pointer;
using thrust::system::cuda::reference;
using thrust::system::cuda::universal_pointer;
} // namespace cuda
THRUST_NAMESPACE_END

#endif
