// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything that device code may call without an include: cuda_runtime.h includes this file. One
// header per family of the guide's chapter 'C++ Language Extensions'.
#ifndef CU2CPP_DEVICE_FUNCTIONS_H
#define CU2CPP_DEVICE_FUNCTIONS_H

#include <cu2cpp/attributes.h>
#include <device_launch_parameters.h>
#include <vector_functions.h>
#include <vector_types.h>

#ifdef __cplusplus
#include <cu2cpp/device/atomics.h>
#include <cu2cpp/device/atomics_builtin.h>
#include <cu2cpp/device/cache_hints.h>
#include <cu2cpp/device/casts.h>
#include <cu2cpp/device/cluster.h>
#include <cu2cpp/device/control.h>
#include <cu2cpp/device/conversions.h>
#include <cu2cpp/device/dpx.h>
#include <cu2cpp/device/integer_intrinsics.h>
#include <cu2cpp/device/math_functions.h>
#include <cu2cpp/device/min_max.h>
#include <cu2cpp/device/rounded_functions.h>
#include <cu2cpp/device/rounding.h>
#include <cu2cpp/device/shifts.h>
#include <cu2cpp/device/simd_intrinsics.h>
#include <cu2cpp/device/sync.h>
#include <cu2cpp/device/warp.h>
#include <cu2cpp/device/word_access.h>
#endif

#endif
