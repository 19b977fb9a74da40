// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of pointers to functions of the driver API, for what cudaGetDriverEntryPoint() and
// cuGetProcAddress() give.
//
// CUDA Driver API, 'Driver Entry Point Access'.
#ifndef CU2CPP_CUDATYPEDEFS_H
#define CU2CPP_CUDATYPEDEFS_H

#include <cuda.h>

#ifdef __cplusplus
#define CU2CPP_POINTER_TYPE(name, version)                                                         \
  typedef decltype(&::name) PFN_##name##_v##version;                                               \
  typedef PFN_##name##_v##version PFN_##name;
CU2CPP_POINTER_TYPE(cuCtxGetCurrent, 4000)
CU2CPP_POINTER_TYPE(cuCtxSetCurrent, 4000)
CU2CPP_POINTER_TYPE(cuCtxSynchronize, 2000)
CU2CPP_POINTER_TYPE(cuDeviceGet, 2000)
CU2CPP_POINTER_TYPE(cuDeviceGetAttribute, 2000)
CU2CPP_POINTER_TYPE(cuDeviceGetCount, 2000)
CU2CPP_POINTER_TYPE(cuDeviceGetName, 2000)
CU2CPP_POINTER_TYPE(cuDriverGetVersion, 2020)
CU2CPP_POINTER_TYPE(cuGetErrorName, 6000)
CU2CPP_POINTER_TYPE(cuGetErrorString, 6000)
CU2CPP_POINTER_TYPE(cuInit, 2000)
CU2CPP_POINTER_TYPE(cuModuleGetFunction, 2000)
CU2CPP_POINTER_TYPE(cuModuleLoadData, 2000)
CU2CPP_POINTER_TYPE(cuModuleUnload, 2000)
CU2CPP_POINTER_TYPE(cuTensorMapEncodeTiled, 12000)
CU2CPP_POINTER_TYPE(cuTensorMapReplaceAddress, 12000)
#undef CU2CPP_POINTER_TYPE
#endif

#endif
