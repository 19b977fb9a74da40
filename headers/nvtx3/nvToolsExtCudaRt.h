// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVTX: names of devices, streams and events for a profiler. They do nothing, as without a
// profiler.
//
// NVTX Library, 'CUDA Runtime Resource Naming'.
#ifndef CU2CPP_NVTOOLSEXTCUDART_H
#define CU2CPP_NVTOOLSEXTCUDART_H

#include <cuda_runtime_api.h>

#include <nvtx3/nvToolsExt.h>

CU2CPP_NVTX(void, nvtxNameCudaDeviceA, (CU2CPP_P(int, device), CU2CPP_P(const char*, name)), )
CU2CPP_NVTX(void, nvtxNameCudaStreamA,
            (CU2CPP_P(cudaStream_t, stream), CU2CPP_P(const char*, name)), )
CU2CPP_NVTX(void, nvtxNameCudaEventA, (CU2CPP_P(cudaEvent_t, event), CU2CPP_P(const char*, name)), )

#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent nvtxNameCudaEventA

#endif
