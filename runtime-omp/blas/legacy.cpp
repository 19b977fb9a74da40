// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLAS' first interface over the second one: a handle and a last status for the whole process.
#include <cublas.h>

#include <mutex>
#include <utility>

namespace {

/// The process's handle. Functions may be called from several threads.
class Legacy {
public:
  cublasStatus_t begin() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return handle_ ? CUBLAS_STATUS_SUCCESS : cublasCreate_v2(&handle_);
  }
  cublasStatus_t end() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!handle_)
      return CUBLAS_STATUS_NOT_INITIALIZED;
    return cublasDestroy_v2(std::exchange(handle_, nullptr));
  }
  cublasHandle_t handle() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return handle_;
  }
  /// keep() is the status given; one that is not success is kept for cublasGetError().
  cublasStatus_t keep(cublasStatus_t status) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (status != CUBLAS_STATUS_SUCCESS)
      last_ = status;
    return status;
  }
  cublasStatus_t takeLast() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return std::exchange(last_, CUBLAS_STATUS_SUCCESS);
  }

private:
  std::mutex mutex_;
  cublasHandle_t handle_ = nullptr;
  cublasStatus_t last_ = CUBLAS_STATUS_SUCCESS;
};

Legacy& legacy() {
  static Legacy instance;
  return instance;
}

template <class Function, class... Arguments> void call(Function function, Arguments... arguments) {
  const cublasHandle_t handle = legacy().handle();
  legacy().keep(handle ? function(handle, arguments...) : CUBLAS_STATUS_NOT_INITIALIZED);
}
/// valueOf() is the result that a function writes behind its arguments.
template <class Value, class Function, class... Arguments>
Value valueOf(Function function, Arguments... arguments) {
  Value result{};
  call(function, arguments..., &result);
  return result;
}

cublasOperation_t operation(char c) {
  return c == 'N' || c == 'n'   ? CUBLAS_OP_N
         : c == 'T' || c == 't' ? CUBLAS_OP_T
         : c == 'C' || c == 'c' ? CUBLAS_OP_C
                                : cublasOperation_t(-1);
}
cublasFillMode_t fill(char c) {
  return c == 'L' || c == 'l'   ? CUBLAS_FILL_MODE_LOWER
         : c == 'U' || c == 'u' ? CUBLAS_FILL_MODE_UPPER
                                : cublasFillMode_t(-1);
}
cublasSideMode_t sideOf(char c) {
  return c == 'L' || c == 'l'   ? CUBLAS_SIDE_LEFT
         : c == 'R' || c == 'r' ? CUBLAS_SIDE_RIGHT
                                : cublasSideMode_t(-1);
}
cublasDiagType_t diagonal(char c) {
  return c == 'N' || c == 'n'   ? CUBLAS_DIAG_NON_UNIT
         : c == 'U' || c == 'u' ? CUBLAS_DIAG_UNIT
                                : cublasDiagType_t(-1);
}

} // namespace

