// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cub::DevicePartition: the selected items first, in their order, and the others behind them from
// the end on.
//
// CUB documentation, 'DevicePartition'.
#ifndef CU2CPP_CUB_DEVICE_PARTITION_CUH
#define CU2CPP_CUB_DEVICE_PARTITION_CUH

#include <cub/detail/device_runs.cuh>

namespace cub {
namespace detail {

template <class In, class Out, class NumOut, class Select>
inline cudaError_t partition(void* temp, size_t& bytes, In in, Out out, NumOut numOut,
                             long long size, Select select, cudaStream_t stream) {
  std::size_t* before;
  if (const auto done = reserve(temp, bytes, before, ::cu2cpp::parallel::Pieces::most + 1))
    return *done;
  const ::cu2cpp::parallel::Pieces pieces((std::size_t(size)));
  ::cu2cpp::parallel::Steps steps(stream);
  steps.each(pieces, [=](::cu2cpp::parallel::Piece piece) mutable {
    std::size_t count = 0;
    for (std::size_t i = piece.begin; i < piece.end; ++i)
      count += select(i) ? 1 : 0;
    before[piece.index + 1] = count;
  });
  steps.once([=]() mutable {
    before[0] = 0;
    for (unsigned i = 0; i < pieces.count; ++i)
      before[i + 1] += before[i];
    *numOut = static_cast<std::decay_t<ResultOf<NumOut, const long long*>>>(before[pieces.count]);
  });
  steps.each(pieces, [=](::cu2cpp::parallel::Piece piece) mutable {
    std::size_t chosen = before[piece.index], others = piece.begin - chosen;
    for (std::size_t i = piece.begin; i < piece.end; ++i)
      if (select(i))
        out[std::ptrdiff_t(chosen++)] = in[std::ptrdiff_t(i)];
      else
        out[std::ptrdiff_t(size) - 1 - std::ptrdiff_t(others++)] = in[std::ptrdiff_t(i)];
  });
  return steps.error();
}

} // namespace detail

struct DevicePartition {
  template <class In, class Flags, class Out, class NumOut>
  static cudaError_t Flagged(void* d_temp_storage, size_t& temp_storage_bytes, In d_in,
                             Flags d_flags, Out d_out, NumOut d_num_selected_out,
                             long long num_items, cudaStream_t stream = 0, bool = false) {
    return detail::partition(
        d_temp_storage, temp_storage_bytes, d_in, d_out, d_num_selected_out, num_items,
        [d_flags](std::size_t i) { return bool(d_flags[std::ptrdiff_t(i)]); }, stream);
  }
  template <class In, class Out, class NumOut, class SelectOp>
  static cudaError_t If(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                        NumOut d_num_selected_out, long long num_items, SelectOp select_op,
                        cudaStream_t stream = 0, bool = false) {
    return detail::partition(
        d_temp_storage, temp_storage_bytes, d_in, d_out, d_num_selected_out, num_items,
        [d_in, select_op](std::size_t i) mutable {
          return bool(select_op(d_in[std::ptrdiff_t(i)]));
        },
        stream);
  }
  /// Three parts: an item goes to the first that takes it, each part keeps the order.
  template <class In, class First, class Second, class Others, class NumOut, class SelectFirst,
            class SelectSecond>
  static cudaError_t If(void* d_temp_storage, size_t& temp_storage_bytes, In d_in,
                        First d_first_part_out, Second d_second_part_out, Others d_unselected_out,
                        NumOut d_num_selected_out, long long num_items,
                        SelectFirst select_first_part_op, SelectSecond select_second_part_op,
                        cudaStream_t stream = 0, bool = false) {
    char* nothing;
    if (const auto done = detail::reserve(d_temp_storage, temp_storage_bytes, nothing, 1))
      return *done;
    return ::cu2cpp::parallel::enqueueOnce(stream, [=]() mutable {
      std::ptrdiff_t first = 0, second = 0, others = 0;
      for (std::ptrdiff_t i = 0; i < num_items; ++i)
        if (select_first_part_op(d_in[i]))
          d_first_part_out[first++] = d_in[i];
        else if (select_second_part_op(d_in[i]))
          d_second_part_out[second++] = d_in[i];
        else
          d_unselected_out[others++] = d_in[i];
      d_num_selected_out[0] = first;
      d_num_selected_out[1] = second;
    });
  }
};

} // namespace cub

#endif
