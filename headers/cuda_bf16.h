// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bfloat16: __nv_bfloat16, __nv_bfloat162, conversions, arithmetic, comparisons and mathematical
// functions, with the same bits as a GPU's.
//
// CUDA Math API, 'Bfloat16 Precision Intrinsics'.
#ifndef CU2CPP_CUDA_BF16_H
#define CU2CPP_CUDA_BF16_H
#define __CUDA_BF16_H__ // NVIDIA's guards, which programs test
#define __CUDA_BF16_TYPES_EXIST__

#include <cuda_fp16.h>

typedef struct __align__(2) {
  unsigned short x;
} __nv_bfloat16_raw;
typedef struct __align__(4) {
  unsigned short x;
  unsigned short y;
} __nv_bfloat162_raw;

#ifdef __cplusplus
#define CU2CPP_N __nv_bfloat16
#define CU2CPP_N2 __nv_bfloat162
#define CU2CPP_RAW __nv_bfloat16_raw
#define CU2CPP_RAW2 __nv_bfloat162_raw
#define CU2CPP_FORMAT cu2cpp::detail::BfloatFormat
#define CU2CPP_OTHER __half
#define CU2CPP_WORD bfloat16
#define CU2CPP_WORD2 bfloat162
// clang-format off: the order matters
#include <cu2cpp/device/narrow_types.inc>
#include <cu2cpp/device/narrow_functions.inc>
#include <cu2cpp/device/narrow_end.inc>
// clang-format on

inline __nv_bfloat16::__nv_bfloat16(__half x) : __nv_bfloat16(float(x)) {}
inline __half::__half(__nv_bfloat16 x) : __half(float(x)) {}

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7f80u)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7fffu)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001u)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7f7fu)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000u)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000u)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3f80u)
#endif

#endif
