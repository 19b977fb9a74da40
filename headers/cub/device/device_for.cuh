// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cub::DeviceFor: a functor for each number or each item.
//
// CUB documentation, 'DeviceFor'.
#ifndef CU2CPP_CUB_DEVICE_FOR_CUH
#define CU2CPP_CUB_DEVICE_FOR_CUH

#include <cub/detail/device.cuh>

namespace cub {

struct DeviceFor {
  template <class Shape, class Op>
  static cudaError_t Bulk(Shape shape, Op op, cudaStream_t stream = {}) {
    return ::cu2cpp::parallel::enqueuePieces(stream, ::cu2cpp::parallel::Pieces(std::size_t(shape)),
                                             [=](::cu2cpp::parallel::Piece piece) mutable {
                                               for (std::size_t i = piece.begin; i < piece.end; ++i)
                                                 op(static_cast<Shape>(i));
                                             });
  }
  template <class It, class Count, class Op>
  static cudaError_t ForEachN(It first, Count num_items, Op op, cudaStream_t stream = {}) {
    return Bulk(
        static_cast<std::ptrdiff_t>(num_items), [=](std::ptrdiff_t i) mutable { op(first[i]); },
        stream);
  }
  template <class It, class Op>
  static cudaError_t ForEach(It first, It last, Op op, cudaStream_t stream = {}) {
    return ForEachN(first, std::distance(first, last), op, stream);
  }
  template <class It, class Count, class Op>
  static cudaError_t ForEachCopyN(It first, Count num_items, Op op, cudaStream_t stream = {}) {
    return ForEachN(first, num_items, op, stream);
  }
  template <class It, class Op>
  static cudaError_t ForEachCopy(It first, It last, Op op, cudaStream_t stream = {}) {
    return ForEach(first, last, op, stream);
  }
  // In two phases, as the other functions.
  template <class Shape, class Op>
  static cudaError_t Bulk(void* d_temp_storage, size_t& temp_storage_bytes, Shape shape, Op op,
                          cudaStream_t stream = {}) {
    char* nothing;
    if (const auto done = detail::reserve(d_temp_storage, temp_storage_bytes, nothing, 1))
      return *done;
    return Bulk(shape, op, stream);
  }
};

} // namespace cub

#endif
