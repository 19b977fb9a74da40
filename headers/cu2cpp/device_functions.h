// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything that device code may call without an include: cuda_runtime.h includes this file. One
// header per family of the guide's chapter 'C++ Language Extensions'.
#ifndef CU2CPP_DEVICE_FUNCTIONS_H
#define CU2CPP_DEVICE_FUNCTIONS_H

#include <cu2cpp/attributes.h>

#ifdef __cplusplus
#include <cu2cpp/device/atomics.h>
#include <cu2cpp/device/sync.h>
#include <cu2cpp/device/warp.h>
#endif
#include <device_launch_parameters.h>
#include <vector_functions.h>
#include <vector_types.h>

#endif
