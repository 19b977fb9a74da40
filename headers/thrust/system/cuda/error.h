// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's errors as thrust::system_error: thrust::cuda_category().
#ifndef CU2CPP_THRUST_CUDA_ERROR_H
#define CU2CPP_THRUST_CUDA_ERROR_H

#include <string>

#include <cuda_runtime_api.h>

#include <thrust/detail/config.h>

#include <thrust/system/error_code.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
namespace errc {
enum errc_t { success = cudaSuccess, memory_allocation = cudaErrorMemoryAllocation };
} // namespace errc

namespace detail {
class ErrorCategory : public thrust::system::error_category {
public:
  const char* name() const override { return "cuda"; }
  std::string message(int error) const override {
    const cudaError_t e = static_cast<cudaError_t>(error);
    return std::string(::cudaGetErrorName(e)) + ": " + ::cudaGetErrorString(e);
  }
};
} // namespace detail
} // namespace cuda

template <> struct is_error_code_enum<cuda::errc::errc_t> : thrust::detail::true_type {};

inline const error_category& cuda_category() {
  static const cuda::detail::ErrorCategory category;
  return category;
}
inline error_code make_error_code(cuda::errc::errc_t e) {
  return error_code(static_cast<int>(e), cuda_category());
}
inline error_condition make_error_condition(cuda::errc::errc_t e) {
  return error_condition(static_cast<int>(e), cuda_category());
}
namespace cuda {
using thrust::system::cuda_category;
} // namespace cuda
} // namespace system

namespace cuda {
namespace errc = thrust::system::cuda::errc;
} // namespace cuda
using thrust::system::cuda_category;
THRUST_NAMESPACE_END

#endif
