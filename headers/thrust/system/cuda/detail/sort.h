// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// stable_sort() and stable_sort_by_key() as pieces of a stream's work: the elements are copied, so
// that any iterators do, sorted and copied back.
#ifndef CU2CPP_THRUST_CUDA_SORT_H
#define CU2CPP_THRUST_CUDA_SORT_H

#include <utility>

#include <thrust/detail/function.h>
#include <thrust/distance.h>
#include <thrust/system/cuda/detail/run.h>

#include <cu2cpp/parallel/merge_sort.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
namespace detail {

/// sortWith() loads elements by make(i), sorts them and stores them by store(i, element).
template <class Type, class Derived, class Make, class Store, class Less>
inline void sortWith(execution_policy<Derived>& policy, std::size_t size, Make make, Store store,
                     Less less) {
  using ::cu2cpp::parallel::Piece;
  if (size < 2)
    return;
  const Memory<Type> data(size), scratch(size);
  Type *const values = data.get(), *const others = scratch.get();
  const ::cu2cpp::parallel::Pieces pieces(size);
  ::cu2cpp::parallel::Steps steps(streamOf(policy));
  steps.each(pieces, [=](Piece piece) {
    for (std::size_t i = piece.begin; i < piece.end; ++i) {
      ::new (static_cast<void*>(values + i)) Type(make(i));
      if constexpr (!std::is_trivially_copyable<Type>::value)
        ::new (static_cast<void*>(others + i)) Type(values[i]);
    }
  });
  ::cu2cpp::parallel::addMergeSort(steps, values, others, size, less);
  steps.each(pieces, [=](Piece piece) mutable {
    for (std::size_t i = piece.begin; i < piece.end; ++i) {
      store(i, values[i]);
      if constexpr (!std::is_trivially_copyable<Type>::value) {
        values[i].~Type();
        others[i].~Type();
      }
    }
  });
  check(steps.wait(), "sort");
}

template <class Derived, class It, class Less>
void stable_sort(execution_policy<Derived>& policy, It first, It last, Less less) {
  using Type = typename thrust::iterator_value<It>::type;
  // Tuples have a swap() of their own, which std::stable_sort() would find beside std::swap().
  struct Item {
    Type value;
  };
  const auto data = plain(first);
  const thrust::detail::wrapped_function<Less, bool> valueLess(less);
  sortWith<Item>(
      policy, std::size_t(thrust::distance(first, last)),
      [=](std::size_t i) -> Item { return {Type(*(data + std::ptrdiff_t(i)))}; },
      [=](std::size_t i, const Item& item) { *(data + std::ptrdiff_t(i)) = item.value; },
      [=](const Item& a, const Item& b) { return valueLess(a.value, b.value); });
}
template <class Derived, class Keys, class Values, class Less>
void stable_sort_by_key(execution_policy<Derived>& policy, Keys first, Keys last, Values firstValue,
                        Less less) {
  using Key = typename thrust::iterator_value<Keys>::type;
  using Value = typename thrust::iterator_value<Values>::type;
  struct Pair {
    Key key;
    Value value;
  };
  const auto keys = plain(first);
  const auto values = plain(firstValue);
  const thrust::detail::wrapped_function<Less, bool> keyLess(less);
  sortWith<Pair>(
      policy, std::size_t(thrust::distance(first, last)),
      [=](std::size_t i) -> Pair {
        return {Key(*(keys + std::ptrdiff_t(i))), Value(*(values + std::ptrdiff_t(i)))};
      },
      [=](std::size_t i, const Pair& pair) {
        *(keys + std::ptrdiff_t(i)) = pair.key;
        *(values + std::ptrdiff_t(i)) = pair.value;
      },
      [=](const Pair& a, const Pair& b) { return keyLess(a.key, b.key); });
}

} // namespace detail
} // namespace cuda
} // namespace system
THRUST_NAMESPACE_END

// CUDA's own Thrust brings thrust::device and thrust::host along.
#include <thrust/execution_policy.h>

#endif
