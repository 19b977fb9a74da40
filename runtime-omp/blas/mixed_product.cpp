// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products whose element types are arguments, and those of __half.
//
// cuBLAS Library, 'cublasGemmEx()', 'cublasGemmBatchedEx()', 'cublasGemmStridedBatchedEx()',
// 'cublasSgemmEx()' and 'cublas<t>gemm()'.
#include "blas/mixed_product.h"

#include "blas/handle.h"

namespace cu2cpp::blas {
namespace {

bool isFloat8(cudaDataType type) { return type == CUDA_R_8F_E4M3 || type == CUDA_R_8F_E5M2; }

/// Elements of A and B that are summed in float, and what the sums may be stored as.
bool isSingle(cudaDataType a, cudaDataType b, cudaDataType c) {
  if (isFloat8(a) && isFloat8(b))
    return c == CUDA_R_16F || c == CUDA_R_16BF || c == CUDA_R_32F || isFloat8(c);
  if (a != b)
    return false;
  if (a == CUDA_R_16F || a == CUDA_R_16BF)
    return c == a || c == CUDA_R_32F;
  return (a == CUDA_R_32F || a == CUDA_R_8I) && c == CUDA_R_32F;
}

} // namespace

Precision precisionOf(cublasComputeType_t compute, cudaDataType a, cudaDataType b, cudaDataType c) {
  const auto all = [&](cudaDataType type) { return a == type && b == type && c == type; };
  switch (compute) {
  case CUBLAS_COMPUTE_16F:
  case CUBLAS_COMPUTE_16F_PEDANTIC:
    return all(CUDA_R_16F) ? Precision::Half : Precision::Refused;
  case CUBLAS_COMPUTE_32F:
  case CUBLAS_COMPUTE_32F_PEDANTIC:
    if (isSingle(a, b, c))
      return Precision::Single;
    return all(CUDA_C_32F) ? Precision::SingleComplex : Precision::Refused;
  // What these may lose on a GPU is kept here.
  case CUBLAS_COMPUTE_32F_FAST_16F:
  case CUBLAS_COMPUTE_32F_FAST_16BF:
  case CUBLAS_COMPUTE_32F_FAST_TF32:
  case CUBLAS_COMPUTE_32F_EMULATED_16BFX9:
    if (all(CUDA_R_32F))
      return Precision::Single;
    return all(CUDA_C_32F) ? Precision::SingleComplex : Precision::Refused;
  case CUBLAS_COMPUTE_64F:
  case CUBLAS_COMPUTE_64F_PEDANTIC:
    if (all(CUDA_R_64F))
      return Precision::Double;
    return all(CUDA_C_64F) ? Precision::DoubleComplex : Precision::Refused;
  case CUBLAS_COMPUTE_32I:
  case CUBLAS_COMPUTE_32I_PEDANTIC:
    return a == CUDA_R_8I && b == CUDA_R_8I && c == CUDA_R_32I ? Precision::Integer
                                                               : Precision::Refused;
  }
  return Precision::Refused;
}

cudaDataType scaleTypeOf(Precision precision) {
  switch (precision) {
  case Precision::Half:
    return CUDA_R_16F;
  case Precision::Double:
    return CUDA_R_64F;
  case Precision::SingleComplex:
    return CUDA_C_32F;
  case Precision::DoubleComplex:
    return CUDA_C_64F;
  case Precision::Integer:
    return CUDA_R_32I;
  case Precision::Single:
  case Precision::Refused:
    break;
  }
  return CUDA_R_32F;
}

namespace {

/// MixedProduct is a gemm but for the addresses of its matrices.
struct MixedProduct {
  cublasOperation_t transa, transb;
  int m, n, k;
  cudaDataType typeA, typeB, typeC;
  int lda, ldb, ldc;

  template <class R>
  void run(const void* A, const void* B, void* C, const AnyScalar& alpha,
           const AnyScalar& beta) const {
    const auto matrix = [](const void* data, cudaDataType type, int rows, int cols, int ld) {
      return Matrix{const_cast<void*>(data), type, rows, cols, ld};
    };
    const bool a = transa == CUBLAS_OP_N, b = transb == CUBLAS_OP_N;
    const Matrix result = matrix(C, typeC, m, n, ldc);
    multiply<R>(transa, matrix(A, typeA, a ? m : k, a ? k : m, lda), transb,
                matrix(B, typeB, b ? k : n, b ? n : k, ldb), alpha.get<R>(), beta.get<R>(), result,
                result, [](R*, Index) {});
  }
};

/// queueMixed() checks and queues `count` products; eachProduct(i, product) calls product(A, B, C).
template <class EachProduct>
cublasStatus_t queueMixed(cublasHandle_t handle, const MixedProduct& p, const void* alpha,
                          const void* beta, cublasComputeType_t compute, int count,
                          EachProduct eachProduct) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!valid(p.transa) || !valid(p.transb) || p.m < 0 || p.n < 0 || p.k < 0 || count < 0 ||
      !alpha || !beta || !leads(p.lda, rowsOf(p.transa, p.m, p.k)) ||
      !leads(p.ldb, rowsOf(p.transb, p.k, p.n)) || !leads(p.ldc, p.m))
    return CUBLAS_STATUS_INVALID_VALUE;
  const Precision precision = precisionOf(compute, p.typeA, p.typeB, p.typeC);
  if (precision == Precision::Refused)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  const cudaDataType scale = scaleTypeOf(precision);
  const bool device = handle->pointerMode == CUBLAS_POINTER_MODE_DEVICE;
  return enqueue(handle,
                 [=, a = AnyScalar(alpha, scale, device), b = AnyScalar(beta, scale, device)] {
                   withPrecision(precision, [&](auto zero) {
                     for (long long i = 0; i < count; ++i)
                       eachProduct(i, [&](const void* A, const void* B, void* C) {
                         p.run<decltype(zero)>(A, B, C, a, b);
                       });
                   });
                 });
}

