// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LU and QR factors of many small matrices and what is computed with them: solutions, inverses,
// least squares. The loops are plain; the threads share the batch.
//
// cuBLAS Library, 'BLAS-like Extension'. Factors are stored as LAPACK's getrf and geqrf do.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "blas/cblas_types.h"
#include "blas/handle.h"

namespace cu2cpp::blas {
namespace {

/// View is one column-major matrix.
template <class T> struct View {
  T* data;
  std::ptrdiff_t ld;
  T& operator()(std::ptrdiff_t i, std::ptrdiff_t j) const { return data[i + j * ld]; }
};

template <class Each> void forBatch(int count, Each each) {
#pragma omp parallel for schedule(dynamic) if (count > 1)
  for (int i = 0; i < count; ++i)
    each(i);
}

template <class T> void swapRows(const View<T>& A, int columns, int i, int j) {
  if (i != j)
    for (int k = 0; k < columns; ++k)
      std::swap(A(i, k), A(j, k));
}

/// factorLu() leaves L (unit diagonal) and U in A; returns the first zero pivot from 1, or 0.
template <class T> int factorLu(const View<T>& A, int n, int* pivots) {
  int singular = 0;
  for (int k = 0; k < n; ++k) {
    if (pivots) {
      int best = k;
      for (int i = k + 1; i < n; ++i)
        if (std::abs(A(i, k)) > std::abs(A(best, k)))
          best = i;
      pivots[k] = best + 1;
      swapRows(A, n, k, best);
    }
    if (A(k, k) == T(0)) {
      singular = singular ? singular : k + 1;
      continue;
    }
    for (int i = k + 1; i < n; ++i)
      A(i, k) /= A(k, k);
    for (int j = k + 1; j < n; ++j)
      for (int i = k + 1; i < n; ++i)
        A(i, j) -= A(i, k) * A(k, j);
  }
  return singular;
}

/// solveLu() replaces B, which has that many columns, by the solution of op(A) X = B.
template <class T>
void solveLu(cublasOperation_t trans, const T* lu, int lda, int n, const int* pivots,
             const View<T>& B, int columns) {
  const auto triangle = [&](CBLAS_UPLO part, CBLAS_DIAG diagonal) {
    trsm<T>(CblasColMajor, CblasLeft, part, cblas(trans), diagonal, n, columns, T(1), lu, lda,
            B.data, int(B.ld));
  };
  if (trans == CUBLAS_OP_N) {
    for (int k = 0; pivots && k < n; ++k)
      swapRows(B, columns, k, pivots[k] - 1);
    triangle(CblasLower, CblasUnit);
    triangle(CblasUpper, CblasNonUnit);
  } else {
    triangle(CblasUpper, CblasNonUnit);
    triangle(CblasLower, CblasUnit);
    for (int k = n - 1; pivots && k >= 0; --k)
      swapRows(B, columns, k, pivots[k] - 1);
  }
}

/// invertLu() writes the inverse; returns the first zero on U's diagonal from 1, or 0.
template <class T>
int invertLu(const T* lu, int lda, int n, const int* pivots, const View<T>& inverse) {
  for (int k = 0; k < n; ++k)
    if (lu[k + std::ptrdiff_t(k) * lda] == T(0))
      return k + 1;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      inverse(i, j) = T(i == j);
  solveLu(CUBLAS_OP_N, lu, lda, n, pivots, inverse, n);
  return 0;
}

template <class T> T conjugate(T x) { return x; }
template <class T> std::complex<T> conjugate(std::complex<T> x) { return std::conj(x); }

/// reflect() applies the conjugate transpose of I - tau v v' to a column; v starts with a 1 that is
/// not stored.
template <class T> void reflect(const T* v, T tau, int length, T* column) {
  T sum = column[0];
  for (int i = 1; i < length; ++i)
    sum += conjugate(v[i]) * column[i];
  sum *= conjugate(tau);
  column[0] -= sum;
  for (int i = 1; i < length; ++i)
    column[i] -= sum * v[i];
}

/// factorQr() leaves R in A's upper triangle and the reflections' vectors below it.
template <class T> void factorQr(const View<T>& A, int m, int n, T* tau) {
  for (int k = 0; k < std::min(m, n); ++k) {
    T* column = &A(k, k);
    const int length = m - k;
    const Real<T> rest = length > 1 ? Real<T>(nrm2<T>(length - 1, column + 1, 1)) : Real<T>(0);
    const T first = column[0];
    tau[k] = T(0);
    if (rest == 0 && first == conjugate(first))
      continue;
    const Real<T> size = std::hypot(std::abs(first), rest);
    const Real<T> diagonal = std::real(first) < 0 ? size : -size;
    tau[k] = (T(diagonal) - first) / T(diagonal);
    if constexpr (isComplex<T>)
      tau[k] = T((diagonal - first.real()) / diagonal, -first.imag() / diagonal);
    for (int i = 1; i < length; ++i)
      column[i] /= first - diagonal;
    column[0] = T(diagonal);
    for (int j = k + 1; j < n; ++j)
      reflect(column, tau[k], length, &A(k, j));
  }
}

/// solveLeastSquares() returns the first zero on R's diagonal from 1, or 0.
template <class T>
int solveLeastSquares(const View<T>& A, int m, int n, const View<T>& C, int columns) {
  std::vector<T> tau(std::size_t(n) + 1);
  factorQr(A, m, n, tau.data());
  for (int k = 0; k < n; ++k)
    if (A(k, k) == T(0))
      return k + 1;
  for (int j = 0; j < columns; ++j)
    for (int k = 0; k < n; ++k)
      reflect(&A(k, k), tau[std::size_t(k)], m - k, &C(k, j));
  trsm<T>(CblasColMajor, CblasLeft, CblasUpper, CblasNoTrans, CblasNonUnit, n, columns, T(1),
          A.data, int(A.ld), C.data, int(C.ld));
  return 0;
}

template <class T>
cublasStatus_t getrfOn(cublasHandle_t handle, int n, T* const* A, int lda, int* pivots, int* info,
                       int batch) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (n < 0 || batch < 0 || !leads(lda, n) || !info)
    return CUBLAS_STATUS_INVALID_VALUE;
  return enqueue(handle, [=] {
    forBatch(batch, [&](int i) {
      info[i] = factorLu(View<T>{A[i], lda}, n, pivots ? pivots + std::ptrdiff_t(i) * n : nullptr);
    });
  });
}

// The manual's `info` of a call that is only checked: -j where argument j is wrong.
template <class T>
cublasStatus_t getrsOn(cublasHandle_t handle, cublasOperation_t trans, int n, int columns,
                       const T* const* A, int lda, const int* pivots, T* const* B, int ldb,
                       int* info, int batch) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!info)
    return CUBLAS_STATUS_INVALID_VALUE;
  *info = !valid(trans)    ? -1
          : n < 0          ? -2
          : columns < 0    ? -3
          : !leads(lda, n) ? -5
          : !leads(ldb, n) ? -8
          : batch < 0      ? -10
                           : 0;
  if (*info != 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0 || columns == 0)
    return CUBLAS_STATUS_SUCCESS;
  return enqueue(handle, [=] {
    forBatch(batch, [&](int i) {
      solveLu(trans, A[i], lda, n, pivots ? pivots + std::ptrdiff_t(i) * n : nullptr,
              View<T>{B[i], ldb}, columns);
    });
  });
}

