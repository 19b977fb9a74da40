// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// merge() and merge_by_key(), each as one block of a stream's work.
#ifndef CU2CPP_THRUST_CUDA_MERGE_H
#define CU2CPP_THRUST_CUDA_MERGE_H

#include <thrust/detail/seq.h>
#include <thrust/pair.h>
#include <thrust/system/cuda/detail/run.h>
#include <thrust/system/detail/sequential/merge.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
namespace detail {

/// runOnce() gives the result of f(), which runs in the stream's order.
template <class Result, class Derived, class Function>
inline Result runOnce(execution_policy<Derived>& policy, Result result, Function f,
                      const char* name) {
  check(::cu2cpp::parallel::Steps(streamOf(policy)).once([&result, f] { result = f(); }).wait(),
        name);
  return result;
}

template <class Derived, class First, class Second, class Out, class Less>
Out merge(execution_policy<Derived>& policy, First first1, First last1, Second first2, Second last2,
          Out out, Less less) {
  return runOnce(
      policy, out,
      [=] {
        thrust::detail::seq_t one;
        return thrust::system::detail::sequential::merge(one, first1, last1, first2, last2, out,
                                                         less);
      },
      "merge");
}
template <class Derived, class First, class Second, class ValueA, class ValueB, class Keys,
          class Values, class Less>
thrust::pair<Keys, Values> merge_by_key(execution_policy<Derived>& policy, First first1,
                                        First last1, Second first2, Second last2, ValueA values1,
                                        ValueB values2, Keys keys, Values values, Less less) {
  return runOnce(
      policy, thrust::make_pair(keys, values),
      [=] {
        thrust::detail::seq_t one;
        return thrust::system::detail::sequential::merge_by_key(
            one, first1, last1, first2, last2, values1, values2, keys, values, less);
      },
      "merge_by_key");
}

} // namespace detail
} // namespace cuda
} // namespace system
THRUST_NAMESPACE_END

// CUDA's own Thrust brings thrust::device and thrust::host along.
#include <thrust/execution_policy.h>

#endif
