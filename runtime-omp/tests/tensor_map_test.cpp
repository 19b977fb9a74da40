// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensor maps: what they cannot be is refused, never taken for something else.
#include <cuda.h>

#include "runtime_test.h"

namespace {

class TensorMap : public RuntimeTest {
protected:
  CUresult encode(CUtensorMapDataType type, cuuint32_t row,
                  CUtensorMapInterleave interleave = CU_TENSOR_MAP_INTERLEAVE_NONE,
                  CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE,
                  CUtensorMapFloatOOBfill fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) {
    const cuuint64_t size[] = {64, 64}, stride[] = {512};
    const cuuint32_t box[] = {row, 8}, step[] = {1, 1};
    return cuTensorMapEncodeTiled(&map, type, 2, memory, size, stride, box, step, interleave,
                                  swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE, fill);
  }
  CUtensorMap map;
  alignas(16) char memory[16];
};

TEST_F(TensorMap, WholeNumbersOfEachSize) {
  EXPECT_EQ(encode(CU_TENSOR_MAP_DATA_TYPE_UINT8, 16), CUDA_SUCCESS);
  EXPECT_EQ(encode(CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 8), CUDA_SUCCESS);
  EXPECT_EQ(encode(CU_TENSOR_MAP_DATA_TYPE_FLOAT64, 2), CUDA_SUCCESS);
  EXPECT_EQ(encode(CU_TENSOR_MAP_DATA_TYPE_FLOAT64, 1), CUDA_ERROR_INVALID_VALUE);
}
TEST_F(TensorMap, WhatIsMissingIsNotSupported) {
  EXPECT_EQ(encode(CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ, 4), CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(encode(CU_TENSOR_MAP_DATA_TYPE_TFLOAT32, 4), CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(encode(CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B, 32), CUDA_ERROR_NOT_SUPPORTED);
  const auto type = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
  const auto rows = CU_TENSOR_MAP_INTERLEAVE_NONE;
  const auto plain = CU_TENSOR_MAP_SWIZZLE_NONE;
  EXPECT_EQ(encode(type, 8, CU_TENSOR_MAP_INTERLEAVE_16B), CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(encode(type, 8, rows, CU_TENSOR_MAP_SWIZZLE_128B), CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(encode(type, 32, rows, CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B), CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(encode(type, 8, rows, plain, CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA),
            CUDA_ERROR_NOT_SUPPORTED);
}
TEST_F(TensorMap, AddressesAreAligned) {
  ASSERT_EQ(encode(CU_TENSOR_MAP_DATA_TYPE_INT32, 4), CUDA_SUCCESS);
  EXPECT_EQ(cuTensorMapReplaceAddress(&map, memory + 4), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuTensorMapReplaceAddress(&map, memory), CUDA_SUCCESS);
}

} // namespace
