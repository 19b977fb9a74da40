// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLAS level 1: functions of vectors. As in the manual, sums and norms of nothing are zero and an
// increment that is not positive means nothing for functions of one vector.
//
// cuBLAS Library, 'cuBLAS Level-1 Function Reference'.
#include <algorithm>
#include <array>
#include <cmath>

#include "blas/cblas_types.h"
#include "blas/handle.h"

namespace cu2cpp::blas {
namespace {

/// magnitude() of a complex number is the sum of its parts' magnitudes, as in BLAS.
template <class T> T magnitude(T x) { return std::abs(x); }
template <class T> T magnitude(std::complex<T> x) {
  return std::abs(x.real()) + std::abs(x.imag());
}

/// extreme() is the index, from 1, of the first element of the largest (or smallest) magnitude.
template <class T, class Better> int extreme(int n, const T* x, int incx, Better better) {
  int found = 0;
  Real<T> best{};
  for (int i = 0; i < n; ++i) {
    const Real<T> size = magnitude(x[std::ptrdiff_t(i) * incx]);
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

// The factor may be real where x is complex.
template <class T, class F>
cublasStatus_t scalOn(cublasHandle_t handle, int n, const F* alpha, T* x, int incx) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!alpha)
    return CUBLAS_STATUS_INVALID_VALUE;
  return vectorWork(handle, incx > 0 ? n : 0,
                    [=, a = Scalar<F>(handle, alpha)] { scal<T>(n, T(a.get()), x, incx); });
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

template <class T>
cublasStatus_t sumOf(cublasHandle_t handle, int n, const T* x, int incx, Real<T>* result) {
  return vectorResult(handle, n <= 0 || incx <= 0, result, [=] { return asum<T>(n, x, incx); });
}

template <class T>
cublasStatus_t normOf(cublasHandle_t handle, int n, const T* x, int incx, Real<T>* result) {
  return vectorResult(handle, n <= 0 || incx <= 0, result, [=] { return nrm2<T>(n, x, incx); });
}

template <class T>
cublasStatus_t complexDot(cublasHandle_t handle, int n, const T* x, int incx, const T* y, int incy,
                          T* result, bool conjugate) {
  return vectorResult(handle, n <= 0, result, [=] {
    T sum{};
    if (conjugate)
      dotc_sub<T>(n, x, incx, y, incy, &sum);
    else
      dotu_sub<T>(n, x, incx, y, incy, &sum);
    return sum;
  });
}

template <class T>
cublasStatus_t copyOn(cublasHandle_t handle, int n, const T* x, int incx, T* y, int incy) {
  return vectorWork(handle, n, [=] { copy<T>(n, x, incx, y, incy); });
}

template <class T>
cublasStatus_t swapOn(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy) {
  return vectorWork(handle, n, [=] { swap<T>(n, x, incx, y, incy); });
}

// All four are read and written: where they live on the host, the caller waits.
template <class T> cublasStatus_t rotgOn(cublasHandle_t handle, T* a, T* b, T* c, T* s) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!a || !b || !c || !s)
    return CUBLAS_STATUS_INVALID_VALUE;
  return enqueueAndWait(handle, [=] { rotg<T>(a, b, c, s); });
}

// The flag and the four elements of a modified rotation.
template <class T>
cublasStatus_t rotmOn(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy,
                      const T* param) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!param)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (handle->pointerMode == CUBLAS_POINTER_MODE_DEVICE)
    return vectorWork(handle, n, [=] { rotm<T>(n, x, incx, y, incy, param); });
  std::array<T, 5> kept{};
  kept[0] = param[0]; // says which of the others there are
  if (param[0] != T(-2))
    std::copy(param + 1, param + 5, kept.begin() + 1);
  return vectorWork(handle, n, [=] { rotm<T>(n, x, incx, y, incy, kept.data()); });
}

template <class T>
cublasStatus_t rotmgOn(cublasHandle_t handle, T* d1, T* d2, T* x1, const T* y1, T* param) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!d1 || !d2 || !x1 || !y1 || !param)
    return CUBLAS_STATUS_INVALID_VALUE;
  return enqueueAndWait(handle, [=] { rotmg<T>(d1, d2, x1, *y1, param); });
}

} // namespace
} // namespace cu2cpp::blas

using namespace cu2cpp::blas;

