// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cublasLtMatmul() and its neighbours: what a descriptor asks for is checked once, by one function,
// for the question for algorithms and for the product itself.
//
// cuBLAS Library, 'cublasLtMatmul()' and 'cublasLtMatrixTransform()'.
#include <cstring>

#include "blas/handle.h"
#include "blas/lt_descriptors.h"
#include "blas/lt_epilogue.h"
#include "blas/mixed_product.h"

namespace cu2cpp::blas {
namespace {

/// Task is a checked product but for the addresses of the matrices.
struct Task {
  MatmulDesc desc;
  Layout a, b, c, d;
  Precision precision;
};

/// isSupported() knows what the descriptor may ask for; shapes are another matter.
bool isSupported(const Task& t) {
  const MatmulDesc& d = t.desc;
  const bool float8 = sizeOf(cudaDataType(t.a.type)) == 1 && t.a.type != CUDA_R_8I;
  return isPlain(t.a) && isPlain(t.b) && isPlain(t.c) && isPlain(t.d) &&
         t.precision != Precision::Refused && d.scaleType == scaleTypeOf(t.precision) &&
         (d.pointerMode == CUBLASLT_POINTER_MODE_HOST ||
          d.pointerMode == CUBLASLT_POINTER_MODE_DEVICE) &&
         d.transc == CUBLAS_OP_N && d.fillMode == CUBLAS_FILL_MODE_FULL && d.alphaStride == 0 &&
         !d.amaxD && !d.scaleAux && !d.amaxAux &&
         (float8 || (!d.scaleA && !d.scaleB && !d.scaleC && !d.scaleD)) &&
         (d.auxType == -1 || d.auxType == std::int32_t(t.d.type)) &&
         isEpilogue(d.epilogue, t.precision);
}

/// isConsistent() tells whether the shapes fit each other.
bool isConsistent(const Task& t) {
  const auto rows = [](const Layout& l, int op) { return op == CUBLAS_OP_N ? l.rows : l.cols; };
  const auto cols = [](const Layout& l, int op) { return op == CUBLAS_OP_N ? l.cols : l.rows; };
  const auto& [desc, a, b, c, d, precision] = t;
  if (!valid(cublasOperation_t(desc.transa)) || !valid(cublasOperation_t(desc.transb)))
    return false;
  for (const Layout* layout : {&a, &b, &c, &d})
    if (!isLegal(*layout) || layout->batch != d.batch)
      return false;
  return rows(a, desc.transa) == d.rows && cols(b, desc.transb) == d.cols &&
         cols(a, desc.transa) == rows(b, desc.transb) && c.rows == d.rows && c.cols == d.cols;
}

cublasStatus_t check(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t a,
                     cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                     Task& task) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!desc || !a || !b || !c || !d)
    return CUBLAS_STATUS_INVALID_VALUE;
  task = {inside(desc), inside(a), inside(b), inside(c), inside(d), Precision::Refused};
  const auto type = [](const Layout& layout) { return cudaDataType(layout.type); };
  task.precision =
      precisionOf(cublasComputeType_t(task.desc.compute), type(task.a), type(task.b), type(task.d));
  // C has D's type; with 8-bit floating point it may be a wider one.
  const bool float8 = task.d.type == CUDA_R_8F_E4M3 || task.d.type == CUDA_R_8F_E5M2;
  if (task.c.type != task.d.type &&
      !(float8 && (task.c.type == CUDA_R_16F || task.c.type == CUDA_R_16BF)))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  if (!isSupported(task))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  return isConsistent(task) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

struct Addresses {
  const void *a, *b, *c;
  void* d;
};

template <class R>
void run(const Task& t, const Addresses& at, const AnyScalar& alpha, const AnyScalar& beta) {
  const auto scale = [](const float* from) { return from ? R(*from) : R(1); };
  const MatmulDesc& desc = t.desc;
  const R factor = alpha.get<R>() * scale(desc.scaleA) * scale(desc.scaleB);
  const R addend = beta.get<R>() * scale(desc.scaleC);
  for (Index i = 0; i < t.d.batch; ++i) {
    const Matrix a = matrix(t.a, at.a).at(i * t.a.stride), b = matrix(t.b, at.b).at(i * t.b.stride);
    const Matrix c = matrix(t.c, at.c).at(i * t.c.stride), d = matrix(t.d, at.d).at(i * t.d.stride);
    const cublasOperation_t transa = cublasOperation_t(desc.transa),
                            transb = cublasOperation_t(desc.transb);
    const Epilogue epilogue(desc, d, i);
    multiply<R>(transa, a, transb, b, factor, addend, c, d, [&](R* sums, Index ld) {
      if constexpr (!isComplex<R>) {
        epilogue.finish(sums, ld);
        if (desc.scaleD)
          scaleColumns(sums, ld, d.rows, d.cols, scale(desc.scaleD));
      }
    });
    if constexpr (!isComplex<R>)
      epilogue.reduceOperands<R>(transa, a, transb, b);
  }
}

template <class R>
void transform(const TransformDesc& desc, const Layout& la, const void* A, const Layout& lb,
               const void* B, const Layout& lc, void* C, R alpha, R beta) {
  const auto add = [](const Matrix& from, bool transposed, R factor, R* sums, Index rows,
                      Index cols) {
    if (factor == R(0))
      return;
    const Buffer<R> own = buffer<R>(from.rows, from.cols);
    widen(from, own.get(), from.rows);
    for (Index j = 0; j < cols; ++j)
      for (Index i = 0; i < rows; ++i)
        sums[i + j * rows] += factor * own[transposed ? j + i * from.rows : i + j * from.rows];
  };
  for (Index k = 0; k < lc.batch; ++k) {
    const Matrix c = matrix(lc, C).at(k * lc.stride);
    const Buffer<R> sums = buffer<R>(c.rows, c.cols);
    std::fill_n(sums.get(), c.rows * c.cols, R(0));
    add(matrix(la, A).at(k * la.stride), desc.transa != CUBLAS_OP_N, alpha, sums.get(), c.rows,
        c.cols);
    if (B)
      add(matrix(lb, B).at(k * lb.stride), desc.transb != CUBLAS_OP_N, beta, sums.get(), c.rows,
          c.cols);
    narrow(sums.get(), c.rows, c);
  }
}

/// transforms() tells whether op(from) has the shape of `to`.
bool transforms(const Layout& from, std::int32_t op, const Layout& to) {
  return isLegal(from) && from.batch == to.batch &&
         (op == CUBLAS_OP_N ? from.rows == to.rows && from.cols == to.cols
                            : from.rows == to.cols && from.cols == to.rows);
}

} // namespace
} // namespace cu2cpp::blas

