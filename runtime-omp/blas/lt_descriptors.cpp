// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLASLt's descriptors: making, reading and writing them. An attribute is a piece of memory of
// fixed size; what its value means is checked where the descriptor is used.
//
// cuBLAS Library, 'cuBLASLt API Reference'.
#include "blas/lt_descriptors.h"

#include <cstring>
#include <new>

namespace cu2cpp::blas {
namespace {

struct Field {
  void* data = nullptr;
  std::size_t size = 0;
};
template <class T> Field field(T& member) { return {&member, sizeof(member)}; }

Field find(Layout& d, cublasLtMatrixLayoutAttribute_t attribute) {
  switch (attribute) {
  case CUBLASLT_MATRIX_LAYOUT_TYPE:
    return field(d.type);
  case CUBLASLT_MATRIX_LAYOUT_ORDER:
    return field(d.order);
  case CUBLASLT_MATRIX_LAYOUT_ROWS:
    return field(d.rows);
  case CUBLASLT_MATRIX_LAYOUT_COLS:
    return field(d.cols);
  case CUBLASLT_MATRIX_LAYOUT_LD:
    return field(d.ld);
  case CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT:
    return field(d.batch);
  case CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET:
    return field(d.stride);
  case CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET:
    return field(d.planeOffset);
  }
  return {};
}

Field find(MatmulDesc& d, cublasLtMatmulDescAttributes_t attribute) {
  switch (attribute) {
  case CUBLASLT_MATMUL_DESC_COMPUTE_TYPE:
    return field(d.compute);
  case CUBLASLT_MATMUL_DESC_SCALE_TYPE:
    return field(d.scaleType);
  case CUBLASLT_MATMUL_DESC_POINTER_MODE:
    return field(d.pointerMode);
  case CUBLASLT_MATMUL_DESC_TRANSA:
    return field(d.transa);
  case CUBLASLT_MATMUL_DESC_TRANSB:
    return field(d.transb);
  case CUBLASLT_MATMUL_DESC_TRANSC:
    return field(d.transc);
  case CUBLASLT_MATMUL_DESC_FILL_MODE:
    return field(d.fillMode);
  case CUBLASLT_MATMUL_DESC_EPILOGUE:
    return field(d.epilogue);
  case CUBLASLT_MATMUL_DESC_BIAS_POINTER:
    return field(d.bias);
  case CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE:
    return field(d.biasStride);
  case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER:
    return field(d.aux);
  case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD:
    return field(d.auxLd);
  case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE:
    return field(d.auxStride);
  case CUBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE:
    return field(d.alphaStride);
  case CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET:
    return field(d.processors);
  case CUBLASLT_MATMUL_DESC_A_SCALE_POINTER:
    return field(d.scaleA);
  case CUBLASLT_MATMUL_DESC_B_SCALE_POINTER:
    return field(d.scaleB);
  case CUBLASLT_MATMUL_DESC_C_SCALE_POINTER:
    return field(d.scaleC);
  case CUBLASLT_MATMUL_DESC_D_SCALE_POINTER:
    return field(d.scaleD);
  case CUBLASLT_MATMUL_DESC_AMAX_D_POINTER:
    return field(d.amaxD);
  case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE:
    return field(d.auxType);
  case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER:
    return field(d.scaleAux);
  case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER:
    return field(d.amaxAux);
  case CUBLASLT_MATMUL_DESC_FAST_ACCUM:
    return field(d.fastSums);
  case CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE:
    return field(d.biasType);
  }
  return {};
}

Field find(Preference& d, cublasLtMatmulPreferenceAttributes_t attribute) {
  switch (attribute) {
  case CUBLASLT_MATMUL_PREF_SEARCH_MODE:
    return field(d.search);
  case CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES:
    return field(d.workspace);
  case CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK:
    return field(d.reductions);
  case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES:
    return field(d.alignments[0]);
  case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES:
    return field(d.alignments[1]);
  case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES:
    return field(d.alignments[2]);
  case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES:
    return field(d.alignments[3]);
  case CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT:
    return field(d.waves);
  case CUBLASLT_MATMUL_PREF_IMPL_MASK:
    return field(d.implementations);
  }
  return {};
}

Field find(TransformDesc& d, cublasLtMatrixTransformDescAttributes_t attribute) {
  switch (attribute) {
  case CUBLASLT_MATRIX_TRANSFORM_DESC_SCALE_TYPE:
    return field(d.scaleType);
  case CUBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE:
    return field(d.pointerMode);
  case CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA:
    return field(d.transa);
  case CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSB:
    return field(d.transb);
  }
  return {};
}

/// Attributes that this library doesn't know: newer ones and the scaling modes of small blocks.
template <class Desc, class Attribute>
cublasStatus_t setAttribute(Desc desc, Attribute attribute, const void* from, std::size_t size) {
  if (!desc || !from)
    return CUBLAS_STATUS_INVALID_VALUE;
  const Field to = find(inside(desc), attribute);
  if (!to.data)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  if (size != to.size)
    return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(to.data, from, size);
  return CUBLAS_STATUS_SUCCESS;
}

/// A size of 0 asks for the attribute's size.
template <class Desc, class Attribute>
cublasStatus_t getAttribute(Desc desc, Attribute attribute, void* to, std::size_t size,
                            std::size_t* written) {
  if (!desc || (size == 0 && !written) || (size != 0 && !to))
    return CUBLAS_STATUS_INVALID_VALUE;
  const Field from = find(inside(desc), attribute);
  if (!from.data)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  if (size != 0 && size != from.size)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (size != 0)
    std::memcpy(to, from.data, size);
  if (written)
    *written = from.size;
  return CUBLAS_STATUS_SUCCESS;
}

template <class Opaque, class Inside>
cublasStatus_t init(Opaque* memory, std::size_t size, const Inside& value) {
  static_assert(sizeof(Inside) <= sizeof(Opaque) && alignof(Inside) <= alignof(Opaque));
  if (!memory || size < sizeof(Inside))
    return CUBLAS_STATUS_INVALID_VALUE;
  new (memory) Inside(value);
  return CUBLAS_STATUS_SUCCESS;
}

template <class Opaque, class Inside> cublasStatus_t create(Opaque** made, const Inside& value) {
  if (!made)
    return CUBLAS_STATUS_INVALID_VALUE;
  *made = new (std::nothrow) Opaque;
  return *made ? init(*made, sizeof(Opaque), value) : CUBLAS_STATUS_ALLOC_FAILED;
}

template <class Opaque> cublasStatus_t destroy(Opaque* made) {
  delete made;
  return CUBLAS_STATUS_SUCCESS;
}

Layout layoutOf(cudaDataType type, uint64_t rows, uint64_t cols, int64_t ld) {
  Layout layout;
  layout.type = type;
  layout.rows = rows;
  layout.cols = cols;
  layout.ld = ld;
  return layout;
}

MatmulDesc descOf(cublasComputeType_t compute, cudaDataType scaleType) {
  MatmulDesc desc;
  desc.compute = compute;
  desc.scaleType = scaleType;
  return desc;
}

} // namespace
} // namespace cu2cpp::blas