#define CU2CPP_LEVEL1(T, S, Is, R, RS)                                                             \
  extern "C" cublasStatus_t cublas##Is##amax_v2(cublasHandle_t handle, int n, const T* x,          \
                                                int incx, int* result) {                           \
    return extremeIndex(handle, n, in(x), incx, result, [](R a, R b) { return a > b; });           \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##Is##amin_v2(cublasHandle_t handle, int n, const T* x,          \
                                                int incx, int* result) {                           \
    return extremeIndex(handle, n, in(x), incx, result, [](R a, R b) { return a < b; });           \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##RS##asum_v2(cublasHandle_t handle, int n, const T* x,          \
                                                int incx, R* result) {                             \
    return sumOf(handle, n, in(x), incx, result);                                                  \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##RS##nrm2_v2(cublasHandle_t handle, int n, const T* x,          \
                                                int incx, R* result) {                             \
    return normOf(handle, n, in(x), incx, result);                                                 \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##S##axpy_v2(cublasHandle_t handle, int n, const T* alpha,       \
                                               const T* x, int incx, T* y, int incy) {             \
    return axpyOn(handle, n, in(alpha), in(x), incx, in(y), incy);                                 \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##S##scal_v2(cublasHandle_t handle, int n, const T* alpha, T* x, \
                                               int incx) {                                         \
    return scalOn(handle, n, in(alpha), in(x), incx);                                              \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##S##copy_v2(cublasHandle_t handle, int n, const T* x, int incx, \
                                               T* y, int incy) {                                   \
    return copyOn(handle, n, in(x), incx, in(y), incy);                                            \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##S##swap_v2(cublasHandle_t handle, int n, T* x, int incx, T* y, \
                                               int incy) {                                         \
    return swapOn(handle, n, in(x), incx, in(y), incy);                                            \
  }
CU2CPP_LEVEL1(float, S, Is, float, S)
CU2CPP_LEVEL1(double, D, Id, double, D)
CU2CPP_LEVEL1(cuComplex, C, Ic, float, Sc)
CU2CPP_LEVEL1(cuDoubleComplex, Z, Iz, double, Dz)

#define CU2CPP_LEVEL1_REAL(T, S)                                                                   \
  extern "C" cublasStatus_t cublas##S##dot_v2(cublasHandle_t handle, int n, const T* x, int incx,  \
                                              const T* y, int incy, T* result) {                   \
    return vectorResult(handle, n <= 0, result, [=] { return dot<T>(n, x, incx, y, incy); });      \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##S##rot_v2(cublasHandle_t handle, int n, T* x, int incx, T* y,  \
                                              int incy, const T* c, const T* s) {                  \
    return rotOn(handle, n, x, incx, y, incy, c, s);                                               \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##S##rotg_v2(cublasHandle_t handle, T* a, T* b, T* c, T* s) {    \
    return rotgOn(handle, a, b, c, s);                                                             \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##S##rotm_v2(cublasHandle_t handle, int n, T* x, int incx, T* y, \
                                               int incy, const T* param) {                         \
    return rotmOn(handle, n, x, incx, y, incy, param);                                             \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##S##rotmg_v2(cublasHandle_t handle, T* d1, T* d2, T* x1,        \
                                                const T* y1, T* param) {                           \
    return rotmgOn(handle, d1, d2, x1, y1, param);                                                 \
  }
CU2CPP_LEVEL1_REAL(float, S)
CU2CPP_LEVEL1_REAL(double, D)

#define CU2CPP_LEVEL1_COMPLEX(T, S, R, CR)                                                         \
  extern "C" cublasStatus_t cublas##S##dotu_v2(cublasHandle_t handle, int n, const T* x, int incx, \
                                               const T* y, int incy, T* result) {                  \
    return complexDot(handle, n, in(x), incx, in(y), incy, in(result), false);                     \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##S##dotc_v2(cublasHandle_t handle, int n, const T* x, int incx, \
                                               const T* y, int incy, T* result) {                  \
    return complexDot(handle, n, in(x), incx, in(y), incy, in(result), true);                      \
  }                                                                                                \
  extern "C" cublasStatus_t cublas##CR##scal_v2(cublasHandle_t handle, int n, const R* alpha,      \
                                                T* x, int incx) {                                  \
    return scalOn(handle, n, alpha, in(x), incx);                                                  \
  }
CU2CPP_LEVEL1_COMPLEX(cuComplex, C, float, Cs)
CU2CPP_LEVEL1_COMPLEX(cuDoubleComplex, Z, double, Zd)
