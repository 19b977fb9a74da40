// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrices and vectors whose element type is known at run time only. They are widened to the type
// that is computed in and narrowed afterwards: one rounding per result.
#ifndef CU2CPP_BLAS_ELEMENTS_H
#define CU2CPP_BLAS_ELEMENTS_H

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include "blas/cblas_types.h"

namespace cu2cpp::blas {

using Index = std::ptrdiff_t;

inline bool isComplexType(cudaDataType type) { return type == CUDA_C_32F || type == CUDA_C_64F; }

/// sizeOf() is an element's size in bytes; 0 for types that no function takes.
inline std::size_t sizeOf(cudaDataType type) {
  switch (type) {
  case CUDA_R_8I:
  case CUDA_R_8F_E4M3:
  case CUDA_R_8F_E5M2:
    return 1;
  case CUDA_R_16F:
  case CUDA_R_16BF:
    return 2;
  case CUDA_R_32F:
  case CUDA_R_32I:
    return 4;
  case CUDA_R_64F:
  case CUDA_C_32F:
    return 8;
  case CUDA_C_64F:
    return 16;
  default:
    return 0;
  }
}

/// withElement() calls use(p) with p as a pointer to elements of that type. R is the type to
/// compute in: real and complex elements don't mix.
template <class R, class Use> auto withElement(cudaDataType type, void* p, Use use) {
  if constexpr (isComplex<R>) {
    if (type == CUDA_C_32F)
      return use(static_cast<std::complex<float>*>(p));
    return use(static_cast<std::complex<double>*>(p));
  } else {
    switch (type) {
    case CUDA_R_8I:
      return use(static_cast<std::int8_t*>(p));
    case CUDA_R_8F_E4M3:
      return use(static_cast<__nv_fp8_e4m3*>(p));
    case CUDA_R_8F_E5M2:
      return use(static_cast<__nv_fp8_e5m2*>(p));
    case CUDA_R_16F:
      return use(static_cast<__half*>(p));
    case CUDA_R_16BF:
      return use(static_cast<__nv_bfloat16*>(p));
    case CUDA_R_32I:
      return use(static_cast<std::int32_t*>(p));
    case CUDA_R_64F:
      return use(static_cast<double*>(p));
    default:
      return use(static_cast<float*>(p));
    }
  }
}

template <class R, class E> R widened(const E& x) {
  if constexpr (std::is_arithmetic_v<E> || isComplex<E>)
    return R(x);
  else
    return R(float(x));
}
/// narrowed() rounds to the nearest; integers stop at the ends of their range.
template <class E, class R> E narrowed(const R& x) {
  if constexpr (std::is_integral_v<E>) {
    constexpr double low = std::numeric_limits<E>::min(), high = std::numeric_limits<E>::max();
    const double rounded = std::nearbyint(double(x));
    return rounded != rounded ? E(0) : E(rounded < low ? low : rounded > high ? high : rounded);
  } else if constexpr (std::is_arithmetic_v<E> || isComplex<E>) {
    return E(x);
  } else {
    return E(float(x));
  }
}

/// Matrix is a matrix of any type in memory. ld is from column to column, or from row to row where
/// the rows lie one after the other.
struct Matrix {
  void* data;
  cudaDataType type;
  Index rows, cols, ld;
  bool byRows = false;

  Matrix at(Index element) const {
    Matrix moved = *this;
    moved.data = static_cast<char*>(data) + element * Index(sizeOf(type));
    return moved;
  }
};

template <class T> inline constexpr cudaDataType typeOf = CUDA_R_32F;
template <> inline constexpr cudaDataType typeOf<double> = CUDA_R_64F;
template <> inline constexpr cudaDataType typeOf<std::complex<float>> = CUDA_C_32F;
template <> inline constexpr cudaDataType typeOf<std::complex<double>> = CUDA_C_64F;

/// Threads share a matrix of at least this many elements.
constexpr Index worthSharing = 1 << 14;

/// widen() copies a matrix to columns of R with the leading dimension ld.
template <class R> void widen(const Matrix& from, R* to, Index ld) {
  withElement<R>(from.type, from.data, [&](auto* elements) {
    const Index step = from.byRows ? from.ld : 1, stride = from.byRows ? 1 : from.ld;
#pragma omp parallel for if (from.rows * from.cols >= worthSharing)
    for (Index j = 0; j < from.cols; ++j)
      for (Index i = 0; i < from.rows; ++i)
        to[i + j * ld] = widened<R>(elements[i * step + j * stride]);
  });
}

/// narrow() is the way back.
template <class R> void narrow(const R* from, Index ld, const Matrix& to) {
  withElement<R>(to.type, to.data, [&](auto* elements) {
    using E = std::remove_pointer_t<decltype(elements)>;
    const Index step = to.byRows ? to.ld : 1, stride = to.byRows ? 1 : to.ld;
#pragma omp parallel for if (to.rows * to.cols >= worthSharing)
    for (Index j = 0; j < to.cols; ++j)
      for (Index i = 0; i < to.rows; ++i)
        elements[i * step + j * stride] = narrowed<E>(from[i + j * ld]);
  });
}

/// AnyScalar is alpha or beta behind a void*: read at the call (host) or when the work runs.
class AnyScalar {
public:
  AnyScalar(const void* from, cudaDataType type, bool onDevice)
      : device_(onDevice ? from : nullptr), type_(type), value_(onDevice ? 0 : read(from)) {}
  template <class R> R get() const {
    const std::complex<double> value = device_ ? read(device_) : value_;
    if constexpr (isComplex<R>)
      return R(value);
    else
      return R(value.real());
  }

private:
  std::complex<double> read(const void* from) const {
    void* p = const_cast<void*>(from);
    if (isComplexType(type_))
      return withElement<std::complex<double>>(
          type_, p, [](auto* x) { return widened<std::complex<double>>(*x); });
    return withElement<double>(type_, p, [](auto* x) { return widened<double>(*x); });
  }

  const void* device_;
  cudaDataType type_;
  std::complex<double> value_;
};

} // namespace cu2cpp::blas

#endif
