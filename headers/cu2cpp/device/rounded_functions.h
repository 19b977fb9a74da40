// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic with the rounding as an argument, pairs of floats, and names without underscores that
// CUDA keeps from its first versions.
//
// CUDA Math API, 'Double Precision Intrinsics', 'Single Precision Intrinsics'.
#ifndef CU2CPP_DEVICE_ROUNDED_FUNCTIONS_H
#define CU2CPP_DEVICE_ROUNDED_FUNCTIONS_H

#include <cu2cpp/attributes.h>
#include <cu2cpp/device/conversions.h>
#include <cu2cpp/device/rounding.h>
#include <cu2cpp/device/sync.h>
#include <vector_types.h>

enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };

inline double dadd(double a, double b, cudaRoundMode mode = cudaRoundNearest) {
  switch (mode) {
  case cudaRoundZero:
    return __dadd_rz(a, b);
  case cudaRoundPosInf:
    return __dadd_ru(a, b);
  case cudaRoundMinInf:
    return __dadd_rd(a, b);
  default:
    return __dadd_rn(a, b);
  }
}
inline double dsub(double a, double b, cudaRoundMode mode = cudaRoundNearest) {
  switch (mode) {
  case cudaRoundZero:
    return __dsub_rz(a, b);
  case cudaRoundPosInf:
    return __dsub_ru(a, b);
  case cudaRoundMinInf:
    return __dsub_rd(a, b);
  default:
    return __dsub_rn(a, b);
  }
}
inline double dmul(double a, double b, cudaRoundMode mode = cudaRoundNearest) {
  switch (mode) {
  case cudaRoundZero:
    return __dmul_rz(a, b);
  case cudaRoundPosInf:
    return __dmul_ru(a, b);
  case cudaRoundMinInf:
    return __dmul_rd(a, b);
  default:
    return __dmul_rn(a, b);
  }
}
inline int double2int(double a, cudaRoundMode mode = cudaRoundZero) {
  switch (mode) {
  case cudaRoundZero:
    return __double2int_rz(a);
  case cudaRoundPosInf:
    return __double2int_ru(a);
  case cudaRoundMinInf:
    return __double2int_rd(a);
  default:
    return __double2int_rn(a);
  }
}
inline unsigned double2uint(double a, cudaRoundMode mode = cudaRoundZero) {
  switch (mode) {
  case cudaRoundZero:
    return __double2uint_rz(a);
  case cudaRoundPosInf:
    return __double2uint_ru(a);
  case cudaRoundMinInf:
    return __double2uint_rd(a);
  default:
    return __double2uint_rn(a);
  }
}
inline long long double2ll(double a, cudaRoundMode mode = cudaRoundZero) {
  switch (mode) {
  case cudaRoundZero:
    return __double2ll_rz(a);
  case cudaRoundPosInf:
    return __double2ll_ru(a);
  case cudaRoundMinInf:
    return __double2ll_rd(a);
  default:
    return __double2ll_rn(a);
  }
}
inline unsigned long long double2ull(double a, cudaRoundMode mode = cudaRoundZero) {
  switch (mode) {
  case cudaRoundZero:
    return __double2ull_rz(a);
  case cudaRoundPosInf:
    return __double2ull_ru(a);
  case cudaRoundMinInf:
    return __double2ull_rd(a);
  default:
    return __double2ull_rn(a);
  }
}
inline double ll2double(long long a, cudaRoundMode mode = cudaRoundNearest) {
  switch (mode) {
  case cudaRoundZero:
    return __ll2double_rz(a);
  case cudaRoundPosInf:
    return __ll2double_ru(a);
  case cudaRoundMinInf:
    return __ll2double_rd(a);
  default:
    return __ll2double_rn(a);
  }
}
inline double ull2double(unsigned long long a, cudaRoundMode mode = cudaRoundNearest) {
  switch (mode) {
  case cudaRoundZero:
    return __ull2double_rz(a);
  case cudaRoundPosInf:
    return __ull2double_ru(a);
  case cudaRoundMinInf:
    return __ull2double_rd(a);
  default:
    return __ull2double_rn(a);
  }
}
// Every 32-bit number is exact as a double.
inline double int2double(int a, cudaRoundMode = cudaRoundNearest) { return a; }
inline double uint2double(unsigned a, cudaRoundMode = cudaRoundNearest) { return a; }
inline double float2double(float a, cudaRoundMode = cudaRoundNearest) { return double(a); }

inline float2 __fadd2_rn(float2 a, float2 b) { return {__fadd_rn(a.x, b.x), __fadd_rn(a.y, b.y)}; }
inline float2 __fmul2_rn(float2 a, float2 b) { return {__fmul_rn(a.x, b.x), __fmul_rn(a.y, b.y)}; }
inline float2 __ffma2_rn(float2 a, float2 b, float2 c) {
  return {__fmaf_rn(a.x, b.x, c.x), __fmaf_rn(a.y, b.y, c.y)};
}
inline float2 __fadd2_rz(float2 a, float2 b) { return {__fadd_rz(a.x, b.x), __fadd_rz(a.y, b.y)}; }
inline float2 __fmul2_rz(float2 a, float2 b) { return {__fmul_rz(a.x, b.x), __fmul_rz(a.y, b.y)}; }
inline float2 __ffma2_rz(float2 a, float2 b, float2 c) {
  return {__fmaf_rz(a.x, b.x, c.x), __fmaf_rz(a.y, b.y, c.y)};
}
inline float2 __fadd2_ru(float2 a, float2 b) { return {__fadd_ru(a.x, b.x), __fadd_ru(a.y, b.y)}; }
inline float2 __fmul2_ru(float2 a, float2 b) { return {__fmul_ru(a.x, b.x), __fmul_ru(a.y, b.y)}; }
inline float2 __ffma2_ru(float2 a, float2 b, float2 c) {
  return {__fmaf_ru(a.x, b.x, c.x), __fmaf_ru(a.y, b.y, c.y)};
}
inline float2 __fadd2_rd(float2 a, float2 b) { return {__fadd_rd(a.x, b.x), __fadd_rd(a.y, b.y)}; }
inline float2 __fmul2_rd(float2 a, float2 b) { return {__fmul_rd(a.x, b.x), __fmul_rd(a.y, b.y)}; }
inline float2 __ffma2_rd(float2 a, float2 b, float2 c) {
  return {__fmaf_rd(a.x, b.x, c.x), __fmaf_rd(a.y, b.y, c.y)};
}

CU2CPP_SYNC(block) inline int syncthreads_and(bool predicate) {
  return __syncthreads_and(predicate);
}
CU2CPP_SYNC(block) inline int syncthreads_or(bool predicate) { return __syncthreads_or(predicate); }
CU2CPP_SYNC(block) inline int syncthreads_count(bool predicate) {
  return __syncthreads_count(predicate);
}

// A processor's performance counters.
CU2CPP_UNSUPPORTED("performance counters of a GPU") unsigned __pm0();
CU2CPP_UNSUPPORTED("performance counters of a GPU") unsigned __pm1();
CU2CPP_UNSUPPORTED("performance counters of a GPU") unsigned __pm2();
CU2CPP_UNSUPPORTED("performance counters of a GPU") unsigned __pm3();

#endif