cublasStatus_t stridedMixed(cublasHandle_t handle, const MixedProduct& p, const void* alpha,
                            const void* A, long long strideA, const void* B, long long strideB,
                            const void* beta, void* C, long long strideC, int count,
                            cublasComputeType_t compute) {
  return queueMixed(handle, p, alpha, beta, compute, count, [=](long long i, auto product) {
    const auto element = [i](const void* base, cudaDataType type, long long stride) {
      return static_cast<const char*>(base) + i * stride * (long long)(sizeOf(type));
    };
    product(element(A, p.typeA, strideA), element(B, p.typeB, strideB),
            const_cast<char*>(element(C, p.typeC, strideC)));
  });
}

cublasStatus_t batchedMixed(cublasHandle_t handle, const MixedProduct& p, const void* alpha,
                            const void* const* A, const void* const* B, const void* beta,
                            void* const* C, int count, cublasComputeType_t compute) {
  return queueMixed(handle, p, alpha, beta, compute, count,
                    [=](long long i, auto product) { product(A[i], B[i], C[i]); });
}

} // namespace
} // namespace cu2cpp::blas

using namespace cu2cpp::blas;

extern "C" {

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                            cublasOperation_t transb, int m, int n, int k, const void* alpha,
                            const void* A, cudaDataType Atype, int lda, const void* B,
                            cudaDataType Btype, int ldb, const void* beta, void* C,
                            cudaDataType Ctype, int ldc, cublasComputeType_t computeType,
                            cublasGemmAlgo_t) {
  return stridedMixed(handle, {transa, transb, m, n, k, Atype, Btype, Ctype, lda, ldb, ldc}, alpha,
                      A, 0, B, 0, beta, C, 0, 1, computeType);
}

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                          cublasOperation_t transb, int m, int n, int k,
                                          const void* alpha, const void* A, cudaDataType Atype,
                                          int lda, long long int strideA, const void* B,
                                          cudaDataType Btype, int ldb, long long int strideB,
                                          const void* beta, void* C, cudaDataType Ctype, int ldc,
                                          long long int strideC, int batchCount,
                                          cublasComputeType_t computeType, cublasGemmAlgo_t) {
  return stridedMixed(handle, {transa, transb, m, n, k, Atype, Btype, Ctype, lda, ldb, ldc}, alpha,
                      A, strideA, B, strideB, beta, C, strideC, batchCount, computeType);
}

cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                   cublasOperation_t transb, int m, int n, int k, const void* alpha,
                                   const void* const Aarray[], cudaDataType Atype, int lda,
                                   const void* const Barray[], cudaDataType Btype, int ldb,
                                   const void* beta, void* const Carray[], cudaDataType Ctype,
                                   int ldc, int batchCount, cublasComputeType_t computeType,
                                   cublasGemmAlgo_t) {
  return batchedMixed(handle, {transa, transb, m, n, k, Atype, Btype, Ctype, lda, ldb, ldc}, alpha,
                      Aarray, Barray, beta, Carray, batchCount, computeType);
}

cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t transa,
                             cublasOperation_t transb, int m, int n, int k, const float* alpha,
                             const void* A, cudaDataType Atype, int lda, const void* B,
                             cudaDataType Btype, int ldb, const float* beta, void* C,
                             cudaDataType Ctype, int ldc) {
  return cublasGemmEx(handle, transa, transb, m, n, k, alpha, A, Atype, lda, B, Btype, ldb, beta, C,
                      Ctype, ldc, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
}

cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, int k, const __half* alpha,
                           const __half* A, int lda, const __half* B, int ldb, const __half* beta,
                           __half* C, int ldc) {
  return cublasHgemmStridedBatched(handle, transa, transb, m, n, k, alpha, A, lda, 0, B, ldb, 0,
                                   beta, C, ldc, 0, 1);
}

cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa,
                                         cublasOperation_t transb, int m, int n, int k,
                                         const __half* alpha, const __half* A, int lda,
                                         long long int strideA, const __half* B, int ldb,
                                         long long int strideB, const __half* beta, __half* C,
                                         int ldc, long long int strideC, int batchCount) {
  return stridedMixed(
      handle, {transa, transb, m, n, k, CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, lda, ldb, ldc}, alpha,
      A, strideA, B, strideB, beta, C, strideC, batchCount, CUBLAS_COMPUTE_16F);
}

cublasStatus_t cublasHgemmBatched(cublasHandle_t handle, cublasOperation_t transa,
                                  cublasOperation_t transb, int m, int n, int k,
                                  const __half* alpha, const __half* const Aarray[], int lda,
                                  const __half* const Barray[], int ldb, const __half* beta,
                                  __half* const Carray[], int ldc, int batchCount) {
  return batchedMixed(
      handle, {transa, transb, m, n, k, CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, lda, ldb, ldc}, alpha,
      reinterpret_cast<const void* const*>(Aarray), reinterpret_cast<const void* const*>(Barray),
      beta, reinterpret_cast<void* const*>(Carray), batchCount, CUBLAS_COMPUTE_16F);
}

} // extern "C"
