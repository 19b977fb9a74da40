// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLAS' helper functions: handles and their settings, names of status values, copies of vectors
// and matrices.
//
// cuBLAS Library, 'cuBLAS Helper Function Reference'.
#include "blas/handle.h"

namespace {

cublasStatus_t fromCuda(cudaError_t error) {
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

/// A vector with a stride is a matrix with one row in each column: the stride is its leading
/// dimension.
cublasStatus_t copyMatrix(int rows, int cols, int elemSize, const void* from, int ldFrom, void* to,
                          int ldTo, cudaMemcpyKind kind, cudaStream_t stream, bool wait) {
  if (rows < 0 || cols < 0 || elemSize <= 0 || ldFrom < rows || ldTo < rows || ldFrom <= 0 ||
      ldTo <= 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (rows == 0 || cols == 0)
    return CUBLAS_STATUS_SUCCESS;
  const size_t size = size_t(elemSize);
  if (wait)
    return fromCuda(
        cudaMemcpy2D(to, ldTo * size, from, ldFrom * size, rows * size, size_t(cols), kind));
  return fromCuda(cudaMemcpy2DAsync(to, ldTo * size, from, ldFrom * size, rows * size, size_t(cols),
                                    kind, stream));
}

template <class T> cublasStatus_t read(cublasHandle_t handle, T cublasContext::* member, T* out) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!out)
    return CUBLAS_STATUS_INVALID_VALUE;
  *out = handle->*member;
  return CUBLAS_STATUS_SUCCESS;
}

template <class T> cublasStatus_t write(cublasHandle_t handle, T cublasContext::* member, T value) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  handle->*member = value;
  return CUBLAS_STATUS_SUCCESS;
}

} // namespace

extern "C" {

cublasStatus_t cublasCreate_v2(cublasHandle_t* handle) {
  if (!handle)
    return CUBLAS_STATUS_INVALID_VALUE;
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  *handle = new (std::nothrow) cublasContext;
  return *handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}

// Waits for the device, as the manual says.
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  cudaDeviceSynchronize();
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int* version) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!version)
    return CUBLAS_STATUS_INVALID_VALUE;
  *version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}

size_t cublasGetCudartVersion(void) { return CUDART_VERSION; }

cublasStatus_t cublasGetProperty(libraryPropertyType type, int* value) {
  if (!value || type < MAJOR_VERSION || type > PATCH_LEVEL)
    return CUBLAS_STATUS_INVALID_VALUE;
  const int parts[] = {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};
  *value = parts[type];
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void* workspace,
                                     size_t workspaceSizeInBytes) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  return !workspace && workspaceSizeInBytes != 0 ? CUBLAS_STATUS_INVALID_VALUE
                                                 : CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t streamId) {
  return write(handle, &cublasContext::stream, streamId);
}
cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t* streamId) {
  return read(handle, &cublasContext::stream, streamId);
}
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode) {
  if (mode != CUBLAS_POINTER_MODE_HOST && mode != CUBLAS_POINTER_MODE_DEVICE)
    return CUBLAS_STATUS_INVALID_VALUE;
  return write(handle, &cublasContext::pointerMode, mode);
}
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t* mode) {
  return read(handle, &cublasContext::pointerMode, mode);
}
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode) {
  return write(handle, &cublasContext::atomics, mode);
}
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t* mode) {
  return read(handle, &cublasContext::atomics, mode);
}
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
  return write(handle, &cublasContext::math, mode);
}
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode) {
  return read(handle, &cublasContext::math, mode);
}

#define CU2CPP_STATUS_VALUES(X)                                                                    \
  X(SUCCESS, "the call succeeded")                                                                 \
  X(NOT_INITIALIZED, "the handle was not created")                                                 \
  X(ALLOC_FAILED, "out of memory")                                                                 \
  X(INVALID_VALUE, "an argument has an illegal value")                                             \
  X(ARCH_MISMATCH, "the device lacks a needed feature")                                            \
  X(MAPPING_ERROR, "memory could not be accessed")                                                 \
  X(EXECUTION_FAILED, "the work could not be run")                                                 \
  X(INTERNAL_ERROR, "an error inside the library")                                                 \
  X(NOT_SUPPORTED, "not supported")                                                                \
  X(LICENSE_ERROR, "a licence is missing")

const char* cublasGetStatusName(cublasStatus_t status) {
  switch (status) {
#define CU2CPP_NAME(name, text)                                                                    \
  case CUBLAS_STATUS_##name:                                                                       \
    return "CUBLAS_STATUS_" #name;
    CU2CPP_STATUS_VALUES(CU2CPP_NAME)
  }
  return "CUBLAS_STATUS_UNKNOWN";
}

const char* cublasGetStatusString(cublasStatus_t status) {
  switch (status) {
#define CU2CPP_TEXT(name, text)                                                                    \
  case CUBLAS_STATUS_##name:                                                                       \
    return text;
    CU2CPP_STATUS_VALUES(CU2CPP_TEXT)
  }
  return "unknown status";
}

cublasStatus_t cublasSetVector(int n, int elemSize, const void* x, int incx, void* devicePtr,
                               int incy) {
  return copyMatrix(1, n, elemSize, x, incx, devicePtr, incy, cudaMemcpyHostToDevice, nullptr,
                    true);
}
cublasStatus_t cublasGetVector(int n, int elemSize, const void* x, int incx, void* y, int incy) {
  return copyMatrix(1, n, elemSize, x, incx, y, incy, cudaMemcpyDeviceToHost, nullptr, true);
}
cublasStatus_t cublasSetMatrix(int rows, int cols, int elemSize, const void* A, int lda, void* B,
                               int ldb) {
  return copyMatrix(rows, cols, elemSize, A, lda, B, ldb, cudaMemcpyHostToDevice, nullptr, true);
}
cublasStatus_t cublasGetMatrix(int rows, int cols, int elemSize, const void* A, int lda, void* B,
                               int ldb) {
  return copyMatrix(rows, cols, elemSize, A, lda, B, ldb, cudaMemcpyDeviceToHost, nullptr, true);
}
cublasStatus_t cublasSetVectorAsync(int n, int elemSize, const void* hostPtr, int incx,
                                    void* devicePtr, int incy, cudaStream_t stream) {
  return copyMatrix(1, n, elemSize, hostPtr, incx, devicePtr, incy, cudaMemcpyHostToDevice, stream,
                    false);
}
cublasStatus_t cublasGetVectorAsync(int n, int elemSize, const void* devicePtr, int incx,
                                    void* hostPtr, int incy, cudaStream_t stream) {
  return copyMatrix(1, n, elemSize, devicePtr, incx, hostPtr, incy, cudaMemcpyDeviceToHost, stream,
                    false);
}
cublasStatus_t cublasSetMatrixAsync(int rows, int cols, int elemSize, const void* A, int lda,
                                    void* B, int ldb, cudaStream_t stream) {
  return copyMatrix(rows, cols, elemSize, A, lda, B, ldb, cudaMemcpyHostToDevice, stream, false);
}
cublasStatus_t cublasGetMatrixAsync(int rows, int cols, int elemSize, const void* A, int lda,
                                    void* B, int ldb, cudaStream_t stream) {
  return copyMatrix(rows, cols, elemSize, A, lda, B, ldb, cudaMemcpyDeviceToHost, stream, false);
}

} // extern "C"
