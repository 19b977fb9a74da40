// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// copy() and copy_n() between host and device memory and within it. Plain values in contiguous
// memory are one copy of bytes on the stream.
#ifndef CU2CPP_THRUST_CUDA_COPY_H
#define CU2CPP_THRUST_CUDA_COPY_H

#include <thrust/distance.h>
#include <thrust/system/cuda/detail/for_each.h>
#include <thrust/system/cuda/detail/run.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
namespace detail {

template <class Derived, class In, class Size, class Out>
Out copy_n(execution_policy<Derived>& policy, In first, Size n, Out out) {
  using Type = typename thrust::iterator_value<In>::type;
  using Other = typename thrust::iterator_value<Out>::type;
  if (n <= 0)
    return out;
  if constexpr (thrust::is_contiguous_iterator<In>::value &&
                thrust::is_contiguous_iterator<Out>::value && std::is_same<Type, Other>::value &&
                std::is_trivially_copyable<Type>::value) {
    const Type* from = plain(first);
    Type* to = plain(out);
    const std::size_t bytes = std::size_t(n) * sizeof(Type);
    check(::cu2cpp::parallel::Steps(streamOf(policy))
              .once([=] { __builtin_memmove(static_cast<void*>(to), from, bytes); })
              .wait(),
          "copy");
    return out + n;
  } else if constexpr (isRandomAccess<In> && isRandomAccess<Out>) {
    const auto from = plain(first);
    const auto to = plain(out);
    check(::cu2cpp::parallel::Steps(streamOf(policy))
              .each(::cu2cpp::parallel::Pieces(std::size_t(n)),
                    [=](::cu2cpp::parallel::Piece piece) mutable {
                      auto a = from;
                      auto b = to;
                      a += std::ptrdiff_t(piece.begin);
                      b += std::ptrdiff_t(piece.begin);
                      for (std::size_t i = piece.begin; i < piece.end; ++i, ++a, ++b)
                        *b = Other(Type(*a));
                    })
              .wait(),
          "copy");
    return out + n;
  } else {
    // Lists, streams: one element after the other.
    waitFor(policy);
    for (Size i = 0; i < n; ++i, ++first, ++out)
      *out = Type(*first);
    return out;
  }
}
template <class Derived, class In, class Out>
Out copy(execution_policy<Derived>& policy, In first, In last, Out out) {
  return detail::copy_n(policy, first, thrust::distance(first, last), out);
}

} // namespace detail
} // namespace cuda
} // namespace system
THRUST_NAMESPACE_END

#endif
