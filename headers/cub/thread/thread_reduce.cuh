// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one thread does with its own items: totals, running totals, searches.
//
// CUB documentation, 'Thread-level primitives'.
#ifndef CU2CPP_CUB_THREAD_REDUCE_CUH
#define CU2CPP_CUB_THREAD_REDUCE_CUH

#include <algorithm>

#include <cub/thread/thread_operators.cuh>

namespace cub {
namespace internal {

template <int Length, class Type, class Op>
inline Type ThreadReduce(Type* input, Op op, Type prefix) {
  for (int i = 0; i < Length; ++i)
    prefix = op(prefix, input[i]);
  return prefix;
}
template <int Length, class Type, class Op> inline Type ThreadReduce(Type* input, Op op) {
  return ThreadReduce<Length - 1>(input + 1, op, input[0]);
}
template <int Length, class Type, class Op>
inline Type ThreadReduce(Type (&input)[Length], Op op, Type prefix) {
  return ThreadReduce<Length>(static_cast<Type*>(input), op, prefix);
}
template <int Length, class Type, class Op> inline Type ThreadReduce(Type (&input)[Length], Op op) {
  return ThreadReduce<Length>(static_cast<Type*>(input), op);
}
template <int Length, class Type, class Op>
inline Type ThreadScanInclusive(Type (&input)[Length], Type (&output)[Length], Op op, Type prefix) {
  for (int i = 0; i < Length; ++i)
    output[i] = prefix = op(prefix, input[i]);
  return prefix;
}
template <int Length, class Type, class Op>
inline Type ThreadScanInclusive(Type (&input)[Length], Type (&output)[Length], Op op) {
  Type total = input[0];
  output[0] = total;
  for (int i = 1; i < Length; ++i)
    output[i] = total = op(total, input[i]);
  return total;
}
template <int Length, class Type, class Op>
inline Type ThreadScanExclusive(Type (&input)[Length], Type (&output)[Length], Op op, Type prefix) {
  for (int i = 0; i < Length; ++i) {
    const Type next = op(prefix, input[i]);
    output[i] = prefix;
    prefix = next;
  }
  return prefix;
}

} // namespace internal

using internal::ThreadReduce;
using internal::ThreadScanExclusive;
using internal::ThreadScanInclusive;

template <class It, class OffsetT, class Type>
inline OffsetT LowerBound(It input, OffsetT num_items, Type value) {
  return OffsetT(std::lower_bound(input, input + num_items, value) - input);
}
template <class It, class OffsetT, class Type>
inline OffsetT UpperBound(It input, OffsetT num_items, Type value) {
  return OffsetT(std::upper_bound(input, input + num_items, value) - input);
}
/// How many of the first `diagonal` merged items come from `a` (x) and from `b` (y).
template <class First, class Second, class OffsetT, class CoordinateT>
inline void MergePathSearch(OffsetT diagonal, First a, Second b, OffsetT a_len, OffsetT b_len,
                            CoordinateT& path_coordinate) {
  OffsetT low = std::max(OffsetT(diagonal - b_len), OffsetT(0)), high = std::min(diagonal, a_len);
  while (low < high) {
    const OffsetT middle = (low + high) / 2;
    if (a[middle] <= b[diagonal - middle - 1])
      low = middle + 1;
    else
      high = middle;
  }
  path_coordinate.x = std::min(low, a_len);
  path_coordinate.y = diagonal - low;
}

} // namespace cub

#endif
