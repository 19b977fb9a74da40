// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cub::DeviceAdjacentDifference: a function of each item and its left or right neighbour.
//
// CUB documentation, 'DeviceAdjacentDifference'.
#ifndef CU2CPP_CUB_DEVICE_ADJACENT_DIFFERENCE_CUH
#define CU2CPP_CUB_DEVICE_ADJACENT_DIFFERENCE_CUH

#include <cub/detail/device.cuh>
#include <cub/thread/thread_operators.cuh>

namespace cub {
namespace detail {

/// In place by way of a copy: neighbours are read after they would have been changed.
template <bool left, class In, class Out, class Op>
inline cudaError_t differences(void* temp, size_t& bytes, In in, Out out, long long size, Op op,
                               cudaStream_t stream) {
  using Type = ValueOf<In>;
  Type* copy;
  if (const auto done = reserve(temp, bytes, copy, std::size_t(size)))
    return *done;
  const ::cu2cpp::parallel::Pieces pieces((std::size_t(size)));
  ::cu2cpp::parallel::Steps steps(stream);
  steps.each(pieces, [=](::cu2cpp::parallel::Piece piece) {
    for (std::size_t i = piece.begin; i < piece.end; ++i)
      ::new (static_cast<void*>(copy + i)) Type(in[std::ptrdiff_t(i)]);
  });
  steps.each(pieces, [=](::cu2cpp::parallel::Piece piece) mutable {
    for (std::size_t i = piece.begin; i < piece.end; ++i) {
      const bool alone = left ? i == 0 : i + 1 == std::size_t(size);
      if (alone)
        out[std::ptrdiff_t(i)] = copy[i];
      else
        out[std::ptrdiff_t(i)] = op(copy[i], copy[left ? i - 1 : i + 1]);
    }
  });
  return steps.error();
}

} // namespace detail

struct DeviceAdjacentDifference {
  template <class In, class Out, class Count, class DifferenceOp = Difference>
  static cudaError_t SubtractLeftCopy(void* d_temp_storage, size_t& temp_storage_bytes, In d_input,
                                      Out d_output, Count num_items, DifferenceOp op = {},
                                      cudaStream_t stream = 0, bool = false) {
    return detail::differences<true>(d_temp_storage, temp_storage_bytes, d_input, d_output,
                                     num_items, op, stream);
  }
  template <class It, class Count, class DifferenceOp = Difference>
  static cudaError_t SubtractLeft(void* d_temp_storage, size_t& temp_storage_bytes, It d_input,
                                  Count num_items, DifferenceOp op = {}, cudaStream_t stream = 0,
                                  bool = false) {
    return detail::differences<true>(d_temp_storage, temp_storage_bytes, d_input, d_input,
                                     num_items, op, stream);
  }
  template <class In, class Out, class Count, class DifferenceOp = Difference>
  static cudaError_t SubtractRightCopy(void* d_temp_storage, size_t& temp_storage_bytes, In d_input,
                                       Out d_output, Count num_items, DifferenceOp op = {},
                                       cudaStream_t stream = 0, bool = false) {
    return detail::differences<false>(d_temp_storage, temp_storage_bytes, d_input, d_output,
                                      num_items, op, stream);
  }
  template <class It, class Count, class DifferenceOp = Difference>
  static cudaError_t SubtractRight(void* d_temp_storage, size_t& temp_storage_bytes, It d_input,
                                   Count num_items, DifferenceOp op = {}, cudaStream_t stream = 0,
                                   bool = false) {
    return detail::differences<false>(d_temp_storage, temp_storage_bytes, d_input, d_input,
                                      num_items, op, stream);
  }
};

} // namespace cub

#endif
