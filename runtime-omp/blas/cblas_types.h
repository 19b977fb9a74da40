// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CBLAS with one name for all types of elements, and cuBLAS' enumerators as CBLAS'. CBLAS answers
// wrong arguments by ending the program, so each caller checks them first.
#ifndef CU2CPP_BLAS_CBLAS_TYPES_H
#define CU2CPP_BLAS_CBLAS_TYPES_H

#include <complex>
#include <type_traits>

#include <cblas.h>
#include <cublas_v2.h>

namespace cu2cpp::blas {

// The library computes with std::complex; it has the memory layout of cuComplex.
inline const float* in(const float* p) { return p; }
inline const double* in(const double* p) { return p; }
inline const std::complex<float>* in(const cuComplex* p) {
  return reinterpret_cast<const std::complex<float>*>(p);
}
inline const std::complex<double>* in(const cuDoubleComplex* p) {
  return reinterpret_cast<const std::complex<double>*>(p);
}
inline float* in(float* p) { return p; }
inline double* in(double* p) { return p; }
inline std::complex<float>* in(cuComplex* p) { return reinterpret_cast<std::complex<float>*>(p); }
inline std::complex<double>* in(cuDoubleComplex* p) {
  return reinterpret_cast<std::complex<double>*>(p);
}
/// Arrays of pointers, as the functions of batches take them.
template <class P> auto in(P* const* array) {
  return reinterpret_cast<decltype(in(*array)) const*>(array);
}

template <class T> struct RealOf {
  using type = T;
};
template <class T> struct RealOf<std::complex<T>> {
  using type = T;
};
template <class T> using Real = typename RealOf<T>::type;
template <class T> constexpr bool isComplex = !std::is_same_v<T, Real<T>>;

/// CBLAS takes complex scalars by address and everything else as it is.
template <class A> A cblasArgument(const A& a) { return a; }
template <class A> const void* cblasArgument(const std::complex<A>& a) { return &a; }

// One name for each function: CU2CPP_REAL(dot) makes dot<T>(...) call cblas_sdot or cblas_ddot.
#define CU2CPP_REAL(name)                                                                          \
  template <class T, class... A> auto name(const A&... arguments) {                                \
    if constexpr (std::is_same_v<T, float>)                                                        \
      return cblas_s##name(arguments...);                                                          \
    else                                                                                           \
      return cblas_d##name(arguments...);                                                          \
  }
#define CU2CPP_COMPLEX_ONLY(name)                                                                  \
  template <class T, class... A> auto name(const A&... arguments) {                                \
    if constexpr (std::is_same_v<T, std::complex<float>>)                                          \
      return cblas_c##name(cblasArgument(arguments)...);                                           \
    else                                                                                           \
      return cblas_z##name(cblasArgument(arguments)...);                                           \
  }
#define CU2CPP_ALL(name)                                                                           \
  template <class T, class... A> auto name(const A&... arguments) {                                \
    if constexpr (std::is_same_v<T, float>)                                                        \
      return cblas_s##name(arguments...);                                                          \
    else if constexpr (std::is_same_v<T, double>)                                                  \
      return cblas_d##name(arguments...);                                                          \
    else if constexpr (std::is_same_v<T, std::complex<float>>)                                     \
      return cblas_c##name(cblasArgument(arguments)...);                                           \
    else                                                                                           \
      return cblas_z##name(cblasArgument(arguments)...);                                           \
  }
// Functions that return a magnitude.
#define CU2CPP_MAGNITUDE(name)                                                                     \
  template <class T, class... A> auto name(const A&... arguments) {                                \
    if constexpr (std::is_same_v<T, float>)                                                        \
      return cblas_s##name(arguments...);                                                          \
    else if constexpr (std::is_same_v<T, double>)                                                  \
      return cblas_d##name(arguments...);                                                          \
    else if constexpr (std::is_same_v<T, std::complex<float>>)                                     \
      return cblas_sc##name(cblasArgument(arguments)...);                                          \
    else                                                                                           \
      return cblas_dz##name(cblasArgument(arguments)...);                                          \
  }
CU2CPP_MAGNITUDE(asum)
CU2CPP_MAGNITUDE(nrm2)
CU2CPP_REAL(dot)
CU2CPP_REAL(rot)
CU2CPP_REAL(rotg)
CU2CPP_REAL(rotm)
CU2CPP_REAL(rotmg)
CU2CPP_REAL(ger)
CU2CPP_REAL(syr)
CU2CPP_REAL(syr2)
CU2CPP_REAL(symv)
CU2CPP_COMPLEX_ONLY(dotu_sub)
CU2CPP_COMPLEX_ONLY(dotc_sub)
CU2CPP_COMPLEX_ONLY(geru)
CU2CPP_COMPLEX_ONLY(gerc)
CU2CPP_COMPLEX_ONLY(hemv)
CU2CPP_COMPLEX_ONLY(hemm)
CU2CPP_COMPLEX_ONLY(herk)
CU2CPP_ALL(axpy)
CU2CPP_ALL(scal)
CU2CPP_ALL(copy)
CU2CPP_ALL(swap)
CU2CPP_ALL(gemv)
CU2CPP_ALL(trsv)
CU2CPP_ALL(trmv)
CU2CPP_ALL(gemm)
CU2CPP_ALL(symm)
CU2CPP_ALL(syrk)
CU2CPP_ALL(syr2k)
CU2CPP_ALL(trsm)
CU2CPP_ALL(trmm)
#undef CU2CPP_REAL
#undef CU2CPP_COMPLEX_ONLY
#undef CU2CPP_ALL
#undef CU2CPP_MAGNITUDE

inline bool valid(cublasOperation_t op) { return op >= CUBLAS_OP_N && op <= CUBLAS_OP_C; }
inline bool valid(cublasFillMode_t f) {
  return f == CUBLAS_FILL_MODE_LOWER || f == CUBLAS_FILL_MODE_UPPER;
}
inline bool valid(cublasSideMode_t s) { return s == CUBLAS_SIDE_LEFT || s == CUBLAS_SIDE_RIGHT; }
inline bool valid(cublasDiagType_t d) { return d == CUBLAS_DIAG_NON_UNIT || d == CUBLAS_DIAG_UNIT; }

inline CBLAS_TRANSPOSE cblas(cublasOperation_t op) {
  return op == CUBLAS_OP_N ? CblasNoTrans : op == CUBLAS_OP_T ? CblasTrans : CblasConjTrans;
}
inline CBLAS_UPLO cblas(cublasFillMode_t f) {
  return f == CUBLAS_FILL_MODE_LOWER ? CblasLower : CblasUpper;
}
inline CBLAS_SIDE cblas(cublasSideMode_t s) {
  return s == CUBLAS_SIDE_LEFT ? CblasLeft : CblasRight;
}
inline CBLAS_DIAG cblas(cublasDiagType_t d) {
  return d == CUBLAS_DIAG_UNIT ? CblasUnit : CblasNonUnit;
}

inline int rowsOf(cublasOperation_t op, int plain, int transposed) {
  return op == CUBLAS_OP_N ? plain : transposed;
}

/// leads() tells whether a leading dimension is legal for a matrix of that many rows.
inline bool leads(int ld, int rows) { return ld >= 1 && ld >= rows; }

} // namespace cu2cpp::blas

#endif
