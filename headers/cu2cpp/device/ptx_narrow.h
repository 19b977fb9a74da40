// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions of inline PTX between pairs of fp8 numbers and wider ones. They always saturate.
//
// PTX ISA, 'cvt'.
#ifndef CU2CPP_DEVICE_PTX_NARROW_H
#define CU2CPP_DEVICE_PTX_NARROW_H

#include <cuda_fp8.h>

namespace cu2cpp {
namespace ptx {

inline unsigned short toFp8(float low, float high, __nv_fp8_interpretation_t kind, bool relu) {
  if (relu) {
    low = low <= 0 ? 0.0f : low;
    high = high <= 0 ? 0.0f : high;
  }
  return __nv_cvt_float2_to_fp8x2(::float2{low, high}, __NV_SATFINITE, kind);
}
inline unsigned short toFp8(::__half2 pair, __nv_fp8_interpretation_t kind, bool relu) {
  return toFp8(__low2float(pair), __high2float(pair), kind, relu);
}
inline unsigned short toFp8(::__nv_bfloat162 pair, __nv_fp8_interpretation_t kind, bool relu) {
  return toFp8(__low2float(pair), __high2float(pair), kind, relu);
}
inline ::__half2 fromFp8(unsigned short pair, __nv_fp8_interpretation_t kind, bool relu) {
  const ::__half2 value(__nv_cvt_fp8x2_to_halfraw2(pair, kind));
  return relu ? __hmax2(value, ::__half2(::__half(0.0f), ::__half(0.0f))) : value;
}

} // namespace ptx
} // namespace cu2cpp

#endif
