// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLASLt for the CPU: matrix products with an epilogue (bias, ReLU, GELU and their gradients).
// Names and values are those of the manual. There is one algorithm and it needs no workspace. What
// is not supported is refused with CUBLAS_STATUS_NOT_SUPPORTED. For C and C++.
//
// cuBLAS Library, 'Using the cuBLASLt API'.
#ifndef CU2CPP_CUBLASLT_H
#define CU2CPP_CUBLASLT_H

#include <stddef.h>
#include <stdint.h>

#include <cublas_api.h>

typedef struct cublasLtContext* cublasLtHandle_t;

// What a program may keep by value. The library alone reads the words.
typedef struct {
  uint64_t data[8];
} cublasLtMatmulAlgo_t;
typedef struct {
  uint64_t data[8];
} cublasLtMatrixLayoutOpaque_t;
typedef struct {
  uint64_t data[32];
} cublasLtMatmulDescOpaque_t;
typedef struct {
  uint64_t data[8];
} cublasLtMatmulPreferenceOpaque_t;
typedef struct {
  uint64_t data[8];
} cublasLtMatrixTransformDescOpaque_t;
typedef cublasLtMatrixLayoutOpaque_t* cublasLtMatrixLayout_t;
typedef cublasLtMatmulDescOpaque_t* cublasLtMatmulDesc_t;
typedef cublasLtMatmulPreferenceOpaque_t* cublasLtMatmulPreference_t;
typedef cublasLtMatrixTransformDescOpaque_t* cublasLtMatrixTransformDesc_t;

typedef enum {
  CUBLASLT_POINTER_MODE_HOST = 0,
  CUBLASLT_POINTER_MODE_DEVICE = 1,
  CUBLASLT_POINTER_MODE_DEVICE_VECTOR = 2,                 // refused
  CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO = 3, // refused
  CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST = 4  // refused
} cublasLtPointerMode_t;

typedef enum {
  CUBLASLT_ORDER_COL = 0,
  CUBLASLT_ORDER_ROW = 1,
  CUBLASLT_ORDER_COL32 = 2, // this and the next: refused
  CUBLASLT_ORDER_COL4_4R2_8C = 3,
  CUBLASLT_ORDER_COL32_2R_4R4 = 4
} cublasLtOrder_t;

typedef enum {
  CUBLASLT_MATRIX_LAYOUT_TYPE = 0,                 // uint32_t
  CUBLASLT_MATRIX_LAYOUT_ORDER = 1,                // int32_t
  CUBLASLT_MATRIX_LAYOUT_ROWS = 2,                 // uint64_t
  CUBLASLT_MATRIX_LAYOUT_COLS = 3,                 // uint64_t
  CUBLASLT_MATRIX_LAYOUT_LD = 4,                   // int64_t
  CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT = 5,          // int32_t
  CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET = 6, // int64_t, in elements
  CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET = 7          // int64_t, must be 0
} cublasLtMatrixLayoutAttribute_t;

typedef enum {
  CUBLASLT_MATMUL_DESC_COMPUTE_TYPE = 0,               // int32_t
  CUBLASLT_MATMUL_DESC_SCALE_TYPE = 1,                 // int32_t
  CUBLASLT_MATMUL_DESC_POINTER_MODE = 2,               // int32_t
  CUBLASLT_MATMUL_DESC_TRANSA = 3,                     // int32_t
  CUBLASLT_MATMUL_DESC_TRANSB = 4,                     // int32_t
  CUBLASLT_MATMUL_DESC_TRANSC = 5,                     // int32_t, must be CUBLAS_OP_N
  CUBLASLT_MATMUL_DESC_FILL_MODE = 6,                  // int32_t, must be CUBLAS_FILL_MODE_FULL
  CUBLASLT_MATMUL_DESC_EPILOGUE = 7,                   // uint32_t
  CUBLASLT_MATMUL_DESC_BIAS_POINTER = 8,               // pointer
  CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE = 10,         // int64_t
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER = 11,      // pointer
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD = 12,           // int64_t
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE = 13, // int64_t
  CUBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE = 14, // int64_t, must be 0
  CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET = 15,           // int32_t, no effect
  CUBLASLT_MATMUL_DESC_A_SCALE_POINTER = 17,           // const float*, for 8-bit types
  CUBLASLT_MATMUL_DESC_B_SCALE_POINTER = 18,
  CUBLASLT_MATMUL_DESC_C_SCALE_POINTER = 19,
  CUBLASLT_MATMUL_DESC_D_SCALE_POINTER = 20,
  CUBLASLT_MATMUL_DESC_AMAX_D_POINTER = 21, // this and the next three: must be null or -1
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE = 22,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER = 23,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER = 24,
  CUBLASLT_MATMUL_DESC_FAST_ACCUM = 25,    // int8_t, no effect
  CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE = 26 // int32_t, -1 for D's type
} cublasLtMatmulDescAttributes_t;

