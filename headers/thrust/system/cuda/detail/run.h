// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the system's algorithms share: waiting for a policy's stream with errors as exceptions,
// iterators over device memory as plain pointers, and memory for temporary values.
#ifndef CU2CPP_THRUST_CUDA_RUN_H
#define CU2CPP_THRUST_CUDA_RUN_H

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>

#include <thrust/detail/raw_reference_cast.h>
#include <thrust/iterator/iterator_traits.h>
#include <thrust/system/cuda/detail/policy.h>
#include <thrust/system/cuda/error.h>
#include <thrust/system_error.h>
#include <thrust/type_traits/is_contiguous_iterator.h>

#include <cu2cpp/parallel/pieces.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
namespace detail {

inline void check(cudaError_t error, const char* what) {
  if (error != cudaSuccess) {
    ::cudaGetLastError();
    throw thrust::system_error(error, thrust::system::cuda_category(), what);
  }
}

/// waitFor() returns when what was queued before on the policy's stream is done.
template <class Derived> inline void waitFor(const execution_policy<Derived>& policy) {
  if (::cu2cpp::onDevice())
    return;
  // The default stream waits for the others when work comes to it: an empty piece of work.
  if (streamOf(policy) == nullptr)
    ::cu2cpp::parallel::enqueueOnce(nullptr, [] {});
  check(::cu2cpp::parallel::finish(streamOf(policy)), "synchronizing the stream");
}

/// Memory is room for `count` values that the work makes and ends itself.
template <class Type> class Memory {
public:
  explicit Memory(std::size_t count)
      : data_(static_cast<Type*>(
            ::operator new(count * sizeof(Type), std::align_val_t(alignof(Type))))) {}
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() { ::operator delete(data_, std::align_val_t(alignof(Type))); }
  Type* get() const { return data_; }

private:
  Type* data_;
};

/// plain() is the iterator as a pointer, where it is one.
template <class It> inline auto plain(It it) {
  return thrust::detail::try_unwrap_contiguous_iterator(it);
}

template <class It>
constexpr bool isRandomAccess = std::is_convertible<typename thrust::iterator_traversal<It>::type,
                                                    thrust::random_access_traversal_tag>::value;

} // namespace detail
} // namespace cuda
} // namespace system
THRUST_NAMESPACE_END

#endif
