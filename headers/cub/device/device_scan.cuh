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

template <bool inclusive, bool hasStart, class Type, class In, class Out, class Op>
inline cudaError_t scanInto(void* temp, size_t& bytes, In in, Out out, long long size, Op op,
                            Type start, cudaStream_t stream) {
  Type* totals;
  if (const auto done = reserve(temp, bytes, totals, ::cu2cpp::parallel::Pieces::most))
    return *done;
  ::cu2cpp::parallel::Steps steps(stream);
  ::cu2cpp::parallel::addScan<inclusive, hasStart>(steps, in, out, std::size_t(size), start, op,
                                                   totals);
  return steps.error();
}

/// Each piece goes back to where its first key begins, or takes over from the piece before it.
template <bool inclusive, class Type, class Keys, class In, class Out, class Op, class Equal>
inline cudaError_t scanByKey(void* temp, size_t& bytes, Keys keys, In in, Out out, long long size,
                             Op op, const Type* start, Equal equal, cudaStream_t stream) {
  struct Carry {
    Type total;
    bool any, whole; // has a total; no key begins in the piece
  };
  Carry* carry;
  if (const auto done = reserve(temp, bytes, carry, ::cu2cpp::parallel::Pieces::most))
    return *done;
  const ::cu2cpp::parallel::Pieces pieces((std::size_t(size)));
  const bool hasStart = start != nullptr;
  const Type first = start ? *start : Type{};
  const auto begins = [keys, equal](std::size_t i) mutable {
    return i == 0 || !equal(keys[std::ptrdiff_t(i) - 1], keys[std::ptrdiff_t(i)]);
  };
  ::cu2cpp::parallel::Steps steps(stream);
  steps.each(pieces, [=](::cu2cpp::parallel::Piece piece) mutable {
    Carry mine{Type{}, false, true};
    for (std::size_t i = piece.begin; i < piece.end; ++i) {
      if (begins(i)) {
        mine.whole = false;
        mine.any = false;
      }
      const Type value = static_cast<Type>(in[std::ptrdiff_t(i)]);
      mine.total = mine.any ? Type(op(mine.total, value)) : value;
      mine.any = true;
    }
    ::new (static_cast<void*>(carry + piece.index)) Carry(mine);
  });
  steps.once([=]() mutable {
    Carry before{Type{}, false, true};
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
      const Type value = static_cast<Type>(in[std::ptrdiff_t(i)]);
      const Type next = before.any ? Type(op(before.total, value)) : value;
      out[std::ptrdiff_t(i)] = inclusive ? next : before.total;
      before.total = next;
      before.any = true;
    }
  });
  return steps.error();
}

} // namespace detail

struct DeviceScan {
  template <class In, class Out, class Count>
  static cudaError_t ExclusiveSum(void* d_temp_storage, size_t& temp_storage_bytes, In d_in,
                                  Out d_out, Count num_items, cudaStream_t stream = 0,
                                  bool = false) {
    using Type = detail::ValueOf<In>;
    return detail::scanInto<false, true, Type>(d_temp_storage, temp_storage_bytes, d_in, d_out,
                                               num_items, cub::Sum(), Type{}, stream);
  }
  template <class In, class Out, class ScanOp, class Type, class Count>
  static cudaError_t ExclusiveScan(void* d_temp_storage, size_t& temp_storage_bytes, In d_in,
                                   Out d_out, ScanOp scan_op, Type init_value, Count num_items,
                                   cudaStream_t stream = 0, bool = false) {
    return detail::scanInto<false, true, Type>(d_temp_storage, temp_storage_bytes, d_in, d_out,
                                               num_items, scan_op, init_value, stream);
  }
  template <class In, class Out, class Count>
  static cudaError_t InclusiveSum(void* d_temp_storage, size_t& temp_storage_bytes, In d_in,
                                  Out d_out, Count num_items, cudaStream_t stream = 0,
                                  bool = false) {
    using Type = detail::ValueOf<In>;
    return detail::scanInto<true, false, Type>(d_temp_storage, temp_storage_bytes, d_in, d_out,
                                               num_items, cub::Sum(), Type{}, stream);
  }
  template <class In, class Out, class ScanOp, class Count>
  static cudaError_t InclusiveScan(void* d_temp_storage, size_t& temp_storage_bytes, In d_in,
                                   Out d_out, ScanOp scan_op, Count num_items,
                                   cudaStream_t stream = 0, bool = false) {
    using Type = detail::ValueOf<In>;
    return detail::scanInto<true, false, Type>(d_temp_storage, temp_storage_bytes, d_in, d_out,
                                               num_items, scan_op, Type{}, stream);
  }
  // In place.
  template <class It, class Count, std::enable_if_t<std::is_integral<Count>::value, int> = 0>
  static cudaError_t ExclusiveSum(void* d_temp_storage, size_t& temp_storage_bytes, It d_data,
                                  Count num_items, cudaStream_t stream = 0) {
    return ExclusiveSum(d_temp_storage, temp_storage_bytes, d_data, d_data, num_items, stream);
  }
  template <class It, class Count, std::enable_if_t<std::is_integral<Count>::value, int> = 0>
  static cudaError_t InclusiveSum(void* d_temp_storage, size_t& temp_storage_bytes, It d_data,
                                  Count num_items, cudaStream_t stream = 0) {
    return InclusiveSum(d_temp_storage, temp_storage_bytes, d_data, d_data, num_items, stream);
  }

