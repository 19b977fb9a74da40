// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLASLt: products with each epilogue against plain loops, orders, batches, attributes, and the
// refusal of what is not there.
#include <cmath>

#include <cublasLt.h>

#include "cublas_test.h"

namespace {

float gelu(float x) {
  return 0.5f * x * (1 + std::tanh(std::sqrt(2 / 3.14159265f) * (x + 0.044715f * x * x * x)));
}

class CublasLt : public RuntimeTest {
protected:
  static constexpr int m = 8, n = 3, k = 4, auxLd = 128;

  void SetUp() override {
    RuntimeTest::SetUp();
    ASSERT_EQ(cublasLtCreate(&handle_), CUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(cublasLtMatmulDescCreate(&desc_, CUBLAS_COMPUTE_32F, CUDA_R_32F),
              CUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(cublasLtMatmulPreferenceCreate(&preference_), CUBLAS_STATUS_SUCCESS);
    layout(a_, CUDA_R_32F, m, k);
    layout(b_, CUDA_R_32F, k, n);
    layout(d_, CUDA_R_32F, m, n);
  }
  void TearDown() override {
    for (const cublasLtMatrixLayout_t made : {a_, b_, d_})
      EXPECT_EQ(cublasLtMatrixLayoutDestroy(made), CUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(cublasLtMatmulPreferenceDestroy(preference_), CUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(cublasLtMatmulDescDestroy(desc_), CUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(cublasLtDestroy(handle_), CUBLAS_STATUS_SUCCESS);
    RuntimeTest::TearDown();
  }

  void layout(cublasLtMatrixLayout_t& made, cudaDataType type, int rows, int cols) {
    if (made)
      cublasLtMatrixLayoutDestroy(made);
    ASSERT_EQ(cublasLtMatrixLayoutCreate(&made, type, rows, cols, rows), CUBLAS_STATUS_SUCCESS);
  }
  template <class T> void set(cublasLtMatmulDescAttributes_t attribute, T value) {
    EXPECT_EQ(cublasLtMatmulDescSetAttribute(desc_, attribute, &value, sizeof(value)),
              CUBLAS_STATUS_SUCCESS);
  }
  template <class T>
  void set(cublasLtMatrixLayout_t made, cublasLtMatrixLayoutAttribute_t attribute, T value) {
    EXPECT_EQ(cublasLtMatrixLayoutSetAttribute(made, attribute, &value, sizeof(value)),
              CUBLAS_STATUS_SUCCESS);
  }
  cublasStatus_t heuristic() {
    cublasLtMatmulHeuristicResult_t result;
    int count = -1;
    const cublasStatus_t status = cublasLtMatmulAlgoGetHeuristic(handle_, desc_, a_, b_, d_, d_,
                                                                 preference_, 1, &result, &count);
    EXPECT_EQ(count, status == CUBLAS_STATUS_SUCCESS);
    return status;
  }
  cublasStatus_t matmul(const void* A, const void* B, void* D, float alpha = 1, float beta = 0) {
    const cublasStatus_t status = cublasLtMatmul(handle_, desc_, &alpha, A, a_, B, b_, &beta, D, d_,
                                                 D, d_, nullptr, nullptr, 0, nullptr);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    return status;
  }
  /// sums() is A B, column-major.
  static std::vector<float> sums(const float* A, const float* B) {
    std::vector<float> result(m * n);
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j)
        for (int l = 0; l < k; ++l)
          result[std::size_t(i + j * m)] += A[i + l * m] * B[l + j * k];
    return result;
  }

  cublasLtHandle_t handle_ = nullptr;
  cublasLtMatmulDesc_t desc_ = nullptr;
  cublasLtMatmulPreference_t preference_ = nullptr;
  cublasLtMatrixLayout_t a_ = nullptr, b_ = nullptr, d_ = nullptr;
  const Managed<float> A_{numbers<float>(m * k)}, B_{numbers<float>(k * n, 3)},
      D_{numbers<float>(m * n, 5)}, bias_{numbers<float>(m, 2)}, aux_{numbers<float>(auxLd * n)};
};

TEST_F(CublasLt, PlainProductsAddTheOldResult) {
  std::vector<float> expected = sums(A_, B_);
  for (std::size_t i = 0; i < expected.size(); ++i)
    expected[i] = 2 * expected[i] - 3 * D_[i];
  EXPECT_EQ(heuristic(), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(matmul(A_, B_, D_, 2, -3), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(D_.values(), expected);
}

TEST_F(CublasLt, TransposedOperandsInRowOrder) {
  // A B written twice: transposed columns are the same memory as rows.
  const std::vector<float> expected = sums(A_, B_);
  std::vector<float> rows(m * k);
  for (int i = 0; i < m; ++i)
    for (int l = 0; l < k; ++l)
      rows[std::size_t(i * k + l)] = A_[i + l * m];
  const Managed<float> A(rows);
  set(a_, CUBLASLT_MATRIX_LAYOUT_ORDER, std::int32_t(CUBLASLT_ORDER_ROW));
  set(a_, CUBLASLT_MATRIX_LAYOUT_LD, std::int64_t(k));
  EXPECT_EQ(matmul(A, B_, D_), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(D_.values(), expected);
  layout(a_, CUDA_R_32F, k, m);
  set(CUBLASLT_MATMUL_DESC_TRANSA, std::int32_t(CUBLAS_OP_T));
  set(d_, CUBLASLT_MATRIX_LAYOUT_ORDER, std::int32_t(CUBLASLT_ORDER_ROW));
  set(d_, CUBLASLT_MATRIX_LAYOUT_LD, std::int64_t(n));
  EXPECT_EQ(matmul(A, B_, D_), CUBLAS_STATUS_SUCCESS);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      EXPECT_EQ(D_[i * n + j], expected[std::size_t(i + j * m)]);
}

TEST_F(CublasLt, BiasReluAndItsMask) {
  set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_RELU_AUX_BIAS);
  set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, static_cast<void*>(bias_));
  set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, static_cast<void*>(aux_));
  set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, std::int64_t(auxLd));
  std::vector<float> forward = sums(A_, B_), backward = forward, gradients(m);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) {
      float& x = forward[std::size_t(i + j * m)];
      x = std::fmax(x + bias_[i], 0.0f);
      float& back = backward[std::size_t(i + j * m)];
      back = x > 0 ? back : 0;
      gradients[std::size_t(i)] += back;
    }
  EXPECT_EQ(heuristic(), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(matmul(A_, B_, D_), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(D_.values(), forward);
  // The way back reads the mask and stores the bias' gradient.
  set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_DRELU_BGRAD);
  EXPECT_EQ(matmul(A_, B_, D_), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(D_.values(), backward);
  EXPECT_EQ(bias_.values(), gradients);
  set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, std::int64_t(m)); // not a multiple of 128 bits
  EXPECT_EQ(matmul(A_, B_, D_), CUBLAS_STATUS_INVALID_VALUE);
}

TEST_F(CublasLt, GeluKeepsWhatItWasAppliedTo) {
  set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_GELU_AUX_BIAS);
  set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, static_cast<void*>(bias_));
  set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, static_cast<void*>(aux_));
  set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, std::int64_t(m));
  const std::vector<float> plain = sums(A_, B_);
  const float alpha = 0.125f;
  EXPECT_EQ(matmul(A_, B_, D_, alpha), CUBLAS_STATUS_SUCCESS);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) {
      const float x = alpha * plain[std::size_t(i + j * m)] + bias_[i];
      EXPECT_EQ(aux_[i + j * m], x);
      EXPECT_NEAR(D_[i + j * m], gelu(x), 1e-5);
    }
  // The derivative, against a difference.
  set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_DGELU);
  EXPECT_EQ(matmul(A_, B_, D_), CUBLAS_STATUS_SUCCESS);
  for (int i = 0; i < m * n; ++i) {
    const float x = aux_[i], h = 1e-2f, slope = (gelu(x + h) - gelu(x - h)) / (2 * h);
    const float sum = plain[std::size_t(i)];
    EXPECT_NEAR(D_[i], sum * slope, 2e-3 * (1 + std::fabs(sum)));
  }
}

