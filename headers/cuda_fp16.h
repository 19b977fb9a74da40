// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IEEE half precision: __half, __half2, conversions, arithmetic, comparisons and mathematical
// functions, with the same bits as a GPU's.
//
// CUDA Math API, 'Half Precision Intrinsics'.
#ifndef CU2CPP_CUDA_FP16_H
#define CU2CPP_CUDA_FP16_H
#define __CUDA_FP16_H__ // NVIDIA's guards, which programs test
#define __CUDA_FP16_TYPES_EXIST__

#include <cu2cpp/attributes.h>

typedef struct __align__(2) {
  unsigned short x;
} __half_raw;
typedef struct __align__(4) {
  unsigned short x;
  unsigned short y;
} __half2_raw;

#ifdef __cplusplus
#include <cu2cpp/device/atomics.h>
#include <cu2cpp/device/narrow_float.h>
#include <cu2cpp/device/product.h>
#include <cu2cpp/device/warp_shuffle.h>
#include <vector_types.h>

struct __nv_bfloat16;

#define CU2CPP_N __half
#define CU2CPP_N2 __half2
#define CU2CPP_RAW __half_raw
#define CU2CPP_RAW2 __half2_raw
#define CU2CPP_FORMAT cu2cpp::detail::HalfFormat
#define CU2CPP_OTHER __nv_bfloat16
#define CU2CPP_WORD half
#define CU2CPP_WORD2 half2
// clang-format off: the order matters
#include <cu2cpp/device/narrow_types.inc>
#include <cu2cpp/device/narrow_functions.inc>
#include <cu2cpp/device/narrow_end.inc>
// clang-format on

typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7c00u)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7fffu)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001u)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7bffu)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000u)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000u)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3c00u)
#endif

#endif
