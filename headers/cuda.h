// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver API. Modules are what `cu2cc -cubin`, `-fatbin` and `-ptx` write and what NVRTC makes;
// programs that load them are linked with -lcuda. Functions that are missing here are not declared.
//
// CUDA Driver API.
#ifndef CU2CPP_CUDA_H
#define CU2CPP_CUDA_H
#define __cuda_cuda_h__ /* NVIDIA's guard, which programs test */

#include <stddef.h>
#include <stdint.h>

#include <cu2cpp/api/driver_types.h>

#ifndef CUDA_VERSION
#ifdef CUDART_VERSION
#define CUDA_VERSION CUDART_VERSION
#else
#define CUDA_VERSION 12040
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Where this header lay when the program was compiled: cu2cc, which compiles PTX, is above it. */
extern __attribute__((weak)) const char cu2cpp_driver_header[];
#ifndef CU2CPP_RUNTIME_ITSELF
const char cu2cpp_driver_header[] = __FILE__;
#endif

#include <cu2cpp/api/driver_functions.h>
#include <cu2cpp/api/driver_graph_functions.h>
#include <cu2cpp/api/driver_legacy_functions.h>
#include <cu2cpp/api/tensor_maps.h>

#ifdef __cplusplus
}

/* The forms of CUDA 13. */
inline CUresult cuCtxCreate(CUcontext* pctx, CUctxCreateParams* params, unsigned int flags,
                            CUdevice dev) {
  const bool plain = !params || (params->numExecAffinityParams == 0 && !params->cigParams);
  return plain ? ::cuCtxCreate(pctx, flags, dev) : CUDA_ERROR_NOT_SUPPORTED;
}
inline CUresult cuMemPrefetchAsync(CUdeviceptr devPtr, size_t count, CUmemLocation location,
                                   unsigned int flags, CUstream hStream) {
  return flags != 0
             ? CUDA_ERROR_INVALID_VALUE
             : ::cuMemPrefetchAsync(devPtr, count,
                                    location.type == CU_MEM_LOCATION_TYPE_DEVICE ? location.id
                                                                                 : CU_DEVICE_CPU,
                                    hStream);
}
inline CUresult cuMemAdvise(CUdeviceptr devPtr, size_t count, CUmem_advise advice,
                            CUmemLocation location) {
  return ::cuMemAdvise(devPtr, count, advice,
                       location.type == CU_MEM_LOCATION_TYPE_DEVICE ? location.id : CU_DEVICE_CPU);
}
#include <cu2cpp/api/driver_graphs.h>
#endif

/* Names with the number of their version, as code that looks them up spells them. */
#define cuDeviceGetUuid_v2 cuDeviceGetUuid

#endif
