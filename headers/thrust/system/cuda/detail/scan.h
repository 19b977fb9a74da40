// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// inclusive_scan() and exclusive_scan() as pieces of a stream's work.
#ifndef CU2CPP_THRUST_CUDA_SCAN_H
#define CU2CPP_THRUST_CUDA_SCAN_H

#include <thrust/detail/function.h>
#include <thrust/distance.h>
#include <thrust/system/cuda/detail/run.h>

#include <cu2cpp/parallel/reduce_scan.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
namespace detail {

template <class Derived, class In, class Out, class Op>
Out inclusive_scan(execution_policy<Derived>& policy, In first, In last, Out result, Op op) {
  using Type = typename thrust::iterator_value<In>::type;
  const auto size = thrust::distance(first, last);
  if (size == 0)
    return result;
  const Memory<Type> totals(::cu2cpp::parallel::Pieces::most);
  const auto in = plain(first);
  // Where no start value is given the first element stands for it and is not combined.
  Memory<Type> start(1);
  ::cu2cpp::parallel::Steps steps(streamOf(policy));
  waitFor(policy);
  ::new (static_cast<void*>(start.get())) Type(*in);
  ::cu2cpp::parallel::addScan<true, false>(
      steps, in, plain(result), std::size_t(size), *start.get(),
      thrust::detail::wrapped_function<Op, Type>(op), totals.get());
  const cudaError_t error = steps.wait();
  start.get()->~Type();
  check(error, "inclusive_scan");
  return result + size;
}
template <class Derived, class In, class Out, class Type, class Op>
Out exclusive_scan(execution_policy<Derived>& policy, In first, In last, Out result, Type start,
                   Op op) {
  const auto size = thrust::distance(first, last);
  const Memory<Type> totals(::cu2cpp::parallel::Pieces::most);
  ::cu2cpp::parallel::Steps steps(streamOf(policy));
  ::cu2cpp::parallel::addScan<false, true>(steps, plain(first), plain(result), std::size_t(size),
                                           start, thrust::detail::wrapped_function<Op, Type>(op),
                                           totals.get());
  check(steps.wait(), "exclusive_scan");
  return result + size;
}

} // namespace detail
} // namespace cuda
} // namespace system
THRUST_NAMESPACE_END

// CUDA's own Thrust brings thrust::device and thrust::host along.
#include <thrust/execution_policy.h>

#endif
