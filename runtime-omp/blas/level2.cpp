// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLAS level 2: functions of a matrix and vectors. Arguments are checked when the function is
// called, as on a GPU.
//
// cuBLAS Library, 'cuBLAS Level-2 Function Reference'.
#include "blas/cblas_types.h"
#include "blas/handle.h"

namespace cu2cpp::blas {
namespace {

template <class T>
cublasStatus_t gemvOn(cublasHandle_t handle, cublasOperation_t trans, int m, int n, const T* alpha,
                      const T* A, int lda, const T* x, int incx, const T* beta, T* y, int incy) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!valid(trans) || m < 0 || n < 0 || !leads(lda, m) || incx == 0 || incy == 0 || !alpha ||
      !beta)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0)
    return CUBLAS_STATUS_SUCCESS;
  return enqueue(handle, [=, a = Scalar<T>(handle, alpha), b = Scalar<T>(handle, beta)] {
    gemv<T>(CblasColMajor, cblas(trans), m, n, a.get(), A, lda, x, incx, b.get(), y, incy);
  });
}

// y' is the conjugate of y for complex numbers where asked for.
template <class T>
cublasStatus_t gerOn(cublasHandle_t handle, int m, int n, const T* alpha, const T* x, int incx,
                     const T* y, int incy, T* A, int lda, bool conjugate = false) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (m < 0 || n < 0 || incx == 0 || incy == 0 || !leads(lda, m) || !alpha)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0)
    return CUBLAS_STATUS_SUCCESS;
  return enqueue(handle, [=, a = Scalar<T>(handle, alpha)] {
    if constexpr (!isComplex<T>)
      ger<T>(CblasColMajor, m, n, a.get(), x, incx, y, incy, A, lda);
    else if (conjugate)
      gerc<T>(CblasColMajor, m, n, a.get(), x, incx, y, incy, A, lda);
    else
      geru<T>(CblasColMajor, m, n, a.get(), x, incx, y, incy, A, lda);
  });
}

// Of a symmetric matrix, or of a Hermitian one of complex numbers.
template <class T>
cublasStatus_t symvOn(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T* alpha,
                      const T* A, int lda, const T* x, int incx, const T* beta, T* y, int incy) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!valid(uplo) || n < 0 || !leads(lda, n) || incx == 0 || incy == 0 || !alpha || !beta)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0)
    return CUBLAS_STATUS_SUCCESS;
  return enqueue(handle, [=, a = Scalar<T>(handle, alpha), b = Scalar<T>(handle, beta)] {
    if constexpr (isComplex<T>)
      hemv<T>(CblasColMajor, cblas(uplo), n, a.get(), A, lda, x, incx, b.get(), y, incy);
    else
      symv<T>(CblasColMajor, cblas(uplo), n, a.get(), A, lda, x, incx, b.get(), y, incy);
  });
}

template <class T>
cublasStatus_t syrOn(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T* alpha,
                     const T* x, int incx, T* A, int lda) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!valid(uplo) || n < 0 || !leads(lda, n) || incx == 0 || !alpha)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0)
    return CUBLAS_STATUS_SUCCESS;
  return enqueue(handle, [=, a = Scalar<T>(handle, alpha)] {
    syr<T>(CblasColMajor, cblas(uplo), n, a.get(), x, incx, A, lda);
  });
}

template <class T>
cublasStatus_t syr2On(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T* alpha,
                      const T* x, int incx, const T* y, int incy, T* A, int lda) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!valid(uplo) || n < 0 || !leads(lda, n) || incx == 0 || incy == 0 || !alpha)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0)
    return CUBLAS_STATUS_SUCCESS;
  return enqueue(handle, [=, a = Scalar<T>(handle, alpha)] {
    syr2<T>(CblasColMajor, cblas(uplo), n, a.get(), x, incx, y, incy, A, lda);
  });
}

/// triangularOn() queues x = op(A) x (product) or the solution of op(A) x' = x.
template <class T>
cublasStatus_t triangularOn(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,
                            cublasDiagType_t diag, int n, const T* A, int lda, T* x, int incx,
                            bool product) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!valid(uplo) || !valid(trans) || !valid(diag) || n < 0 || !leads(lda, n) || incx == 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0)
    return CUBLAS_STATUS_SUCCESS;
  return enqueue(handle, [=] {
    if (product)
      trmv<T>(CblasColMajor, cblas(uplo), cblas(trans), cblas(diag), n, A, lda, x, incx);
    else
      trsv<T>(CblasColMajor, cblas(uplo), cblas(trans), cblas(diag), n, A, lda, x, incx);
  });
}

} // namespace
} // namespace cu2cpp::blas

