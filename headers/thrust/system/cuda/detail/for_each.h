// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// for_each() and for_each_n() as pieces of a stream's work. Most of Thrust's algorithms end here.
#ifndef CU2CPP_THRUST_CUDA_FOR_EACH_H
#define CU2CPP_THRUST_CUDA_FOR_EACH_H

#include <thrust/detail/function.h>
#include <thrust/distance.h>
#include <thrust/system/cuda/detail/run.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
namespace detail {

template <class Derived, class It, class Size, class Function>
It for_each_n(execution_policy<Derived>& policy, It first, Size n, Function f) {
  if (n <= 0)
    return first;
  const auto in = plain(first);
  check(::cu2cpp::parallel::Steps(streamOf(policy))
            .each(::cu2cpp::parallel::Pieces(std::size_t(n)),
                  [=](::cu2cpp::parallel::Piece piece) mutable {
                    thrust::detail::wrapped_function<Function, void> call(f);
                    auto at = in;
                    at += std::ptrdiff_t(piece.begin);
                    for (std::size_t i = piece.begin; i < piece.end; ++i, ++at)
                      call(*at);
                  })
            .wait(),
        "for_each");
  return first + n;
}
template <class Derived, class It, class Function>
It for_each(execution_policy<Derived>& policy, It first, It last, Function f) {
  return for_each_n(policy, first, thrust::distance(first, last), f);
}

} // namespace detail
} // namespace cuda
} // namespace system
THRUST_NAMESPACE_END

#endif