  template <class Keys, class In, class Out, class Count, class Equal = Equality>
  static cudaError_t ExclusiveSumByKey(void* d_temp_storage, size_t& temp_storage_bytes,
                                       Keys d_keys_in, In d_values_in, Out d_values_out,
                                       Count num_items, Equal equality_op = Equal(),
                                       cudaStream_t stream = 0, bool = false) {
    using Type = detail::ValueOf<In>;
    const Type start{};
    return detail::scanByKey<false, Type>(d_temp_storage, temp_storage_bytes, d_keys_in,
                                          d_values_in, d_values_out, num_items, cub::Sum(), &start,
                                          equality_op, stream);
  }
  template <class Keys, class In, class Out, class ScanOp, class Type, class Count,
            class Equal = Equality>
  static cudaError_t ExclusiveScanByKey(void* d_temp_storage, size_t& temp_storage_bytes,
                                        Keys d_keys_in, In d_values_in, Out d_values_out,
                                        ScanOp scan_op, Type init_value, Count num_items,
                                        Equal equality_op = Equal(), cudaStream_t stream = 0,
                                        bool = false) {
    return detail::scanByKey<false, Type>(d_temp_storage, temp_storage_bytes, d_keys_in,
                                          d_values_in, d_values_out, num_items, scan_op,
                                          &init_value, equality_op, stream);
  }
  template <class Keys, class In, class Out, class Count, class Equal = Equality>
  static cudaError_t InclusiveSumByKey(void* d_temp_storage, size_t& temp_storage_bytes,
                                       Keys d_keys_in, In d_values_in, Out d_values_out,
                                       Count num_items, Equal equality_op = Equal(),
                                       cudaStream_t stream = 0, bool = false) {
    using Type = detail::ValueOf<In>;
    return detail::scanByKey<true, Type>(d_temp_storage, temp_storage_bytes, d_keys_in, d_values_in,
                                         d_values_out, num_items, cub::Sum(),
                                         static_cast<const Type*>(nullptr), equality_op, stream);
  }
  template <class Keys, class In, class Out, class ScanOp, class Count, class Equal = Equality>
  static cudaError_t
  InclusiveScanByKey(void* d_temp_storage, size_t& temp_storage_bytes, Keys d_keys_in,
                     In d_values_in, Out d_values_out, ScanOp scan_op, Count num_items,
                     Equal equality_op = Equal(), cudaStream_t stream = 0, bool = false) {
    using Type = detail::ValueOf<In>;
    return detail::scanByKey<true, Type>(d_temp_storage, temp_storage_bytes, d_keys_in, d_values_in,
                                         d_values_out, num_items, scan_op,
                                         static_cast<const Type*>(nullptr), equality_op, stream);
  }
};

} // namespace cub

#endif
