// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Batches of LU and QR factors: put together again they give the matrices, and solutions solve.
#include <cmath>

#include "cublas_test.h"

namespace {

/// dot() is one element of a product of square matrices.
double dot(const double* A, const double* B, int n, int i, int j) {
  double sum = 0;
  for (int k = 0; k < n; ++k)
    sum += A[i + k * n] * B[k + j * n];
  return sum;
}

class CublasFactors : public Cublas {
protected:
  static constexpr int n = 3;
  // The first pivot of the first matrix is 0; the second is singular.
  const std::vector<double> matrices_ = {0, 2, 4, 1, 1, 3, 5, 2, 1, /**/ 1, 2, 3, 2, 4, 6, 1, 0, 1};
};

TEST_F(CublasFactors, PivotsSolutionsAndInverses) {
  const Managed<double> A(matrices_), inverse(std::vector<double>(9));
  const Managed<double*> as({A + 0, A + 9}), inverses({inverse + 0});
  const Managed<int> pivots(std::vector<int>(6)), info({-1, -1});
  EXPECT_EQ(cublasDgetrfBatched(handle_, n, as, n, pivots, info, 2), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(info.values()[0], 0);
  EXPECT_EQ(info.values()[1], 2); // its second column is twice the first
  EXPECT_EQ(pivots[0], 3);        // from 1: the row with the 4

  for (const cublasOperation_t op : {CUBLAS_OP_N, CUBLAS_OP_T}) {
    const std::vector<double> x = {1, -2, 3};
    std::vector<double> right(n);
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < n; ++k)
        right[std::size_t(i)] +=
            x[std::size_t(k)] * matrices_[std::size_t(op == CUBLAS_OP_N ? i + k * n : k + i * n)];
    const Managed<double> B(right);
    const Managed<double*> bs({B + 0});
    int wrong = -1;
    EXPECT_EQ(cublasDgetrsBatched(handle_, op, n, 1, reinterpret_cast<const double* const*>(+as), n,
                                  pivots, bs, n, &wrong, 1),
              CUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    for (int i = 0; i < n; ++i)
      EXPECT_NEAR(B[i], x[std::size_t(i)], 1e-12) << "op " << op;
  }

  EXPECT_EQ(cublasDgetriBatched(handle_, n, reinterpret_cast<const double* const*>(+as), n, pivots,
                                inverses, n, info, 1),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      EXPECT_NEAR(dot(matrices_.data(), inverse, n, i, j), i == j, 1e-12);
}

TEST_F(CublasFactors, WithoutPivots) {
  const Managed<float> A({2, 4, 1, 5}); // (2 1; 4 5) = (1 0; 2 1)(2 1; 0 3)
  const Managed<float*> as({A + 0});
  const Managed<int> info({-1});
  EXPECT_EQ(cublasSgetrfBatched(handle_, 2, as, 2, nullptr, info, 1), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(info[0], 0);
  EXPECT_EQ(A.values(), (std::vector<float>{2, 2, 1, 3}));
}

TEST_F(CublasFactors, SmallInverses) {
  const Managed<double> A(matrices_), inverse(std::vector<double>(18));
  const Managed<const double*> as({A + 0, A + 9});
  const Managed<double*> inverses({inverse + 0, inverse + 9});
  const Managed<int> info({-1, -1});
  EXPECT_EQ(cublasDmatinvBatched(handle_, n, as, n, inverses, n, info, 2), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(info[0], 0);
  EXPECT_EQ(info[1], 2);
  EXPECT_EQ(A.values(), matrices_);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      EXPECT_NEAR(dot(A, inverse, n, i, j), i == j, 1e-12);
  EXPECT_EQ(cublasDmatinvBatched(handle_, 33, as, 33, inverses, 33, info, 2),
            CUBLAS_STATUS_INVALID_VALUE);
}

TEST_F(CublasFactors, LeastSquares) {
  // The line through (0, 1), (1, 3), (2, 4), (3, 4): 1.5 + x.
  const Managed<double> A({1, 1, 1, 1, 0, 1, 2, 3}), C({1, 3, 4, 4});
  const Managed<double*> as({A + 0}), cs({C + 0});
  const Managed<int> zeros({-1});
  int info = -1;
  EXPECT_EQ(cublasDgelsBatched(handle_, CUBLAS_OP_N, 4, 2, 1, as, 4, cs, 4, &info, zeros, 1),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(info, 0);
  EXPECT_EQ(zeros[0], 0);
  EXPECT_NEAR(C[0], 1.5, 1e-12);
  EXPECT_NEAR(C[1], 1.0, 1e-12);
  EXPECT_EQ(cublasDgelsBatched(handle_, CUBLAS_OP_N, 2, 4, 1, as, 4, cs, 4, &info, zeros, 1),
            CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(cublasDgelsBatched(handle_, CUBLAS_OP_N, 4, 2, 1, as, 3, cs, 4, &info, zeros, 1),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(info, -6);
}

TEST_F(CublasFactors, ComplexLeastSquaresSolveSquareSystems) {
  // (1 i; 2 1)(1+i, 2) = (1+3i, 4+2i)
  const Managed<cuDoubleComplex> A({{1, 0}, {2, 0}, {0, 1}, {1, 0}}), C({{1, 3}, {4, 2}});
  const Managed<cuDoubleComplex*> as({A + 0}), cs({C + 0});
  int info = -1;
  EXPECT_EQ(cublasZgelsBatched(handle_, CUBLAS_OP_N, 2, 2, 1, as, 2, cs, 2, &info, nullptr, 1),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_NEAR(C[0].x, 1, 1e-12);
  EXPECT_NEAR(C[0].y, 1, 1e-12);
  EXPECT_NEAR(C[1].x, 2, 1e-12);
  EXPECT_NEAR(C[1].y, 0, 1e-12);
}

TEST_F(CublasFactors, TriangularSolutionsInBatches) {
  const Managed<float> A({2, 1, 99, 4}), B({2, 9, 4, 2});
  const Managed<const float*> as({A + 0, A + 0});
  const Managed<float*> bs({B + 2, B + 0});
  const float one = 1;
  EXPECT_EQ(cublasStrsmBatched(handle_, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                               CUBLAS_DIAG_NON_UNIT, 2, 1, &one, as, 2, bs, 2, 2),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(B.values(), (std::vector<float>{1, 2, 2, 0}));
}

} // namespace
