// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLAS levels 1 and 2: functions of vectors, and of a matrix and vectors. S is float, D double,
// C and Z their complex numbers.
//
// cuBLAS Library, 'cuBLAS Level-1 Function Reference' and 'cuBLAS Level-2 Function Reference'.
#ifndef CU2CPP_BLAS_VECTORS_H
#define CU2CPP_BLAS_VECTORS_H

#include <cublas_api.h>

#ifdef __cplusplus
extern "C" {
#endif

// For all four types; R is the type of magnitudes, RS the letters of functions that return one.
#define CU2CPP_CUBLAS(T, S, Is, R, RS)                                                             \
  cublasStatus_t cublas##Is##amax_v2(cublasHandle_t handle, int n, const T* x, int incx,           \
                                     int* result);                                                 \
  cublasStatus_t cublas##Is##amin_v2(cublasHandle_t handle, int n, const T* x, int incx,           \
                                     int* result);                                                 \
  cublasStatus_t cublas##RS##asum_v2(cublasHandle_t handle, int n, const T* x, int incx,           \
                                     R* result);                                                   \
  cublasStatus_t cublas##RS##nrm2_v2(cublasHandle_t handle, int n, const T* x, int incx,           \
                                     R* result);                                                   \
  cublasStatus_t cublas##S##axpy_v2(cublasHandle_t handle, int n, const T* alpha, const T* x,      \
                                    int incx, T* y, int incy);                                     \
  cublasStatus_t cublas##S##scal_v2(cublasHandle_t handle, int n, const T* alpha, T* x, int incx); \
  cublasStatus_t cublas##S##copy_v2(cublasHandle_t handle, int n, const T* x, int incx, T* y,      \
                                    int incy);                                                     \
  cublasStatus_t cublas##S##swap_v2(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy); \
  cublasStatus_t cublas##S##gemv_v2(cublasHandle_t handle, cublasOperation_t trans, int m, int n,  \
                                    const T* alpha, const T* matrixA, int lda, const T* x,         \
                                    int incx, const T* beta, T* y, int incy);                      \
  cublasStatus_t cublas##S##trsv_v2(cublasHandle_t handle, cublasFillMode_t uplo,                  \
                                    cublasOperation_t trans, cublasDiagType_t diag, int n,         \
                                    const T* matrixA, int lda, T* x, int incx);                    \
  cublasStatus_t cublas##S##trmv_v2(cublasHandle_t handle, cublasFillMode_t uplo,                  \
                                    cublasOperation_t trans, cublasDiagType_t diag, int n,         \
                                    const T* matrixA, int lda, T* x, int incx);
CU2CPP_CUBLAS(float, S, Is, float, S)
CU2CPP_CUBLAS(double, D, Id, double, D)
CU2CPP_CUBLAS(cuComplex, C, Ic, float, Sc)
CU2CPP_CUBLAS(cuDoubleComplex, Z, Iz, double, Dz)
#undef CU2CPP_CUBLAS

#define CU2CPP_CUBLAS(T, S)                                                                        \
  cublasStatus_t cublas##S##dot_v2(cublasHandle_t handle, int n, const T* x, int incx, const T* y, \
                                   int incy, T* result);                                           \
  cublasStatus_t cublas##S##rot_v2(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy,   \
                                   const T* c, const T* s);                                        \
  cublasStatus_t cublas##S##rotg_v2(cublasHandle_t handle, T* a, T* b, T* c, T* s);                \
  cublasStatus_t cublas##S##rotm_v2(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy,  \
                                    const T* param);                                               \
  cublasStatus_t cublas##S##rotmg_v2(cublasHandle_t handle, T* d1, T* d2, T* x1, const T* y1,      \
                                     T* param);                                                    \
  cublasStatus_t cublas##S##ger_v2(cublasHandle_t handle, int m, int n, const T* alpha,            \
                                   const T* x, int incx, const T* y, int incy, T* matrixA,         \
                                   int lda);                                                       \
  cublasStatus_t cublas##S##syr_v2(cublasHandle_t handle, cublasFillMode_t uplo, int n,            \
                                   const T* alpha, const T* x, int incx, T* matrixA, int lda);     \
  cublasStatus_t cublas##S##syr2_v2(cublasHandle_t handle, cublasFillMode_t uplo, int n,           \
                                    const T* alpha, const T* x, int incx, const T* y, int incy,    \
                                    T* matrixA, int lda);                                          \
  cublasStatus_t cublas##S##symv_v2(cublasHandle_t handle, cublasFillMode_t uplo, int n,           \
                                    const T* alpha, const T* matrixA, int lda, const T* x,         \
                                    int incx, const T* beta, T* y, int incy);
CU2CPP_CUBLAS(float, S)
CU2CPP_CUBLAS(double, D)
#undef CU2CPP_CUBLAS

#define CU2CPP_CUBLAS(T, S, R, CR)                                                                 \
  cublasStatus_t cublas##S##dotu_v2(cublasHandle_t handle, int n, const T* x, int incx,            \
                                    const T* y, int incy, T* result);                              \
  cublasStatus_t cublas##S##dotc_v2(cublasHandle_t handle, int n, const T* x, int incx,            \
                                    const T* y, int incy, T* result);                              \
  cublasStatus_t cublas##CR##scal_v2(cublasHandle_t handle, int n, const R* alpha, T* x,           \
                                     int incx);                                                    \
  cublasStatus_t cublas##S##geru_v2(cublasHandle_t handle, int m, int n, const T* alpha,           \
                                    const T* x, int incx, const T* y, int incy, T* matrixA,        \
                                    int lda);                                                      \
  cublasStatus_t cublas##S##gerc_v2(cublasHandle_t handle, int m, int n, const T* alpha,           \
                                    const T* x, int incx, const T* y, int incy, T* matrixA,        \
                                    int lda);                                                      \
  cublasStatus_t cublas##S##hemv_v2(cublasHandle_t handle, cublasFillMode_t uplo, int n,           \
                                    const T* alpha, const T* matrixA, int lda, const T* x,         \
                                    int incx, const T* beta, T* y, int incy);
CU2CPP_CUBLAS(cuComplex, C, float, Cs)
CU2CPP_CUBLAS(cuDoubleComplex, Z, double, Zd)
#undef CU2CPP_CUBLAS

#ifdef __cplusplus
}
#endif

#endif
