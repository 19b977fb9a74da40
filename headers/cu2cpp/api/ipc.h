// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory and events of other processes of this machine. cuda_runtime_api.h includes this inside
// extern "C".
//
// CUDA C++ Programming Guide, 'Interprocess Communication'.
#ifndef CU2CPP_API_IPC_H
#define CU2CPP_API_IPC_H

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* devPtr);
cudaError_t cudaIpcOpenMemHandle(void** devPtr, cudaIpcMemHandle_t handle, unsigned int flags);
cudaError_t cudaIpcCloseMemHandle(void* devPtr);
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t* handle, cudaEvent_t event);
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t* event, cudaIpcEventHandle_t handle);

#endif
