// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLAS for the CPU: what the library cu2cpp_cublas offers over CBLAS. Names, values and meanings
// are those of the cuBLAS manual; matrices are column-major, indices of results start at 1. For C
// and C++; the functions of __half are C++.
#ifndef CUBLAS_API_H_ // user code tests NVIDIA's guard
#define CUBLAS_API_H_

#include <stddef.h>
#include <stdint.h>

#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime_api.h>

#include <cu2cpp/blas/types.h>

#define CUBLASAPI
#define CUBLASWINAPI
#define CUBLAS_VER_MAJOR 12
#define CUBLAS_VER_MINOR 4
#define CUBLAS_VER_PATCH 5
#define CUBLAS_VER_BUILD 0
#define CUBLAS_VERSION (CUBLAS_VER_MAJOR * 10000 + CUBLAS_VER_MINOR * 100 + CUBLAS_VER_PATCH)

#ifdef __cplusplus
extern "C" {
#endif

// Handles.
cublasStatus_t cublasCreate_v2(cublasHandle_t* handle);
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle);
cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int* version);
size_t cublasGetCudartVersion(void);
cublasStatus_t cublasGetProperty(libraryPropertyType type, int* value);
// The library takes its memory from the host's heap: a workspace is checked and left alone.
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void* workspace,
                                     size_t workspaceSizeInBytes);
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
cublasStatus_t cublasSetMatrix(int rows, int cols, int elemSize, const void* matrixA, int lda,
                               void* matrixB, int ldb);
cublasStatus_t cublasGetMatrix(int rows, int cols, int elemSize, const void* matrixA, int lda,
                               void* matrixB, int ldb);
cublasStatus_t cublasSetVectorAsync(int n, int elemSize, const void* hostPtr, int incx,
                                    void* devicePtr, int incy, cudaStream_t stream);
cublasStatus_t cublasGetVectorAsync(int n, int elemSize, const void* devicePtr, int incx,
                                    void* hostPtr, int incy, cudaStream_t stream);
cublasStatus_t cublasSetMatrixAsync(int rows, int cols, int elemSize, const void* matrixA, int lda,
                                    void* matrixB, int ldb, cudaStream_t stream);
cublasStatus_t cublasGetMatrixAsync(int rows, int cols, int elemSize, const void* matrixA, int lda,
                                    void* matrixB, int ldb, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#include <cu2cpp/blas/batches.h>
#include <cu2cpp/blas/matrices.h>
#include <cu2cpp/blas/mixed.h>
#include <cu2cpp/blas/vectors.h>

#endif
