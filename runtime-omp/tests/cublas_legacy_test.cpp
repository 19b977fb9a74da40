// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLAS' first interface: values instead of pointers, and errors that wait for cublasGetError().
#include <vector>

#include <cublas.h>

#include "runtime_test.h"

namespace {

class CublasLegacy : public RuntimeTest {
protected:
  void SetUp() override {
    RuntimeTest::SetUp();
    ASSERT_EQ(cublasInit(), CUBLAS_STATUS_SUCCESS);
  }
  void TearDown() override {
    EXPECT_EQ(cublasShutdown(), CUBLAS_STATUS_SUCCESS);
    RuntimeTest::TearDown();
  }
  static float* onDevice(const std::vector<float>& values) {
    void* p = nullptr;
    EXPECT_EQ(cublasAlloc(int(values.size()), sizeof(float), &p), CUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(cublasSetVector(int(values.size()), sizeof(float), values.data(), 1, p, 1),
              CUBLAS_STATUS_SUCCESS);
    return static_cast<float*>(p);
  }
  static std::vector<float> fromDevice(const float* p, int n) {
    std::vector<float> values(static_cast<std::size_t>(n));
    EXPECT_EQ(cublasGetVector(n, sizeof(float), p, 1, values.data(), 1), CUBLAS_STATUS_SUCCESS);
    return values;
  }
};

TEST_F(CublasLegacy, VectorsGiveValues) {
  float* x = onDevice({3, -4, 1});
  float* y = onDevice({1, 2, 3});
  EXPECT_EQ(cublasIsamax(3, x, 1), 2);
  EXPECT_EQ(cublasSasum(3, x, 1), 8);
  EXPECT_EQ(cublasSnrm2(2, x, 1), 5);
  EXPECT_EQ(cublasSdot(3, x, 1, y, 1), -2);
  cublasSaxpy(3, 2.0f, x, 1, y, 1);
  EXPECT_EQ(fromDevice(y, 3), (std::vector<float>{7, -6, 5}));
  cublasSscal(3, -1.0f, y, 1);
  cublasSswap(3, x, 1, y, 1);
  EXPECT_EQ(fromDevice(x, 3), (std::vector<float>{-7, 6, -5}));
  EXPECT_EQ(cublasGetError(), CUBLAS_STATUS_SUCCESS);
  cublasFree(x);
  cublasFree(y);
}

TEST_F(CublasLegacy, ProductsTakeCharacters) {
  float* a = onDevice({1, 2, 3, 4});
  float* b = onDevice({5, 6, 7, 8});
  float* c = onDevice({1, 1, 1, 1});
  cublasSgemm('n', 'T', 2, 2, 2, 1.0f, a, 2, b, 2, 2.0f, c, 2);
  EXPECT_EQ(fromDevice(c, 4), (std::vector<float>{28, 40, 32, 46}));
  cublasSgemv('t', 2, 2, 1.0f, a, 2, b, 1, 0.0f, c, 1);
  EXPECT_EQ(fromDevice(c, 2), (std::vector<float>{17, 39}));
  cublasStrmm('L', 'U', 'N', 'N', 2, 2, 1.0f, a, 2, b, 2); // in place
  EXPECT_EQ(fromDevice(b, 4), (std::vector<float>{23, 24, 31, 32}));
  cublasStrsm('L', 'U', 'N', 'N', 2, 2, 1.0f, a, 2, b, 2);
  EXPECT_EQ(fromDevice(b, 4), (std::vector<float>{5, 6, 7, 8}));
  EXPECT_EQ(cublasGetError(), CUBLAS_STATUS_SUCCESS);
  for (float* p : {a, b, c})
    cublasFree(p);
}

TEST_F(CublasLegacy, ErrorsWaitUntilAsked) {
  float* a = onDevice({1, 2, 3, 4});
  cublasSgemm('x', 'n', 2, 2, 2, 1.0f, a, 2, a, 2, 0.0f, a, 2);
  EXPECT_EQ(cublasGetError(), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(cublasGetError(), CUBLAS_STATUS_SUCCESS);
  void* p = nullptr;
  EXPECT_EQ(cublasAlloc(0, 4, &p), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(cublasGetError(), CUBLAS_STATUS_INVALID_VALUE);
  cublasFree(a);
  EXPECT_EQ(cublasShutdown(), CUBLAS_STATUS_SUCCESS);
  cublasSscal(1, 2.0f, a, 1);
  EXPECT_EQ(cublasGetError(), CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(cublasInit(), CUBLAS_STATUS_SUCCESS);
}

} // namespace
