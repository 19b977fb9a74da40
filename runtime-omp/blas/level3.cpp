// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLAS level 3 but for plain products: symmetric, Hermitian and triangular matrices.
//
// cuBLAS Library, 'cuBLAS Level-3 Function Reference'.
#include <algorithm>
#include <cstddef>

#include "blas/cblas_types.h"
#include "blas/handle.h"

namespace cu2cpp::blas {
namespace {

template <class T>
cublasStatus_t symmOn(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, int m,
                      int n, const T* alpha, const T* A, int lda, const T* B, int ldb,
                      const T* beta, T* C, int ldc, bool hermitian = false) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!valid(side) || !valid(uplo) || m < 0 || n < 0 || !alpha || !beta ||
      !leads(lda, side == CUBLAS_SIDE_LEFT ? m : n) || !leads(ldb, m) || !leads(ldc, m))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0)
    return CUBLAS_STATUS_SUCCESS;
  return enqueue(handle, [=, a = Scalar<T>(handle, alpha), b = Scalar<T>(handle, beta)] {
    if constexpr (isComplex<T>)
      if (hermitian)
        return hemm<T>(CblasColMajor, cblas(side), cblas(uplo), m, n, a.get(), A, lda, B, ldb,
                       b.get(), C, ldc);
    symm<T>(CblasColMajor, cblas(side), cblas(uplo), m, n, a.get(), A, lda, B, ldb, b.get(), C,
            ldc);
  });
}

/// updates() tells which transpositions a symmetric update takes: of complex numbers not the
/// conjugate one.
template <class T> bool updates(cublasOperation_t trans) {
  return valid(trans) && !(isComplex<T> && trans == CUBLAS_OP_C);
}

template <class T>
cublasStatus_t syrkOn(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int n,
                      int k, const T* alpha, const T* A, int lda, const T* beta, T* C, int ldc) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!valid(uplo) || !updates<T>(trans) || n < 0 || k < 0 || !alpha || !beta ||
      !leads(lda, rowsOf(trans, n, k)) || !leads(ldc, n))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0)
    return CUBLAS_STATUS_SUCCESS;
  return enqueue(handle, [=, a = Scalar<T>(handle, alpha), b = Scalar<T>(handle, beta)] {
    syrk<T>(CblasColMajor, cblas(uplo), cblas(trans), n, k, a.get(), A, lda, b.get(), C, ldc);
  });
}

template <class T>
cublasStatus_t syr2kOn(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int n,
                       int k, const T* alpha, const T* A, int lda, const T* B, int ldb,
                       const T* beta, T* C, int ldc) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!valid(uplo) || !updates<T>(trans) || n < 0 || k < 0 || !alpha || !beta ||
      !leads(lda, rowsOf(trans, n, k)) || !leads(ldb, rowsOf(trans, n, k)) || !leads(ldc, n))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0)
    return CUBLAS_STATUS_SUCCESS;
  return enqueue(handle, [=, a = Scalar<T>(handle, alpha), b = Scalar<T>(handle, beta)] {
    syr2k<T>(CblasColMajor, cblas(uplo), cblas(trans), n, k, a.get(), A, lda, B, ldb, b.get(), C,
             ldc);
  });
}

