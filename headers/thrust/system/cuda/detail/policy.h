// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Thrust's "cuda" system on the CPU: the tag of device memory, the execution policies
// thrust::cuda::par and par.on(stream). Thrust itself (the package libthrust-dev) brings the
// containers, the iterators and the generic algorithms; this folder brings the few that they are
// made of. They run as work of the policy's stream, in its order, and wait for it.
//
// Thrust documentation, 'Execution Policies'.
#ifndef CU2CPP_THRUST_CUDA_POLICY_H
#define CU2CPP_THRUST_CUDA_POLICY_H

#include <type_traits>

#include <cuda_runtime_api.h>

#include <thrust/detail/config.h>

#include <thrust/detail/allocator_aware_execution_policy.h>
#include <thrust/detail/dependencies_aware_execution_policy.h>
#include <thrust/detail/execution_policy.h>
#include <thrust/iterator/detail/any_system_tag.h>
#include <thrust/system/cpp/detail/execution_policy.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
namespace detail {

struct tag;
template <class> struct execution_policy;

template <> struct execution_policy<tag> : thrust::execution_policy<tag> {
  using tag_type = tag;
};
struct tag : execution_policy<tag> {};
// Every policy converts to the tag, which is how Thrust finds out that they are of one system.
template <class Derived> struct execution_policy : thrust::execution_policy<Derived> {
  using tag_type = tag;
  operator tag() const { return tag(); }
};

/// OnStream is a policy with a stream of its own.
template <class Derived> struct OnStream : execution_policy<Derived> {
  OnStream() = default;
  explicit OnStream(cudaStream_t stream) : stream_(stream) {}
  Derived on(cudaStream_t stream) const {
    Derived result = thrust::detail::derived_cast(*this);
    result.OnStream::stream_ = stream;
    return result;
  }
  cudaStream_t stream() const { return stream_; }

private:
  cudaStream_t stream_ = nullptr;
};
struct execute_on_stream : OnStream<execute_on_stream> {
  using OnStream::OnStream;
};

struct par_t : execution_policy<par_t>,
               thrust::detail::allocator_aware_execution_policy<OnStream>,
               thrust::detail::dependencies_aware_execution_policy<OnStream> {
  constexpr par_t() {}
  using stream_attachment_type = execute_on_stream;
  execute_on_stream on(cudaStream_t stream) const { return execute_on_stream(stream); }
};
// Waiting where a GPU need not is no error: results are there earlier.
struct par_nosync_t : execution_policy<par_nosync_t>,
                      thrust::detail::allocator_aware_execution_policy<OnStream>,
                      thrust::detail::dependencies_aware_execution_policy<OnStream> {
  constexpr par_nosync_t() {}
  using stream_attachment_type = execute_on_stream;
  execute_on_stream on(cudaStream_t stream) const { return execute_on_stream(stream); }
};

/// streamOf() is the stream that a policy names: the default stream if it names none.
template <class Derived> inline cudaStream_t streamOf(const execution_policy<Derived>& policy) {
  if constexpr (std::is_base_of<OnStream<Derived>, Derived>::value)
    return static_cast<const OnStream<Derived>&>(thrust::detail::derived_cast(policy)).stream();
  else
    return nullptr;
}

// Of host and device memory in one call the device's system takes the work (copies).
template <class Device, class Host>
inline Device& select_system(execution_policy<Device>& device,
                             thrust::system::cpp::detail::execution_policy<Host>&) {
  return thrust::detail::derived_cast(device);
}
template <class Host, class Device>
inline Device& select_system(thrust::system::cpp::detail::execution_policy<Host>&,
                             execution_policy<Device>& device) {
  return thrust::detail::derived_cast(device);
}

} // namespace detail

using detail::execution_policy;
using detail::tag;
static const detail::par_t par;
static const detail::par_nosync_t par_nosync;

} // namespace cuda
} // namespace system

namespace cuda {
using thrust::system::cuda::execution_policy;
using thrust::system::cuda::par;
using thrust::system::cuda::par_nosync;
using thrust::system::cuda::tag;
} // namespace cuda
THRUST_NAMESPACE_END

#endif
