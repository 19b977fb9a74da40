// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLAS' functions whose element types are arguments, and those of __half. Narrow elements are
// widened, computed with and rounded once at the end; combinations that the manual's tables don't
// have are answered with CUBLAS_STATUS_NOT_SUPPORTED.
//
// cuBLAS Library, 'cublasGemmEx()' and its neighbours.
#ifndef CU2CPP_BLAS_MIXED_H
#define CU2CPP_BLAS_MIXED_H

#include <cublas_api.h>

#ifdef __cplusplus
extern "C" {
#endif

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                            cublasOperation_t transb, int m, int n, int k, const void* alpha,
                            const void* matrixA, cudaDataType Atype, int lda, const void* matrixB,
                            cudaDataType Btype, int ldb, const void* beta, void* matrixC,
                            cudaDataType Ctype, int ldc, cublasComputeType_t computeType,
                            cublasGemmAlgo_t algo);
cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                   cublasOperation_t transb, int m, int n, int k, const void* alpha,
                                   const void* const Aarray[], cudaDataType Atype, int lda,
                                   const void* const Barray[], cudaDataType Btype, int ldb,
                                   const void* beta, void* const Carray[], cudaDataType Ctype,
                                   int ldc, int batchCount, cublasComputeType_t computeType,
                                   cublasGemmAlgo_t algo);
cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
    const void* alpha, const void* matrixA, cudaDataType Atype, int lda, long long int strideA,
    const void* matrixB, cudaDataType Btype, int ldb, long long int strideB, const void* beta,
    void* matrixC, cudaDataType Ctype, int ldc, long long int strideC, int batchCount,
    cublasComputeType_t computeType, cublasGemmAlgo_t algo);
cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t transa,
                             cublasOperation_t transb, int m, int n, int k, const float* alpha,
                             const void* matrixA, cudaDataType Atype, int lda, const void* matrixB,
                             cudaDataType Btype, int ldb, const float* beta, void* matrixC,
                             cudaDataType Ctype, int ldc);

cublasStatus_t cublasDotEx(cublasHandle_t handle, int n, const void* x, cudaDataType xType,
                           int incx, const void* y, cudaDataType yType, int incy, void* result,
                           cudaDataType resultType, cudaDataType executionType);
cublasStatus_t cublasDotcEx(cublasHandle_t handle, int n, const void* x, cudaDataType xType,
                            int incx, const void* y, cudaDataType yType, int incy, void* result,
                            cudaDataType resultType, cudaDataType executionType);
cublasStatus_t cublasNrm2Ex(cublasHandle_t handle, int n, const void* x, cudaDataType xType,
                            int incx, void* result, cudaDataType resultType,
                            cudaDataType executionType);
cublasStatus_t cublasAxpyEx(cublasHandle_t handle, int n, const void* alpha, cudaDataType alphaType,
                            const void* x, cudaDataType xType, int incx, void* y,
                            cudaDataType yType, int incy, cudaDataType executiontype);
cublasStatus_t cublasScalEx(cublasHandle_t handle, int n, const void* alpha, cudaDataType alphaType,
                            void* x, cudaDataType xType, int incx, cudaDataType executionType);

#ifdef __cplusplus
cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, int k, const __half* alpha,
                           const __half* matrixA, int lda, const __half* matrixB, int ldb,
                           const __half* beta, __half* matrixC, int ldc);
cublasStatus_t cublasHgemmBatched(cublasHandle_t handle, cublasOperation_t transa,
                                  cublasOperation_t transb, int m, int n, int k,
                                  const __half* alpha, const __half* const Aarray[], int lda,
                                  const __half* const Barray[], int ldb, const __half* beta,
                                  __half* const Carray[], int ldc, int batchCount);
cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa,
                                         cublasOperation_t transb, int m, int n, int k,
                                         const __half* alpha, const __half* matrixA, int lda,
                                         long long int strideA, const __half* matrixB, int ldb,
                                         long long int strideB, const __half* beta, __half* matrixC,
                                         int ldc, long long int strideC, int batchCount);
} // extern "C"

// Before CUDA 11 the type to compute in was a cudaDataType, and C++ still takes one. What has no
// counterpart becomes a value that the functions refuse.
inline cublasComputeType_t cu2cppComputeType(cudaDataType type) {
  switch (type) {
  case CUDA_R_16F:
    return CUBLAS_COMPUTE_16F;
  case CUDA_R_32F:
  case CUDA_C_32F:
    return CUBLAS_COMPUTE_32F;
  case CUDA_R_64F:
  case CUDA_C_64F:
    return CUBLAS_COMPUTE_64F;
  case CUDA_R_32I:
    return CUBLAS_COMPUTE_32I;
  default:
    return cublasComputeType_t(0);
  }
}
inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                                   cublasOperation_t transb, int m, int n, int k, const void* alpha,
                                   const void* matrixA, cudaDataType Atype, int lda,
                                   const void* matrixB, cudaDataType Btype, int ldb,
                                   const void* beta, void* matrixC, cudaDataType Ctype, int ldc,
                                   cudaDataType computeType, cublasGemmAlgo_t algo) {
  return cublasGemmEx(handle, transa, transb, m, n, k, alpha, matrixA, Atype, lda, matrixB, Btype,
                      ldb, beta, matrixC, Ctype, ldc, cu2cppComputeType(computeType), algo);
}
inline cublasStatus_t
cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                    int m, int n, int k, const void* alpha, const void* const Aarray[],
                    cudaDataType Atype, int lda, const void* const Barray[], cudaDataType Btype,
                    int ldb, const void* beta, void* const Carray[], cudaDataType Ctype, int ldc,
                    int batchCount, cudaDataType computeType, cublasGemmAlgo_t algo) {
  return cublasGemmBatchedEx(handle, transa, transb, m, n, k, alpha, Aarray, Atype, lda, Barray,
                             Btype, ldb, beta, Carray, Ctype, ldc, batchCount,
                             cu2cppComputeType(computeType), algo);
}
inline cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
    const void* alpha, const void* matrixA, cudaDataType Atype, int lda, long long int strideA,
    const void* matrixB, cudaDataType Btype, int ldb, long long int strideB, const void* beta,
    void* matrixC, cudaDataType Ctype, int ldc, long long int strideC, int batchCount,
    cudaDataType computeType, cublasGemmAlgo_t algo) {
  return cublasGemmStridedBatchedEx(handle, transa, transb, m, n, k, alpha, matrixA, Atype, lda,
                                    strideA, matrixB, Btype, ldb, strideB, beta, matrixC, Ctype,
                                    ldc, strideC, batchCount, cu2cppComputeType(computeType), algo);
}
#endif

#endif
