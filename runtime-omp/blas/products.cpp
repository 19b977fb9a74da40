// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLAS' products of matrices, one by one and in batches, and triangular solutions in batches.
//
// cuBLAS Library, 'cublas<t>gemm()' and its neighbours.
#include <cstddef>

#include "blas/cblas_types.h"
#include "blas/handle.h"

namespace cu2cpp::blas {
namespace {

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

template <class T>
cublasStatus_t trsmBatchedOn(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,
                             cublasOperation_t trans, cublasDiagType_t diag, int m, int n,
                             const T* alpha, const T* const* A, int lda, T* const* B, int ldb,
                             int batchCount) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!valid(side) || !valid(uplo) || !valid(trans) || !valid(diag) || m < 0 || n < 0 ||
      batchCount < 0 || !alpha || !leads(lda, side == CUBLAS_SIDE_LEFT ? m : n) || !leads(ldb, m))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0 || batchCount == 0)
    return CUBLAS_STATUS_SUCCESS;
  return enqueue(handle, [=, a = Scalar<T>(handle, alpha)] {
    for (int i = 0; i < batchCount; ++i)
      trsm<T>(CblasColMajor, cblas(side), cblas(uplo), cblas(trans), cblas(diag), m, n, a.get(),
              A[i], lda, B[i], ldb);
  });
}

} // namespace
} // namespace cu2cpp::blas

using namespace cu2cpp::blas;

#define CU2CPP_PRODUCTS(T, S)                                                                      \
  extern "C" cublasStatus_t cublas##S##gemm_v2(cublasHandle_t handle, cublasOperation_t transa,    \
                                               cublasOperation_t transb, int m, int n, int k,      \
                                               const T* alpha, const T* A, int lda, const T* B,    \
                                               int ldb, const T* beta, T* C, int ldc) {            \
    return gemmOn(handle, transa, transb, m, n, k, in(alpha), in(A), lda, 0, in(B), ldb, 0,        \
                  in(beta), in(C), ldc, 0, 1);                                                     \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##S##gemmStridedBatched(                                         \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,     \
      int k, const T* alpha, const T* A, int lda, long long int strideA, const T* B, int ldb,      \
      long long int strideB, const T* beta, T* C, int ldc, long long int strideC,                  \
      int batchCount) {                                                                            \
    return gemmOn(handle, transa, transb, m, n, k, in(alpha), in(A), lda, strideA, in(B), ldb,     \
                  strideB, in(beta), in(C), ldc, strideC, batchCount);                             \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##S##gemmBatched(                                                \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,     \
      int k, const T* alpha, const T* const Aarray[], int lda, const T* const Barray[], int ldb,   \
      const T* beta, T* const Carray[], int ldc, int batchCount) {                                 \
    return gemmBatchedOn(handle, transa, transb, m, n, k, in(alpha), in(Aarray), lda, in(Barray),  \
                         ldb, in(beta), in(Carray), ldc, batchCount);                              \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##S##trsmBatched(                                                \
      cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,                         \
      cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const T* alpha,                \
      const T* const A[], int lda, T* const B[], int ldb, int batchCount) {                        \
    return trsmBatchedOn(handle, side, uplo, trans, diag, m, n, in(alpha), in(A), lda, in(B), ldb, \
                         batchCount);                                                              \
  }
CU2CPP_PRODUCTS(float, S)
CU2CPP_PRODUCTS(double, D)
CU2CPP_PRODUCTS(cuComplex, C)
CU2CPP_PRODUCTS(cuDoubleComplex, Z)
