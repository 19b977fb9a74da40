// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Set operations on sorted ranges, each as one block of a stream's work. The _by_key forms are made
// of these by Thrust itself.
#ifndef CU2CPP_THRUST_CUDA_SET_OPERATIONS_H
#define CU2CPP_THRUST_CUDA_SET_OPERATIONS_H

#include <thrust/detail/seq.h>
#include <thrust/system/cuda/detail/merge.h>
#include <thrust/system/detail/sequential/set_operations.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
namespace detail {

template <class Derived, class First, class Second, class Out, class Less>
Out set_difference(execution_policy<Derived>& policy, First first1, First last1, Second first2,
                   Second last2, Out out, Less less) {
  return runOnce(
      policy, out,
      [=] {
        thrust::detail::seq_t one;
        return thrust::system::detail::sequential::set_difference(one, first1, last1, first2, last2,
                                                                  out, less);
      },
      "set_difference");
}
template <class Derived, class First, class Second, class Out, class Less>
Out set_intersection(execution_policy<Derived>& policy, First first1, First last1, Second first2,
                     Second last2, Out out, Less less) {
  return runOnce(
      policy, out,
      [=] {
        thrust::detail::seq_t one;
        return thrust::system::detail::sequential::set_intersection(one, first1, last1, first2,
                                                                    last2, out, less);
      },
      "set_intersection");
}
template <class Derived, class First, class Second, class Out, class Less>
Out set_symmetric_difference(execution_policy<Derived>& policy, First first1, First last1,
                             Second first2, Second last2, Out out, Less less) {
  return runOnce(
      policy, out,
      [=] {
        thrust::detail::seq_t one;
        return thrust::system::detail::sequential::set_symmetric_difference(
            one, first1, last1, first2, last2, out, less);
      },
      "set_symmetric_difference");
}
template <class Derived, class First, class Second, class Out, class Less>
Out set_union(execution_policy<Derived>& policy, First first1, First last1, Second first2,
              Second last2, Out out, Less less) {
  return runOnce(
      policy, out,
      [=] {
        thrust::detail::seq_t one;
        return thrust::system::detail::sequential::set_union(one, first1, last1, first2, last2, out,
                                                             less);
      },
      "set_union");
}

} // namespace detail
} // namespace cuda
} // namespace system
THRUST_NAMESPACE_END

// CUDA's own Thrust brings thrust::device and thrust::host along.
#include <thrust/execution_policy.h>

#endif
