// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of the driver API by name, and the names of its errors.
#include <algorithm>
#include <cstring>

#include "driver/driver.h"

namespace {

struct Entry {
  const char* name;
  void* address;
};

template <class F> void* addressOf(F* function) { return reinterpret_cast<void*>(function); }

#define CU2CPP_ENTRY(name) {#name, addressOf(&::name)}
// In the order of strcmp().
const Entry entries[] = {
    CU2CPP_ENTRY(cuArray3DCreate),
    CU2CPP_ENTRY(cuArray3DGetDescriptor),
    CU2CPP_ENTRY(cuArrayCreate),
    CU2CPP_ENTRY(cuArrayDestroy),
    CU2CPP_ENTRY(cuArrayGetDescriptor),
    CU2CPP_ENTRY(cuArrayGetMemoryRequirements),
    CU2CPP_ENTRY(cuCtxDestroy),
    CU2CPP_ENTRY(cuCtxDisablePeerAccess),
    CU2CPP_ENTRY(cuCtxEnablePeerAccess),
    CU2CPP_ENTRY(cuCtxGetApiVersion),
    CU2CPP_ENTRY(cuCtxGetCacheConfig),
    CU2CPP_ENTRY(cuCtxGetCurrent),
    CU2CPP_ENTRY(cuCtxGetDevice),
    CU2CPP_ENTRY(cuCtxGetFlags),
    CU2CPP_ENTRY(cuCtxGetId),
    CU2CPP_ENTRY(cuCtxGetLimit),
    CU2CPP_ENTRY(cuCtxGetStreamPriorityRange),
    CU2CPP_ENTRY(cuCtxPopCurrent),
    CU2CPP_ENTRY(cuCtxPushCurrent),
    CU2CPP_ENTRY(cuCtxResetPersistingL2Cache),
    CU2CPP_ENTRY(cuCtxSetCacheConfig),
    CU2CPP_ENTRY(cuCtxSetCurrent),
    CU2CPP_ENTRY(cuCtxSetFlags),
    CU2CPP_ENTRY(cuCtxSetLimit),
    CU2CPP_ENTRY(cuCtxSynchronize),
    CU2CPP_ENTRY(cuDeviceCanAccessPeer),
    CU2CPP_ENTRY(cuDeviceGet),
    CU2CPP_ENTRY(cuDeviceGetAttribute),
    CU2CPP_ENTRY(cuDeviceGetByPCIBusId),
    CU2CPP_ENTRY(cuDeviceGetCount),
    CU2CPP_ENTRY(cuDeviceGetDefaultMemPool),
    CU2CPP_ENTRY(cuDeviceGetLuid),
    CU2CPP_ENTRY(cuDeviceGetMemPool),
    CU2CPP_ENTRY(cuDeviceGetName),
    CU2CPP_ENTRY(cuDeviceGetP2PAttribute),
    CU2CPP_ENTRY(cuDeviceGetPCIBusId),
    CU2CPP_ENTRY(cuDeviceGetUuid),
    CU2CPP_ENTRY(cuDevicePrimaryCtxGetState),
    CU2CPP_ENTRY(cuDevicePrimaryCtxRelease),
    CU2CPP_ENTRY(cuDevicePrimaryCtxReset),
    CU2CPP_ENTRY(cuDevicePrimaryCtxRetain),
    CU2CPP_ENTRY(cuDevicePrimaryCtxSetFlags),
    CU2CPP_ENTRY(cuDeviceSetMemPool),
    CU2CPP_ENTRY(cuDeviceTotalMem),
    CU2CPP_ENTRY(cuDriverGetVersion),
    CU2CPP_ENTRY(cuEventCreate),
    CU2CPP_ENTRY(cuEventDestroy),
    CU2CPP_ENTRY(cuEventElapsedTime),
    CU2CPP_ENTRY(cuEventQuery),
    CU2CPP_ENTRY(cuEventRecord),
    CU2CPP_ENTRY(cuEventRecordWithFlags),
    CU2CPP_ENTRY(cuEventSynchronize),
    CU2CPP_ENTRY(cuFuncGetAttribute),
    CU2CPP_ENTRY(cuFuncGetModule),
    CU2CPP_ENTRY(cuFuncGetName),
    CU2CPP_ENTRY(cuFuncGetParamInfo),
    CU2CPP_ENTRY(cuFuncIsLoaded),
    CU2CPP_ENTRY(cuFuncLoad),
    CU2CPP_ENTRY(cuFuncSetAttribute),
    CU2CPP_ENTRY(cuFuncSetCacheConfig),
    CU2CPP_ENTRY(cuGetErrorName),
    CU2CPP_ENTRY(cuGetErrorString),
    CU2CPP_ENTRY(cuGetProcAddress),
    CU2CPP_ENTRY(cuInit),
    CU2CPP_ENTRY(cuIpcCloseMemHandle),
    CU2CPP_ENTRY(cuIpcGetEventHandle),
    CU2CPP_ENTRY(cuIpcGetMemHandle),
    CU2CPP_ENTRY(cuIpcOpenEventHandle),
    CU2CPP_ENTRY(cuIpcOpenMemHandle),
    CU2CPP_ENTRY(cuKernelGetAttribute),
    CU2CPP_ENTRY(cuKernelGetFunction),
    CU2CPP_ENTRY(cuKernelGetParamInfo),
    CU2CPP_ENTRY(cuKernelSetAttribute),
    CU2CPP_ENTRY(cuKernelSetCacheConfig),
    CU2CPP_ENTRY(cuLaunchCooperativeKernel),
    CU2CPP_ENTRY(cuLaunchHostFunc),
    CU2CPP_ENTRY(cuLaunchKernel),
    CU2CPP_ENTRY(cuLaunchKernelEx),
    CU2CPP_ENTRY(cuLibraryEnumerateKernels),
    CU2CPP_ENTRY(cuLibraryGetGlobal),
    CU2CPP_ENTRY(cuLibraryGetKernel),
    CU2CPP_ENTRY(cuLibraryGetKernelCount),
    CU2CPP_ENTRY(cuLibraryGetManaged),
    CU2CPP_ENTRY(cuLibraryGetModule),
    CU2CPP_ENTRY(cuLibraryGetUnifiedFunction),
    CU2CPP_ENTRY(cuLibraryLoadData),
    CU2CPP_ENTRY(cuLibraryLoadFromFile),
    CU2CPP_ENTRY(cuLibraryUnload),
    CU2CPP_ENTRY(cuLinkAddData),
    CU2CPP_ENTRY(cuLinkAddFile),
    CU2CPP_ENTRY(cuLinkComplete),
    CU2CPP_ENTRY(cuLinkCreate),
    CU2CPP_ENTRY(cuLinkDestroy),
    CU2CPP_ENTRY(cuMemAddressFree),
    CU2CPP_ENTRY(cuMemAddressReserve),
    CU2CPP_ENTRY(cuMemAlloc),
    CU2CPP_ENTRY(cuMemAllocAsync),
    CU2CPP_ENTRY(cuMemAllocHost),
    CU2CPP_ENTRY(cuMemAllocManaged),
    CU2CPP_ENTRY(cuMemAllocPitch),
    CU2CPP_ENTRY(cuMemCreate),
    CU2CPP_ENTRY(cuMemExportToShareableHandle),
    CU2CPP_ENTRY(cuMemFree),
    CU2CPP_ENTRY(cuMemFreeAsync),
    CU2CPP_ENTRY(cuMemFreeHost),
    CU2CPP_ENTRY(cuMemGetAccess),
    CU2CPP_ENTRY(cuMemGetAddressRange),
    CU2CPP_ENTRY(cuMemGetAllocationGranularity),
    CU2CPP_ENTRY(cuMemGetAllocationPropertiesFromHandle),
    CU2CPP_ENTRY(cuMemGetInfo),
    CU2CPP_ENTRY(cuMemHostAlloc),
    CU2CPP_ENTRY(cuMemHostGetDevicePointer),
    CU2CPP_ENTRY(cuMemHostGetFlags),
    CU2CPP_ENTRY(cuMemHostRegister),
    CU2CPP_ENTRY(cuMemHostUnregister),
    CU2CPP_ENTRY(cuMemImportFromShareableHandle),
    CU2CPP_ENTRY(cuMemMap),
    CU2CPP_ENTRY(cuMemRangeGetAttribute),
    CU2CPP_ENTRY(cuMemRangeGetAttributes),
    CU2CPP_ENTRY(cuMemRelease),
    CU2CPP_ENTRY(cuMemRetainAllocationHandle),
    CU2CPP_ENTRY(cuMemSetAccess),
    CU2CPP_ENTRY(cuMemUnmap),
    CU2CPP_ENTRY(cuMemcpy),
    CU2CPP_ENTRY(cuMemcpy2D),
    CU2CPP_ENTRY(cuMemcpy2DAsync),
    CU2CPP_ENTRY(cuMemcpy2DUnaligned),
    CU2CPP_ENTRY(cuMemcpy3D),
    CU2CPP_ENTRY(cuMemcpy3DAsync),
    CU2CPP_ENTRY(cuMemcpyAsync),
    CU2CPP_ENTRY(cuMemcpyAtoA),
    CU2CPP_ENTRY(cuMemcpyAtoD),
    CU2CPP_ENTRY(cuMemcpyAtoH),
    CU2CPP_ENTRY(cuMemcpyAtoHAsync),
    CU2CPP_ENTRY(cuMemcpyDtoA),
    CU2CPP_ENTRY(cuMemcpyDtoD),
    CU2CPP_ENTRY(cuMemcpyDtoDAsync),
    CU2CPP_ENTRY(cuMemcpyDtoH),
    CU2CPP_ENTRY(cuMemcpyDtoHAsync),
    CU2CPP_ENTRY(cuMemcpyHtoA),
    CU2CPP_ENTRY(cuMemcpyHtoAAsync),
    CU2CPP_ENTRY(cuMemcpyHtoD),
    CU2CPP_ENTRY(cuMemcpyHtoDAsync),
    CU2CPP_ENTRY(cuMemcpyPeer),
    CU2CPP_ENTRY(cuMemcpyPeerAsync),
    CU2CPP_ENTRY(cuMemsetD16),
    CU2CPP_ENTRY(cuMemsetD16Async),
    CU2CPP_ENTRY(cuMemsetD2D16),
    CU2CPP_ENTRY(cuMemsetD2D16Async),
    CU2CPP_ENTRY(cuMemsetD2D32),
    CU2CPP_ENTRY(cuMemsetD2D32Async),
    CU2CPP_ENTRY(cuMemsetD2D8),
    CU2CPP_ENTRY(cuMemsetD2D8Async),
    CU2CPP_ENTRY(cuMemsetD32),
    CU2CPP_ENTRY(cuMemsetD32Async),
    CU2CPP_ENTRY(cuMemsetD8),
    CU2CPP_ENTRY(cuMemsetD8Async),
    CU2CPP_ENTRY(cuMipmappedArrayCreate),
    CU2CPP_ENTRY(cuMipmappedArrayDestroy),
    CU2CPP_ENTRY(cuMipmappedArrayGetLevel),
    CU2CPP_ENTRY(cuMipmappedArrayGetMemoryRequirements),
    CU2CPP_ENTRY(cuModuleEnumerateFunctions),
    CU2CPP_ENTRY(cuModuleGetFunction),
    CU2CPP_ENTRY(cuModuleGetFunctionCount),
    CU2CPP_ENTRY(cuModuleGetGlobal),
    CU2CPP_ENTRY(cuModuleGetLoadingMode),
    CU2CPP_ENTRY(cuModuleLoad),
    CU2CPP_ENTRY(cuModuleLoadData),
    CU2CPP_ENTRY(cuModuleLoadDataEx),
    CU2CPP_ENTRY(cuModuleLoadFatBinary),
    CU2CPP_ENTRY(cuModuleUnload),
    CU2CPP_ENTRY(cuOccupancyAvailableDynamicSMemPerBlock),
    CU2CPP_ENTRY(cuOccupancyMaxActiveBlocksPerMultiprocessor),
    CU2CPP_ENTRY(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags),
    CU2CPP_ENTRY(cuOccupancyMaxActiveClusters),
    CU2CPP_ENTRY(cuOccupancyMaxPotentialBlockSize),
    CU2CPP_ENTRY(cuOccupancyMaxPotentialBlockSizeWithFlags),
    CU2CPP_ENTRY(cuOccupancyMaxPotentialClusterSize),
    CU2CPP_ENTRY(cuPointerGetAttribute),
    CU2CPP_ENTRY(cuPointerGetAttributes),
    CU2CPP_ENTRY(cuPointerSetAttribute),
    CU2CPP_ENTRY(cuProfilerInitialize),
    CU2CPP_ENTRY(cuProfilerStart),
    CU2CPP_ENTRY(cuProfilerStop),
    CU2CPP_ENTRY(cuStreamAddCallback),
    CU2CPP_ENTRY(cuStreamAttachMemAsync),
    CU2CPP_ENTRY(cuStreamCopyAttributes),
    CU2CPP_ENTRY(cuStreamCreate),
    CU2CPP_ENTRY(cuStreamCreateWithPriority),
    CU2CPP_ENTRY(cuStreamDestroy),
    CU2CPP_ENTRY(cuStreamGetAttribute),
    CU2CPP_ENTRY(cuStreamGetCtx),
    CU2CPP_ENTRY(cuStreamGetDevice),
    CU2CPP_ENTRY(cuStreamGetFlags),
    CU2CPP_ENTRY(cuStreamGetId),
    CU2CPP_ENTRY(cuStreamGetPriority),
    CU2CPP_ENTRY(cuStreamIsCapturing),
    CU2CPP_ENTRY(cuStreamQuery),
    CU2CPP_ENTRY(cuStreamSetAttribute),
    CU2CPP_ENTRY(cuStreamSynchronize),
    CU2CPP_ENTRY(cuStreamWaitEvent),
    CU2CPP_ENTRY(cuStreamWaitValue32),
    CU2CPP_ENTRY(cuStreamWaitValue64),
    CU2CPP_ENTRY(cuStreamWriteValue32),
    CU2CPP_ENTRY(cuStreamWriteValue64),
    CU2CPP_ENTRY(cuSurfObjectCreate),
    CU2CPP_ENTRY(cuSurfObjectDestroy),
    CU2CPP_ENTRY(cuTexObjectCreate),
    CU2CPP_ENTRY(cuTexObjectDestroy),
    CU2CPP_ENTRY(cuTexObjectGetResourceDesc),
    CU2CPP_ENTRY(cuTexObjectGetTextureDesc),
};
#undef CU2CPP_ENTRY

} // namespace

