// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cub::DeviceScan: running totals of arrays, by key as well.
//
// CUB documentation, 'DeviceScan'.
#ifndef CU2CPP_CUB_DEVICE_SCAN_CUH
#define CU2CPP_CUB_DEVICE_SCAN_CUH

#include <cu2cpp/parallel/reduce_scan.h>
#include <cub/detail/device.cuh>
#include <cub/thread/thread_operators.cuh>

namespace cub {
namespace detail {

template <bool inclusive, bool hasStart, class T, class In, class Out, class Op>
inline cudaError_t scanInto(void* temp, size_t& bytes, In in, Out out, long long size, Op op,
                            T start, cudaStream_t stream) {
  T* totals;
  if (const auto done = reserve(temp, bytes, totals, ::cu2cpp::parallel::Pieces::most))
    return *done;
  ::cu2cpp::parallel::Steps steps(stream);
  ::cu2cpp::parallel::addScan<inclusive, hasStart>(steps, in, out, std::size_t(size), start, op,
                                                   totals);
  return steps.error();
}

/// Each piece goes back to where its first key begins, or takes over from the piece before it.
template <bool inclusive, class T, class Keys, class In, class Out, class Op, class Equal>
inline cudaError_t scanByKey(void* temp, size_t& bytes, Keys keys, In in, Out out, long long size,
                             Op op, const T* start, Equal equal, cudaStream_t stream) {
  struct Carry {
    T total;
    bool any, whole; // has a total; no key begins in the piece
  };
  Carry* carry;
  if (const auto done = reserve(temp, bytes, carry, ::cu2cpp::parallel::Pieces::most))
    return *done;
  const ::cu2cpp::parallel::Pieces pieces((std::size_t(size)));
  const bool hasStart = start != nullptr;
  const T first = start ? *start : T{};
  const auto begins = [keys, equal](std::size_t i) mutable {
    return i == 0 || !equal(keys[std::ptrdiff_t(i) - 1], keys[std::ptrdiff_t(i)]);
  };
  ::cu2cpp::parallel::Steps steps(stream);
  steps.each(pieces, [=](::cu2cpp::parallel::Piece piece) mutable {
    Carry mine{T{}, false, true};
    for (std::size_t i = piece.begin; i < piece.end; ++i) {
      if (begins(i)) {
        mine.whole = false;
        mine.any = false;
      }
      const T value = static_cast<T>(in[std::ptrdiff_t(i)]);
      mine.total = mine.any ? T(op(mine.total, value)) : value;
      mine.any = true;
    }
    ::new (static_cast<void*>(carry + piece.index)) Carry(mine);
  });
  steps.once([=]() mutable {
    Carry before{T{}, false, true};
    for (unsigned i = 0; i < pieces.count; ++i) {
      const Carry own = carry[i];
      carry[i] = before;
      if (own.whole && before.any)
        before.total = op(before.total, own.total);
      else
        before = own;
    }
  });
  steps.each(pieces, [=](::cu2cpp::parallel::Piece piece) mutable {
    Carry before = carry[piece.index];
    if (hasStart && before.any)
      before.total = op(first, before.total);
    for (std::size_t i = piece.begin; i < piece.end; ++i) {
      if (begins(i)) {
        before.any = hasStart;
        before.total = first;
      }
      const T value = static_cast<T>(in[std::ptrdiff_t(i)]);
      const T next = before.any ? T(op(before.total, value)) : value;
      out[std::ptrdiff_t(i)] = inclusive ? next : before.total;
      before.total = next;
      before.any = true;
    }
  });
  return steps.error();
}

} // namespace detail

struct DeviceScan {
  template <class In, class Out, class N>
  static cudaError_t ExclusiveSum(void* d_temp_storage, size_t& temp_storage_bytes, In d_in,
                                  Out d_out, N num_items, cudaStream_t stream = 0, bool = false) {
    using T = detail::ValueOf<In>;
    return detail::scanInto<false, true, T>(d_temp_storage, temp_storage_bytes, d_in, d_out,
                                            num_items, cub::Sum(), T{}, stream);
  }
  template <class In, class Out, class ScanOp, class T, class N>
  static cudaError_t ExclusiveScan(void* d_temp_storage, size_t& temp_storage_bytes, In d_in,
                                   Out d_out, ScanOp scan_op, T init_value, N num_items,
                                   cudaStream_t stream = 0, bool = false) {
    return detail::scanInto<false, true, T>(d_temp_storage, temp_storage_bytes, d_in, d_out,
                                            num_items, scan_op, init_value, stream);
  }
  template <class In, class Out, class N>
  static cudaError_t InclusiveSum(void* d_temp_storage, size_t& temp_storage_bytes, In d_in,
                                  Out d_out, N num_items, cudaStream_t stream = 0, bool = false) {
    using T = detail::ValueOf<In>;
    return detail::scanInto<true, false, T>(d_temp_storage, temp_storage_bytes, d_in, d_out,
                                            num_items, cub::Sum(), T{}, stream);
  }
  template <class In, class Out, class ScanOp, class N>
  static cudaError_t InclusiveScan(void* d_temp_storage, size_t& temp_storage_bytes, In d_in,
                                   Out d_out, ScanOp scan_op, N num_items, cudaStream_t stream = 0,
                                   bool = false) {
    using T = detail::ValueOf<In>;
    return detail::scanInto<true, false, T>(d_temp_storage, temp_storage_bytes, d_in, d_out,
                                            num_items, scan_op, T{}, stream);
  }
  // In place.
  template <class It, class N, std::enable_if_t<std::is_integral<N>::value, int> = 0>
  static cudaError_t ExclusiveSum(void* d_temp_storage, size_t& temp_storage_bytes, It d_data,
                                  N num_items, cudaStream_t stream = 0) {
    return ExclusiveSum(d_temp_storage, temp_storage_bytes, d_data, d_data, num_items, stream);
  }
  template <class It, class N, std::enable_if_t<std::is_integral<N>::value, int> = 0>
  static cudaError_t InclusiveSum(void* d_temp_storage, size_t& temp_storage_bytes, It d_data,
                                  N num_items, cudaStream_t stream = 0) {
    return InclusiveSum(d_temp_storage, temp_storage_bytes, d_data, d_data, num_items, stream);
  }

