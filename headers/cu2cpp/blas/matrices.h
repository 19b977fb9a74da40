// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLAS level 3: functions of matrices, and the sums and diagonal products that extend it.
//
// cuBLAS Library, 'cuBLAS Level-3 Function Reference' and 'BLAS-like Extension'.
#ifndef CU2CPP_BLAS_MATRICES_H
#define CU2CPP_BLAS_MATRICES_H

#include <cublas_api.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CU2CPP_CUBLAS(T, S)                                                                        \
  cublasStatus_t cublas##S##gemm_v2(cublasHandle_t handle, cublasOperation_t transa,               \
                                    cublasOperation_t transb, int m, int n, int k, const T* alpha, \
                                    const T* matrixA, int lda, const T* matrixB, int ldb,          \
                                    const T* beta, T* matrixC, int ldc);                           \
  cublasStatus_t cublas##S##symm_v2(cublasHandle_t handle, cublasSideMode_t side,                  \
                                    cublasFillMode_t uplo, int m, int n, const T* alpha,           \
                                    const T* matrixA, int lda, const T* matrixB, int ldb,          \
                                    const T* beta, T* matrixC, int ldc);                           \
  cublasStatus_t cublas##S##syrk_v2(                                                               \
      cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int n, int k,         \
      const T* alpha, const T* matrixA, int lda, const T* beta, T* matrixC, int ldc);              \
  cublasStatus_t cublas##S##syr2k_v2(cublasHandle_t handle, cublasFillMode_t uplo,                 \
                                     cublasOperation_t trans, int n, int k, const T* alpha,        \
                                     const T* matrixA, int lda, const T* matrixB, int ldb,         \
                                     const T* beta, T* matrixC, int ldc);                          \
  cublasStatus_t cublas##S##trsm_v2(cublasHandle_t handle, cublasSideMode_t side,                  \
                                    cublasFillMode_t uplo, cublasOperation_t trans,                \
                                    cublasDiagType_t diag, int m, int n, const T* alpha,           \
                                    const T* matrixA, int lda, T* matrixB, int ldb);               \
  cublasStatus_t cublas##S##trmm_v2(                                                               \
      cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,                         \
      cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const T* alpha,                \
      const T* matrixA, int lda, const T* matrixB, int ldb, T* matrixC, int ldc);                  \
  cublasStatus_t cublas##S##geam(cublasHandle_t handle, cublasOperation_t transa,                  \
                                 cublasOperation_t transb, int m, int n, const T* alpha,           \
                                 const T* matrixA, int lda, const T* beta, const T* matrixB,       \
                                 int ldb, T* matrixC, int ldc);                                    \
  cublasStatus_t cublas##S##dgmm(cublasHandle_t handle, cublasSideMode_t mode, int m, int n,       \
                                 const T* matrixA, int lda, const T* x, int incx, T* matrixC,      \
                                 int ldc);
CU2CPP_CUBLAS(float, S)
CU2CPP_CUBLAS(double, D)
CU2CPP_CUBLAS(cuComplex, C)
CU2CPP_CUBLAS(cuDoubleComplex, Z)
#undef CU2CPP_CUBLAS

#define CU2CPP_CUBLAS(T, S, R)                                                                     \
  cublasStatus_t cublas##S##hemm_v2(cublasHandle_t handle, cublasSideMode_t side,                  \
                                    cublasFillMode_t uplo, int m, int n, const T* alpha,           \
                                    const T* matrixA, int lda, const T* matrixB, int ldb,          \
                                    const T* beta, T* matrixC, int ldc);                           \
  cublasStatus_t cublas##S##herk_v2(                                                               \
      cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int n, int k,         \
      const R* alpha, const T* matrixA, int lda, const R* beta, T* matrixC, int ldc);
CU2CPP_CUBLAS(cuComplex, C, float)
CU2CPP_CUBLAS(cuDoubleComplex, Z, double)
#undef CU2CPP_CUBLAS

#ifdef __cplusplus
}
#endif

#endif
