// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensor maps: checks what a program describes and keeps it in the form that kernels read.
//
// CUDA Driver API, 'Tensor Map Object Management'.
#include <cstring>

#include <cu2cpp/device/bulk_copies.h>

#include "driver/driver.h"

using namespace cu2cpp::rt;

namespace {

using cu2cpp::detail::TensorTiles;
static_assert(sizeof(TensorTiles) <= sizeof(CUtensorMap), "a map holds its description");

/// The bytes of an element; 0 where copies would do more than copy.
unsigned bytesOf(CUtensorMapDataType type) {
  switch (type) {
  case CU_TENSOR_MAP_DATA_TYPE_UINT8:
    return 1;
  case CU_TENSOR_MAP_DATA_TYPE_UINT16:
  case CU_TENSOR_MAP_DATA_TYPE_FLOAT16:
  case CU_TENSOR_MAP_DATA_TYPE_BFLOAT16:
    return 2;
  case CU_TENSOR_MAP_DATA_TYPE_UINT32:
  case CU_TENSOR_MAP_DATA_TYPE_INT32:
  case CU_TENSOR_MAP_DATA_TYPE_FLOAT32:
    return 4;
  case CU_TENSOR_MAP_DATA_TYPE_UINT64:
  case CU_TENSOR_MAP_DATA_TYPE_INT64:
  case CU_TENSOR_MAP_DATA_TYPE_FLOAT64:
    return 8;
  default:
    return 0;
  }
}

bool aligned(const void* address) { return reinterpret_cast<std::uintptr_t>(address) % 16 == 0; }

} // namespace

extern "C" CUresult
cuTensorMapEncodeTiled(CUtensorMap* tensorMap, CUtensorMapDataType tensorDataType,
                       cuuint32_t tensorRank, void* globalAddress, const cuuint64_t* globalDim,
                       const cuuint64_t* globalStrides, const cuuint32_t* boxDim,
                       const cuuint32_t* elementStrides, CUtensorMapInterleave interleave,
                       CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2Promotion,
                       CUtensorMapFloatOOBfill oobFill) {
  if (!tensorMap || !globalAddress || !globalDim || !boxDim || !elementStrides || tensorRank == 0 ||
      tensorRank > 5 || (tensorRank > 1 && !globalStrides) || !aligned(globalAddress) ||
      tensorDataType < CU_TENSOR_MAP_DATA_TYPE_UINT8 ||
      tensorDataType > CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B ||
      interleave < CU_TENSOR_MAP_INTERLEAVE_NONE || interleave > CU_TENSOR_MAP_INTERLEAVE_32B ||
      swizzle < CU_TENSOR_MAP_SWIZZLE_NONE || swizzle > CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B ||
      l2Promotion < CU_TENSOR_MAP_L2_PROMOTION_NONE ||
      l2Promotion > CU_TENSOR_MAP_L2_PROMOTION_L2_256B ||
      oobFill < CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE ||
      oobFill > CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA)
    return CUDA_ERROR_INVALID_VALUE;
  const unsigned element = bytesOf(tensorDataType);
  if (element == 0 || interleave != CU_TENSOR_MAP_INTERLEAVE_NONE ||
      swizzle > CU_TENSOR_MAP_SWIZZLE_128B || oobFill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE)
    return CUDA_ERROR_NOT_SUPPORTED;
  TensorTiles tiles{};
  tiles.memory = static_cast<char*>(globalAddress);
  tiles.rank = static_cast<std::uint8_t>(tensorRank);
  tiles.swizzledBits = static_cast<std::uint8_t>(swizzle); // 32, 64, 128 bytes: 1, 2, 3 bits
  for (unsigned d = 0; d < tensorRank; ++d) {
    if (globalDim[d] == 0 || globalDim[d] > 1ull << 32 || boxDim[d] == 0 || boxDim[d] > 256 ||
        elementStrides[d] == 0 || elementStrides[d] > 8)
      return CUDA_ERROR_INVALID_VALUE;
    tiles.extent[d] = globalDim[d];
    tiles.stride[d] = d ? globalStrides[d - 1] : element;
    tiles.box[d] = static_cast<std::uint16_t>(boxDim[d]);
    tiles.step[d] = static_cast<std::uint8_t>(elementStrides[d]);
    if (d && (tiles.stride[d] % 16 != 0 || tiles.stride[d] >= 1ull << 40))
      return CUDA_ERROR_INVALID_VALUE;
  }
  const unsigned row = boxDim[0] * element, swizzled = 16u << swizzle;
  if (row % 16 != 0 || (swizzle && row > swizzled))
    return CUDA_ERROR_INVALID_VALUE;
  if (swizzle && row != swizzled)
    return CUDA_ERROR_NOT_SUPPORTED;
  std::memset(tensorMap, 0, sizeof *tensorMap);
  std::memcpy(tensorMap, &tiles, sizeof tiles);
  return CUDA_SUCCESS;
}

extern "C" CUresult cuTensorMapEncodeIm2col(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*,
                                            const cuuint64_t*, const cuuint64_t*, const int*,
                                            const int*, cuuint32_t, cuuint32_t, const cuuint32_t*,
                                            CUtensorMapInterleave, CUtensorMapSwizzle,
                                            CUtensorMapL2promotion, CUtensorMapFloatOOBfill) {
  return CUDA_ERROR_NOT_SUPPORTED;
}

extern "C" CUresult cuTensorMapReplaceAddress(CUtensorMap* tensorMap, void* globalAddress) {
  if (!tensorMap || !globalAddress || !aligned(globalAddress))
    return CUDA_ERROR_INVALID_VALUE;
  TensorTiles tiles;
  std::memcpy(&tiles, tensorMap, sizeof tiles);
  tiles.memory = static_cast<char*>(globalAddress);
  std::memcpy(tensorMap, &tiles, sizeof tiles);
  return CUDA_SUCCESS;
}
