// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLAS level 1: functions of vectors. As in the manual, sums and norms of nothing are zero and an
// increment that is not positive means nothing for functions of one vector.
//
// cuBLAS Library, 'cuBLAS Level-1 Function Reference'.
#include "blas/cblas_types.h"
#include "blas/handle.h"

namespace cu2cpp::blas {
namespace {

/// extreme() is the index, from 1, of the first element of the largest (or smallest) magnitude.
template <class T, class Better> int extreme(int n, const T* x, int incx, Better better) {
  int found = 0;
  T best{};
  for (int i = 0; i < n; ++i) {
    const T value = x[std::ptrdiff_t(i) * incx];
    const T size = value < 0 ? -value : value;
    if (i == 0 || better(size, best)) {
      found = i;
      best = size;
    }
  }
  return found + 1;
}

template <class T, class Better>
cublasStatus_t extremeIndex(cublasHandle_t handle, int n, const T* x, int incx, int* result,
                            Better better) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!result)
    return CUBLAS_STATUS_INVALID_VALUE;
  const bool empty = n <= 0 || incx <= 0;
  return enqueueResult(handle, result, [=] { return empty ? 0 : extreme(n, x, incx, better); });
}

/// vectorResult() queues a sum or norm.
template <class T, class Work>
cublasStatus_t vectorResult(cublasHandle_t handle, bool empty, T* result, Work work) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!result)
    return CUBLAS_STATUS_INVALID_VALUE;
  return enqueueResult(handle, result, [=] { return empty ? T(0) : T(work()); });
}

/// vectorWork() queues what changes vectors.
template <class Work> cublasStatus_t vectorWork(cublasHandle_t handle, int n, Work work) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  return n <= 0 ? CUBLAS_STATUS_SUCCESS : enqueue(handle, work);
}

template <class T>
cublasStatus_t axpyOn(cublasHandle_t handle, int n, const T* alpha, const T* x, int incx, T* y,
                      int incy) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!alpha)
    return CUBLAS_STATUS_INVALID_VALUE;
  return vectorWork(handle, n,
                    [=, a = Scalar<T>(handle, alpha)] { axpy<T>(n, a.get(), x, incx, y, incy); });
}

template <class T>
cublasStatus_t scalOn(cublasHandle_t handle, int n, const T* alpha, T* x, int incx) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!alpha)
    return CUBLAS_STATUS_INVALID_VALUE;
  return vectorWork(handle, incx > 0 ? n : 0,
                    [=, a = Scalar<T>(handle, alpha)] { scal<T>(n, a.get(), x, incx); });
}

template <class T>
cublasStatus_t rotOn(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy, const T* c,
                     const T* s) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!c || !s)
    return CUBLAS_STATUS_INVALID_VALUE;
  return vectorWork(handle, n, [=, cosine = Scalar<T>(handle, c), sine = Scalar<T>(handle, s)] {
    rot<T>(n, x, incx, y, incy, cosine.get(), sine.get());
  });
}

} // namespace
} // namespace cu2cpp::blas

using namespace cu2cpp::blas;

#define CU2CPP_LEVEL1(T, S, Is)                                                                    \
  extern "C" cublasStatus_t cublas##Is##amax_v2(cublasHandle_t handle, int n, const T* x,          \
                                                int incx, int* result) {                           \
    return extremeIndex(handle, n, x, incx, result, [](T a, T b) { return a > b; });               \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##Is##amin_v2(cublasHandle_t handle, int n, const T* x,          \
                                                int incx, int* result) {                           \
    return extremeIndex(handle, n, x, incx, result, [](T a, T b) { return a < b; });               \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##S##asum_v2(cublasHandle_t handle, int n, const T* x, int incx, \
                                               T* result) {                                        \
    return vectorResult(handle, n <= 0 || incx <= 0, result, [=] { return asum<T>(n, x, incx); }); \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##S##nrm2_v2(cublasHandle_t handle, int n, const T* x, int incx, \
                                               T* result) {                                        \
    return vectorResult(handle, n <= 0 || incx <= 0, result, [=] { return nrm2<T>(n, x, incx); }); \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##S##dot_v2(cublasHandle_t handle, int n, const T* x, int incx,  \
                                              const T* y, int incy, T* result) {                   \
    return vectorResult(handle, n <= 0, result, [=] { return dot<T>(n, x, incx, y, incy); });      \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##S##axpy_v2(cublasHandle_t handle, int n, const T* alpha,       \
                                               const T* x, int incx, T* y, int incy) {             \
    return axpyOn(handle, n, alpha, x, incx, y, incy);                                             \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##S##scal_v2(cublasHandle_t handle, int n, const T* alpha, T* x, \
                                               int incx) {                                         \
    return scalOn(handle, n, alpha, x, incx);                                                      \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##S##copy_v2(cublasHandle_t handle, int n, const T* x, int incx, \
                                               T* y, int incy) {                                   \
    return vectorWork(handle, n, [=] { copy<T>(n, x, incx, y, incy); });                           \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##S##swap_v2(cublasHandle_t handle, int n, T* x, int incx, T* y, \
                                               int incy) {                                         \
    return vectorWork(handle, n, [=] { swap<T>(n, x, incx, y, incy); });                           \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##S##rot_v2(cublasHandle_t handle, int n, T* x, int incx, T* y,  \
                                              int incy, const T* c, const T* s) {                  \
    return rotOn(handle, n, x, incx, y, incy, c, s);                                               \
  }
CU2CPP_LEVEL1(float, S, Is)
CU2CPP_LEVEL1(double, D, Id)
