// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What lies in cuBLASLt's opaque descriptors.
//
// cuBLAS Library, 'cuBLASLt Datatypes Reference'.
#ifndef CU2CPP_BLAS_LT_DESCRIPTORS_H
#define CU2CPP_BLAS_LT_DESCRIPTORS_H

#include <cublasLt.h>

#include "blas/elements.h"

struct cublasLtContext {};

namespace cu2cpp::blas {

struct Layout {
  std::uint32_t type = CUDA_R_32F;
  std::int32_t order = CUBLASLT_ORDER_COL;
  std::uint64_t rows = 0, cols = 0;
  std::int64_t ld = 0;
  std::int32_t batch = 1;
  std::int64_t stride = 0, planeOffset = 0;
};

struct MatmulDesc {
  std::int32_t compute = CUBLAS_COMPUTE_32F, scaleType = CUDA_R_32F;
  std::int32_t pointerMode = CUBLASLT_POINTER_MODE_HOST;
  std::int32_t transa = CUBLAS_OP_N, transb = CUBLAS_OP_N, transc = CUBLAS_OP_N;
  std::int32_t fillMode = CUBLAS_FILL_MODE_FULL;
  std::uint32_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  void* bias = nullptr;
  std::int64_t biasStride = 0;
  void* aux = nullptr;
  std::int64_t auxLd = 0, auxStride = 0, alphaStride = 0;
  std::int32_t processors = 0;
  const float *scaleA = nullptr, *scaleB = nullptr, *scaleC = nullptr, *scaleD = nullptr;
  const float *amaxD = nullptr, *scaleAux = nullptr, *amaxAux = nullptr;
  std::int32_t auxType = -1, biasType = -1;
  std::int8_t fastSums = 0;
};

struct Preference {
  std::uint32_t search = CUBLASLT_SEARCH_BEST_FIT;
  std::uint64_t workspace = 0;
  std::uint32_t reductions = CUBLASLT_REDUCTION_SCHEME_MASK;
  std::uint32_t alignments[4] = {256, 256, 256, 256};
  float waves = 0;
  std::uint64_t implementations = ~std::uint64_t(0);
};

struct TransformDesc {
  std::int32_t scaleType = CUDA_R_32F, pointerMode = CUBLASLT_POINTER_MODE_HOST;
  std::int32_t transa = CUBLAS_OP_N, transb = CUBLAS_OP_N;
};

inline Layout& inside(cublasLtMatrixLayout_t p) { return *reinterpret_cast<Layout*>(p); }
inline MatmulDesc& inside(cublasLtMatmulDesc_t p) { return *reinterpret_cast<MatmulDesc*>(p); }
inline Preference& inside(cublasLtMatmulPreference_t p) {
  return *reinterpret_cast<Preference*>(p);
}
inline TransformDesc& inside(cublasLtMatrixTransformDesc_t p) {
  return *reinterpret_cast<TransformDesc*>(p);
}

inline bool isPlain(const Layout& layout) {
  return (layout.order == CUBLASLT_ORDER_COL || layout.order == CUBLASLT_ORDER_ROW) &&
         layout.planeOffset == 0 && sizeOf(cudaDataType(layout.type)) != 0;
}
inline bool isLegal(const Layout& layout) {
  const std::uint64_t line = layout.order == CUBLASLT_ORDER_ROW ? layout.cols : layout.rows;
  // CBLAS counts with int.
  constexpr std::uint64_t most = std::numeric_limits<int>::max();
  return layout.rows <= most && layout.cols <= most && layout.batch >= 1 && layout.ld >= 1 &&
         std::uint64_t(layout.ld) >= line && std::uint64_t(layout.ld) <= most;
}
inline Matrix matrix(const Layout& layout, const void* data) {
  return {const_cast<void*>(data), cudaDataType(layout.type), Index(layout.rows),
          Index(layout.cols),      Index(layout.ld),          layout.order == CUBLASLT_ORDER_ROW};
}

} // namespace cu2cpp::blas

#endif