template <class T>
cublasStatus_t getriOn(cublasHandle_t handle, int n, const T* const* A, int lda, const int* pivots,
                       T* const* C, int ldc, int* info, int batch) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (n < 0 || batch < 0 || !leads(lda, n) || !leads(ldc, n) || !info)
    return CUBLAS_STATUS_INVALID_VALUE;
  return enqueue(handle, [=] {
    forBatch(batch, [&](int i) {
      info[i] = invertLu(A[i], lda, n, pivots ? pivots + std::ptrdiff_t(i) * n : nullptr,
                         View<T>{C[i], ldc});
    });
  });
}

// For matrices of up to 32 rows, as on a GPU.
template <class T>
cublasStatus_t matinvOn(cublasHandle_t handle, int n, const T* const* A, int lda, T* const* inverse,
                        int ldInverse, int* info, int batch) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (n < 0 || n > 32 || batch < 0 || !leads(lda, n) || !leads(ldInverse, n) || !info)
    return CUBLAS_STATUS_INVALID_VALUE;
  return enqueue(handle, [=] {
    forBatch(batch, [&](int i) {
      std::vector<T> lu(std::size_t(n) * std::size_t(n) + 1);
      std::vector<int> pivots(std::size_t(n) + 1);
      for (std::ptrdiff_t j = 0; j < n; ++j)
        std::copy_n(A[i] + j * lda, n, lu.data() + j * n);
      info[i] = factorLu(View<T>{lu.data(), n}, n, pivots.data());
      if (info[i] == 0 && n > 0)
        info[i] = invertLu(lu.data(), n, n, pivots.data(), View<T>{inverse[i], ldInverse});
    });
  });
}