using namespace cu2cpp::blas;

extern "C" {

cublasStatus_t cublasLtMatmul(cublasLtHandle_t lightHandle, cublasLtMatmulDesc_t computeDesc,
                              const void* alpha, const void* A, cublasLtMatrixLayout_t Adesc,
                              const void* B, cublasLtMatrixLayout_t Bdesc, const void* beta,
                              const void* C, cublasLtMatrixLayout_t Cdesc, void* D,
                              cublasLtMatrixLayout_t Ddesc, const cublasLtMatmulAlgo_t*, void*,
                              size_t, cudaStream_t stream) {
  Task task;
  const cublasStatus_t status = check(lightHandle, computeDesc, Adesc, Bdesc, Cdesc, Ddesc, task);
  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  if (!alpha || !beta || !A || !B || !D || !hasPointers(task.desc))
    return CUBLAS_STATUS_INVALID_VALUE;
  const bool device = task.desc.pointerMode == CUBLASLT_POINTER_MODE_DEVICE;
  const cudaDataType scale = scaleTypeOf(task.precision);
  const AnyScalar a(alpha, scale, device), b(beta, scale, device);
  // A C that is not read may be missing.
  if (!C && (device || b.get<std::complex<double>>() != 0.0))
    return CUBLAS_STATUS_INVALID_VALUE;
  return enqueue(stream, [=, at = Addresses{A, B, C, D}] {
    withPrecision(task.precision, [&](auto zero) { run<decltype(zero)>(task, at, a, b); });
  });
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(
    cublasLtHandle_t lightHandle, cublasLtMatmulDesc_t operationDesc, cublasLtMatrixLayout_t Adesc,
    cublasLtMatrixLayout_t Bdesc, cublasLtMatrixLayout_t Cdesc, cublasLtMatrixLayout_t Ddesc,
    cublasLtMatmulPreference_t preference, int requestedAlgoCount,
    cublasLtMatmulHeuristicResult_t heuristicResultsArray[], int* returnAlgoCount) {
  if (!preference || requestedAlgoCount < 1 || !heuristicResultsArray || !returnAlgoCount)
    return CUBLAS_STATUS_INVALID_VALUE;
  *returnAlgoCount = 0;
  Task task;
  const cublasStatus_t status = check(lightHandle, operationDesc, Adesc, Bdesc, Cdesc, Ddesc, task);
  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  std::memset(heuristicResultsArray, 0, sizeof(heuristicResultsArray[0]));
  heuristicResultsArray[0].state = CUBLAS_STATUS_SUCCESS;
  heuristicResultsArray[0].wavesCount = 1;
  *returnAlgoCount = 1;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixTransform(cublasLtHandle_t lightHandle,
                                       cublasLtMatrixTransformDesc_t transformDesc,
                                       const void* alpha, const void* A,
                                       cublasLtMatrixLayout_t Adesc, const void* beta,
                                       const void* B, cublasLtMatrixLayout_t Bdesc, void* C,
                                       cublasLtMatrixLayout_t Cdesc, cudaStream_t stream) {
  if (!lightHandle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!transformDesc || !alpha || !A || !Adesc || (B && (!Bdesc || !beta)) || !C || !Cdesc)
    return CUBLAS_STATUS_INVALID_VALUE;
  const TransformDesc desc = inside(transformDesc);
  const Layout a = inside(Adesc), b = B ? inside(Bdesc) : Layout(), c = inside(Cdesc);
  const cudaDataType scale = cudaDataType(desc.scaleType);
  if (!isPlain(a) || (B && !isPlain(b)) || !isPlain(c) || isComplexType(cudaDataType(a.type)) ||
      isComplexType(cudaDataType(c.type)) || (B && isComplexType(cudaDataType(b.type))) ||
      (scale != CUDA_R_32F && scale != CUDA_R_64F) ||
      (desc.pointerMode != CUBLASLT_POINTER_MODE_HOST &&
       desc.pointerMode != CUBLASLT_POINTER_MODE_DEVICE))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  if (!valid(cublasOperation_t(desc.transa)) || !valid(cublasOperation_t(desc.transb)) ||
      !isLegal(c) || !transforms(a, desc.transa, c) || (B && !transforms(b, desc.transb, c)))
    return CUBLAS_STATUS_INVALID_VALUE;
  const bool device = desc.pointerMode == CUBLASLT_POINTER_MODE_DEVICE;
  const AnyScalar fa(alpha, scale, device), fb(B ? beta : alpha, scale, device);
  // double holds the elements of every real type.
  return enqueue(stream, [=] {
    transform<double>(desc, a, A, b, B, c, C, fa.get<double>(), fb.get<double>());
  });
}

} // extern "C"
