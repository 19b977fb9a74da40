// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cub::DeviceSpmv: the product of a sparse matrix (in rows) and a vector.
//
// CUB documentation, 'DeviceSpmv'.
#ifndef CU2CPP_CUB_DEVICE_SPMV_CUH
#define CU2CPP_CUB_DEVICE_SPMV_CUH

#include <cub/detail/device.cuh>

namespace cub {

struct DeviceSpmv {
  template <class Type>
  static cudaError_t CsrMV(void* d_temp_storage, size_t& temp_storage_bytes, const Type* d_values,
                           const int* d_row_offsets, const int* d_column_indices,
                           const Type* d_vector_x, Type* d_vector_y, int num_rows, int, int,
                           cudaStream_t stream = 0, bool = false) {
    char* nothing;
    if (const auto done = detail::reserve(d_temp_storage, temp_storage_bytes, nothing, 1))
      return *done;
    return ::cu2cpp::parallel::enqueuePieces(
        stream, ::cu2cpp::parallel::Pieces(std::size_t(num_rows), 64),
        [=](::cu2cpp::parallel::Piece piece) {
          for (std::size_t row = piece.begin; row < piece.end; ++row) {
            Type sum{};
            for (int i = d_row_offsets[row]; i < d_row_offsets[row + 1]; ++i)
              sum += d_values[i] * d_vector_x[d_column_indices[i]];
            d_vector_y[row] = sum;
          }
        });
  }
};

} // namespace cub

#endif