  template <class Keys, class In, class Out, class N, class Equal = Equality>
  static cudaError_t ExclusiveSumByKey(void* d_temp_storage, size_t& temp_storage_bytes,
                                       Keys d_keys_in, In d_values_in, Out d_values_out,
                                       N num_items, Equal equality_op = Equal(),
                                       cudaStream_t stream = 0, bool = false) {
    using T = detail::ValueOf<In>;
    const T start{};
    return detail::scanByKey<false, T>(d_temp_storage, temp_storage_bytes, d_keys_in, d_values_in,
                                       d_values_out, num_items, cub::Sum(), &start, equality_op,
                                       stream);
  }
  template <class Keys, class In, class Out, class ScanOp, class T, class N, class Equal = Equality>
  static cudaError_t
  ExclusiveScanByKey(void* d_temp_storage, size_t& temp_storage_bytes, Keys d_keys_in,
                     In d_values_in, Out d_values_out, ScanOp scan_op, T init_value, N num_items,
                     Equal equality_op = Equal(), cudaStream_t stream = 0, bool = false) {
    return detail::scanByKey<false, T>(d_temp_storage, temp_storage_bytes, d_keys_in, d_values_in,
                                       d_values_out, num_items, scan_op, &init_value, equality_op,
                                       stream);
  }
  template <class Keys, class In, class Out, class N, class Equal = Equality>
  static cudaError_t InclusiveSumByKey(void* d_temp_storage, size_t& temp_storage_bytes,
                                       Keys d_keys_in, In d_values_in, Out d_values_out,
                                       N num_items, Equal equality_op = Equal(),
                                       cudaStream_t stream = 0, bool = false) {
    using T = detail::ValueOf<In>;
    return detail::scanByKey<true, T>(d_temp_storage, temp_storage_bytes, d_keys_in, d_values_in,
                                      d_values_out, num_items, cub::Sum(),
                                      static_cast<const T*>(nullptr), equality_op, stream);
  }
  template <class Keys, class In, class Out, class ScanOp, class N, class Equal = Equality>
  static cudaError_t InclusiveScanByKey(void* d_temp_storage, size_t& temp_storage_bytes,
                                        Keys d_keys_in, In d_values_in, Out d_values_out,
                                        ScanOp scan_op, N num_items, Equal equality_op = Equal(),
                                        cudaStream_t stream = 0, bool = false) {
    using T = detail::ValueOf<In>;
    return detail::scanByKey<true, T>(d_temp_storage, temp_storage_bytes, d_keys_in, d_values_in,
                                      d_values_out, num_items, scan_op,
                                      static_cast<const T*>(nullptr), equality_op, stream);
  }
};

} // namespace cub

#endif
