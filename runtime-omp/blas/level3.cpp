// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLAS level 3 and what extends it: products, sums and solutions of matrices, also in batches.
//
// cuBLAS Library, 'cuBLAS Level-3 Function Reference' and 'BLAS-like Extension'.
#include <cstddef>

#include "blas/cblas_types.h"
#include "blas/handle.h"

namespace cu2cpp::blas {
namespace {

int rowsOf(cublasOperation_t op, int plain, int transposed) {
  return op == CUBLAS_OP_N ? plain : transposed;
}

/// Product is one gemm: everything but the matrices.
template <class T> struct Product {
  cublasOperation_t transa, transb;
  int m, n, k, lda, ldb, ldc;
  Scalar<T> alpha, beta;

  void operator()(const T* A, const T* B, T* C) const {
    gemm<T>(CblasColMajor, cblas(transa), cblas(transb), m, n, k, alpha.get(), A, lda, B, ldb,
            beta.get(), C, ldc);
  }
};

/// queueProducts() checks the arguments of a gemm and queues it; eachProduct calls it with the
/// matrices of the batch.
template <class T, class EachProduct>
cublasStatus_t queueProducts(cublasHandle_t handle, cublasOperation_t transa,
                             cublasOperation_t transb, int m, int n, int k, const T* alpha, int lda,
                             int ldb, const T* beta, int ldc, int batchCount,
                             EachProduct eachProduct) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!valid(transa) || !valid(transb) || m < 0 || n < 0 || k < 0 || batchCount < 0 || !alpha ||
      !beta || !leads(lda, rowsOf(transa, m, k)) || !leads(ldb, rowsOf(transb, k, n)) ||
      !leads(ldc, m))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0 || batchCount == 0)
    return CUBLAS_STATUS_SUCCESS;
  const Product<T> product{transa, transb, m, n, k, lda, ldb, ldc, {handle, alpha}, {handle, beta}};
  return enqueue(handle, [=] { eachProduct(product); });
}

template <class T>
cublasStatus_t gemmOn(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                      int m, int n, int k, const T* alpha, const T* A, int lda, long long strideA,
                      const T* B, int ldb, long long strideB, const T* beta, T* C, int ldc,
                      long long strideC, int batchCount) {
  return queueProducts(handle, transa, transb, m, n, k, alpha, lda, ldb, beta, ldc, batchCount,
                       [=](const Product<T>& product) {
                         for (long long i = 0; i < batchCount; ++i)
                           product(A + i * strideA, B + i * strideB, C + i * strideC);
                       });
}

template <class T>
cublasStatus_t gemmBatchedOn(cublasHandle_t handle, cublasOperation_t transa,
                             cublasOperation_t transb, int m, int n, int k, const T* alpha,
                             const T* const* A, int lda, const T* const* B, int ldb, const T* beta,
                             T* const* C, int ldc, int batchCount) {
  return queueProducts(handle, transa, transb, m, n, k, alpha, lda, ldb, beta, ldc, batchCount,
                       [=](const Product<T>& product) {
                         for (int i = 0; i < batchCount; ++i)
                           product(A[i], B[i], C[i]);
                       });
}

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
                       std::ptrdiff_t j) {
      return op == CUBLAS_OP_N ? matrix[i + j * ld] : matrix[j + i * ld];
    };
    for (std::ptrdiff_t j = 0; j < n; ++j)
      for (std::ptrdiff_t i = 0; i < m; ++i)
        C[i + j * ldc] = (a == T(0) ? T(0) : a * at(transa, A, lda, i, j)) +
                         (b == T(0) ? T(0) : b * at(transb, B, ldb, i, j));
  });
}

template <class T>
cublasStatus_t symmOn(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, int m,
                      int n, const T* alpha, const T* A, int lda, const T* B, int ldb,
                      const T* beta, T* C, int ldc) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!valid(side) || !valid(uplo) || m < 0 || n < 0 || !alpha || !beta ||
      !leads(lda, side == CUBLAS_SIDE_LEFT ? m : n) || !leads(ldb, m) || !leads(ldc, m))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0)
    return CUBLAS_STATUS_SUCCESS;
  return enqueue(handle, [=, a = Scalar<T>(handle, alpha), b = Scalar<T>(handle, beta)] {
    symm<T>(CblasColMajor, cblas(side), cblas(uplo), m, n, a.get(), A, lda, B, ldb, b.get(), C,
            ldc);
  });
}