// Bits: ReLU 2, bias 4, gradient of ReLU 8, gradient of the bias 16, GELU 32, its gradient 64,
// auxiliary matrix 128. GELU is the approximation by tanh.
typedef enum {
  CUBLASLT_EPILOGUE_DEFAULT = 1,
  CUBLASLT_EPILOGUE_RELU = 2,
  CUBLASLT_EPILOGUE_RELU_AUX = 130,
  CUBLASLT_EPILOGUE_BIAS = 4,
  CUBLASLT_EPILOGUE_RELU_BIAS = 6,
  CUBLASLT_EPILOGUE_RELU_AUX_BIAS = 134,
  CUBLASLT_EPILOGUE_DRELU = 136,
  CUBLASLT_EPILOGUE_DRELU_BGRAD = 152,
  CUBLASLT_EPILOGUE_GELU = 32,
  CUBLASLT_EPILOGUE_GELU_AUX = 160,
  CUBLASLT_EPILOGUE_GELU_BIAS = 36,
  CUBLASLT_EPILOGUE_GELU_AUX_BIAS = 164,
  CUBLASLT_EPILOGUE_DGELU = 192,
  CUBLASLT_EPILOGUE_DGELU_BGRAD = 208,
  CUBLASLT_EPILOGUE_BGRADA = 256,
  CUBLASLT_EPILOGUE_BGRADB = 512
} cublasLtEpilogue_t;

typedef enum {
  CUBLASLT_SEARCH_BEST_FIT = 0,
  CUBLASLT_SEARCH_LIMITED_BY_ALGO_ID = 1
} cublasLtMatmulSearch_t;
typedef enum {
  CUBLASLT_REDUCTION_SCHEME_NONE = 0,
  CUBLASLT_REDUCTION_SCHEME_INPLACE = 1,
  CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE = 2,
  CUBLASLT_REDUCTION_SCHEME_OUTPUT_TYPE = 4,
  CUBLASLT_REDUCTION_SCHEME_MASK = 7
} cublasLtReductionScheme_t;
typedef enum {
  CUBLASLT_MATMUL_PREF_SEARCH_MODE = 0,           // uint32_t
  CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1,   // uint64_t
  CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK = 3, // uint32_t
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES = 5, // uint32_t
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES = 6, // uint32_t
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES = 7, // uint32_t
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES = 8, // uint32_t
  CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT = 9,       // float
  CUBLASLT_MATMUL_PREF_IMPL_MASK = 12             // uint64_t
} cublasLtMatmulPreferenceAttributes_t;

typedef enum {
  CUBLASLT_MATRIX_TRANSFORM_DESC_SCALE_TYPE = 0,   // int32_t
  CUBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE = 1, // int32_t
  CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA = 2,       // int32_t
  CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSB = 3        // int32_t
} cublasLtMatrixTransformDescAttributes_t;

typedef struct {
  cublasLtMatmulAlgo_t algo;
  size_t workspaceSize;
  cublasStatus_t state;
  float wavesCount;
  int reserved[4];
} cublasLtMatmulHeuristicResult_t;

