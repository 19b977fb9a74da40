// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLAS over CBLAS: numbers against plain loops, order on streams, pointer modes, indices from 1,
// refusal of bad arguments. Values are small integers, so that every sum is exact in any order.
#include <cmath>
#include <vector>

#include "cublas_test.h"

namespace {

TEST_F(Cublas, ResultsOfVectors) {
  const Managed<float> x({3, -4, 4, 1}), y({1, 2, 3, 4});
  int index = 0;
  float value = 0;
  EXPECT_EQ(cublasIsamax(handle_, 4, x, 1, &index), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(index, 2); // the first of the two largest, counted from 1
  EXPECT_EQ(cublasIsamin(handle_, 4, x, 1, &index), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(index, 4);
  EXPECT_EQ(cublasIsamax(handle_, 0, x, 1, &index), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(index, 0);
  EXPECT_EQ(cublasSasum(handle_, 2, x, 2, &value), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(value, 7);
  EXPECT_EQ(cublasSnrm2(handle_, 2, x, 1, &value), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(value, 5);
  EXPECT_EQ(cublasSdot(handle_, 4, x, 1, y, 1, &value), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(value, 11);
  EXPECT_EQ(cublasSdot(handle_, 2, x, 1, y, -3, &value), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(value, 3 * 4 - 4 * 1);
}

TEST_F(Cublas, ChangesOfVectors) {
  const Managed<double> x({1, 2, 3}), y({10, 20, 30});
  const double alpha = 2;
  EXPECT_EQ(cublasDaxpy(handle_, 3, &alpha, x, 1, y, 1), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasDscal(handle_, 2, &alpha, x, 2), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasDswap(handle_, 1, x, 1, y, 1), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasDcopy(handle_, 1, y + 2, 1, x + 1, 1), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(x.values(), (std::vector<double>{12, 36, 6}));
  EXPECT_EQ(y.values(), (std::vector<double>{2, 24, 36}));
}

TEST_F(Cublas, ModifiedRotations) {
  const Managed<double> x({1, 2, 3}), y({10, 20, 30});
  double param[5] = {-1, 2, 3, 5, 7}; // all four elements: h11, h21, h12, h22
  EXPECT_EQ(cublasDrotm(handle_, 3, x, 1, y, 1, param), CUBLAS_STATUS_SUCCESS);
  param[0] = -2; // read by the call already; now the identity
  EXPECT_EQ(cublasDrotm(handle_, 3, x, 1, y, 1, param), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(x.values(), (std::vector<double>{52, 104, 156}));
  EXPECT_EQ(y.values(), (std::vector<double>{73, 146, 219}));
  // Turns (x1, y1), scaled by the roots of d1 and d2, onto the first axis.
  float d1 = 1, d2 = 1, x1 = 3, result[5] = {};
  const float y1 = 1;
  EXPECT_EQ(cublasSrotmg(handle_, &d1, &d2, &x1, &y1, result), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(result[0], 0.0f);
  EXPECT_FLOAT_EQ(result[2], -1.0f / 3);
  EXPECT_FLOAT_EQ(result[3], 1.0f / 3);
  EXPECT_FLOAT_EQ(x1, 10.0f / 3);
  EXPECT_FLOAT_EQ(d1, 0.9f);
  EXPECT_EQ(cublasSrotmg(handle_, &d1, &d2, &x1, nullptr, result), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(cublasDrotm(handle_, 3, x, 1, y, 1, nullptr), CUBLAS_STATUS_INVALID_VALUE);
}

TEST_F(Cublas, DeviceScalarsAreReadWhenTheWorkRuns) {
  const Managed<float> x({1, 2}), sum({0}), alpha({1});
  EXPECT_EQ(cublasSetPointerMode(handle_, CUBLAS_POINTER_MODE_DEVICE), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasSasum(handle_, 2, x, 1, sum), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasSscal(handle_, 2, sum, x, 1), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(x.values(), (std::vector<float>{3, 6}));
}

TEST_F(Cublas, WorkFollowsTheStream) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  EXPECT_EQ(cublasSetStream(handle_, stream), CUBLAS_STATUS_SUCCESS);
  const Managed<float> x({1, 1}), y({5, 5});
  float alpha = 3;
  EXPECT_EQ(cudaMemsetAsync(y, 0, 2 * sizeof(float), stream), cudaSuccess);
  EXPECT_EQ(cublasSaxpy(handle_, 2, &alpha, x, 1, y, 1), CUBLAS_STATUS_SUCCESS);
  alpha = 100; // read by the call already
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(y.values(), (std::vector<float>{3, 3}));
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cublasSetStream(handle_, nullptr), CUBLAS_STATUS_SUCCESS);
}

TEST_F(Cublas, WorkOfAGraphRunsAtEachLaunch) {
  cudaStream_t stream = nullptr;
  cudaGraph_t part = nullptr, graph = nullptr;
  cudaGraphNode_t node = nullptr;
  cudaGraphExec_t exec = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  EXPECT_EQ(cublasSetStream(handle_, stream), CUBLAS_STATUS_SUCCESS);
  const Managed<float> x({1, 2}), y({5, 5});
  float alpha = 3;
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  EXPECT_EQ(cublasSaxpy(handle_, 2, &alpha, x, 1, y, 1), CUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(cudaStreamEndCapture(stream, &part), cudaSuccess);
  ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphAddChildGraphNode(&node, graph, nullptr, 0, part), cudaSuccess);
  ASSERT_EQ(cudaGraphDestroy(part), cudaSuccess);
  ASSERT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  alpha = 100; // read by the call already
  for (int i = 0; i < 3; ++i)
    ASSERT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(y.values(), (std::vector<float>{14, 23}));
  EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cublasSetStream(handle_, nullptr), CUBLAS_STATUS_SUCCESS);
}

TEST_F(Cublas, MatrixTimesVector) {
  const int m = 3, n = 4, lda = 5;
  const Managed<double> A(numbers<double>(lda * n)), x(numbers<double>(n, 3)),
      y(numbers<double>(m, 5));
  std::vector<double> expected = y.values();
  for (int i = 0; i < m; ++i) {
    expected[i] *= -1;
    for (int j = 0; j < n; ++j)
      expected[i] += 2 * A[i + j * lda] * x[j];
  }
  const double alpha = 2, beta = -1;
  EXPECT_EQ(cublasDgemv(handle_, CUBLAS_OP_N, m, n, &alpha, A, lda, x, 1, &beta, y, 1),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(y.values(), expected);
}

TEST_F(Cublas, RankOneUpdateAndTriangularSolve) {
  const Managed<float> A({1, 0, 0, 1}), x({1, 2}), y({3, 4});
  const float alpha = 1;
  EXPECT_EQ(cublasSger(handle_, 2, 2, &alpha, x, 1, y, 1, A, 2), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(A.values(), (std::vector<float>{4, 6, 4, 9}));
  // Lower triangle, unit diagonal: (1 0; 6 1) x = (1 2).
  EXPECT_EQ(
      cublasStrsv(handle_, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, 2, A, 2, x, 1),
      CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(x.values(), (std::vector<float>{1, -4}));
}

TEST_F(Cublas, ProductsForEachTransposition) {
  const int m = 3, n = 4, k = 5;
  for (const cublasOperation_t ta : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C})
    for (const cublasOperation_t tb : {CUBLAS_OP_N, CUBLAS_OP_T}) {
      const int lda = ta == CUBLAS_OP_N ? m : k, ldb = tb == CUBLAS_OP_N ? k : n;
      const Managed<float> A(numbers<float>(m * k)), B(numbers<float>(k * n, 2)),
          C(numbers<float>(m * n, 3));
      std::vector<float> expected = C.values();
      for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
          float sum = 0;
          for (int l = 0; l < k; ++l)
            sum += (ta == CUBLAS_OP_N ? A[i + l * lda] : A[l + i * lda]) *
                   (tb == CUBLAS_OP_N ? B[l + j * ldb] : B[j + l * ldb]);
          expected[i + j * m] = 2 * sum + 3 * expected[i + j * m];
        }
      const float alpha = 2, beta = 3;
      EXPECT_EQ(cublasSgemm(handle_, ta, tb, m, n, k, &alpha, A, lda, B, ldb, &beta, C, m),
                CUBLAS_STATUS_SUCCESS);
      EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
      EXPECT_EQ(C.values(), expected) << "op " << ta << " and " << tb;
    }
}

TEST_F(Cublas, BatchesOfProducts) {
  const Managed<double> A({1, 2, 3}), B({10, 20, 30}), C({NAN, NAN, NAN}), D({0, 0, 0});
  const double alpha = 1, beta = 0; // zero: what is in C does not matter
  EXPECT_EQ(cublasDgemmStridedBatched(handle_, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &alpha, A, 1, 1,
                                      B, 1, 0, &beta, C, 1, 1, 3),
            CUBLAS_STATUS_SUCCESS);
  const Managed<const double*> as({A + 2, A + 1}), bs({B + 0, B + 2});
  const Managed<double*> ds({D + 1, D + 0});
  EXPECT_EQ(cublasDgemmBatched(handle_, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &alpha, as, 1, bs, 1,
                               &beta, ds, 1, 2),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(C.values(), (std::vector<double>{10, 20, 30}));
  EXPECT_EQ(D.values(), (std::vector<double>{60, 30, 0}));
}

TEST_F(Cublas, SumOfMatricesTransposes) {
  const Managed<float> A({1, 2, 3, 4, 5, 6}), C({NAN, NAN, NAN, NAN, NAN, NAN});
  const float one = 1, zero = 0;
  EXPECT_EQ(cublasSgeam(handle_, CUBLAS_OP_T, CUBLAS_OP_N, 3, 2, &one, A, 2, &zero, C, 3, C, 3),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(C.values(), (std::vector<float>{1, 3, 5, 2, 4, 6}));
}

TEST_F(Cublas, SymmetricProductsAndTriangularSolutions) {
  // The lower triangle of A stands for the matrix (2 1; 1 3); 99 is never read.
  const Managed<double> A({2, 1, 99, 3}), B({1, 0, 0, 1}), C({0, 0, 0, 0});
  const double one = 1, zero = 0;
  EXPECT_EQ(cublasDsymm(handle_, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, 2, 2, &one, A, 2, B, 2,
                        &zero, C, 2),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(C.values(), (std::vector<double>{2, 1, 1, 3}));
  EXPECT_EQ(cublasDsyrk(handle_, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, 2, 1, &one, A, 2, &one, C, 2),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(C.values(), (std::vector<double>{6, 1, 3, 4}));
  const Managed<double> X({4, 8, 2, 7});
  EXPECT_EQ(cublasDtrsm(handle_, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                        CUBLAS_DIAG_NON_UNIT, 2, 2, &one, A, 2, X, 2),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(X.values(), (std::vector<double>{2, 2, 1, 2}));
}

TEST_F(Cublas, CopiesWithStrides) {
  float* device = nullptr;
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void**>(&device), 4 * sizeof(float)), cudaSuccess);
  const float host[] = {1, 2, 3, 4};
  float back[] = {0, 0, 0, 0};
  EXPECT_EQ(cublasSetVector(2, sizeof(float), host, 2, device, 1), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasGetVector(2, sizeof(float), device, 1, back, 3), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(back[0], 1);
  EXPECT_EQ(back[3], 3);
  EXPECT_EQ(cublasSetMatrix(1, 2, sizeof(float), host, 2, device, 1), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasGetMatrix(2, 1, sizeof(float), device, 2, back, 2), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(back[1], 3);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
}

TEST_F(Cublas, BadArgumentsAreRefused) {
  const float one = 1;
  float x[4] = {};
  EXPECT_EQ(cublasSgemm(nullptr, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, x, 1, x, 1, &one, x, 1),
            CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(cublasSgemm(handle_, CUBLAS_OP_N, CUBLAS_OP_N, 2, 1, 1, &one, x, 1, x, 1, &one, x, 2),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(cublasSgemv(handle_, CUBLAS_OP_N, -1, 1, &one, x, 1, x, 1, &one, x, 1),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(cublasSgemv(handle_, CUBLAS_OP_N, 1, 1, &one, x, 1, x, 0, &one, x, 1),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(cublasCreate(nullptr), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_STREQ(cublasGetStatusName(CUBLAS_STATUS_INVALID_VALUE), "CUBLAS_STATUS_INVALID_VALUE");
}

} // namespace