TEST_F(CublasLt, GradientsOfOperands) {
  set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, static_cast<void*>(bias_));
  set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BGRADB);
  EXPECT_EQ(matmul(A_, B_, D_), CUBLAS_STATUS_SUCCESS);
  for (int j = 0; j < n; ++j)
    EXPECT_EQ(bias_[j], B_[j * k] + B_[1 + j * k] + B_[2 + j * k] + B_[3 + j * k]);
  set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BGRADA);
  EXPECT_EQ(matmul(A_, B_, D_), CUBLAS_STATUS_SUCCESS);
  for (int i = 0; i < m; ++i)
    EXPECT_EQ(bias_[i], A_[i] + A_[i + m] + A_[i + 2 * m] + A_[i + 3 * m]);
  EXPECT_EQ(D_.values(), sums(A_, B_));
}

TEST_F(CublasLt, BatchesOfNarrowNumbers) {
  const Managed<__nv_bfloat16> A(numbers<__nv_bfloat16>(2)), B(numbers<__nv_bfloat16>(2, 3)),
      D(numbers<__nv_bfloat16>(4)), bias({__nv_bfloat16(3.0f)});
  layout(a_, CUDA_R_16BF, 1, 1);
  layout(b_, CUDA_R_16BF, 1, 1);
  layout(d_, CUDA_R_16BF, 1, 1);
  for (const cublasLtMatrixLayout_t each : {a_, b_, d_}) {
    set(each, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, std::int32_t(2));
    set(each, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, std::int64_t(each == d_ ? 2 : 1));
  }
  set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BIAS);
  set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, static_cast<void*>(bias));
  set(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, CUDA_R_16BF);
  const float untouched = float(D[1]);
  EXPECT_EQ(heuristic(), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(matmul(A, B, D), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(float(D[0]), float(A[0]) * float(B[0]) + 3);
  EXPECT_EQ(float(D[1]), untouched);
  EXPECT_EQ(float(D[2]), float(A[1]) * float(B[1]) + 3);
}

TEST_F(CublasLt, TransformsBetweenOrders) {
  cublasLtMatrixTransformDesc_t transform = nullptr;
  ASSERT_EQ(cublasLtMatrixTransformDescCreate(&transform, CUDA_R_32F), CUBLAS_STATUS_SUCCESS);
  cublasLtMatrixLayout_t rows = nullptr;
  layout(rows, CUDA_R_32F, m, k);
  set(rows, CUBLASLT_MATRIX_LAYOUT_ORDER, std::int32_t(CUBLASLT_ORDER_ROW));
  set(rows, CUBLASLT_MATRIX_LAYOUT_LD, std::int64_t(k));
  const Managed<float> result(std::vector<float>(m * k));
  const float two = 2, zero = 0;
  EXPECT_EQ(cublasLtMatrixTransform(handle_, transform, &two, A_, a_, &zero, nullptr, nullptr,
                                    result, rows, nullptr),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  for (int i = 0; i < m; ++i)
    for (int l = 0; l < k; ++l)
      EXPECT_EQ(result[i * k + l], 2 * A_[i + l * m]);
  EXPECT_EQ(cublasLtMatrixLayoutDestroy(rows), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasLtMatrixTransformDescDestroy(transform), CUBLAS_STATUS_SUCCESS);
}

TEST_F(CublasLt, AttributesHaveSizes) {
  std::uint64_t rows = 0;
  std::size_t written = 0;
  EXPECT_EQ(cublasLtMatrixLayoutGetAttribute(a_, CUBLASLT_MATRIX_LAYOUT_ROWS, &rows, sizeof(rows),
                                             &written),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(rows, std::uint64_t(m));
  EXPECT_EQ(written, sizeof(rows));
  const char small = 0;
  EXPECT_EQ(cublasLtMatmulDescSetAttribute(desc_, CUBLASLT_MATMUL_DESC_TRANSA, &small, 1),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(cublasLtMatmulDescSetAttribute(desc_, cublasLtMatmulDescAttributes_t(31), &rows, 4),
            CUBLAS_STATUS_NOT_SUPPORTED);
  cublasLtMatmulDescOpaque_t own;
  EXPECT_EQ(cublasLtMatmulDescInit(&own, CUBLAS_COMPUTE_64F, CUDA_R_64F), CUBLAS_STATUS_SUCCESS);
  std::int32_t type = -1;
  EXPECT_EQ(cublasLtMatmulDescGetAttribute(&own, CUBLASLT_MATMUL_DESC_SCALE_TYPE, &type,
                                           sizeof(type), nullptr),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(type, CUDA_R_64F);
}

TEST_F(CublasLt, WhatIsNotThereIsRefused) {
  set(CUBLASLT_MATMUL_DESC_EPILOGUE, std::uint32_t(3));
  EXPECT_EQ(heuristic(), CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(matmul(A_, B_, D_), CUBLAS_STATUS_NOT_SUPPORTED);
  set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BIAS);
  EXPECT_EQ(matmul(A_, B_, D_), CUBLAS_STATUS_INVALID_VALUE); // where is the bias?
  set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_DEFAULT);
  set(a_, CUBLASLT_MATRIX_LAYOUT_ORDER, std::int32_t(CUBLASLT_ORDER_COL32));
  EXPECT_EQ(matmul(A_, B_, D_), CUBLAS_STATUS_NOT_SUPPORTED);
  layout(a_, CUDA_R_32F, m + 1, k);
  EXPECT_EQ(matmul(A_, B_, D_), CUBLAS_STATUS_INVALID_VALUE);
}

} // namespace
