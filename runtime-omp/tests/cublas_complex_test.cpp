// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLAS with complex numbers, and the functions of triangular, symmetric and diagonal matrices.
#include <complex>

#include "cublas_test.h"

namespace {

using Complex = std::complex<float>;

/// Complex numbers for the library's pointers.
class Numbers : public Managed<cuComplex> {
public:
  Numbers(std::initializer_list<Complex> values) : Managed(convert(values)) {}
  std::vector<Complex> get() const {
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    std::vector<Complex> result;
    for (const cuComplex& x : values())
      result.emplace_back(x.x, x.y);
    return result;
  }

private:
  static std::vector<cuComplex> convert(const std::vector<Complex>& values) {
    std::vector<cuComplex> result;
    for (const Complex& x : values)
      result.push_back(make_cuComplex(x.real(), x.imag()));
    return result;
  }
};

TEST_F(Cublas, ComplexVectors) {
  const Numbers x({{3, 4}, {0, -8}}), y({{1, 1}, {2, 0}});
  int index = 0;
  float value = 0;
  cuComplex product;
  EXPECT_EQ(cublasIcamax(handle_, 2, x, 1, &index), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(index, 2); // sums of the parts: 7 and 8
  EXPECT_EQ(cublasScasum(handle_, 2, x, 1, &value), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(value, 15);
  EXPECT_EQ(cublasScnrm2(handle_, 1, x, 1, &value), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(value, 5);
  EXPECT_EQ(cublasCdotu(handle_, 2, x, 1, y, 1, &product), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(product.x, -1); // (3+4i)(1+i) = -1+7i, -8i * 2 = -16i
  EXPECT_EQ(product.y, -9);
  EXPECT_EQ(cublasCdotc(handle_, 2, x, 1, y, 1, &product), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(product.x, 7); // (3-4i)(1+i) = 7-i, 8i * 2 = 16i
  EXPECT_EQ(product.y, 15);
  const float two = 2;
  const cuComplex i = make_cuComplex(0, 1);
  EXPECT_EQ(cublasCsscal(handle_, 2, &two, y, 1), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasCaxpy(handle_, 2, &i, x, 1, y, 1), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(y.get(), (std::vector<Complex>{{-2, 5}, {12, 0}}));
}

TEST_F(Cublas, ComplexProductsConjugate) {
  const Numbers A({{1, 2}}), B({{3, -1}}), C({{0, 0}});
  const cuComplex one = make_cuComplex(1, 0), zero = make_cuComplex(0, 0);
  const auto product = [&](cublasOperation_t op) {
    EXPECT_EQ(cublasCgemm(handle_, op, CUBLAS_OP_N, 1, 1, 1, &one, A, 1, B, 1, &zero, C, 1),
              CUBLAS_STATUS_SUCCESS);
    return C.get()[0];
  };
  EXPECT_EQ(product(CUBLAS_OP_T), Complex(5, 5));
  EXPECT_EQ(product(CUBLAS_OP_C), Complex(1, -7));
  EXPECT_EQ(cublasCgeam(handle_, CUBLAS_OP_C, CUBLAS_OP_N, 1, 1, &one, A, 1, &one, B, 1, C, 1),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(C.get()[0], Complex(4, -3));
  EXPECT_EQ(cublasCgerc(handle_, 1, 1, &one, A, 1, B, 1, C, 1), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(C.get()[0], Complex(4, -3) + Complex(1, 2) * Complex(3, 1));
}

TEST_F(Cublas, DiagonalProducts) {
  const Managed<double> A({1, 2, 3, 4, 5, 6}), x({10, 100}), C(numbers<double>(6));
  EXPECT_EQ(cublasDdgmm(handle_, CUBLAS_SIDE_RIGHT, 3, 2, A, 3, x, 1, C, 3), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(C.values(), (std::vector<double>{10, 20, 30, 400, 500, 600}));
  EXPECT_EQ(cublasDdgmm(handle_, CUBLAS_SIDE_LEFT, 2, 3, A, 2, x, -1, A, 2), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(A.values(), (std::vector<double>{100, 20, 300, 40, 500, 60}));
}

TEST_F(Cublas, TriangularProductsHaveTheirOwnResult) {
  // Upper triangle (2 1; . 3); 99 is never read.
  const Managed<float> A({2, 99, 1, 3}), B({1, 2, 3, 4}), C(numbers<float>(4)), x({1, 2});
  const float one = 1;
  EXPECT_EQ(cublasStrmm(handle_, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N,
                        CUBLAS_DIAG_NON_UNIT, 2, 2, &one, A, 2, B, 2, C, 2),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasStrmv(handle_, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_T, CUBLAS_DIAG_NON_UNIT, 2, A, 2,
                        x, 1),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(C.values(), (std::vector<float>{4, 6, 10, 12}));
  EXPECT_EQ(B.values(), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(x.values(), (std::vector<float>{2, 7}));
}

TEST_F(Cublas, HermitianAndSymmetricUpdates) {
  const Numbers A({{1, 2}, {3, 0}}), C({{0, 0}, {0, 0}, {7, 7}, {0, 0}});
  const float one = 1, zero = 0;
  EXPECT_EQ(
      cublasCherk(handle_, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, 2, 1, &one, A, 2, &zero, C, 2),
      CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(C.get(), (std::vector<Complex>{{5, 0}, {3, -6}, {7, 7}, {9, 0}}));
  const cuComplex factor = make_cuComplex(1, 0);
  EXPECT_EQ(
      cublasCsyrk(handle_, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_C, 2, 1, &factor, A, 2, &factor, C, 2),
      CUBLAS_STATUS_INVALID_VALUE);
  const Managed<double> x({1, 2}), y({3, 4}), S({0, 0, 0, 0});
  const double two = 2;
  EXPECT_EQ(cublasDsyr2(handle_, CUBLAS_FILL_MODE_UPPER, 2, &two, x, 1, y, 1, S, 2),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasDsyr(handle_, CUBLAS_FILL_MODE_UPPER, 2, &two, x, 1, S, 2),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(S.values(), (std::vector<double>{12 + 2, 0, 20 + 4, 32 + 8}));
}

} // namespace
