// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cub::DeviceSegmentedRadixSort and cub::DeviceSegmentedSort: each segment of an array sorted by
// itself. Equal keys keep their order.
//
// CUB documentation, 'DeviceSegmentedRadixSort', 'DeviceSegmentedSort'.
#ifndef CU2CPP_CUB_DEVICE_SEGMENTED_SORT_CUH
#define CU2CPP_CUB_DEVICE_SEGMENTED_SORT_CUH

#include <algorithm>
#include <vector>

#include <cub/detail/device.cuh>

namespace cub {
namespace detail {

template <bool descending, class Key, class Value, class Begins, class Ends>
inline cudaError_t sortSegments(void* temp, size_t& bytes, const Key* keysIn, Key* keysOut,
                                const Value* valuesIn, Value* valuesOut, long long segments,
                                Begins begins, Ends ends, int low, int high, cudaStream_t stream) {
  char* nothing;
  if (const auto done = reserve(temp, bytes, nothing, 1))
    return *done;
  return ::cu2cpp::parallel::enqueuePieces(
      stream, ::cu2cpp::parallel::Pieces(std::size_t(segments), 1),
      [=](::cu2cpp::parallel::Piece piece) {
        constexpr bool pairs = !std::is_same<Value, NullType>::value;
        struct Item {
          Key key;
          Value value;
        };
        std::vector<Item> items;
        for (std::size_t s = piece.begin; s < piece.end; ++s) {
          const std::ptrdiff_t begin = begins[std::ptrdiff_t(s)], end = ends[std::ptrdiff_t(s)];
          items.clear();
          for (std::ptrdiff_t i = begin; i < end; ++i) {
            if constexpr (pairs)
              items.push_back({keysIn[i], valuesIn[i]});
            else
              items.push_back({keysIn[i], {}});
          }
          std::stable_sort(items.begin(), items.end(), [=](const Item& a, const Item& b) {
            return descending ? digitsOf(b.key, low, high) < digitsOf(a.key, low, high)
                              : digitsOf(a.key, low, high) < digitsOf(b.key, low, high);
          });
          for (std::ptrdiff_t i = begin; i < end; ++i) {
            keysOut[i] = items[std::size_t(i - begin)].key;
            if constexpr (pairs)
              valuesOut[i] = items[std::size_t(i - begin)].value;
          }
        }
      });
}
template <bool descending, class Key, class Value, class Begins, class Ends>
inline cudaError_t sortSegments(void* temp, size_t& bytes, DoubleBuffer<Key>& keys,
                                DoubleBuffer<Value>& values, long long segments, Begins begins,
                                Ends ends, int low, int high, cudaStream_t stream) {
  const cudaError_t error =
      sortSegments<descending>(temp, bytes, static_cast<const Key*>(keys.Current()),
                               keys.Alternate(), static_cast<const Value*>(values.Current()),
                               values.Alternate(), segments, begins, ends, low, high, stream);
  if (temp && error == cudaSuccess) {
    keys.selector ^= 1;
    values.selector ^= 1;
  }
  return error;
}

} // namespace detail

// `more` is what follows the offsets: the bits of radix sorts.
#define CU2CPP_CUB_SEGMENTED_SORT(pairs, keys, descending, more, low, high)                        \
  template <class KeyT, class ValueT, class Begins, class Ends>                                    \
  static cudaError_t pairs(                                                                        \
      void* d_temp_storage, size_t& temp_storage_bytes, const KeyT* d_keys_in, KeyT* d_keys_out,   \
      const ValueT* d_values_in, ValueT* d_values_out, long long, long long num_segments,          \
      Begins d_begin_offsets, Ends d_end_offsets, more cudaStream_t stream = 0, bool = false) {    \
    return detail::sortSegments<descending>(d_temp_storage, temp_storage_bytes, d_keys_in,         \
                                            d_keys_out, d_values_in, d_values_out, num_segments,   \
                                            d_begin_offsets, d_end_offsets, low, high, stream);    \
  }                                                                                                \
  template <class KeyT, class ValueT, class Begins, class Ends>                                    \
  static cudaError_t pairs(void* d_temp_storage, size_t& temp_storage_bytes,                       \
                           DoubleBuffer<KeyT>& d_keys, DoubleBuffer<ValueT>& d_values, long long,  \
                           long long num_segments, Begins d_begin_offsets, Ends d_end_offsets,     \
                           more cudaStream_t stream = 0, bool = false) {                           \
    return detail::sortSegments<descending>(d_temp_storage, temp_storage_bytes, d_keys, d_values,  \
                                            num_segments, d_begin_offsets, d_end_offsets, low,     \
                                            high, stream);                                         \
  }                                                                                                \
  template <class KeyT, class Begins, class Ends>                                                  \
  static cudaError_t keys(void* d_temp_storage, size_t& temp_storage_bytes, const KeyT* d_keys_in, \
                          KeyT* d_keys_out, long long, long long num_segments,                     \
                          Begins d_begin_offsets, Ends d_end_offsets,                              \
                          more cudaStream_t stream = 0, bool = false) {                            \
    return detail::sortSegments<descending>(d_temp_storage, temp_storage_bytes, d_keys_in,         \
                                            d_keys_out, static_cast<const NullType*>(nullptr),     \
                                            static_cast<NullType*>(nullptr), num_segments,         \
                                            d_begin_offsets, d_end_offsets, low, high, stream);    \
  }                                                                                                \
  template <class KeyT, class Begins, class Ends>                                                  \
  static cudaError_t keys(void* d_temp_storage, size_t& temp_storage_bytes,                        \
                          DoubleBuffer<KeyT>& d_keys, long long, long long num_segments,           \
                          Begins d_begin_offsets, Ends d_end_offsets,                              \
                          more cudaStream_t stream = 0, bool = false) {                            \
    DoubleBuffer<NullType> nothing;                                                                \
    return detail::sortSegments<descending>(d_temp_storage, temp_storage_bytes, d_keys, nothing,   \
                                            num_segments, d_begin_offsets, d_end_offsets, low,     \
                                            high, stream);                                         \
  }
#define CU2CPP_CUB_BITS int begin_bit = 0, int end_bit = sizeof(KeyT) * 8,
#define CU2CPP_CUB_NO_BITS

struct DeviceSegmentedRadixSort {
  CU2CPP_CUB_SEGMENTED_SORT(SortPairs, SortKeys, false, CU2CPP_CUB_BITS, begin_bit, end_bit)
  CU2CPP_CUB_SEGMENTED_SORT(SortPairsDescending, SortKeysDescending, true, CU2CPP_CUB_BITS,
                            begin_bit, end_bit)
};

struct DeviceSegmentedSort {
  CU2CPP_CUB_SEGMENTED_SORT(SortPairs, SortKeys, false, CU2CPP_CUB_NO_BITS, 0, sizeof(KeyT) * 8)
  CU2CPP_CUB_SEGMENTED_SORT(SortPairsDescending, SortKeysDescending, true, CU2CPP_CUB_NO_BITS, 0,
                            sizeof(KeyT) * 8)
  CU2CPP_CUB_SEGMENTED_SORT(StableSortPairs, StableSortKeys, false, CU2CPP_CUB_NO_BITS, 0,
                            sizeof(KeyT) * 8)
  CU2CPP_CUB_SEGMENTED_SORT(StableSortPairsDescending, StableSortKeysDescending, true,
                            CU2CPP_CUB_NO_BITS, 0, sizeof(KeyT) * 8)
};

#undef CU2CPP_CUB_SEGMENTED_SORT
#undef CU2CPP_CUB_BITS
#undef CU2CPP_CUB_NO_BITS

} // namespace cub

#endif
