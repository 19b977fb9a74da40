// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The built-in variables of kernels. The parse sees global variables, marked so that the translator
// finds their uses; translated code declares its own constants of these names in each kernel and
// device function that needs them.
//
// CUDA C++ Programming Guide, 'Built-in Variables'.
#ifndef CU2CPP_DEVICE_LAUNCH_PARAMETERS_H
#define CU2CPP_DEVICE_LAUNCH_PARAMETERS_H

#include <vector_types.h>

#ifdef __cplusplus
#ifdef CU2CPP_PARSE
extern const CU2CPP_BUILTIN uint3 threadIdx;
extern const CU2CPP_BUILTIN uint3 blockIdx;
extern const CU2CPP_BUILTIN dim3 blockDim;
extern const CU2CPP_BUILTIN dim3 gridDim;
extern const CU2CPP_BUILTIN int warpSize;
#else
constexpr int warpSize = 32;
#endif
#endif

#endif
