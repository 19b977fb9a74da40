// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of vectors whose element types are arguments. The type to compute in is an argument
// too; sums of narrow elements are kept in double and rounded once.
//
// cuBLAS Library, 'cublasDotEx()', 'cublasNrm2Ex()', 'cublasAxpyEx()' and 'cublasScalEx()'.
#include "blas/elements.h"
#include "blas/handle.h"

namespace cu2cpp::blas {
namespace {

bool isNarrow(cudaDataType type) { return type == CUDA_R_16F || type == CUDA_R_16BF; }

/// computes() tells whether the manual's tables let elements of a type be computed with in another.
bool computes(cudaDataType type, cudaDataType execution) {
  return isNarrow(type) ? execution == CUDA_R_32F
                        : execution == type &&
                              (type == CUDA_R_32F || type == CUDA_R_64F || isComplexType(type));
}

/// Vector is n elements; those of a negative increment run backwards.
struct Vector {
  void* data;
  cudaDataType type;
  int n, increment;

  Index offset(Index i) const { return (increment < 0 ? i - (n - 1) : i) * increment; }
};
Vector vector(const void* data, cudaDataType type, int n, int increment) {
  return {const_cast<void*>(data), type, n, increment};
}

template <class R> R element(const Vector& v, Index i) {
  return withElement<R>(v.type, v.data, [&](auto* p) { return widened<R>(p[v.offset(i)]); });
}
template <class R> void store(const Vector& v, Index i, const R& value) {
  withElement<R>(v.type, v.data, [&](auto* p) {
    p[v.offset(i)] = narrowed<std::remove_pointer_t<decltype(p)>>(value);
  });
}

/// withWide() calls use(R()) with double or its complex numbers.
template <class Use> void withWide(cudaDataType type, Use use) {
  if (isComplexType(type))
    use(std::complex<double>());
  else
    use(double());
}

cublasStatus_t dot(cublasHandle_t handle, int n, const Vector& x, const Vector& y, void* result,
                   cudaDataType resultType, cudaDataType execution, bool conjugated) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!result)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (x.type != y.type || x.type != resultType || !computes(x.type, execution))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  return enqueueAndWait(handle, [=] {
    withWide(x.type, [&](auto sum) {
      using R = decltype(sum);
      for (Index i = 0; i < n; ++i) {
        R factor = element<R>(x, i);
        if constexpr (isComplex<R>)
          factor = conjugated ? std::conj(factor) : factor;
        sum += factor * element<R>(y, i);
      }
      store(vector(result, resultType, 1, 1), 0, sum);
    });
  });
}

} // namespace
} // namespace cu2cpp::blas

using namespace cu2cpp::blas;

extern "C" {

cublasStatus_t cublasDotEx(cublasHandle_t handle, int n, const void* x, cudaDataType xType,
                           int incx, const void* y, cudaDataType yType, int incy, void* result,
                           cudaDataType resultType, cudaDataType executionType) {
  return dot(handle, n, vector(x, xType, n, incx), vector(y, yType, n, incy), result, resultType,
             executionType, false);
}

cublasStatus_t cublasDotcEx(cublasHandle_t handle, int n, const void* x, cudaDataType xType,
                            int incx, const void* y, cudaDataType yType, int incy, void* result,
                            cudaDataType resultType, cudaDataType executionType) {
  return dot(handle, n, vector(x, xType, n, incx), vector(y, yType, n, incy), result, resultType,
             executionType, true);
}

cublasStatus_t cublasNrm2Ex(cublasHandle_t handle, int n, const void* x, cudaDataType xType,
                            int incx, void* result, cudaDataType resultType,
                            cudaDataType executionType) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!result)
    return CUBLAS_STATUS_INVALID_VALUE;
  const cudaDataType real = xType == CUDA_C_32F   ? CUDA_R_32F
                            : xType == CUDA_C_64F ? CUDA_R_64F
                                                  : xType;
  if (resultType != real || !(isNarrow(xType) ? executionType == CUDA_R_32F
                                              : executionType == real && computes(xType, xType)))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  return enqueueAndWait(handle, [=] {
    const Vector v = vector(x, xType, incx > 0 ? n : 0, incx);
    withWide(xType, [&](auto zero) {
      double norm = 0; // hypot() neither overflows nor loses tiny elements
      for (Index i = 0; i < v.n; ++i)
        norm = std::hypot(norm, std::abs(element<decltype(zero)>(v, i)));
      store(vector(result, resultType, 1, 1), 0, norm);
    });
  });
}

cublasStatus_t cublasAxpyEx(cublasHandle_t handle, int n, const void* alpha, cudaDataType alphaType,
                            const void* x, cudaDataType xType, int incx, void* y,
                            cudaDataType yType, int incy, cudaDataType executiontype) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!alpha)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (xType != yType || !computes(xType, executiontype) ||
      (alphaType != executiontype && alphaType != xType))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  const bool device = handle->pointerMode == CUBLAS_POINTER_MODE_DEVICE;
  return enqueue(handle, [=, a = AnyScalar(alpha, alphaType, device)] {
    const Vector from = vector(x, xType, n, incx), to = vector(y, yType, n, incy);
    withWide(xType, [&](auto zero) {
      using R = decltype(zero);
      for (Index i = 0; i < n; ++i)
        store(to, i, a.get<R>() * element<R>(from, i) + element<R>(to, i));
    });
  });
}

cublasStatus_t cublasScalEx(cublasHandle_t handle, int n, const void* alpha, cudaDataType alphaType,
                            void* x, cudaDataType xType, int incx, cudaDataType executionType) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!alpha)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (!computes(xType, executionType) || (alphaType != executionType && alphaType != xType))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  const bool device = handle->pointerMode == CUBLAS_POINTER_MODE_DEVICE;
  return enqueue(handle, [=, a = AnyScalar(alpha, alphaType, device)] {
    const Vector v = vector(x, xType, incx > 0 ? n : 0, incx);
    withWide(xType, [&](auto zero) {
      using R = decltype(zero);
      for (Index i = 0; i < v.n; ++i)
        store(v, i, a.get<R>() * element<R>(v, i));
    });
  });
}

} // extern "C"
