// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What cublasLtMatmul() does with the sums before they become D: bias, ReLU, GELU, their gradients,
// and what it keeps for the way back.
//
// cuBLAS Library, 'cublasLtEpilogue_t'.
#ifndef CU2CPP_BLAS_LT_EPILOGUE_H
#define CU2CPP_BLAS_LT_EPILOGUE_H

#include "blas/lt_descriptors.h"
#include "blas/mixed_product.h"

namespace cu2cpp::blas {

/// isEpilogue() tells whether the value is one of cublasLtEpilogue_t that elements of that kind
/// take: complex ones and integers take none.
bool isEpilogue(std::uint32_t epilogue, Precision precision);

/// hasPointers() tells whether the addresses that the epilogue needs were given.
bool hasPointers(const MatmulDesc& desc);

template <class R> void scaleColumns(R* sums, Index ld, Index rows, Index cols, R factor) {
  for (Index j = 0; j < cols; ++j)
    for (Index i = 0; i < rows; ++i)
      sums[i + j * ld] *= factor;
}

/// Epilogue works on one matrix of the batch.
class Epilogue {
public:
  Epilogue(const MatmulDesc& desc, const Matrix& D, Index batch);

  /// finish() changes the sums in place. R is float or double.
  template <class R> void finish(R* sums, Index ld) const;

  /// reduceOperands() stores the gradients that are sums over A or B themselves (BGRADA, BGRADB).
  template <class R>
  void reduceOperands(cublasOperation_t transa, const Matrix& A, cublasOperation_t transb,
                      const Matrix& B) const;

private:
  std::uint32_t bits_;
  Index rows_, cols_;
  Matrix bias_;         ///< one column
  Matrix aux_;          ///< what GELU was applied to
  unsigned char* mask_; ///< one bit for each element that ReLU let pass
  Index maskLd_;        ///< in bits
};

} // namespace cu2cpp::blas

#endif
