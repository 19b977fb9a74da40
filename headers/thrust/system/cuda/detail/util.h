// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// thrust::cuda_cub::stream() and synchronize(), which libraries ask for that queue work of their
// own beside Thrust's.
//
//   cudaMemcpyAsync(to, from, bytes, kind, thrust::cuda_cub::stream(policy));
#ifndef CU2CPP_THRUST_CUDA_UTIL_H
#define CU2CPP_THRUST_CUDA_UTIL_H

#include <thrust/system/cuda/detail/policy.h>

THRUST_NAMESPACE_BEGIN
namespace cuda_cub {

template <class Derived>
inline cudaStream_t stream(const system::cuda::detail::execution_policy<Derived>& policy) {
  return system::cuda::detail::streamOf(policy);
}
template <class Derived>
inline cudaError_t synchronize(const system::cuda::detail::execution_policy<Derived>& policy) {
  return cudaStreamSynchronize(stream(policy));
}

} // namespace cuda_cub
THRUST_NAMESPACE_END

#endif
