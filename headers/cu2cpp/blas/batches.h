// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLAS' functions of many matrices of one size: products, triangular and other solutions, LU and
// QR factors.
//
// cuBLAS Library, 'cuBLAS Level-3 Function Reference' and 'BLAS-like Extension'.
#ifndef CU2CPP_BLAS_BATCHES_H
#define CU2CPP_BLAS_BATCHES_H

#include <cublas_api.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CU2CPP_CUBLAS(T, S)                                                                        \
  cublasStatus_t cublas##S##gemmBatched(                                                           \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,     \
      int k, const T* alpha, const T* const Aarray[], int lda, const T* const Barray[], int ldb,   \
      const T* beta, T* const Carray[], int ldc, int batchCount);                                  \
  cublasStatus_t cublas##S##gemmStridedBatched(                                                    \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,     \
      int k, const T* alpha, const T* matrixA, int lda, long long int strideA, const T* matrixB,   \
      int ldb, long long int strideB, const T* beta, T* matrixC, int ldc, long long int strideC,   \
      int batchCount);                                                                             \
  cublasStatus_t cublas##S##trsmBatched(                                                           \
      cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,                         \
      cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const T* alpha,                \
      const T* const matrixA[], int lda, T* const matrixB[], int ldb, int batchCount);             \
  /* P = NULL: without pivots. */                                                                  \
  cublasStatus_t cublas##S##getrfBatched(cublasHandle_t handle, int n, T* const matrixA[],         \
                                         int lda, int* Parameters, int* info, int batchSize);      \
  cublasStatus_t cublas##S##getrsBatched(                                                          \
      cublasHandle_t handle, cublasOperation_t trans, int n, int nrhs, const T* const Aarray[],    \
      int lda, const int* devIpiv, T* const Barray[], int ldb, int* info, int batchSize);          \
  cublasStatus_t cublas##S##getriBatched(cublasHandle_t handle, int n, const T* const matrixA[],   \
                                         int lda, const int* Parameters, T* const matrixC[],       \
                                         int ldc, int* info, int batchSize);                       \
  cublasStatus_t cublas##S##matinvBatched(cublasHandle_t handle, int n, const T* const matrixA[],  \
                                          int lda, T* const Ainv[], int lda_inv, int* info,        \
                                          int batchSize);                                          \
  cublasStatus_t cublas##S##geqrfBatched(cublasHandle_t handle, int m, int n, T* const Aarray[],   \
                                         int lda, T* const TauArray[], int* info, int batchSize);  \
  cublasStatus_t cublas##S##gelsBatched(                                                           \
      cublasHandle_t handle, cublasOperation_t trans, int m, int n, int nrhs, T* const Aarray[],   \
      int lda, T* const Carray[], int ldc, int* info, int* devInfoArray, int batchSize);
CU2CPP_CUBLAS(float, S)
CU2CPP_CUBLAS(double, D)
CU2CPP_CUBLAS(cuComplex, C)
CU2CPP_CUBLAS(cuDoubleComplex, Z)
#undef CU2CPP_CUBLAS

#ifdef __cplusplus
}
#endif

#endif
