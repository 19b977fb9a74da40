// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLAS for the CPU: what the library cu2cpp_cublas offers over CBLAS, single and double
// precision. Names, values and meanings are those of the cuBLAS manual; matrices are column-major,
// indices of results start at 1. For C and C++.
#ifndef CUBLAS_API_H_ // user code tests NVIDIA's guard
#define CUBLAS_API_H_

#include <stddef.h>
#include <stdint.h>

#include <cuda_runtime_api.h>

#define CUBLASAPI
#define CUBLASWINAPI
#define CUBLAS_VER_MAJOR 12
#define CUBLAS_VER_MINOR 4
#define CUBLAS_VER_PATCH 5
#define CUBLAS_VER_BUILD 0
#define CUBLAS_VERSION (CUBLAS_VER_MAJOR * 10000 + CUBLAS_VER_MINOR * 100 + CUBLAS_VER_PATCH)

typedef enum {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;

typedef enum {
  CUBLAS_FILL_MODE_LOWER = 0,
  CUBLAS_FILL_MODE_UPPER = 1,
  CUBLAS_FILL_MODE_FULL = 2
} cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum {
  CUBLAS_OP_N = 0,
  CUBLAS_OP_T = 1,
  CUBLAS_OP_C = 2,
  CUBLAS_OP_HERMITAN = 2
} cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 } cublasAtomicsMode_t;
typedef enum {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3,
  CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;

typedef struct cublasContext* cublasHandle_t;

#ifdef __cplusplus
extern "C" {
#endif

// Handles.
cublasStatus_t cublasCreate_v2(cublasHandle_t* handle);
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle);
cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int* version);
cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t streamId);
cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t* streamId);
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t* mode);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t* mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode);
const char* cublasGetStatusName(cublasStatus_t status);
const char* cublasGetStatusString(cublasStatus_t status);

// Copies between host and device.
cublasStatus_t cublasSetVector(int n, int elemSize, const void* x, int incx, void* devicePtr,
                               int incy);
cublasStatus_t cublasGetVector(int n, int elemSize, const void* x, int incx, void* y, int incy);
cublasStatus_t cublasSetMatrix(int rows, int cols, int elemSize, const void* A, int lda, void* B,
                               int ldb);
cublasStatus_t cublasGetMatrix(int rows, int cols, int elemSize, const void* A, int lda, void* B,
                               int ldb);
cublasStatus_t cublasSetVectorAsync(int n, int elemSize, const void* hostPtr, int incx,
                                    void* devicePtr, int incy, cudaStream_t stream);
cublasStatus_t cublasGetVectorAsync(int n, int elemSize, const void* devicePtr, int incx,
                                    void* hostPtr, int incy, cudaStream_t stream);
cublasStatus_t cublasSetMatrixAsync(int rows, int cols, int elemSize, const void* A, int lda,
                                    void* B, int ldb, cudaStream_t stream);
cublasStatus_t cublasGetMatrixAsync(int rows, int cols, int elemSize, const void* A, int lda,
                                    void* B, int ldb, cudaStream_t stream);