extern "C" {

cublasStatus_t cublasInit(void) { return legacy().keep(legacy().begin()); }
cublasStatus_t cublasShutdown(void) { return legacy().keep(legacy().end()); }
cublasStatus_t cublasGetError(void) { return legacy().takeLast(); }
cublasStatus_t cublasGetVersion(int* version) {
  return legacy().keep(cublasGetVersion_v2(legacy().handle(), version));
}
cublasStatus_t cublasAlloc(int n, int elemSize, void** devicePtr) {
  if (n <= 0 || elemSize <= 0 || !devicePtr)
    return legacy().keep(CUBLAS_STATUS_INVALID_VALUE);
  const cudaError_t error = cudaMalloc(devicePtr, size_t(n) * size_t(elemSize));
  return legacy().keep(error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED);
}
cublasStatus_t cublasFree(void* devicePtr) {
  return legacy().keep(cudaFree(devicePtr) == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                                          : CUBLAS_STATUS_INTERNAL_ERROR);
}
cublasStatus_t cublasSetKernelStream(cudaStream_t stream) {
  return legacy().keep(cublasSetStream_v2(legacy().handle(), stream));
}

#define CU2CPP_CUBLAS(T, S, Is, R, RS)                                                             \
  int cublas##Is##amax(int n, const T* x, int incx) {                                              \
    return valueOf<int>(cublas##Is##amax_v2, n, x, incx);                                          \
  }                                                                                                \
  int cublas##Is##amin(int n, const T* x, int incx) {                                              \
    return valueOf<int>(cublas##Is##amin_v2, n, x, incx);                                          \
  }                                                                                                \
  R cublas##RS##asum(int n, const T* x, int incx) {                                                \
    return valueOf<R>(cublas##RS##asum_v2, n, x, incx);                                            \
  }                                                                                                \
  R cublas##RS##nrm2(int n, const T* x, int incx) {                                                \
    return valueOf<R>(cublas##RS##nrm2_v2, n, x, incx);                                            \
  }                                                                                                \
  void cublas##S##axpy(int n, T alpha, const T* x, int incx, T* y, int incy) {                     \
    call(cublas##S##axpy_v2, n, &alpha, x, incx, y, incy);                                         \
  }                                                                                                \
  void cublas##S##scal(int n, T alpha, T* x, int incx) {                                           \
    call(cublas##S##scal_v2, n, &alpha, x, incx);                                                  \
  }                                                                                                \
  void cublas##S##copy(int n, const T* x, int incx, T* y, int incy) {                              \
    call(cublas##S##copy_v2, n, x, incx, y, incy);                                                 \
  }                                                                                                \
  void cublas##S##swap(int n, T* x, int incx, T* y, int incy) {                                    \
    call(cublas##S##swap_v2, n, x, incx, y, incy);                                                 \
  }                                                                                                \
  void cublas##S##gemv(char trans, int m, int n, T alpha, const T* matrixA, int lda, const T* x,   \
                       int incx, T beta, T* y, int incy) {                                         \
    call(cublas##S##gemv_v2, operation(trans), m, n, &alpha, matrixA, lda, x, incx, &beta, y,      \
         incy);                                                                                    \
  }                                                                                                \
  void cublas##S##trsv(char uplo, char trans, char diag, int n, const T* matrixA, int lda, T* x,   \
                       int incx) {                                                                 \
    call(cublas##S##trsv_v2, fill(uplo), operation(trans), diagonal(diag), n, matrixA, lda, x,     \
         incx);                                                                                    \
  }                                                                                                \
  void cublas##S##trmv(char uplo, char trans, char diag, int n, const T* matrixA, int lda, T* x,   \
                       int incx) {                                                                 \
    call(cublas##S##trmv_v2, fill(uplo), operation(trans), diagonal(diag), n, matrixA, lda, x,     \
         incx);                                                                                    \
  }                                                                                                \
  void cublas##S##gemm(char transa, char transb, int m, int n, int k, T alpha, const T* matrixA,   \
                       int lda, const T* matrixB, int ldb, T beta, T* matrixC, int ldc) {          \
    call(cublas##S##gemm_v2, operation(transa), operation(transb), m, n, k, &alpha, matrixA, lda,  \
         matrixB, ldb, &beta, matrixC, ldc);                                                       \
  }                                                                                                \
  void cublas##S##symm(char side, char uplo, int m, int n, T alpha, const T* matrixA, int lda,     \
                       const T* matrixB, int ldb, T beta, T* matrixC, int ldc) {                   \
    call(cublas##S##symm_v2, sideOf(side), fill(uplo), m, n, &alpha, matrixA, lda, matrixB, ldb,   \
         &beta, matrixC, ldc);                                                                     \
  }                                                                                                \
  void cublas##S##syrk(char uplo, char trans, int n, int k, T alpha, const T* matrixA, int lda,    \
                       T beta, T* matrixC, int ldc) {                                              \
    call(cublas##S##syrk_v2, fill(uplo), operation(trans), n, k, &alpha, matrixA, lda, &beta,      \
         matrixC, ldc);                                                                            \
  }                                                                                                \
  void cublas##S##syr2k(char uplo, char trans, int n, int k, T alpha, const T* matrixA, int lda,   \
                        const T* matrixB, int ldb, T beta, T* matrixC, int ldc) {                  \
    call(cublas##S##syr2k_v2, fill(uplo), operation(trans), n, k, &alpha, matrixA, lda, matrixB,   \
         ldb, &beta, matrixC, ldc);                                                                \
  }                                                                                                \
  void cublas##S##trsm(char side, char uplo, char transa, char diag, int m, int n, T alpha,        \
                       const T* matrixA, int lda, T* matrixB, int ldb) {                           \
    call(cublas##S##trsm_v2, sideOf(side), fill(uplo), operation(transa), diagonal(diag), m, n,    \
         &alpha, matrixA, lda, matrixB, ldb);                                                      \
  }                                                                                                \
  void cublas##S##trmm(char side, char uplo, char transa, char diag, int m, int n, T alpha,        \
                       const T* matrixA, int lda, T* matrixB, int ldb) {                           \
    call(cublas##S##trmm_v2, sideOf(side), fill(uplo), operation(transa), diagonal(diag), m, n,    \
         &alpha, matrixA, lda, static_cast<const T*>(matrixB), ldb, matrixB, ldb);                 \
  }
CU2CPP_CUBLAS(float, S, Is, float, S)
CU2CPP_CUBLAS(double, D, Id, double, D)
CU2CPP_CUBLAS(cuComplex, C, Ic, float, Sc)
CU2CPP_CUBLAS(cuDoubleComplex, Z, Iz, double, Dz)
#undef CU2CPP_CUBLAS