template <class T>
cublasStatus_t geqrfOn(cublasHandle_t handle, int m, int n, T* const* A, int lda, T* const* tau,
                       int* info, int batch) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!info)
    return CUBLAS_STATUS_INVALID_VALUE;
  *info = m < 0 ? -1 : n < 0 ? -2 : !leads(lda, m) ? -4 : batch < 0 ? -7 : 0;
  if (*info != 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  return enqueue(
      handle, [=] { forBatch(batch, [&](int i) { factorQr(View<T>{A[i], lda}, m, n, tau[i]); }); });
}

// Only over-determined systems, not transposed, as on a GPU.
template <class T>
cublasStatus_t gelsOn(cublasHandle_t handle, cublasOperation_t trans, int m, int n, int columns,
                      T* const* A, int lda, T* const* C, int ldc, int* info, int* devInfo,
                      int batch) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!info)
    return CUBLAS_STATUS_INVALID_VALUE;
  *info = !valid(trans)    ? -1
          : m < 0          ? -2
          : n < 0          ? -3
          : columns < 0    ? -4
          : !leads(lda, m) ? -6
          : !leads(ldc, m) ? -8
          : batch < 0      ? -11
                           : 0;
  if (*info != 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (trans != CUBLAS_OP_N || m < n)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  if (n == 0 || columns == 0)
    return CUBLAS_STATUS_SUCCESS;
  return enqueue(handle, [=] {
    forBatch(batch, [&](int i) {
      const int zero = solveLeastSquares(View<T>{A[i], lda}, m, n, View<T>{C[i], ldc}, columns);
      if (devInfo)
        devInfo[i] = zero;
    });
  });
}

} // namespace
} // namespace cu2cpp::blas

using namespace cu2cpp::blas;

#define CU2CPP_FACTORS(T, S)                                                                       \
  extern "C" cublasStatus_t cublas##S##getrfBatched(cublasHandle_t handle, int n, T* const A[],    \
                                                    int lda, int* P, int* info, int batchSize) {   \
    return getrfOn(handle, n, in(A), lda, P, info, batchSize);                                     \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##S##getrsBatched(                                               \
      cublasHandle_t handle, cublasOperation_t trans, int n, int nrhs, const T* const Aarray[],    \
      int lda, const int* devIpiv, T* const Barray[], int ldb, int* info, int batchSize) {         \
    return getrsOn(handle, trans, n, nrhs, in(Aarray), lda, devIpiv, in(Barray), ldb, info,        \
                   batchSize);                                                                     \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##S##getriBatched(                                               \
      cublasHandle_t handle, int n, const T* const A[], int lda, const int* P, T* const C[],       \
      int ldc, int* info, int batchSize) {                                                         \
    return getriOn(handle, n, in(A), lda, P, in(C), ldc, info, batchSize);                         \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##S##matinvBatched(cublasHandle_t handle, int n,                 \
                                                     const T* const A[], int lda, T* const Ainv[], \
                                                     int lda_inv, int* info, int batchSize) {      \
    return matinvOn(handle, n, in(A), lda, in(Ainv), lda_inv, info, batchSize);                    \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##S##geqrfBatched(                                               \
      cublasHandle_t handle, int m, int n, T* const Aarray[], int lda, T* const TauArray[],        \
      int* info, int batchSize) {                                                                  \
    return geqrfOn(handle, m, n, in(Aarray), lda, in(TauArray), info, batchSize);                  \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##S##gelsBatched(                                                \
      cublasHandle_t handle, cublasOperation_t trans, int m, int n, int nrhs, T* const Aarray[],   \
      int lda, T* const Carray[], int ldc, int* info, int* devInfoArray, int batchSize) {          \
    return gelsOn(handle, trans, m, n, nrhs, in(Aarray), lda, in(Carray), ldc, info, devInfoArray, \
                  batchSize);                                                                      \
  }
CU2CPP_FACTORS(float, S)
CU2CPP_FACTORS(double, D)
CU2CPP_FACTORS(cuComplex, C)
CU2CPP_FACTORS(cuDoubleComplex, Z)
