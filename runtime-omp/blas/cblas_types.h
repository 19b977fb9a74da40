// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CBLAS with one name for both precisions, and cuBLAS' enumerators as CBLAS'. CBLAS answers wrong
// arguments by ending the program, so each caller checks them first.
#ifndef CU2CPP_BLAS_CBLAS_TYPES_H
#define CU2CPP_BLAS_CBLAS_TYPES_H

#include <cblas.h>
#include <cublas_v2.h>

namespace cu2cpp::blas {

// One overload set for each function: CU2CPP_BOTH(axpy) makes axpy(...) call cblas_saxpy or
// cblas_daxpy.
#define CU2CPP_BOTH(name)                                                                          \
  template <class T, class... A> auto name(A... arguments) {                                       \
    if constexpr (sizeof(T) == sizeof(float))                                                      \
      return cblas_s##name(arguments...);                                                          \
    else                                                                                           \
      return cblas_d##name(arguments...);                                                          \
  }
CU2CPP_BOTH(asum)
CU2CPP_BOTH(nrm2)
CU2CPP_BOTH(dot)
CU2CPP_BOTH(axpy)
CU2CPP_BOTH(scal)
CU2CPP_BOTH(copy)
CU2CPP_BOTH(swap)
CU2CPP_BOTH(rot)
CU2CPP_BOTH(gemv)
CU2CPP_BOTH(ger)
CU2CPP_BOTH(symv)
CU2CPP_BOTH(trsv)
CU2CPP_BOTH(gemm)
CU2CPP_BOTH(symm)
CU2CPP_BOTH(syrk)
CU2CPP_BOTH(trsm)
#undef CU2CPP_BOTH

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

/// leads() tells whether a leading dimension is legal for a matrix of that many rows.
inline bool leads(int ld, int rows) { return ld >= 1 && ld >= rows; }

} // namespace cu2cpp::blas

#endif
