// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLAS' first interface: no handles, factors and results by value, characters for transposition
// and sides, cublasGetError() for what went wrong. Not beside cublas_v2.h in one source, whose
// names are the same. Not here: band and packed matrices, rotm and rotmg.
//
// cuBLAS Library, 'Using the cuBLAS Legacy API'.
#ifndef CUBLAS_H_ // user code tests NVIDIA's guard
#define CUBLAS_H_
#ifdef CUBLAS_V2_H_
#error "It is an error to include both cublas.h and cublas_v2.h"
#endif

#include <cublas_api.h>

#define cublasStatus cublasStatus_t

#ifdef __cplusplus
extern "C" {
#endif

cublasStatus cublasInit(void);
cublasStatus cublasShutdown(void);
/// cublasGetError() is what the last function failed with since it was asked before.
cublasStatus cublasGetError(void);
cublasStatus cublasGetVersion(int* version);
cublasStatus cublasAlloc(int n, int elemSize, void** devicePtr);
cublasStatus cublasFree(void* devicePtr);
cublasStatus cublasSetKernelStream(cudaStream_t stream);

// For all four types; R is the type of magnitudes, RS the letters of functions that return one.
#define CU2CPP_CUBLAS(T, S, Is, R, RS)                                                             \
  int cublas##Is##amax(int n, const T* x, int incx);                                               \
  int cublas##Is##amin(int n, const T* x, int incx);                                               \
  R cublas##RS##asum(int n, const T* x, int incx);                                                 \
  R cublas##RS##nrm2(int n, const T* x, int incx);                                                 \
  void cublas##S##axpy(int n, T alpha, const T* x, int incx, T* y, int incy);                      \
  void cublas##S##scal(int n, T alpha, T* x, int incx);                                            \
  void cublas##S##copy(int n, const T* x, int incx, T* y, int incy);                               \
  void cublas##S##swap(int n, T* x, int incx, T* y, int incy);                                     \
  void cublas##S##gemv(char trans, int m, int n, T alpha, const T* matrixA, int lda, const T* x,   \
                       int incx, T beta, T* y, int incy);                                          \
  void cublas##S##trsv(char uplo, char trans, char diag, int n, const T* matrixA, int lda, T* x,   \
                       int incx);                                                                  \
  void cublas##S##trmv(char uplo, char trans, char diag, int n, const T* matrixA, int lda, T* x,   \
                       int incx);                                                                  \
  void cublas##S##gemm(char transa, char transb, int m, int n, int k, T alpha, const T* matrixA,   \
                       int lda, const T* matrixB, int ldb, T beta, T* matrixC, int ldc);           \
  void cublas##S##symm(char side, char uplo, int m, int n, T alpha, const T* matrixA, int lda,     \
                       const T* matrixB, int ldb, T beta, T* matrixC, int ldc);                    \
  void cublas##S##syrk(char uplo, char trans, int n, int k, T alpha, const T* matrixA, int lda,    \
                       T beta, T* matrixC, int ldc);                                               \
  void cublas##S##syr2k(char uplo, char trans, int n, int k, T alpha, const T* matrixA, int lda,   \
                        const T* matrixB, int ldb, T beta, T* matrixC, int ldc);                   \
  void cublas##S##trsm(char side, char uplo, char transa, char diag, int m, int n, T alpha,        \
                       const T* matrixA, int lda, T* matrixB, int ldb);                            \
  void cublas##S##trmm(char side, char uplo, char transa, char diag, int m, int n, T alpha,        \
                       const T* matrixA, int lda, T* matrixB, int ldb);
CU2CPP_CUBLAS(float, S, Is, float, S)
CU2CPP_CUBLAS(double, D, Id, double, D)
CU2CPP_CUBLAS(cuComplex, C, Ic, float, Sc)
CU2CPP_CUBLAS(cuDoubleComplex, Z, Iz, double, Dz)
#undef CU2CPP_CUBLAS

#define CU2CPP_CUBLAS(T, S)                                                                        \
  T cublas##S##dot(int n, const T* x, int incx, const T* y, int incy);                             \
  void cublas##S##rot(int n, T* x, int incx, T* y, int incy, T sc, T ss);                          \
  void cublas##S##rotg(T* sa, T* sb, T* sc, T* ss);                                                \
  void cublas##S##ger(int m, int n, T alpha, const T* x, int incx, const T* y, int incy,           \
                      T* matrixA, int lda);                                                        \
  void cublas##S##syr(char uplo, int n, T alpha, const T* x, int incx, T* matrixA, int lda);       \
  void cublas##S##syr2(char uplo, int n, T alpha, const T* x, int incx, const T* y, int incy,      \
                       T* matrixA, int lda);                                                       \
  void cublas##S##symv(char uplo, int n, T alpha, const T* matrixA, int lda, const T* x, int incx, \
                       T beta, T* y, int incy);
CU2CPP_CUBLAS(float, S)
CU2CPP_CUBLAS(double, D)
#undef CU2CPP_CUBLAS

#define CU2CPP_CUBLAS(T, S, R, CR)                                                                 \
  T cublas##S##dotu(int n, const T* x, int incx, const T* y, int incy);                            \
  T cublas##S##dotc(int n, const T* x, int incx, const T* y, int incy);                            \
  void cublas##CR##scal(int n, R alpha, T* x, int incx);                                           \
  void cublas##S##geru(int m, int n, T alpha, const T* x, int incx, const T* y, int incy,          \
                       T* matrixA, int lda);                                                       \
  void cublas##S##gerc(int m, int n, T alpha, const T* x, int incx, const T* y, int incy,          \
                       T* matrixA, int lda);                                                       \
  void cublas##S##hemv(char uplo, int n, T alpha, const T* matrixA, int lda, const T* x, int incx, \
                       T beta, T* y, int incy);                                                    \
  void cublas##S##hemm(char side, char uplo, int m, int n, T alpha, const T* matrixA, int lda,     \
                       const T* matrixB, int ldb, T beta, T* matrixC, int ldc);                    \
  void cublas##S##herk(char uplo, char trans, int n, int k, R alpha, const T* matrixA, int lda,    \
                       R beta, T* matrixC, int ldc);
CU2CPP_CUBLAS(cuComplex, C, float, Cs)
CU2CPP_CUBLAS(cuDoubleComplex, Z, double, Zd)
#undef CU2CPP_CUBLAS

#ifdef __cplusplus
}
#endif

#endif