#ifdef __cplusplus
extern "C" {
#endif

cublasStatus_t cublasLtCreate(cublasLtHandle_t* lightHandle);
cublasStatus_t cublasLtDestroy(cublasLtHandle_t lightHandle);
size_t cublasLtGetVersion(void);
size_t cublasLtGetCudartVersion(void);
cublasStatus_t cublasLtGetProperty(libraryPropertyType type, int* value);
const char* cublasLtGetStatusName(cublasStatus_t status);
const char* cublasLtGetStatusString(cublasStatus_t status);

// D = epilogue(alpha op(A) op(B) + beta C). C may be D.
cublasStatus_t cublasLtMatmul(cublasLtHandle_t lightHandle, cublasLtMatmulDesc_t computeDesc,
                              const void* alpha, const void* matrixA, cublasLtMatrixLayout_t Adesc,
                              const void* matrixB, cublasLtMatrixLayout_t Bdesc, const void* beta,
                              const void* matrixC, cublasLtMatrixLayout_t Cdesc, void* matrixD,
                              cublasLtMatrixLayout_t Ddesc, const cublasLtMatmulAlgo_t* algo,
                              void* workspace, size_t workspaceSizeInBytes, cudaStream_t stream);
cublasStatus_t cublasLtMatmulAlgoGetHeuristic(
    cublasLtHandle_t lightHandle, cublasLtMatmulDesc_t operationDesc, cublasLtMatrixLayout_t Adesc,
    cublasLtMatrixLayout_t Bdesc, cublasLtMatrixLayout_t Cdesc, cublasLtMatrixLayout_t Ddesc,
    cublasLtMatmulPreference_t preference, int requestedAlgoCount,
    cublasLtMatmulHeuristicResult_t heuristicResultsArray[], int* returnAlgoCount);
// C = alpha op(A) + beta op(B), between types and orders.
cublasStatus_t
cublasLtMatrixTransform(cublasLtHandle_t lightHandle, cublasLtMatrixTransformDesc_t transformDesc,
                        const void* alpha, const void* matrixA, cublasLtMatrixLayout_t Adesc,
                        const void* beta, const void* matrixB, cublasLtMatrixLayout_t Bdesc,
                        void* matrixC, cublasLtMatrixLayout_t Cdesc, cudaStream_t stream);

// Descriptors: Create and Destroy for those the library keeps, Init for those in the program's
// memory. An attribute's size must be that of its type.
#define CU2CPP_CUBLASLT(name, Attribute)                                                           \
  cublasStatus_t cublasLt##name##Destroy(cublasLt##name##_t desc);                                 \
  cublasStatus_t cublasLt##name##SetAttribute(cublasLt##name##_t desc, Attribute attr,             \
                                              const void* buf, size_t sizeInBytes);                \
  cublasStatus_t cublasLt##name##GetAttribute(cublasLt##name##_t desc, Attribute attr, void* buf,  \
                                              size_t sizeInBytes, size_t* sizeWritten);
CU2CPP_CUBLASLT(MatrixLayout, cublasLtMatrixLayoutAttribute_t)
CU2CPP_CUBLASLT(MatmulDesc, cublasLtMatmulDescAttributes_t)
CU2CPP_CUBLASLT(MatmulPreference, cublasLtMatmulPreferenceAttributes_t)
CU2CPP_CUBLASLT(MatrixTransformDesc, cublasLtMatrixTransformDescAttributes_t)
#undef CU2CPP_CUBLASLT
cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* matLayout, cudaDataType type,
                                          uint64_t rows, uint64_t cols, int64_t ld);
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* matmulDesc,
                                        cublasComputeType_t computeType, cudaDataType scaleType);
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* pref);
cublasStatus_t cublasLtMatrixTransformDescCreate(cublasLtMatrixTransformDesc_t* transformDesc,
                                                 cudaDataType scaleType);

cublasStatus_t cublasLtMatrixLayoutInit_internal(cublasLtMatrixLayout_t matLayout, size_t size,
                                                 cudaDataType type, uint64_t rows, uint64_t cols,
                                                 int64_t ld);
cublasStatus_t cublasLtMatmulDescInit_internal(cublasLtMatmulDesc_t matmulDesc, size_t size,
                                               cublasComputeType_t computeType,
                                               cudaDataType scaleType);
cublasStatus_t cublasLtMatmulPreferenceInit_internal(cublasLtMatmulPreference_t pref, size_t size);
#ifdef __cplusplus
}
#endif

static inline cublasStatus_t cublasLtMatrixLayoutInit(cublasLtMatrixLayout_t matLayout,
                                                      cudaDataType type, uint64_t rows,
                                                      uint64_t cols, int64_t ld) {
  return cublasLtMatrixLayoutInit_internal(matLayout, sizeof(*matLayout), type, rows, cols, ld);
}
static inline cublasStatus_t cublasLtMatmulDescInit(cublasLtMatmulDesc_t matmulDesc,
                                                    cublasComputeType_t computeType,
                                                    cudaDataType scaleType) {
  return cublasLtMatmulDescInit_internal(matmulDesc, sizeof(*matmulDesc), computeType, scaleType);
}
static inline cublasStatus_t cublasLtMatmulPreferenceInit(cublasLtMatmulPreference_t pref) {
  return cublasLtMatmulPreferenceInit_internal(pref, sizeof(*pref));
}

#endif
