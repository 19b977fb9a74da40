// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Epilogues, column by column: the threads share the columns.
//
// cuBLAS Library, 'cublasLtEpilogue_t'.
#include "blas/lt_epilogue.h"

namespace cu2cpp::blas {
namespace {

// The bits that cublasLtEpilogue_t is made of.
constexpr std::uint32_t relu = CUBLASLT_EPILOGUE_RELU, bias = CUBLASLT_EPILOGUE_BIAS, reluBack = 8,
                        biasBack = 16, gelu = CUBLASLT_EPILOGUE_GELU, geluBack = 64, aux = 128;

constexpr double slope = 0.7978845608028654; // sqrt(2 / pi)
constexpr double cubic = 0.044715;

template <class R> R geluOf(R x) {
  return R(0.5) * x * (R(1) + std::tanh(R(slope) * (x + R(cubic) * x * x * x)));
}
template <class R> R geluGradient(R x) {
  const R t = std::tanh(R(slope) * (x + R(cubic) * x * x * x));
  return R(0.5) * (R(1) + t) +
         R(0.5) * x * (R(1) - t * t) * R(slope) * (R(1) + R(3) * R(cubic) * x * x);
}

template <class R> R load(const Matrix& from, Index i, Index j) {
  return withElement<R>(from.type, from.data,
                        [&](auto* p) { return widened<R>(p[i + j * from.ld]); });
}
template <class R> void store(const Matrix& to, Index i, Index j, R value) {
  withElement<R>(to.type, to.data, [&](auto* p) {
    p[i + j * to.ld] = narrowed<std::remove_pointer_t<decltype(p)>>(value);
  });
}

} // namespace

bool isEpilogue(std::uint32_t epilogue, Precision precision) {
  switch (epilogue) {
  case CUBLASLT_EPILOGUE_DEFAULT:
    return true;
  case CUBLASLT_EPILOGUE_RELU:
  case CUBLASLT_EPILOGUE_RELU_AUX:
  case CUBLASLT_EPILOGUE_BIAS:
  case CUBLASLT_EPILOGUE_RELU_BIAS:
  case CUBLASLT_EPILOGUE_RELU_AUX_BIAS:
  case CUBLASLT_EPILOGUE_DRELU:
  case CUBLASLT_EPILOGUE_DRELU_BGRAD:
  case CUBLASLT_EPILOGUE_GELU:
  case CUBLASLT_EPILOGUE_GELU_AUX:
  case CUBLASLT_EPILOGUE_GELU_BIAS:
  case CUBLASLT_EPILOGUE_GELU_AUX_BIAS:
  case CUBLASLT_EPILOGUE_DGELU:
  case CUBLASLT_EPILOGUE_DGELU_BGRAD:
  case CUBLASLT_EPILOGUE_BGRADA:
  case CUBLASLT_EPILOGUE_BGRADB:
    return precision == Precision::Single || precision == Precision::Half ||
           precision == Precision::Double;
  }
  return false;
}

bool hasPointers(const MatmulDesc& desc) {
  const bool needsBias =
      (desc.epilogue & (bias | biasBack | CUBLASLT_EPILOGUE_BGRADA | CUBLASLT_EPILOGUE_BGRADB)) !=
      0;
  // The mask's columns start at multiples of 128 bits, as on a GPU.
  const bool masked = (desc.epilogue & (relu | reluBack)) != 0;
  return (!needsBias || desc.bias) &&
         (!(desc.epilogue & aux) ||
          (desc.aux && desc.auxLd > 0 && (!masked || desc.auxLd % 128 == 0)));
}

Epilogue::Epilogue(const MatmulDesc& desc, const Matrix& D, Index batch)
    : bits_(desc.epilogue), rows_(D.rows), cols_(D.cols) {
  const cudaDataType biasType = desc.biasType == -1 ? D.type : cudaDataType(desc.biasType);
  bias_ = Matrix{desc.bias, biasType, 1, 1, 1}.at(desc.bias ? batch * desc.biasStride : 0);
  aux_ = Matrix{desc.aux, D.type, D.rows, D.cols, Index(desc.auxLd)}.at(
      (bits_ & (gelu | geluBack)) && desc.aux ? batch * desc.auxStride : 0);
  mask_ = static_cast<unsigned char*>(desc.aux) +
          (bits_ & (relu | reluBack) ? batch * desc.auxStride / 8 : 0);
  maskLd_ = desc.auxLd;
}

template <class R> void Epilogue::finish(R* sums, Index ld) const {
  if (bits_ == CUBLASLT_EPILOGUE_DEFAULT)
    return;
#pragma omp parallel for if (rows_ * cols_ >= worthSharing)
  for (Index j = 0; j < cols_; ++j)
    for (Index i = 0; i < rows_; ++i) {
      R& x = sums[i + j * ld];
      if (bits_ & bias)
        x += load<R>(bias_, i, 0);
      unsigned char* byte = mask_ + (i + j * maskLd_) / 8;
      const unsigned bit = 1u << ((i + j * maskLd_) % 8);
      if (bits_ & relu) {
        const bool passes = x > R(0);
        if (bits_ & aux)
          *byte = static_cast<unsigned char>(passes ? *byte | bit : *byte & ~bit);
        x = passes ? x : R(0);
      } else if (bits_ & reluBack) {
        x = *byte & bit ? x : R(0);
      } else if (bits_ & gelu) {
        if (bits_ & aux)
          store(aux_, i, j, x);
        x = geluOf(x);
      } else if (bits_ & geluBack) {
        x *= geluGradient(load<R>(aux_, i, j));
      }
    }
  if (bits_ & biasBack)
    for (Index i = 0; i < rows_; ++i) {
      double sum = 0;
      for (Index j = 0; j < cols_; ++j)
        sum += double(sums[i + j * ld]);
      store(bias_, i, 0, R(sum));
    }
}

template <class R>
void Epilogue::reduceOperands(cublasOperation_t transa, const Matrix& A, cublasOperation_t transb,
                              const Matrix& B) const {
  // Sums over the dimension that the product sums over: the columns of op(A), the rows of op(B).
  const auto reduce = [&](const Matrix& from, bool overRows) {
    const Buffer<R> own = buffer<R>(from.rows, from.cols);
    widen(from, own.get(), from.rows);
    const Index count = overRows ? from.cols : from.rows, terms = overRows ? from.rows : from.cols;
    for (Index i = 0; i < count; ++i) {
      double sum = 0;
      for (Index k = 0; k < terms; ++k)
        sum += double(own[overRows ? k + i * from.rows : i + k * from.rows]);
      store(bias_, i, 0, R(sum));
    }
  };
  if (bits_ == CUBLASLT_EPILOGUE_BGRADA)
    reduce(A, transa != CUBLAS_OP_N);
  if (bits_ == CUBLASLT_EPILOGUE_BGRADB)
    reduce(B, transb == CUBLAS_OP_N);
}

template void Epilogue::finish(float*, Index) const;
template void Epilogue::finish(double*, Index) const;
template void Epilogue::reduceOperands<float>(cublasOperation_t, const Matrix&, cublasOperation_t,
                                              const Matrix&) const;
template void Epilogue::reduceOperands<double>(cublasOperation_t, const Matrix&, cublasOperation_t,
                                               const Matrix&) const;

} // namespace cu2cpp::blas