// The same functions for float (S) and double (D).
#define CU2CPP_CUBLAS(T, S, Is)                                                                    \
  /* Level 1: vectors. */                                                                          \
  cublasStatus_t cublas##Is##amax_v2(cublasHandle_t handle, int n, const T* x, int incx,           \
                                     int* result);                                                 \
  cublasStatus_t cublas##Is##amin_v2(cublasHandle_t handle, int n, const T* x, int incx,           \
                                     int* result);                                                 \
  cublasStatus_t cublas##S##asum_v2(cublasHandle_t handle, int n, const T* x, int incx,            \
                                    T* result);                                                    \
  cublasStatus_t cublas##S##nrm2_v2(cublasHandle_t handle, int n, const T* x, int incx,            \
                                    T* result);                                                    \
  cublasStatus_t cublas##S##dot_v2(cublasHandle_t handle, int n, const T* x, int incx, const T* y, \
                                   int incy, T* result);                                           \
  cublasStatus_t cublas##S##axpy_v2(cublasHandle_t handle, int n, const T* alpha, const T* x,      \
                                    int incx, T* y, int incy);                                     \
  cublasStatus_t cublas##S##scal_v2(cublasHandle_t handle, int n, const T* alpha, T* x, int incx); \
  cublasStatus_t cublas##S##copy_v2(cublasHandle_t handle, int n, const T* x, int incx, T* y,      \
                                    int incy);                                                     \
  cublasStatus_t cublas##S##swap_v2(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy); \
  cublasStatus_t cublas##S##rot_v2(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy,   \
                                   const T* c, const T* s);                                        \
  /* Level 2: matrix and vector. */                                                                \
  cublasStatus_t cublas##S##gemv_v2(cublasHandle_t handle, cublasOperation_t trans, int m, int n,  \
                                    const T* alpha, const T* A, int lda, const T* x, int incx,     \
                                    const T* beta, T* y, int incy);                                \
  cublasStatus_t cublas##S##ger_v2(cublasHandle_t handle, int m, int n, const T* alpha,            \
                                   const T* x, int incx, const T* y, int incy, T* A, int lda);     \
  cublasStatus_t cublas##S##symv_v2(cublasHandle_t handle, cublasFillMode_t uplo, int n,           \
                                    const T* alpha, const T* A, int lda, const T* x, int incx,     \
                                    const T* beta, T* y, int incy);                                \
  cublasStatus_t cublas##S##trsv_v2(cublasHandle_t handle, cublasFillMode_t uplo,                  \
                                    cublasOperation_t trans, cublasDiagType_t diag, int n,         \
                                    const T* A, int lda, T* x, int incx);                          \
  /* Level 3: matrices. */                                                                         \
  cublasStatus_t cublas##S##gemm_v2(cublasHandle_t handle, cublasOperation_t transa,               \
                                    cublasOperation_t transb, int m, int n, int k, const T* alpha, \
                                    const T* A, int lda, const T* B, int ldb, const T* beta, T* C, \
                                    int ldc);                                                      \
  cublasStatus_t cublas##S##gemmBatched(                                                           \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,     \
      int k, const T* alpha, const T* const Aarray[], int lda, const T* const Barray[], int ldb,   \
      const T* beta, T* const Carray[], int ldc, int batchCount);                                  \
  cublasStatus_t cublas##S##gemmStridedBatched(                                                    \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,     \
      int k, const T* alpha, const T* A, int lda, long long int strideA, const T* B, int ldb,      \
      long long int strideB, const T* beta, T* C, int ldc, long long int strideC, int batchCount); \
  cublasStatus_t cublas##S##geam(                                                                  \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,     \
      const T* alpha, const T* A, int lda, const T* beta, const T* B, int ldb, T* C, int ldc);     \
  cublasStatus_t cublas##S##symm_v2(                                                               \
      cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, int m, int n,           \
      const T* alpha, const T* A, int lda, const T* B, int ldb, const T* beta, T* C, int ldc);     \
  cublasStatus_t cublas##S##syrk_v2(cublasHandle_t handle, cublasFillMode_t uplo,                  \
                                    cublasOperation_t trans, int n, int k, const T* alpha,         \
                                    const T* A, int lda, const T* beta, T* C, int ldc);            \
  cublasStatus_t cublas##S##trsm_v2(cublasHandle_t handle, cublasSideMode_t side,                  \
                                    cublasFillMode_t uplo, cublasOperation_t trans,                \
                                    cublasDiagType_t diag, int m, int n, const T* alpha,           \
                                    const T* A, int lda, T* B, int ldb);
CU2CPP_CUBLAS(float, S, Is)
CU2CPP_CUBLAS(double, D, Id)
#undef CU2CPP_CUBLAS

#ifdef __cplusplus
}
#endif

#endif
