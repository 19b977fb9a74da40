// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device properties: the machine's where a CPU has them (name, memory, cores, clock, cache), those
// of compute capability 9.0 where programs size their launches by them, and 0 for what does not
// exist yet (textures, clusters).
//
// CUDA Runtime API, 'Device Management': cudaGetDeviceProperties, cudaDeviceGetAttribute.
#include "api/device_attributes.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "core/process.h"
#include "exec/device_clock.h"

namespace cu2cpp::rt {

cudaDeviceProp propertiesOf(int device) {
  const Machine& host = machine();
  cudaDeviceProp p{};
  std::snprintf(p.name, sizeof p.name, "%.200s (cu2cpp)", host.processor.c_str());
  std::memcpy(p.uuid.bytes, "cu2cpp-device", 13);
  p.uuid.bytes[15] = char(device);
  p.luidDeviceNodeMask = 0;
  p.totalGlobalMem = host.memoryBytes;
  p.sharedMemPerBlock = limits::sharedBytes;
  p.regsPerBlock = 65536;
  p.warpSize = 32;
  p.memPitch = 2147483647;
  p.maxThreadsPerBlock = int(limits::blockThreads);
  p.maxThreadsDim[0] = int(limits::blockX);
  p.maxThreadsDim[1] = int(limits::blockY);
  p.maxThreadsDim[2] = int(limits::blockZ);
  p.maxGridSize[0] = int(limits::gridX);
  p.maxGridSize[1] = int(limits::gridY);
  p.maxGridSize[2] = int(limits::gridZ);
  p.clockRate = int(deviceClockKilohertz());
  p.totalConstMem = 65536;
  p.major = 9;
  p.minor = 0;
  p.textureAlignment = 512;
  p.texturePitchAlignment = 32;
  p.deviceOverlap = 1;
  p.multiProcessorCount = host.cores;
  p.integrated = 0;
  p.canMapHostMemory = 1;
  p.computeMode = cudaComputeModeDefault;
  p.surfaceAlignment = 512;
  p.concurrentKernels = 1;
  p.pciBusID = device + 1; // no PCI device, but programs use it to tell devices apart
  p.asyncEngineCount = 2;
  p.unifiedAddressing = 1;
  p.memoryClockRate = p.clockRate; // not known; programs multiply it into a bandwidth
  p.memoryBusWidth = 64;
  p.l2CacheSize = host.cacheBytes;
  p.maxThreadsPerMultiProcessor = limits::residentThreads;
  p.streamPrioritiesSupported = 1;
  p.globalL1CacheSupported = 1;
  p.localL1CacheSupported = 1;
  p.sharedMemPerMultiprocessor = 228 * 1024;
  p.regsPerMultiprocessor = 65536;
  p.managedMemory = 1;
  p.cooperativeLaunch = 1;
  p.clusterLaunch = 1;
  p.hostNativeAtomicSupported = 1;
  p.singleToDoublePrecisionPerfRatio = 2;
  p.pageableMemoryAccess = 1;
  p.concurrentManagedAccess = 1;
  p.canUseHostPointerForRegisteredMem = 1;
  p.sharedMemPerBlockOptin = limits::sharedBytesOptIn;
  p.pageableMemoryAccessUsesHostPageTables = 1;
  p.directManagedMemAccessFromHost = 1;
  p.maxBlocksPerMultiProcessor = limits::residentBlocks;
  p.reservedSharedMemPerBlock = 1024;
  p.hostRegisterSupported = 1;
  p.hostRegisterReadOnlySupported = 1;
  p.memoryPoolsSupported = 1;
  p.deviceNumaId = -1;
  p.hostNumaId = -1;
  return p;
}

bool attributeOf(const cudaDeviceProp& p, cudaDeviceAttr attribute, int& value) {
  const auto size = [](std::size_t bytes) { return int(std::min<std::size_t>(bytes, 2147483647)); };
  switch (attribute) {
  case cudaDevAttrMaxThreadsPerBlock:
    value = p.maxThreadsPerBlock;
    return true;
  case cudaDevAttrMaxBlockDimX:
    value = p.maxThreadsDim[0];
    return true;
  case cudaDevAttrMaxBlockDimY:
    value = p.maxThreadsDim[1];
    return true;
  case cudaDevAttrMaxBlockDimZ:
    value = p.maxThreadsDim[2];
    return true;
  case cudaDevAttrMaxGridDimX:
    value = p.maxGridSize[0];
    return true;
  case cudaDevAttrMaxGridDimY:
    value = p.maxGridSize[1];
    return true;
  case cudaDevAttrMaxGridDimZ:
    value = p.maxGridSize[2];
    return true;
  case cudaDevAttrMaxSharedMemoryPerBlock:
    value = size(p.sharedMemPerBlock);
    return true;
  case cudaDevAttrTotalConstantMemory:
    value = size(p.totalConstMem);
    return true;
  case cudaDevAttrWarpSize:
    value = p.warpSize;
    return true;
  case cudaDevAttrMaxPitch:
    value = size(p.memPitch);
    return true;
  case cudaDevAttrMaxRegistersPerBlock:
    value = p.regsPerBlock;
    return true;
  case cudaDevAttrClockRate:
    value = p.clockRate;
    return true;
  case cudaDevAttrTextureAlignment:
    value = size(p.textureAlignment);
    return true;
  case cudaDevAttrGpuOverlap:
    value = p.deviceOverlap;
    return true;
  case cudaDevAttrMultiProcessorCount:
    value = p.multiProcessorCount;
    return true;
  case cudaDevAttrKernelExecTimeout:
    value = p.kernelExecTimeoutEnabled;
    return true;
  case cudaDevAttrIntegrated:
    value = p.integrated;
    return true;
  case cudaDevAttrCanMapHostMemory:
    value = p.canMapHostMemory;
    return true;
  case cudaDevAttrComputeMode:
    value = p.computeMode;
    return true;
  case cudaDevAttrSurfaceAlignment:
    value = size(p.surfaceAlignment);
    return true;
  case cudaDevAttrConcurrentKernels:
    value = p.concurrentKernels;
    return true;
  case cudaDevAttrEccEnabled:
    value = p.ECCEnabled;
    return true;
  case cudaDevAttrPciBusId:
    value = p.pciBusID;
    return true;
  case cudaDevAttrPciDeviceId:
    value = p.pciDeviceID;
    return true;
  case cudaDevAttrPciDomainId:
    value = p.pciDomainID;
    return true;
  case cudaDevAttrTccDriver:
    value = p.tccDriver;
    return true;
  case cudaDevAttrMemoryClockRate:
    value = p.memoryClockRate;
    return true;
  case cudaDevAttrGlobalMemoryBusWidth:
    value = p.memoryBusWidth;
    return true;
  case cudaDevAttrL2CacheSize:
    value = p.l2CacheSize;
    return true;
  case cudaDevAttrMaxThreadsPerMultiProcessor:
    value = p.maxThreadsPerMultiProcessor;
    return true;
  case cudaDevAttrAsyncEngineCount:
    value = p.asyncEngineCount;
    return true;
  case cudaDevAttrUnifiedAddressing:
    value = p.unifiedAddressing;
    return true;
  case cudaDevAttrTexturePitchAlignment:
    value = size(p.texturePitchAlignment);
    return true;
  case cudaDevAttrComputeCapabilityMajor:
    value = p.major;
    return true;
  case cudaDevAttrComputeCapabilityMinor:
    value = p.minor;
    return true;
  case cudaDevAttrStreamPrioritiesSupported:
    value = p.streamPrioritiesSupported;
    return true;
  case cudaDevAttrGlobalL1CacheSupported:
    value = p.globalL1CacheSupported;
    return true;
  case cudaDevAttrLocalL1CacheSupported:
    value = p.localL1CacheSupported;
    return true;
  case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
    value = size(p.sharedMemPerMultiprocessor);
    return true;
  case cudaDevAttrMaxRegistersPerMultiprocessor:
    value = p.regsPerMultiprocessor;
    return true;
  case cudaDevAttrCooperativeLaunch:
    value = p.cooperativeLaunch;
    return true;
  case cudaDevAttrClusterLaunch:
    value = p.clusterLaunch;
    return true;
  case cudaDevAttrManagedMemory:
    value = p.managedMemory;
    return true;
  case cudaDevAttrHostNativeAtomicSupported:
    value = p.hostNativeAtomicSupported;
    return true;
  case cudaDevAttrSingleToDoublePrecisionPerfRatio:
    value = p.singleToDoublePrecisionPerfRatio;
    return true;
  case cudaDevAttrPageableMemoryAccess:
    value = p.pageableMemoryAccess;
    return true;
  case cudaDevAttrConcurrentManagedAccess:
    value = p.concurrentManagedAccess;
    return true;
  case cudaDevAttrCanUseHostPointerForRegisteredMem:
    value = p.canUseHostPointerForRegisteredMem;
    return true;
  case cudaDevAttrMaxSharedMemoryPerBlockOptin:
    value = size(p.sharedMemPerBlockOptin);
    return true;
  case cudaDevAttrHostRegisterSupported:
    value = p.hostRegisterSupported;
    return true;
  case cudaDevAttrHostRegisterReadOnlySupported:
    value = p.hostRegisterReadOnlySupported;
    return true;
  case cudaDevAttrPageableMemoryAccessUsesHostPageTables:
    value = p.pageableMemoryAccessUsesHostPageTables;
    return true;
  case cudaDevAttrDirectManagedMemAccessFromHost:
    value = p.directManagedMemAccessFromHost;
    return true;
  case cudaDevAttrMaxBlocksPerMultiprocessor:
    value = p.maxBlocksPerMultiProcessor;
    return true;
  case cudaDevAttrReservedSharedMemoryPerBlock:
    value = size(p.reservedSharedMemPerBlock);
    return true;
  case cudaDevAttrMemoryPoolsSupported:
    value = p.memoryPoolsSupported;
    return true;
  case cudaDevAttrNumaId:
  case cudaDevAttrHostNumaId:
    value = -1;
    return true;
  case cudaDevAttrMemSyncDomainCount:
    value = 1;
    return true;
  default:
    // The other attributes of the enumeration name what this device does not have; between and
    // after are no attributes.
    value = 0;
    return attribute >= 1 && attribute <= 147 && attribute != 44;
  }
}

} // namespace cu2cpp::rt
