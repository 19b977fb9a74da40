// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Complex numbers as CUDA's C interface has them: float2 and double2 with functions. For C and C++.
//
// CUDA's cuComplex.h has no chapter of its own; its names and meanings are those of the cuBLAS and
// cuFFT manuals.
#ifndef CU2CPP_CUCOMPLEX_H
#define CU2CPP_CUCOMPLEX_H

#include <math.h>

#include <vector_functions.h>
#include <vector_types.h>

#ifdef __cplusplus
#define CU2CPP_COMPLEX inline
#else
#define CU2CPP_COMPLEX static __inline__
#endif

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

CU2CPP_COMPLEX float cuCrealf(cuFloatComplex x) { return x.x; }
CU2CPP_COMPLEX float cuCimagf(cuFloatComplex x) { return x.y; }
CU2CPP_COMPLEX cuFloatComplex make_cuFloatComplex(float r, float i) { return make_float2(r, i); }
CU2CPP_COMPLEX cuFloatComplex cuConjf(cuFloatComplex x) { return make_float2(x.x, -x.y); }
CU2CPP_COMPLEX cuFloatComplex cuCaddf(cuFloatComplex x, cuFloatComplex y) {
  return make_float2(x.x + y.x, x.y + y.y);
}
CU2CPP_COMPLEX cuFloatComplex cuCsubf(cuFloatComplex x, cuFloatComplex y) {
  return make_float2(x.x - y.x, x.y - y.y);
}
CU2CPP_COMPLEX cuFloatComplex cuCmulf(cuFloatComplex x, cuFloatComplex y) {
  return make_float2(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);
}
/* Scaled by the divisor's size, so that neither its square nor the products overflow. */
CU2CPP_COMPLEX cuFloatComplex cuCdivf(cuFloatComplex x, cuFloatComplex y) {
  float s = 1.0f / (fabsf(y.x) + fabsf(y.y));
  float a = x.x * s, b = x.y * s, c = y.x * s, d = y.y * s;
  float r = 1.0f / (c * c + d * d);
  return make_float2((a * c + b * d) * r, (b * c - a * d) * r);
}
CU2CPP_COMPLEX float cuCabsf(cuFloatComplex x) { return hypotf(x.x, x.y); }
CU2CPP_COMPLEX cuFloatComplex cuCfmaf(cuFloatComplex x, cuFloatComplex y, cuFloatComplex d) {
  return make_float2(x.x * y.x + d.x - x.y * y.y, x.x * y.y + d.y + x.y * y.x);
}

CU2CPP_COMPLEX double cuCreal(cuDoubleComplex x) { return x.x; }
CU2CPP_COMPLEX double cuCimag(cuDoubleComplex x) { return x.y; }
CU2CPP_COMPLEX cuDoubleComplex make_cuDoubleComplex(double r, double i) {
  return make_double2(r, i);
}
CU2CPP_COMPLEX cuDoubleComplex cuConj(cuDoubleComplex x) { return make_double2(x.x, -x.y); }
CU2CPP_COMPLEX cuDoubleComplex cuCadd(cuDoubleComplex x, cuDoubleComplex y) {
  return make_double2(x.x + y.x, x.y + y.y);
}
CU2CPP_COMPLEX cuDoubleComplex cuCsub(cuDoubleComplex x, cuDoubleComplex y) {
  return make_double2(x.x - y.x, x.y - y.y);
}
CU2CPP_COMPLEX cuDoubleComplex cuCmul(cuDoubleComplex x, cuDoubleComplex y) {
  return make_double2(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);
}
/* Scaled by the divisor's size, so that neither its square nor the products overflow. */
CU2CPP_COMPLEX cuDoubleComplex cuCdiv(cuDoubleComplex x, cuDoubleComplex y) {
  double s = 1.0 / (fabs(y.x) + fabs(y.y));
  double a = x.x * s, b = x.y * s, c = y.x * s, d = y.y * s;
  double r = 1.0 / (c * c + d * d);
  return make_double2((a * c + b * d) * r, (b * c - a * d) * r);
}
CU2CPP_COMPLEX double cuCabs(cuDoubleComplex x) { return hypot(x.x, x.y); }
CU2CPP_COMPLEX cuDoubleComplex cuCfma(cuDoubleComplex x, cuDoubleComplex y, cuDoubleComplex d) {
  return make_double2(x.x * y.x + d.x - x.y * y.y, x.x * y.y + d.y + x.y * y.x);
}

CU2CPP_COMPLEX cuComplex make_cuComplex(float r, float i) { return make_float2(r, i); }
CU2CPP_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex x) {
  return make_double2(x.x, x.y);
}
CU2CPP_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex x) {
  return make_float2((float)x.x, (float)x.y);
}

#undef CU2CPP_COMPLEX

#endif
