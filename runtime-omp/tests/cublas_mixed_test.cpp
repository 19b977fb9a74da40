// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLAS with element types as arguments: every combination against a plain loop, one rounding at
// the end, refusal of what the manual's tables don't have.
#include <cmath>

#include "cublas_test.h"

namespace {

/// product() is 2 A B^T - C in plain loops, for columns of float.
std::vector<float> product(const std::vector<float>& A, const std::vector<float>& B,
                           std::vector<float> C, int m, int n, int k) {
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int l = 0; l < k; ++l)
        sum += A[std::size_t(i + l * m)] * B[std::size_t(j + l * n)];
      C[std::size_t(i + j * m)] = 2 * sum - C[std::size_t(i + j * m)];
    }
  return C;
}

template <class T> std::vector<float> asFloats(const std::vector<T>& values) {
  std::vector<float> result;
  for (const T& value : values)
    result.push_back(float(value));
  return result;
}

class CublasMixed : public Cublas {
protected:
  template <class E, class F, class S = float>
  void compare(cudaDataType typeAB, cudaDataType typeC, cublasComputeType_t compute) {
    const int m = 5, n = 4, k = 6;
    const Managed<E> A(numbers<E>(m * k)), B(numbers<E>(n * k, 3));
    const Managed<F> C(numbers<F>(m * n, 2));
    const auto expected =
        product(asFloats(A.values()), asFloats(B.values()), asFloats(C.values()), m, n, k);
    const S alpha = S(2.0f), beta = S(-1.0f);
    EXPECT_EQ(cublasGemmEx(handle_, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, &alpha, A, typeAB, m, B,
                           typeAB, n, &beta, C, typeC, m, compute, CUBLAS_GEMM_DEFAULT),
              CUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(asFloats(C.values()), expected) << "types " << typeAB << " and " << typeC;
  }
};

TEST_F(CublasMixed, ProductsOfEachType) {
  compare<float, float>(CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F);
  compare<float, float>(CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32);
  compare<double, double, double>(CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F);
  compare<__half, __half>(CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F);
  compare<__half, float>(CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F);
  compare<__half, __half, __half>(CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F);
  compare<__nv_bfloat16, __nv_bfloat16>(CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F);
  compare<__nv_bfloat16, float>(CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F);
  compare<signed char, int, int>(CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I);
  compare<signed char, float>(CUDA_R_8I, CUDA_R_32F, CUBLAS_COMPUTE_32F);
}

TEST_F(CublasMixed, OldCallsNameTheTypeToComputeIn) {
  const Managed<__half> A({__half(3.0f)}), C({__half(0.0f)});
  const float one = 1, zero = 0;
  EXPECT_EQ(cublasGemmEx(handle_, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, A, CUDA_R_16F, 1, A,
                         CUDA_R_16F, 1, &zero, C, CUDA_R_16F, 1, CUDA_R_32F,
                         CUBLAS_GEMM_DEFAULT_TENSOR_OP),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(float(C[0]), 9);
}

TEST_F(CublasMixed, SumsAreRoundedOnce) {
  // 2048 + 1 + 1 in half steps stays 2048; in float it is 2050.
  const Managed<__half> A({__half(2048.0f), __half(1.0f), __half(1.0f)}),
      B({__half(1.0f), __half(1.0f), __half(1.0f)}), C({__half(0.0f)});
  const float one = 1, zero = 0;
  EXPECT_EQ(cublasGemmEx(handle_, CUBLAS_OP_T, CUBLAS_OP_N, 1, 1, 3, &one, A, CUDA_R_16F, 3, B,
                         CUDA_R_16F, 3, &zero, C, CUDA_R_16F, 1, CUBLAS_COMPUTE_32F,
                         CUBLAS_GEMM_DEFAULT),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(float(C[0]), 2050);
}

TEST_F(CublasMixed, BatchesOfHalves) {
  const Managed<__half> A({__half(1.0f), __half(2.0f), __half(3.0f)}), C(numbers<__half>(3));
  const __half one(1.0f), zero(0.0f);
  EXPECT_EQ(cublasHgemmStridedBatched(handle_, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, A, 1, 1, A,
                                      1, 1, &zero, C, 1, 1, 3),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(asFloats(C.values()), (std::vector<float>{1, 4, 9}));
  const Managed<const __half*> as({A + 2, A + 1});
  const Managed<__half*> cs({C + 0, C + 1});
  EXPECT_EQ(cublasHgemmBatched(handle_, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, as, 1, as, 1, &one,
                               cs, 1, 2),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(asFloats(C.values()), (std::vector<float>{10, 8, 9}));
  const float half = 0.5f, none = 0;
  EXPECT_EQ(cublasGemmStridedBatchedEx(handle_, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &half, A,
                                       CUDA_R_16F, 1, 1, A, CUDA_R_16F, 1, 0, &none, C, CUDA_R_16F,
                                       1, 1, 3, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(asFloats(C.values()), (std::vector<float>{0.5f, 1, 1.5f}));
}

TEST_F(CublasMixed, VectorsOfEachType) {
  const Managed<__half> x({__half(3.0f), __half(4.0f)}), y({__half(1.0f), __half(2.0f)}),
      result({__half(0.0f)});
  __half value;
  EXPECT_EQ(
      cublasDotEx(handle_, 2, x, CUDA_R_16F, 1, y, CUDA_R_16F, -1, &value, CUDA_R_16F, CUDA_R_32F),
      CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(float(value), 3 * 2 + 4 * 1);
  EXPECT_EQ(cublasNrm2Ex(handle_, 2, x, CUDA_R_16F, 1, &value, CUDA_R_16F, CUDA_R_32F),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(float(value), 5);
  const float two = 2;
  EXPECT_EQ(
      cublasAxpyEx(handle_, 2, &two, CUDA_R_32F, x, CUDA_R_16F, 1, y, CUDA_R_16F, 1, CUDA_R_32F),
      CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasScalEx(handle_, 2, &two, CUDA_R_32F, x, CUDA_R_16F, 1, CUDA_R_32F),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(asFloats(y.values()), (std::vector<float>{7, 10}));
  EXPECT_EQ(asFloats(x.values()), (std::vector<float>{6, 8}));
}

TEST_F(CublasMixed, OtherCombinationsAreRefused) {
  const Managed<float> x({1});
  const float one = 1;
  const auto status = [&](cudaDataType a, cudaDataType b, cudaDataType c,
                          cublasComputeType_t compute) {
    return cublasGemmEx(handle_, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, x, a, 1, x, b, 1, &one, x,
                        c, 1, compute, CUBLAS_GEMM_DEFAULT);
  };
  EXPECT_EQ(status(CUDA_R_16F, CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F),
            CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(status(CUDA_R_32F, CUDA_R_32F, CUDA_R_16F, CUBLAS_COMPUTE_32F),
            CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(status(CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_64F),
            CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(status(CUDA_R_4I, CUDA_R_4I, CUDA_R_32I, CUBLAS_COMPUTE_32I),
            CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(cublasDotEx(handle_, 1, x, CUDA_R_32F, 1, x, CUDA_R_16F, 1, x, CUDA_R_32F, CUDA_R_32F),
            CUBLAS_STATUS_NOT_SUPPORTED);
}

} // namespace