template <class T>
cublasStatus_t syrkOn(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int n,
                      int k, const T* alpha, const T* A, int lda, const T* beta, T* C, int ldc) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!valid(uplo) || !valid(trans) || n < 0 || k < 0 || !alpha || !beta ||
      !leads(lda, rowsOf(trans, n, k)) || !leads(ldc, n))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0)
    return CUBLAS_STATUS_SUCCESS;
  return enqueue(handle, [=, a = Scalar<T>(handle, alpha), b = Scalar<T>(handle, beta)] {
    syrk<T>(CblasColMajor, cblas(uplo), cblas(trans), n, k, a.get(), A, lda, b.get(), C, ldc);
  });
}

template <class T>
cublasStatus_t trsmOn(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,
                      cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const T* alpha,
                      const T* A, int lda, T* B, int ldb) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!valid(side) || !valid(uplo) || !valid(trans) || !valid(diag) || m < 0 || n < 0 || !alpha ||
      !leads(lda, side == CUBLAS_SIDE_LEFT ? m : n) || !leads(ldb, m))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0)
    return CUBLAS_STATUS_SUCCESS;
  return enqueue(handle, [=, a = Scalar<T>(handle, alpha)] {
    trsm<T>(CblasColMajor, cblas(side), cblas(uplo), cblas(trans), cblas(diag), m, n, a.get(), A,
            lda, B, ldb);
  });
}

} // namespace
} // namespace cu2cpp::blas

using namespace cu2cpp::blas;

#define CU2CPP_LEVEL3(T, S)                                                                        \
  extern "C" cublasStatus_t cublas##S##gemm_v2(cublasHandle_t handle, cublasOperation_t transa,    \
                                               cublasOperation_t transb, int m, int n, int k,      \
                                               const T* alpha, const T* A, int lda, const T* B,    \
                                               int ldb, const T* beta, T* C, int ldc) {            \
    return gemmOn(handle, transa, transb, m, n, k, alpha, A, lda, 0, B, ldb, 0, beta, C, ldc, 0,   \
                  1);                                                                              \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##S##gemmStridedBatched(                                         \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,     \
      int k, const T* alpha, const T* A, int lda, long long int strideA, const T* B, int ldb,      \
      long long int strideB, const T* beta, T* C, int ldc, long long int strideC,                  \
      int batchCount) {                                                                            \
    return gemmOn(handle, transa, transb, m, n, k, alpha, A, lda, strideA, B, ldb, strideB, beta,  \
                  C, ldc, strideC, batchCount);                                                    \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##S##gemmBatched(                                                \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,     \
      int k, const T* alpha, const T* const Aarray[], int lda, const T* const Barray[], int ldb,   \
      const T* beta, T* const Carray[], int ldc, int batchCount) {                                 \
    return gemmBatchedOn(handle, transa, transb, m, n, k, alpha, Aarray, lda, Barray, ldb, beta,   \
                         Carray, ldc, batchCount);                                                 \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##S##geam(                                                       \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,     \
      const T* alpha, const T* A, int lda, const T* beta, const T* B, int ldb, T* C, int ldc) {    \
    return geamOn(handle, transa, transb, m, n, alpha, A, lda, beta, B, ldb, C, ldc);              \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##S##symm_v2(                                                    \
      cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, int m, int n,           \
      const T* alpha, const T* A, int lda, const T* B, int ldb, const T* beta, T* C, int ldc) {    \
    return symmOn(handle, side, uplo, m, n, alpha, A, lda, B, ldb, beta, C, ldc);                  \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##S##syrk_v2(                                                    \
      cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int n, int k,         \
      const T* alpha, const T* A, int lda, const T* beta, T* C, int ldc) {                         \
    return syrkOn(handle, uplo, trans, n, k, alpha, A, lda, beta, C, ldc);                         \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##S##trsm_v2(                                                    \
      cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,                         \
      cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const T* alpha, const T* A,    \
      int lda, T* B, int ldb) {                                                                    \
    return trsmOn(handle, side, uplo, trans, diag, m, n, alpha, A, lda, B, ldb);                   \
  }
CU2CPP_LEVEL3(float, S)
CU2CPP_LEVEL3(double, D)
