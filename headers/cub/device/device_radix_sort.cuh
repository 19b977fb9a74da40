// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cub::DeviceRadixSort: keys, or keys with values, sorted by some of the keys' bits. Equal keys
// keep their order.
//
// CUB documentation, 'DeviceRadixSort'.
#ifndef CU2CPP_CUB_DEVICE_RADIX_SORT_CUH
#define CU2CPP_CUB_DEVICE_RADIX_SORT_CUH

#include <cu2cpp/parallel/radix_sort.h>
#include <cub/detail/device.cuh>

namespace cub {
namespace detail {

/// radixSort() sorts from `keys[0]` by way of the other buffers: pass p reads from[p] and writes
/// to[p]. Values may be NullType, which is not touched.
template <bool descending, class Key, class Value>
inline void addRadixSort(::cu2cpp::parallel::Steps& steps, const Key* keysIn, Key* const (&keys)[2],
                         const Value* valuesIn, Value* const (&values)[2], std::size_t size,
                         int begin, int end, std::size_t* counts) {
  using ::cu2cpp::parallel::RadixSort;
  const int passes = RadixSort::passes(begin, end);
  // The last pass writes to buffer 0.
  for (int p = 0; p < passes; ++p) {
    const int target = (passes - 1 - p) % 2;
    const Key* const from = p == 0 ? keysIn : keys[1 - target];
    const Value* const valuesFrom = p == 0 ? valuesIn : values[1 - target];
    Key* const to = keys[target];
    Value* const valuesTo = values[target];
    const int low = begin + p * RadixSort::bitsPerPass;
    const int high = low + RadixSort::bitsPerPass < end ? low + RadixSort::bitsPerPass : end;
    const unsigned mask = (1u << (high - low)) - 1;
    ::cu2cpp::parallel::addRadixPass(
        steps, size, counts,
        [=](std::size_t i) {
          const unsigned digit = unsigned(keyBits(from[i]) >> low) & mask;
          return descending ? mask - digit : digit;
        },
        [=](std::size_t i, std::size_t at) {
          to[at] = from[i];
          if constexpr (!std::is_same<Value, NullType>::value)
            valuesTo[at] = valuesFrom[i];
        });
  }
  if (passes == 0)
    steps.each(::cu2cpp::parallel::Pieces(size),
               [=, to = keys[0], valuesTo = values[0]](::cu2cpp::parallel::Piece piece) {
                 for (std::size_t i = piece.begin; i < piece.end; ++i) {
                   to[i] = keysIn[i];
                   if constexpr (!std::is_same<Value, NullType>::value)
                     valuesTo[i] = valuesIn[i];
                 }
               });
}

template <bool descending, class Key, class Value>
inline cudaError_t radixSort(void* temp, size_t& bytes, const Key* keysIn, Key* keysOut,
                             const Value* valuesIn, Value* valuesOut, long long size, int begin,
                             int end, cudaStream_t stream) {
  static_assert(isKey<Key>, "radix sorts take numbers as keys");
  constexpr bool pairs = !std::is_same<Value, NullType>::value;
  Key* otherKeys;
  Value* otherValues;
  std::size_t* counts;
  const std::size_t n = std::size_t(size);
  if (const auto done = reserveAll(
          temp, bytes, Part<Key>{&otherKeys, n}, Part<Value>{&otherValues, pairs ? n : 0},
          Part<std::size_t>{&counts, ::cu2cpp::parallel::RadixSort::counters}))
    return *done;
  ::cu2cpp::parallel::Steps steps(stream);
  Key* const keys[2] = {keysOut, otherKeys};
  Value* const values[2] = {valuesOut, otherValues};
  addRadixSort<descending>(steps, keysIn, keys, valuesIn, values, n, begin, end, counts);
  return steps.error();
}

/// With the caller's two buffers: what the last pass writes is the current one then.
template <bool descending, class Key, class Value>
inline cudaError_t radixSort(void* temp, size_t& bytes, DoubleBuffer<Key>& keys,
                             DoubleBuffer<Value>& values, long long size, int begin, int end,
                             cudaStream_t stream) {
  static_assert(isKey<Key>, "radix sorts take numbers as keys");
  std::size_t* counts;
  if (const auto done = reserve(temp, bytes, counts, ::cu2cpp::parallel::RadixSort::counters))
    return *done;
  const int passes = ::cu2cpp::parallel::RadixSort::passes(begin, end);
  if (passes == 0)
    return cudaSuccess;
  const int target = passes % 2;
  Key* const keyBuffers[2] = {keys.d_buffers[keys.selector ^ target],
                              keys.d_buffers[keys.selector ^ target ^ 1]};
  Value* const valueBuffers[2] = {values.d_buffers[values.selector ^ target],
                                  values.d_buffers[values.selector ^ target ^ 1]};
  ::cu2cpp::parallel::Steps steps(stream);
  addRadixSort<descending>(steps, static_cast<const Key*>(keys.Current()), keyBuffers,
                           static_cast<const Value*>(values.Current()), valueBuffers,
                           std::size_t(size), begin, end, counts);
  keys.selector ^= target;
  values.selector ^= target;
  return steps.error();
}

} // namespace detail

struct DeviceRadixSort {
#define CU2CPP_CUB_RADIX_SORT(pairs, keys, descending)                                             \
  template <class KeyT, class ValueT, class Count>                                                 \
  static cudaError_t pairs(                                                                        \
      void* d_temp_storage, size_t& temp_storage_bytes, const KeyT* d_keys_in, KeyT* d_keys_out,   \
      const ValueT* d_values_in, ValueT* d_values_out, Count num_items, int begin_bit = 0,         \
      int end_bit = sizeof(KeyT) * 8, cudaStream_t stream = 0, bool = false) {                     \
    return detail::radixSort<descending>(                                                          \
        d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out, d_values_in, d_values_out,      \
        static_cast<long long>(num_items), begin_bit, end_bit, stream);                            \
  }                                                                                                \
  template <class KeyT, class ValueT, class Count>                                                 \
  static cudaError_t pairs(void* d_temp_storage, size_t& temp_storage_bytes,                       \
                           DoubleBuffer<KeyT>& d_keys, DoubleBuffer<ValueT>& d_values,             \
                           Count num_items, int begin_bit = 0, int end_bit = sizeof(KeyT) * 8,     \
                           cudaStream_t stream = 0, bool = false) {                                \
    return detail::radixSort<descending>(d_temp_storage, temp_storage_bytes, d_keys, d_values,     \
                                         static_cast<long long>(num_items), begin_bit, end_bit,    \
                                         stream);                                                  \
  }                                                                                                \
  template <class KeyT, class Count>                                                               \
  static cudaError_t keys(void* d_temp_storage, size_t& temp_storage_bytes, const KeyT* d_keys_in, \
                          KeyT* d_keys_out, Count num_items, int begin_bit = 0,                    \
                          int end_bit = sizeof(KeyT) * 8, cudaStream_t stream = 0, bool = false) { \
    return detail::radixSort<descending>(                                                          \
        d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out,                                 \
        static_cast<const NullType*>(nullptr), static_cast<NullType*>(nullptr),                    \
        static_cast<long long>(num_items), begin_bit, end_bit, stream);                            \
  }                                                                                                \
  template <class KeyT, class Count>                                                               \
  static cudaError_t keys(void* d_temp_storage, size_t& temp_storage_bytes,                        \
                          DoubleBuffer<KeyT>& d_keys, Count num_items, int begin_bit = 0,          \
                          int end_bit = sizeof(KeyT) * 8, cudaStream_t stream = 0, bool = false) { \
    DoubleBuffer<NullType> nothing;                                                                \
    return detail::radixSort<descending>(d_temp_storage, temp_storage_bytes, d_keys, nothing,      \
                                         static_cast<long long>(num_items), begin_bit, end_bit,    \
                                         stream);                                                  \
  }
  CU2CPP_CUB_RADIX_SORT(SortPairs, SortKeys, false)
  CU2CPP_CUB_RADIX_SORT(SortPairsDescending, SortKeysDescending, true)
#undef CU2CPP_CUB_RADIX_SORT
};

} // namespace cub

#endif
