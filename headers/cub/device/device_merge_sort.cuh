// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cub::DeviceMergeSort: items sorted by any comparison, alone or with values that go with them.
//
// CUB documentation, 'DeviceMergeSort'.
#ifndef CU2CPP_CUB_DEVICE_MERGE_SORT_CUH
#define CU2CPP_CUB_DEVICE_MERGE_SORT_CUH

#include <cu2cpp/parallel/merge_sort.h>
#include <cub/detail/device.cuh>

namespace cub {
namespace detail {

/// Items are copied to temporary memory, sorted there and copied out.
template <class Type, class Make, class Store, class Less>
inline cudaError_t mergeSortBy(void* temp, size_t& bytes, long long size, Make make, Store store,
                               Less less, cudaStream_t stream) {
  Type *data, *scratch;
  const std::size_t n = std::size_t(size);
  if (const auto done = reserveAll(temp, bytes, Part<Type>{&data, n}, Part<Type>{&scratch, n}))
    return *done;
  const ::cu2cpp::parallel::Pieces pieces(n);
  ::cu2cpp::parallel::Steps steps(stream);
  steps.each(pieces, [=](::cu2cpp::parallel::Piece piece) mutable {
    for (std::size_t i = piece.begin; i < piece.end; ++i) {
      ::new (static_cast<void*>(data + i)) Type(make(std::ptrdiff_t(i)));
      ::new (static_cast<void*>(scratch + i)) Type(data[i]);
    }
  });
  ::cu2cpp::parallel::addMergeSort(steps, data, scratch, n, less);
  steps.each(pieces, [=](::cu2cpp::parallel::Piece piece) mutable {
    for (std::size_t i = piece.begin; i < piece.end; ++i)
      store(std::ptrdiff_t(i), data[i]);
  });
  return steps.error();
}
template <class In, class Out, class Less>
inline cudaError_t mergeSortKeys(void* temp, size_t& bytes, In in, Out out, long long size,
                                 Less less, cudaStream_t stream) {
  using Type = ValueOf<In>;
  return mergeSortBy<Type>(
      temp, bytes, size, [in](std::ptrdiff_t i) { return Type(in[i]); },
      [out](std::ptrdiff_t i, const Type& item) mutable { out[i] = item; }, less, stream);
}
template <class Key, class Value> struct SortedPair {
  Key key;
  Value value;
};
template <class KeysIn, class ValuesIn, class Keys, class Values, class Less>
inline cudaError_t mergeSortPairs(void* temp, size_t& bytes, KeysIn keysIn, ValuesIn valuesIn,
                                  Keys keys, Values values, long long size, Less less,
                                  cudaStream_t stream) {
  using Pair = SortedPair<ValueOf<KeysIn>, ValueOf<ValuesIn>>;
  return mergeSortBy<Pair>(
      temp, bytes, size, [=](std::ptrdiff_t i) { return Pair{keysIn[i], valuesIn[i]}; },
      [=](std::ptrdiff_t i, const Pair& item) mutable {
        keys[i] = item.key;
        values[i] = item.value;
      },
      [less](const Pair& a, const Pair& b) mutable { return less(a.key, b.key); }, stream);
}

} // namespace detail

struct DeviceMergeSort {
#define CU2CPP_CUB_MERGE_SORT(keys_name, pairs_name)                                               \
  template <class Keys, class Count, class CompareOp>                                              \
  static cudaError_t keys_name(void* d_temp_storage, size_t& temp_storage_bytes, Keys d_keys,      \
                               Count num_items, CompareOp compare_op, cudaStream_t stream = 0,     \
                               bool = false) {                                                     \
    return detail::mergeSortKeys(d_temp_storage, temp_storage_bytes, d_keys, d_keys, num_items,    \
                                 compare_op, stream);                                              \
  }                                                                                                \
  template <class Keys, class Values, class Count, class CompareOp>                                \
  static cudaError_t pairs_name(void* d_temp_storage, size_t& temp_storage_bytes, Keys d_keys,     \
                                Values d_items, Count num_items, CompareOp compare_op,             \
                                cudaStream_t stream = 0, bool = false) {                           \
    return detail::mergeSortPairs(d_temp_storage, temp_storage_bytes, d_keys, d_items, d_keys,     \
                                  d_items, num_items, compare_op, stream);                         \
  }
  CU2CPP_CUB_MERGE_SORT(SortKeys, SortPairs)
  CU2CPP_CUB_MERGE_SORT(StableSortKeys, StableSortPairs)
#undef CU2CPP_CUB_MERGE_SORT
  template <class In, class Keys, class Count, class CompareOp>
  static cudaError_t SortKeysCopy(void* d_temp_storage, size_t& temp_storage_bytes, In d_input_keys,
                                  Keys d_output_keys, Count num_items, CompareOp compare_op,
                                  cudaStream_t stream = 0, bool = false) {
    return detail::mergeSortKeys(d_temp_storage, temp_storage_bytes, d_input_keys, d_output_keys,
                                 num_items, compare_op, stream);
  }
  template <class In, class Keys, class Count, class CompareOp>
  static cudaError_t StableSortKeysCopy(void* d_temp_storage, size_t& temp_storage_bytes,
                                        In d_input_keys, Keys d_output_keys, Count num_items,
                                        CompareOp compare_op, cudaStream_t stream = 0) {
    return detail::mergeSortKeys(d_temp_storage, temp_storage_bytes, d_input_keys, d_output_keys,
                                 num_items, compare_op, stream);
  }
  template <class KeysIn, class ValuesIn, class Keys, class Values, class Count, class CompareOp>
  static cudaError_t SortPairsCopy(void* d_temp_storage, size_t& temp_storage_bytes,
                                   KeysIn d_input_keys, ValuesIn d_input_items, Keys d_output_keys,
                                   Values d_output_items, Count num_items, CompareOp compare_op,
                                   cudaStream_t stream = 0, bool = false) {
    return detail::mergeSortPairs(d_temp_storage, temp_storage_bytes, d_input_keys, d_input_items,
                                  d_output_keys, d_output_items, num_items, compare_op, stream);
  }
};

} // namespace cub

#endif