// A name may carry the number of its version: cuMemAlloc_v2.
void* cu2cpp::rt::driverFunction(const char* name) {
  std::size_t length = std::strlen(name);
  if (length > 3 && name[length - 3] == '_' && name[length - 2] == 'v')
    length -= 3;
  // Those that C++ knows in several forms.
  const auto is = [&](const char* other) {
    return std::strlen(other) == length && std::strncmp(name, other, length) == 0;
  };
  if (is("cuCtxCreate"))
    return addressOf(static_cast<CUresult (*)(CUcontext*, unsigned, CUdevice)>(&::cuCtxCreate));
  if (is("cuMemPrefetchAsync"))
    return addressOf(
        static_cast<CUresult (*)(CUdeviceptr, size_t, CUdevice, CUstream)>(&::cuMemPrefetchAsync));
  if (is("cuMemAdvise"))
    return addressOf(
        static_cast<CUresult (*)(CUdeviceptr, size_t, CUmem_advise, CUdevice)>(&::cuMemAdvise));
  const auto found = std::find_if(std::begin(entries), std::end(entries),
                                  [&](const Entry& entry) { return is(entry.name); });
  return found == std::end(entries) ? nullptr : found->address;
}

const char* cu2cpp::rt::driverErrorName(CUresult error) {
  switch (error) {
  case CUDA_SUCCESS:
    return "CUDA_SUCCESS";
  case CUDA_ERROR_INVALID_VALUE:
    return "CUDA_ERROR_INVALID_VALUE";
  case CUDA_ERROR_OUT_OF_MEMORY:
    return "CUDA_ERROR_OUT_OF_MEMORY";
  case CUDA_ERROR_NOT_INITIALIZED:
    return "CUDA_ERROR_NOT_INITIALIZED";
  case CUDA_ERROR_DEINITIALIZED:
    return "CUDA_ERROR_DEINITIALIZED";
  case CUDA_ERROR_PROFILER_DISABLED:
    return "CUDA_ERROR_PROFILER_DISABLED";
  case CUDA_ERROR_PROFILER_NOT_INITIALIZED:
    return "CUDA_ERROR_PROFILER_NOT_INITIALIZED";
  case CUDA_ERROR_PROFILER_ALREADY_STARTED:
    return "CUDA_ERROR_PROFILER_ALREADY_STARTED";
  case CUDA_ERROR_PROFILER_ALREADY_STOPPED:
    return "CUDA_ERROR_PROFILER_ALREADY_STOPPED";
  case CUDA_ERROR_STUB_LIBRARY:
    return "CUDA_ERROR_STUB_LIBRARY";
  case CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER:
    return "CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER";
  case CUDA_ERROR_DEVICE_UNAVAILABLE:
    return "CUDA_ERROR_DEVICE_UNAVAILABLE";
  case CUDA_ERROR_NO_DEVICE:
    return "CUDA_ERROR_NO_DEVICE";
  case CUDA_ERROR_INVALID_DEVICE:
    return "CUDA_ERROR_INVALID_DEVICE";
  case CUDA_ERROR_DEVICE_NOT_LICENSED:
    return "CUDA_ERROR_DEVICE_NOT_LICENSED";
  case CUDA_ERROR_INVALID_IMAGE:
    return "CUDA_ERROR_INVALID_IMAGE";
  case CUDA_ERROR_INVALID_CONTEXT:
    return "CUDA_ERROR_INVALID_CONTEXT";
  case CUDA_ERROR_CONTEXT_ALREADY_CURRENT:
    return "CUDA_ERROR_CONTEXT_ALREADY_CURRENT";
  case CUDA_ERROR_MAP_FAILED:
    return "CUDA_ERROR_MAP_FAILED";
  case CUDA_ERROR_UNMAP_FAILED:
    return "CUDA_ERROR_UNMAP_FAILED";
  case CUDA_ERROR_ARRAY_IS_MAPPED:
    return "CUDA_ERROR_ARRAY_IS_MAPPED";
  case CUDA_ERROR_ALREADY_MAPPED:
    return "CUDA_ERROR_ALREADY_MAPPED";
  case CUDA_ERROR_NO_BINARY_FOR_GPU:
    return "CUDA_ERROR_NO_BINARY_FOR_GPU";
  case CUDA_ERROR_ALREADY_ACQUIRED:
    return "CUDA_ERROR_ALREADY_ACQUIRED";
  case CUDA_ERROR_NOT_MAPPED:
    return "CUDA_ERROR_NOT_MAPPED";
  case CUDA_ERROR_NOT_MAPPED_AS_ARRAY:
    return "CUDA_ERROR_NOT_MAPPED_AS_ARRAY";
  case CUDA_ERROR_NOT_MAPPED_AS_POINTER:
    return "CUDA_ERROR_NOT_MAPPED_AS_POINTER";
  case CUDA_ERROR_ECC_UNCORRECTABLE:
    return "CUDA_ERROR_ECC_UNCORRECTABLE";
  case CUDA_ERROR_UNSUPPORTED_LIMIT:
    return "CUDA_ERROR_UNSUPPORTED_LIMIT";
  case CUDA_ERROR_CONTEXT_ALREADY_IN_USE:
    return "CUDA_ERROR_CONTEXT_ALREADY_IN_USE";
  case CUDA_ERROR_PEER_ACCESS_UNSUPPORTED:
    return "CUDA_ERROR_PEER_ACCESS_UNSUPPORTED";
  case CUDA_ERROR_INVALID_PTX:
    return "CUDA_ERROR_INVALID_PTX";
  case CUDA_ERROR_INVALID_GRAPHICS_CONTEXT:
    return "CUDA_ERROR_INVALID_GRAPHICS_CONTEXT";
  case CUDA_ERROR_NVLINK_UNCORRECTABLE:
    return "CUDA_ERROR_NVLINK_UNCORRECTABLE";
  case CUDA_ERROR_JIT_COMPILER_NOT_FOUND:
    return "CUDA_ERROR_JIT_COMPILER_NOT_FOUND";
  case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
    return "CUDA_ERROR_UNSUPPORTED_PTX_VERSION";
  case CUDA_ERROR_JIT_COMPILATION_DISABLED:
    return "CUDA_ERROR_JIT_COMPILATION_DISABLED";
  case CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY:
    return "CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY";
  case CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC:
    return "CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC";
  case CUDA_ERROR_CONTAINED:
    return "CUDA_ERROR_CONTAINED";
  case CUDA_ERROR_INVALID_SOURCE:
    return "CUDA_ERROR_INVALID_SOURCE";
  case CUDA_ERROR_FILE_NOT_FOUND:
    return "CUDA_ERROR_FILE_NOT_FOUND";
  case CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND:
    return "CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND";
  case CUDA_ERROR_SHARED_OBJECT_INIT_FAILED:
    return "CUDA_ERROR_SHARED_OBJECT_INIT_FAILED";
  case CUDA_ERROR_OPERATING_SYSTEM:
    return "CUDA_ERROR_OPERATING_SYSTEM";
  case CUDA_ERROR_INVALID_HANDLE:
    return "CUDA_ERROR_INVALID_HANDLE";
  case CUDA_ERROR_ILLEGAL_STATE:
    return "CUDA_ERROR_ILLEGAL_STATE";
  case CUDA_ERROR_LOSSY_QUERY:
    return "CUDA_ERROR_LOSSY_QUERY";
  case CUDA_ERROR_NOT_FOUND:
    return "CUDA_ERROR_NOT_FOUND";
  case CUDA_ERROR_NOT_READY:
    return "CUDA_ERROR_NOT_READY";
  case CUDA_ERROR_ILLEGAL_ADDRESS:
    return "CUDA_ERROR_ILLEGAL_ADDRESS";
  case CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES:
    return "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES";
  case CUDA_ERROR_LAUNCH_TIMEOUT:
    return "CUDA_ERROR_LAUNCH_TIMEOUT";
  case CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING:
    return "CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING";
  case CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED:
    return "CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED";
  case CUDA_ERROR_PEER_ACCESS_NOT_ENABLED:
    return "CUDA_ERROR_PEER_ACCESS_NOT_ENABLED";
  case CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE:
    return "CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE";
  case CUDA_ERROR_CONTEXT_IS_DESTROYED:
    return "CUDA_ERROR_CONTEXT_IS_DESTROYED";
  case CUDA_ERROR_ASSERT:
    return "CUDA_ERROR_ASSERT";
  case CUDA_ERROR_TOO_MANY_PEERS:
    return "CUDA_ERROR_TOO_MANY_PEERS";
  case CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED:
    return "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED";
  case CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED:
    return "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED";
  case CUDA_ERROR_HARDWARE_STACK_ERROR:
    return "CUDA_ERROR_HARDWARE_STACK_ERROR";
  case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    return "CUDA_ERROR_ILLEGAL_INSTRUCTION";
  case CUDA_ERROR_MISALIGNED_ADDRESS:
    return "CUDA_ERROR_MISALIGNED_ADDRESS";
  case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    return "CUDA_ERROR_INVALID_ADDRESS_SPACE";
  case CUDA_ERROR_INVALID_PC:
    return "CUDA_ERROR_INVALID_PC";
  case CUDA_ERROR_LAUNCH_FAILED:
    return "CUDA_ERROR_LAUNCH_FAILED";
  case CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE:
    return "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE";
  case CUDA_ERROR_TENSOR_MEMORY_LEAK:
    return "CUDA_ERROR_TENSOR_MEMORY_LEAK";
  case CUDA_ERROR_NOT_PERMITTED:
    return "CUDA_ERROR_NOT_PERMITTED";
  case CUDA_ERROR_NOT_SUPPORTED:
    return "CUDA_ERROR_NOT_SUPPORTED";
  case CUDA_ERROR_SYSTEM_NOT_READY:
    return "CUDA_ERROR_SYSTEM_NOT_READY";
  case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH:
    return "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH";
  case CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE:
    return "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE";
  case CUDA_ERROR_MPS_CONNECTION_FAILED:
    return "CUDA_ERROR_MPS_CONNECTION_FAILED";
  case CUDA_ERROR_MPS_RPC_FAILURE:
    return "CUDA_ERROR_MPS_RPC_FAILURE";
  case CUDA_ERROR_MPS_SERVER_NOT_READY:
    return "CUDA_ERROR_MPS_SERVER_NOT_READY";
  case CUDA_ERROR_MPS_MAX_CLIENTS_REACHED:
    return "CUDA_ERROR_MPS_MAX_CLIENTS_REACHED";
  case CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED:
    return "CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED";
  case CUDA_ERROR_MPS_CLIENT_TERMINATED:
    return "CUDA_ERROR_MPS_CLIENT_TERMINATED";
  case CUDA_ERROR_CDP_NOT_SUPPORTED:
    return "CUDA_ERROR_CDP_NOT_SUPPORTED";
  case CUDA_ERROR_CDP_VERSION_MISMATCH:
    return "CUDA_ERROR_CDP_VERSION_MISMATCH";
  case CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED:
    return "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED";
  case CUDA_ERROR_STREAM_CAPTURE_INVALIDATED:
    return "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED";
  case CUDA_ERROR_STREAM_CAPTURE_MERGE:
    return "CUDA_ERROR_STREAM_CAPTURE_MERGE";
  case CUDA_ERROR_STREAM_CAPTURE_UNMATCHED:
    return "CUDA_ERROR_STREAM_CAPTURE_UNMATCHED";
  case CUDA_ERROR_STREAM_CAPTURE_UNJOINED:
    return "CUDA_ERROR_STREAM_CAPTURE_UNJOINED";
  case CUDA_ERROR_STREAM_CAPTURE_ISOLATION:
    return "CUDA_ERROR_STREAM_CAPTURE_ISOLATION";
  case CUDA_ERROR_STREAM_CAPTURE_IMPLICIT:
    return "CUDA_ERROR_STREAM_CAPTURE_IMPLICIT";
  case CUDA_ERROR_CAPTURED_EVENT:
    return "CUDA_ERROR_CAPTURED_EVENT";
  case CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD:
    return "CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD";
  case CUDA_ERROR_TIMEOUT:
    return "CUDA_ERROR_TIMEOUT";
  case CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE:
    return "CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE";
  case CUDA_ERROR_EXTERNAL_DEVICE:
    return "CUDA_ERROR_EXTERNAL_DEVICE";
  case CUDA_ERROR_INVALID_CLUSTER_SIZE:
    return "CUDA_ERROR_INVALID_CLUSTER_SIZE";
  case CUDA_ERROR_FUNCTION_NOT_LOADED:
    return "CUDA_ERROR_FUNCTION_NOT_LOADED";
  case CUDA_ERROR_INVALID_RESOURCE_TYPE:
    return "CUDA_ERROR_INVALID_RESOURCE_TYPE";
  case CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION:
    return "CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION";
  case CUDA_ERROR_KEY_ROTATION:
    return "CUDA_ERROR_KEY_ROTATION";
  case CUDA_ERROR_UNKNOWN:
    return "CUDA_ERROR_UNKNOWN";
  }
  return nullptr;
}
