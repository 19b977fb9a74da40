// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Single elements of device memory as the host reads and writes them (`v[i]`, device_ptr): after
// all work that was queued before. Also malloc and free of the system.
#ifndef CU2CPP_THRUST_CUDA_ELEMENT_H
#define CU2CPP_THRUST_CUDA_ELEMENT_H

#include <cstdlib>
#include <utility>

#include <thrust/detail/raw_pointer_cast.h>
#include <thrust/iterator/iterator_traits.h>
#include <thrust/system/cuda/detail/run.h>
#include <thrust/system/detail/bad_alloc.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
namespace detail {

template <class Derived, class Pointer>
typename thrust::iterator_value<Pointer>::type get_value(execution_policy<Derived>& policy,
                                                         Pointer place) {
  waitFor(policy);
  return *thrust::raw_pointer_cast(place);
}
template <class Derived, class Pointer1, class Pointer2>
void assign_value(execution_policy<Derived>& policy, Pointer1 to, Pointer2 from) {
  waitFor(policy);
  *thrust::raw_pointer_cast(to) = *thrust::raw_pointer_cast(from);
}
template <class Derived, class Host, class Pointer1, class Pointer2>
void assign_value(execution_policy<Derived>& policy,
                  thrust::system::cpp::detail::execution_policy<Host>&, Pointer1 to,
                  Pointer2 from) {
  assign_value(policy, to, from);
}
template <class Host, class Derived, class Pointer1, class Pointer2>
void assign_value(thrust::system::cpp::detail::execution_policy<Host>&,
                  execution_policy<Derived>& policy, Pointer1 to, Pointer2 from) {
  assign_value(policy, to, from);
}
template <class Derived, class Pointer1, class Pointer2>
void iter_swap(execution_policy<Derived>& policy, Pointer1 a, Pointer2 b) {
  using std::swap;
  waitFor(policy);
  swap(*thrust::raw_pointer_cast(a), *thrust::raw_pointer_cast(b));
}

template <class Derived> void* malloc(execution_policy<Derived>&, std::size_t bytes) {
  void* memory = nullptr;
  if (::cu2cpp::onDevice())
    return std::malloc(bytes);
  const cudaError_t error = ::cudaMalloc(&memory, bytes == 0 ? 1 : bytes);
  if (error != cudaSuccess) {
    ::cudaGetLastError();
    throw thrust::system::detail::bad_alloc(::cudaGetErrorString(error));
  }
  return memory;
}
template <class Derived, class Pointer> void free(execution_policy<Derived>&, Pointer memory) {
  if (::cu2cpp::onDevice())
    std::free(const_cast<void*>(static_cast<const void*>(thrust::raw_pointer_cast(memory))));
  else
    ::cudaFree(const_cast<void*>(static_cast<const void*>(thrust::raw_pointer_cast(memory))));
}

} // namespace detail
} // namespace cuda
} // namespace system
THRUST_NAMESPACE_END

#endif