template <class T>
cublasStatus_t herkOn(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int n,
                      int k, const Real<T>* alpha, const T* A, int lda, const Real<T>* beta, T* C,
                      int ldc) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!valid(uplo) || (trans != CUBLAS_OP_N && trans != CUBLAS_OP_C) || n < 0 || k < 0 || !alpha ||
      !beta || !leads(lda, rowsOf(trans, n, k)) || !leads(ldc, n))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0)
    return CUBLAS_STATUS_SUCCESS;
  return enqueue(
      handle, [=, a = Scalar<Real<T>>(handle, alpha), b = Scalar<Real<T>>(handle, beta)] {
        herk<T>(CblasColMajor, cblas(uplo), cblas(trans), n, k, a.get(), A, lda, b.get(), C, ldc);
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

// C = alpha op(A) B, or B op(A). Unlike BLAS' function it has a C of its own, which may be B.
template <class T>
cublasStatus_t trmmOn(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,
                      cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const T* alpha,
                      const T* A, int lda, const T* B, int ldb, T* C, int ldc) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!valid(side) || !valid(uplo) || !valid(trans) || !valid(diag) || m < 0 || n < 0 || !alpha ||
      !leads(lda, side == CUBLAS_SIDE_LEFT ? m : n) || !leads(ldb, m) || !leads(ldc, m) ||
      (B == C && ldb != ldc))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0)
    return CUBLAS_STATUS_SUCCESS;
  return enqueue(handle, [=, a = Scalar<T>(handle, alpha)] {
    if (B != C)
      for (std::ptrdiff_t j = 0; j < n; ++j)
        std::copy_n(B + j * ldb, m, C + j * ldc);
    trmm<T>(CblasColMajor, cblas(side), cblas(uplo), cblas(trans), cblas(diag), m, n, a.get(), A,
            lda, C, ldc);
  });
}

} // namespace
} // namespace cu2cpp::blas

using namespace cu2cpp::blas;

#define CU2CPP_LEVEL3(T, S)                                                                        \
  extern "C" cublasStatus_t cublas##S##symm_v2(                                                    \
      cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, int m, int n,           \
      const T* alpha, const T* A, int lda, const T* B, int ldb, const T* beta, T* C, int ldc) {    \
    return symmOn(handle, side, uplo, m, n, in(alpha), in(A), lda, in(B), ldb, in(beta), in(C),    \
                  ldc);                                                                            \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##S##syrk_v2(                                                    \
      cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int n, int k,         \
      const T* alpha, const T* A, int lda, const T* beta, T* C, int ldc) {                         \
    return syrkOn(handle, uplo, trans, n, k, in(alpha), in(A), lda, in(beta), in(C), ldc);         \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##S##syr2k_v2(                                                   \
      cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int n, int k,         \
      const T* alpha, const T* A, int lda, const T* B, int ldb, const T* beta, T* C, int ldc) {    \
    return syr2kOn(handle, uplo, trans, n, k, in(alpha), in(A), lda, in(B), ldb, in(beta), in(C),  \
                   ldc);                                                                           \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##S##trsm_v2(                                                    \
      cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,                         \
      cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const T* alpha, const T* A,    \
      int lda, T* B, int ldb) {                                                                    \
    return trsmOn(handle, side, uplo, trans, diag, m, n, in(alpha), in(A), lda, in(B), ldb);       \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##S##trmm_v2(                                                    \
      cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,                         \
      cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const T* alpha, const T* A,    \
      int lda, const T* B, int ldb, T* C, int ldc) {                                               \
    return trmmOn(handle, side, uplo, trans, diag, m, n, in(alpha), in(A), lda, in(B), ldb, in(C), \
                  ldc);                                                                            \
  }
CU2CPP_LEVEL3(float, S)
CU2CPP_LEVEL3(double, D)
CU2CPP_LEVEL3(cuComplex, C)
CU2CPP_LEVEL3(cuDoubleComplex, Z)

#define CU2CPP_HERMITIAN(T, S, R)                                                                  \
  extern "C" cublasStatus_t cublas##S##hemm_v2(                                                    \
      cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, int m, int n,           \
      const T* alpha, const T* A, int lda, const T* B, int ldb, const T* beta, T* C, int ldc) {    \
    return symmOn(handle, side, uplo, m, n, in(alpha), in(A), lda, in(B), ldb, in(beta), in(C),    \
                  ldc, true);                                                                      \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##S##herk_v2(                                                    \
      cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int n, int k,         \
      const R* alpha, const T* A, int lda, const R* beta, T* C, int ldc) {                         \
    return herkOn(handle, uplo, trans, n, k, alpha, in(A), lda, beta, in(C), ldc);                 \
  }
CU2CPP_HERMITIAN(cuComplex, C, float)
CU2CPP_HERMITIAN(cuDoubleComplex, Z, double)
