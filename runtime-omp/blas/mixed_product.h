// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One product of matrices of any element types, in two steps: the sums in the type that is computed
// in, then whatever the caller does with them, then the result's type. Without copies where the
// types agree.
#ifndef CU2CPP_BLAS_MIXED_PRODUCT_H
#define CU2CPP_BLAS_MIXED_PRODUCT_H

#include <memory>

#include "blas/elements.h"

namespace cu2cpp::blas {

/// Buffer is memory without initial values.
template <class R> using Buffer = std::unique_ptr<R[]>;
template <class R> Buffer<R> buffer(Index rows, Index cols) {
  return Buffer<R>(new R[std::size_t(rows) * std::size_t(cols) + 1]);
}

/// Operand is A or B as CBLAS takes it; a copy where type or order are others.
template <class R> class Operand {
public:
  Operand(const Matrix& matrix, cublasOperation_t op)
      : op_(op), data_(static_cast<const R*>(matrix.data)), ld_(matrix.ld) {
    const bool agrees = matrix.type == typeOf<R>;
    if (agrees && !matrix.byRows)
      return;
    // Columns of the transposed matrix are the rows of this one.
    if (agrees && !isComplex<R>) {
      op_ = op == CUBLAS_OP_N ? CUBLAS_OP_T : CUBLAS_OP_N;
      return;
    }
    own_ = buffer<R>(matrix.rows, matrix.cols);
    ld_ = matrix.rows > 0 ? matrix.rows : 1;
    widen(matrix, own_.get(), ld_);
    data_ = own_.get();
  }
  CBLAS_TRANSPOSE op() const { return cblas(op_); }
  const R* data() const { return data_; }
  int ld() const { return int(ld_); }

private:
  Buffer<R> own_;
  cublasOperation_t op_;
  const R* data_;
  Index ld_;
};

/// multiply() computes D = finish(alpha op(A) op(B) + beta C); finish(sums, ld) works in place. C
/// may be D.
template <class R, class Finish>
void multiply(cublasOperation_t transa, const Matrix& A, cublasOperation_t transb, const Matrix& B,
              R alpha, R beta, const Matrix& C, const Matrix& D, Finish finish) {
  const int m = int(D.rows), n = int(D.cols), k = int(transa == CUBLAS_OP_N ? A.cols : A.rows);
  if (m == 0 || n == 0)
    return;
  const bool inPlace = D.type == typeOf<R> && !D.byRows;
  const Buffer<R> own = inPlace ? nullptr : buffer<R>(m, n);
  R* sums = inPlace ? static_cast<R*>(D.data) : own.get();
  const Index ld = inPlace ? D.ld : m;
  if (beta != R(0) && !(inPlace && C.data == D.data && C.ld == D.ld && C.type == D.type))
    widen(C, sums, ld);
  const Operand<R> a(A, transa), b(B, transb);
  gemm<R>(CblasColMajor, a.op(), b.op(), m, n, k, alpha, a.data(), a.ld(), b.data(), b.ld(), beta,
          sums, int(ld));
  finish(sums, ld);
  if (!inPlace)
    narrow(sums, ld, D);
}

/// Precision is what a cublasComputeType_t means for elements of given types.
enum class Precision { Refused, Half, Single, Double, SingleComplex, DoubleComplex, Integer };

/// precisionOf() follows the table of 'cublasGemmEx()': Refused where it has no such row.
Precision precisionOf(cublasComputeType_t compute, cudaDataType a, cudaDataType b, cudaDataType c);

/// scaleTypeOf() is the type of alpha and beta.
cudaDataType scaleTypeOf(Precision precision);

/// withPrecision() calls use(R()) with the type to compute in. 32-bit integers are exact in double.
template <class Use> void withPrecision(Precision precision, Use use) {
  switch (precision) {
  case Precision::Refused:
    return;
  case Precision::Half:
  case Precision::Single:
    return use(float());
  case Precision::Double:
  case Precision::Integer:
    return use(double());
  case Precision::SingleComplex:
    return use(std::complex<float>());
  case Precision::DoubleComplex:
    return use(std::complex<double>());
  }
}

} // namespace cu2cpp::blas

#endif