using namespace cu2cpp::blas;

extern "C" {

#define CU2CPP_DESCRIPTOR(name, Attribute)                                                         \
  cublasStatus_t cublasLt##name##Destroy(cublasLt##name##_t desc) { return destroy(desc); }        \
  cublasStatus_t cublasLt##name##SetAttribute(cublasLt##name##_t desc, Attribute attr,             \
                                              const void* buf, size_t sizeInBytes) {               \
    return setAttribute(desc, attr, buf, sizeInBytes);                                             \
  }                                                                                                \
  cublasStatus_t cublasLt##name##GetAttribute(cublasLt##name##_t desc, Attribute attr, void* buf,  \
                                              size_t sizeInBytes, size_t* sizeWritten) {           \
    return getAttribute(desc, attr, buf, sizeInBytes, sizeWritten);                                \
  }
CU2CPP_DESCRIPTOR(MatrixLayout, cublasLtMatrixLayoutAttribute_t)
CU2CPP_DESCRIPTOR(MatmulDesc, cublasLtMatmulDescAttributes_t)
CU2CPP_DESCRIPTOR(MatmulPreference, cublasLtMatmulPreferenceAttributes_t)
CU2CPP_DESCRIPTOR(MatrixTransformDesc, cublasLtMatrixTransformDescAttributes_t)

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* matLayout, cudaDataType type,
                                          uint64_t rows, uint64_t cols, int64_t ld) {
  return create(matLayout, layoutOf(type, rows, cols, ld));
}
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* matmulDesc,
                                        cublasComputeType_t computeType, cudaDataType scaleType) {
  return create(matmulDesc, descOf(computeType, scaleType));
}
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* pref) {
  return create(pref, Preference());
}
cublasStatus_t cublasLtMatrixTransformDescCreate(cublasLtMatrixTransformDesc_t* transformDesc,
                                                 cudaDataType scaleType) {
  TransformDesc desc;
  desc.scaleType = scaleType;
  return create(transformDesc, desc);
}

cublasStatus_t cublasLtMatrixLayoutInit_internal(cublasLtMatrixLayout_t matLayout, size_t size,
                                                 cudaDataType type, uint64_t rows, uint64_t cols,
                                                 int64_t ld) {
  return init(matLayout, size, layoutOf(type, rows, cols, ld));
}
cublasStatus_t cublasLtMatmulDescInit_internal(cublasLtMatmulDesc_t matmulDesc, size_t size,
                                               cublasComputeType_t computeType,
                                               cudaDataType scaleType) {
  return init(matmulDesc, size, descOf(computeType, scaleType));
}
cublasStatus_t cublasLtMatmulPreferenceInit_internal(cublasLtMatmulPreference_t pref, size_t size) {
  return init(pref, size, Preference());
}

cublasStatus_t cublasLtCreate(cublasLtHandle_t* lightHandle) {
  if (!lightHandle)
    return CUBLAS_STATUS_INVALID_VALUE;
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  *lightHandle = new (std::nothrow) cublasLtContext;
  return *lightHandle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}

cublasStatus_t cublasLtDestroy(cublasLtHandle_t lightHandle) {
  if (!lightHandle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  delete lightHandle;
  return CUBLAS_STATUS_SUCCESS;
}

size_t cublasLtGetVersion(void) { return CUBLAS_VERSION; }
size_t cublasLtGetCudartVersion(void) { return cublasGetCudartVersion(); }
cublasStatus_t cublasLtGetProperty(libraryPropertyType type, int* value) {
  return cublasGetProperty(type, value);
}
const char* cublasLtGetStatusName(cublasStatus_t status) { return cublasGetStatusName(status); }
const char* cublasLtGetStatusString(cublasStatus_t status) { return cublasGetStatusString(status); }

} // extern "C"
