// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime API with its C++ side: typed allocation, symbols, kernels, and everything device code
// may call. nvcc includes this file before each .cu file, and so does the translator's parse. Valid
// in C and C++ host files too.
//
// CUDA C++ Programming Guide, 'CUDA Runtime'.
#ifndef CU2CPP_CUDA_RUNTIME_H
#define CU2CPP_CUDA_RUNTIME_H
#define __CUDA_RUNTIME_H__ // NVIDIA's guard, which programs test

#if defined(CU2CPP_PARSE) && defined(__cplusplus)
// Clang's wrapper of <new> adds device-side operators once __device__ is a macro, which ours makes
// a redefinition. So read <new> before the macro exists and tell the wrapper that its work is done.
#include <new>
#define __CLANG_CUDA_WRAPPERS_NEW
#endif

// What nvcc's own cuda_runtime.h brings along, and programs rely on.
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __cplusplus
#include <cmath>
#include <cstdlib>
#include <new>
#include <utility>
#endif

#include <channel_descriptor.h>
#include <cuda_runtime_api.h>
#include <driver_functions.h>
#include <driver_types.h>
#include <vector_functions.h>
#include <vector_types.h>

#ifdef __cplusplus
// Kernels are C++17. Host files of older standards get everything that calls none; the translator
// also looks at kernels in older ones.
#if __cplusplus >= 201703L || defined(CU2CPP_PARSE)
#include <cu2cpp/api/kernels.h>
#include <cu2cpp/api/symbols.h>
// As under nvcc, host files do not see what device code may call: programs define min(), max() or
// rsqrtf() for them.
#ifdef __CUDACC__
#include <cu2cpp/device/heap.h>
#include <cu2cpp/device_functions.h>
#endif
#endif
#include <cuda_device_runtime_api.h>

#include <cu2cpp/api/default_stream.h>
#include <cu2cpp/api/graphs.h>
#include <cu2cpp/api/memory.h>
#include <cu2cpp/api/textures.h>

/// cudaEventCreate() with flags, as C++ may call it.
inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
  return ::cudaEventCreateWithFlags(event, flags);
}

#ifdef CU2CPP_PARSE
// What clang looks up for `kernel<<<...>>>`; translated code calls cu2cpp::launch() instead.
cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t sharedBytes = 0,
                              cudaStream_t stream = 0);
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t sharedBytes = 0,
                                                void* stream = 0);
#endif
#endif

#endif