using namespace cu2cpp::blas;

#define CU2CPP_LEVEL2(T, S)                                                                        \
  extern "C" cublasStatus_t cublas##S##gemv_v2(                                                    \
      cublasHandle_t handle, cublasOperation_t trans, int m, int n, const T* alpha, const T* A,    \
      int lda, const T* x, int incx, const T* beta, T* y, int incy) {                              \
    return gemvOn(handle, trans, m, n, in(alpha), in(A), lda, in(x), incx, in(beta), in(y), incy); \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##S##trsv_v2(cublasHandle_t handle, cublasFillMode_t uplo,       \
                                               cublasOperation_t trans, cublasDiagType_t diag,     \
                                               int n, const T* A, int lda, T* x, int incx) {       \
    return triangularOn(handle, uplo, trans, diag, n, in(A), lda, in(x), incx, false);             \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##S##trmv_v2(cublasHandle_t handle, cublasFillMode_t uplo,       \
                                               cublasOperation_t trans, cublasDiagType_t diag,     \
                                               int n, const T* A, int lda, T* x, int incx) {       \
    return triangularOn(handle, uplo, trans, diag, n, in(A), lda, in(x), incx, true);              \
  }
CU2CPP_LEVEL2(float, S)
CU2CPP_LEVEL2(double, D)
CU2CPP_LEVEL2(cuComplex, C)
CU2CPP_LEVEL2(cuDoubleComplex, Z)

#define CU2CPP_LEVEL2_REAL(T, S)                                                                   \
  extern "C" cublasStatus_t cublas##S##ger_v2(cublasHandle_t handle, int m, int n, const T* alpha, \
                                              const T* x, int incx, const T* y, int incy, T* A,    \
                                              int lda) {                                           \
    return gerOn(handle, m, n, alpha, x, incx, y, incy, A, lda);                                   \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##S##syr_v2(cublasHandle_t handle, cublasFillMode_t uplo, int n, \
                                              const T* alpha, const T* x, int incx, T* A,          \
                                              int lda) {                                           \
    return syrOn(handle, uplo, n, alpha, x, incx, A, lda);                                         \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##S##syr2_v2(cublasHandle_t handle, cublasFillMode_t uplo,       \
                                               int n, const T* alpha, const T* x, int incx,        \
                                               const T* y, int incy, T* A, int lda) {              \
    return syr2On(handle, uplo, n, alpha, x, incx, y, incy, A, lda);                               \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##S##symv_v2(                                                    \
      cublasHandle_t handle, cublasFillMode_t uplo, int n, const T* alpha, const T* A, int lda,    \
      const T* x, int incx, const T* beta, T* y, int incy) {                                       \
    return symvOn(handle, uplo, n, alpha, A, lda, x, incx, beta, y, incy);                         \
  }
CU2CPP_LEVEL2_REAL(float, S)
CU2CPP_LEVEL2_REAL(double, D)

#define CU2CPP_LEVEL2_COMPLEX(T, S)                                                                \
  extern "C" cublasStatus_t cublas##S##geru_v2(cublasHandle_t handle, int m, int n,                \
                                               const T* alpha, const T* x, int incx, const T* y,   \
                                               int incy, T* A, int lda) {                          \
    return gerOn(handle, m, n, in(alpha), in(x), incx, in(y), incy, in(A), lda, false);            \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##S##gerc_v2(cublasHandle_t handle, int m, int n,                \
                                               const T* alpha, const T* x, int incx, const T* y,   \
                                               int incy, T* A, int lda) {                          \
    return gerOn(handle, m, n, in(alpha), in(x), incx, in(y), incy, in(A), lda, true);             \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##S##hemv_v2(                                                    \
      cublasHandle_t handle, cublasFillMode_t uplo, int n, const T* alpha, const T* A, int lda,    \
      const T* x, int incx, const T* beta, T* y, int incy) {                                       \
    return symvOn(handle, uplo, n, in(alpha), in(A), lda, in(x), incx, in(beta), in(y), incy);     \
  }
CU2CPP_LEVEL2_COMPLEX(cuComplex, C)
CU2CPP_LEVEL2_COMPLEX(cuDoubleComplex, Z)
