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

template <class T>
cublasStatus_t gerOn(cublasHandle_t handle, int m, int n, const T* alpha, const T* x, int incx,
                     const T* y, int incy, T* A, int lda) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (m < 0 || n < 0 || incx == 0 || incy == 0 || !leads(lda, m) || !alpha)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0)
    return CUBLAS_STATUS_SUCCESS;
  return enqueue(handle, [=, a = Scalar<T>(handle, alpha)] {
    ger<T>(CblasColMajor, m, n, a.get(), x, incx, y, incy, A, lda);
  });
}

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
    symv<T>(CblasColMajor, cblas(uplo), n, a.get(), A, lda, x, incx, b.get(), y, incy);
  });
}

template <class T>
cublasStatus_t trsvOn(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,
                      cublasDiagType_t diag, int n, const T* A, int lda, T* x, int incx) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!valid(uplo) || !valid(trans) || !valid(diag) || n < 0 || !leads(lda, n) || incx == 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0)
    return CUBLAS_STATUS_SUCCESS;
  return enqueue(handle, [=] {
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
    return gemvOn(handle, trans, m, n, alpha, A, lda, x, incx, beta, y, incy);                     \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##S##ger_v2(cublasHandle_t handle, int m, int n, const T* alpha, \
                                              const T* x, int incx, const T* y, int incy, T* A,    \
                                              int lda) {                                           \
    return gerOn(handle, m, n, alpha, x, incx, y, incy, A, lda);                                   \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##S##symv_v2(                                                    \
      cublasHandle_t handle, cublasFillMode_t uplo, int n, const T* alpha, const T* A, int lda,    \
      const T* x, int incx, const T* beta, T* y, int incy) {                                       \
    return symvOn(handle, uplo, n, alpha, A, lda, x, incx, beta, y, incy);                         \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##S##trsv_v2(cublasHandle_t handle, cublasFillMode_t uplo,       \
                                               cublasOperation_t trans, cublasDiagType_t diag,     \
                                               int n, const T* A, int lda, T* x, int incx) {       \
    return trsvOn(handle, uplo, trans, diag, n, A, lda, x, incx);                                  \
  }
CU2CPP_LEVEL2(float, S)
CU2CPP_LEVEL2(double, D)