#define CU2CPP_CUBLAS(T, S)                                                                        \
  T cublas##S##dot(int n, const T* x, int incx, const T* y, int incy) {                            \
    return valueOf<T>(cublas##S##dot_v2, n, x, incx, y, incy);                                     \
  }                                                                                                \
  void cublas##S##rot(int n, T* x, int incx, T* y, int incy, T sc, T ss) {                         \
    call(cublas##S##rot_v2, n, x, incx, y, incy, &sc, &ss);                                        \
  }                                                                                                \
  void cublas##S##rotg(T* sa, T* sb, T* sc, T* ss) { call(cublas##S##rotg_v2, sa, sb, sc, ss); }   \
  void cublas##S##ger(int m, int n, T alpha, const T* x, int incx, const T* y, int incy,           \
                      T* matrixA, int lda) {                                                       \
    call(cublas##S##ger_v2, m, n, &alpha, x, incx, y, incy, matrixA, lda);                         \
  }                                                                                                \
  void cublas##S##syr(char uplo, int n, T alpha, const T* x, int incx, T* matrixA, int lda) {      \
    call(cublas##S##syr_v2, fill(uplo), n, &alpha, x, incx, matrixA, lda);                         \
  }                                                                                                \
  void cublas##S##syr2(char uplo, int n, T alpha, const T* x, int incx, const T* y, int incy,      \
                       T* matrixA, int lda) {                                                      \
    call(cublas##S##syr2_v2, fill(uplo), n, &alpha, x, incx, y, incy, matrixA, lda);               \
  }                                                                                                \
  void cublas##S##symv(char uplo, int n, T alpha, const T* matrixA, int lda, const T* x, int incx, \
                       T beta, T* y, int incy) {                                                   \
    call(cublas##S##symv_v2, fill(uplo), n, &alpha, matrixA, lda, x, incx, &beta, y, incy);        \
  }
CU2CPP_CUBLAS(float, S)
CU2CPP_CUBLAS(double, D)
#undef CU2CPP_CUBLAS

#define CU2CPP_CUBLAS(T, S, R, CR)                                                                 \
  T cublas##S##dotu(int n, const T* x, int incx, const T* y, int incy) {                           \
    return valueOf<T>(cublas##S##dotu_v2, n, x, incx, y, incy);                                    \
  }                                                                                                \
  T cublas##S##dotc(int n, const T* x, int incx, const T* y, int incy) {                           \
    return valueOf<T>(cublas##S##dotc_v2, n, x, incx, y, incy);                                    \
  }                                                                                                \
  void cublas##CR##scal(int n, R alpha, T* x, int incx) {                                          \
    call(cublas##CR##scal_v2, n, &alpha, x, incx);                                                 \
  }                                                                                                \
  void cublas##S##geru(int m, int n, T alpha, const T* x, int incx, const T* y, int incy,          \
                       T* matrixA, int lda) {                                                      \
    call(cublas##S##geru_v2, m, n, &alpha, x, incx, y, incy, matrixA, lda);                        \
  }                                                                                                \
  void cublas##S##gerc(int m, int n, T alpha, const T* x, int incx, const T* y, int incy,          \
                       T* matrixA, int lda) {                                                      \
    call(cublas##S##gerc_v2, m, n, &alpha, x, incx, y, incy, matrixA, lda);                        \
  }                                                                                                \
  void cublas##S##hemv(char uplo, int n, T alpha, const T* matrixA, int lda, const T* x, int incx, \
                       T beta, T* y, int incy) {                                                   \
    call(cublas##S##hemv_v2, fill(uplo), n, &alpha, matrixA, lda, x, incx, &beta, y, incy);        \
  }                                                                                                \
  void cublas##S##hemm(char side, char uplo, int m, int n, T alpha, const T* matrixA, int lda,     \
                       const T* matrixB, int ldb, T beta, T* matrixC, int ldc) {                   \
    call(cublas##S##hemm_v2, sideOf(side), fill(uplo), m, n, &alpha, matrixA, lda, matrixB, ldb,   \
         &beta, matrixC, ldc);                                                                     \
  }                                                                                                \
  void cublas##S##herk(char uplo, char trans, int n, int k, R alpha, const T* matrixA, int lda,    \
                       R beta, T* matrixC, int ldc) {                                              \
    call(cublas##S##herk_v2, fill(uplo), operation(trans), n, k, &alpha, matrixA, lda, &beta,      \
         matrixC, ldc);                                                                            \
  }
CU2CPP_CUBLAS(cuComplex, C, float, Cs)
CU2CPP_CUBLAS(cuDoubleComplex, Z, double, Zd)
#undef CU2CPP_CUBLAS

} // extern "C"
