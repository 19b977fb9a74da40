// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// reduce() as pieces of a stream's work.
#ifndef CU2CPP_THRUST_CUDA_REDUCE_H
#define CU2CPP_THRUST_CUDA_REDUCE_H

#include <thrust/detail/function.h>
#include <thrust/distance.h>
#include <thrust/system/cuda/detail/run.h>

#include <cu2cpp/parallel/reduce_scan.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
namespace detail {

template <class Derived, class It, class Type, class Op>
Type reduce(execution_policy<Derived>& policy, It first, It last, Type start, Op op) {
  const std::size_t size = std::size_t(thrust::distance(first, last));
  const Memory<Type> totals(::cu2cpp::parallel::Pieces::most);
  Type result = start;
  ::cu2cpp::parallel::Steps steps(streamOf(policy));
  ::cu2cpp::parallel::addReduce(steps, plain(first), size, start,
                                thrust::detail::wrapped_function<Op, Type>(op), totals.get(),
                                [&result](const Type& total) { result = total; });
  check(steps.wait(), "reduce");
  return result;
}

} // namespace detail
} // namespace cuda
} // namespace system
THRUST_NAMESPACE_END

// CUDA's own Thrust brings thrust::device and thrust::host along.
#include <thrust/execution_policy.h>

#endif
