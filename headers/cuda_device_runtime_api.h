// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the runtime API that only kernels have: a launch that may begin while the kernel
// before it still runs. Here it begins when that one has ended, so that there is nothing to wait
// for.
//
// CUDA C++ Programming Guide, 'Programmatic Dependent Launch and Synchronization'.
#ifndef CU2CPP_CUDA_DEVICE_RUNTIME_API_H
#define CU2CPP_CUDA_DEVICE_RUNTIME_API_H

#ifdef __cplusplus
inline void cudaGridDependencySynchronize() {}
inline void cudaTriggerProgrammaticLaunchCompletion() {}
#endif

#endif
