// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What cuBLAS adds to BLAS' level 3: sums of matrices and products with diagonal ones.
//
// cuBLAS Library, 'BLAS-like Extension'.
#include <cstddef>

#include "blas/cblas_types.h"
#include "blas/handle.h"

namespace cu2cpp::blas {
namespace {

// C = alpha op(A) + beta op(B), which CBLAS does not have. A factor of zero means that the matrix
// is not read; C may be A or B where that one is not transposed.
template <class T>
cublasStatus_t geamOn(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                      int m, int n, const T* alpha, const T* A, int lda, const T* beta, const T* B,
                      int ldb, T* C, int ldc) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!valid(transa) || !valid(transb) || m < 0 || n < 0 || !alpha || !beta ||
      !leads(lda, rowsOf(transa, m, n)) || !leads(ldb, rowsOf(transb, m, n)) || !leads(ldc, m) ||
      (C == A && (transa != CUBLAS_OP_N || lda != ldc)) ||
      (C == B && (transb != CUBLAS_OP_N || ldb != ldc)))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0)
    return CUBLAS_STATUS_SUCCESS;
  return enqueue(handle, [=, sa = Scalar<T>(handle, alpha), sb = Scalar<T>(handle, beta)] {
    const T a = sa.get(), b = sb.get();
    const auto at = [](cublasOperation_t op, const T* matrix, int ld, std::ptrdiff_t i,
                       std::ptrdiff_t j) -> T {
      if (op == CUBLAS_OP_N)
        return matrix[i + j * ld];
      if constexpr (isComplex<T>)
        return op == CUBLAS_OP_C ? std::conj(matrix[j + i * ld]) : matrix[j + i * ld];
      else
        return matrix[j + i * ld];
    };
    for (std::ptrdiff_t j = 0; j < n; ++j)
      for (std::ptrdiff_t i = 0; i < m; ++i)
        C[i + j * ldc] = (a == T(0) ? T(0) : a * at(transa, A, lda, i, j)) +
                         (b == T(0) ? T(0) : b * at(transb, B, ldb, i, j));
  });
}

// C = A diag(x), or diag(x) A from the left. C may be A. Vectors run backwards where the increment
// is negative.
template <class T>
cublasStatus_t dgmmOn(cublasHandle_t handle, cublasSideMode_t side, int m, int n, const T* A,
                      int lda, const T* x, int incx, T* C, int ldc) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!valid(side) || m < 0 || n < 0 || !leads(lda, m) || !leads(ldc, m) || (C == A && lda != ldc))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0)
    return CUBLAS_STATUS_SUCCESS;
  return enqueue(handle, [=] {
    const std::ptrdiff_t length = side == CUBLAS_SIDE_LEFT ? m : n;
    const T* first = incx < 0 ? x - (length - 1) * incx : x;
    for (std::ptrdiff_t j = 0; j < n; ++j)
      for (std::ptrdiff_t i = 0; i < m; ++i)
        C[i + j * ldc] = A[i + j * lda] * first[(side == CUBLAS_SIDE_LEFT ? i : j) * incx];
  });
}

} // namespace
} // namespace cu2cpp::blas

using namespace cu2cpp::blas;

#define CU2CPP_EXTENSIONS(T, S)                                                                    \
  extern "C" cublasStatus_t cublas##S##geam(                                                       \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,     \
      const T* alpha, const T* A, int lda, const T* beta, const T* B, int ldb, T* C, int ldc) {    \
    return geamOn(handle, transa, transb, m, n, in(alpha), in(A), lda, in(beta), in(B), ldb,       \
                  in(C), ldc);                                                                     \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##S##dgmm(cublasHandle_t handle, cublasSideMode_t mode, int m,   \
                                            int n, const T* A, int lda, const T* x, int incx,      \
                                            T* C, int ldc) {                                       \
    return dgmmOn(handle, mode, m, n, in(A), lda, in(x), incx, in(C), ldc);                        \
  }
CU2CPP_EXTENSIONS(float, S)
CU2CPP_EXTENSIONS(double, D)
CU2CPP_EXTENSIONS(cuComplex, C)
CU2CPP_EXTENSIONS(cuDoubleComplex, Z)
