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

namespace {

// Those of compute capability 9.0 (Programming Guide, 'Technical Specifications per Compute
// Capability').
void setTextureLimits(cudaDeviceProp& p) {
  const auto set = [](int(&out)[2], int a, int b) { out[0] = a, out[1] = b; };
  const auto set3 = [](int(&out)[3], int a, int b, int c) { out[0] = a, out[1] = b, out[2] = c; };
  constexpr int layers = 2048, cubeLayers = 2046, side = 32768;
  p.maxTexture1D = p.maxTexture2D[0] = 131072;
  p.maxTexture2D[1] = 65536;
  p.maxTexture1DMipmap = side;
  p.maxTexture1DLinear = 1 << 28;
  set(p.maxTexture2DMipmap, side, side);
  set3(p.maxTexture2DLinear, 131072, 65000, 2097120);
  set(p.maxTexture2DGather, side, side);
  set3(p.maxTexture3D, 16384, 16384, 16384);
  set3(p.maxTexture3DAlt, 8192, 8192, 32768);
  p.maxTextureCubemap = side;
  set(p.maxTexture1DLayered, side, layers);
  set3(p.maxTexture2DLayered, side, side, layers);
  set(p.maxTextureCubemapLayered, side, cubeLayers);
  p.maxSurface1D = side;
  set(p.maxSurface2D, 131072, 65536);
  set3(p.maxSurface3D, 16384, 16384, 16384);
  set(p.maxSurface1DLayered, side, layers);
  set3(p.maxSurface2DLayered, side, side, layers);
  p.maxSurfaceCubemap = side;
  set(p.maxSurfaceCubemapLayered, side, cubeLayers);
}

} // namespace

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
  p.memoryPoolSupportedHandleTypes = cudaMemHandleTypePosixFileDescriptor;
  p.computePreemptionSupported = 1;
  p.ipcEventSupported = 1;
  p.unifiedFunctionPointers = 1;
  // Nothing can be set aside in a CPU's cache; programs that ask for it get what they asked for.
  p.persistingL2CacheMaxSize = host.cacheBytes / 4 * 3;
  p.accessPolicyMaxWindowSize = int(limits::policyWindowBytes);
  p.deviceNumaId = -1;
  p.hostNumaId = -1;
  setTextureLimits(p);
  return p;
}

namespace {

struct Attribute {
  cudaDeviceAttr id;
  long long (*get)(const cudaDeviceProp& p);
};

#define CU2CPP_ATTRIBUTE(name, member)                                                             \
  {cudaDevAttr##name, [](const cudaDeviceProp& p) { return static_cast<long long>(p.member); }}
const Attribute attributes[] = {
    CU2CPP_ATTRIBUTE(MaxThreadsPerBlock, maxThreadsPerBlock),
    CU2CPP_ATTRIBUTE(MaxBlockDimX, maxThreadsDim[0]),
    CU2CPP_ATTRIBUTE(MaxBlockDimY, maxThreadsDim[1]),
    CU2CPP_ATTRIBUTE(MaxBlockDimZ, maxThreadsDim[2]),
    CU2CPP_ATTRIBUTE(MaxGridDimX, maxGridSize[0]),
    CU2CPP_ATTRIBUTE(MaxGridDimY, maxGridSize[1]),
    CU2CPP_ATTRIBUTE(MaxGridDimZ, maxGridSize[2]),
    CU2CPP_ATTRIBUTE(MaxSharedMemoryPerBlock, sharedMemPerBlock),
    CU2CPP_ATTRIBUTE(TotalConstantMemory, totalConstMem),
    CU2CPP_ATTRIBUTE(WarpSize, warpSize),
    CU2CPP_ATTRIBUTE(MaxPitch, memPitch),
    CU2CPP_ATTRIBUTE(MaxRegistersPerBlock, regsPerBlock),
    CU2CPP_ATTRIBUTE(ClockRate, clockRate),
    CU2CPP_ATTRIBUTE(TextureAlignment, textureAlignment),
    CU2CPP_ATTRIBUTE(GpuOverlap, deviceOverlap),
    CU2CPP_ATTRIBUTE(MultiProcessorCount, multiProcessorCount),
    CU2CPP_ATTRIBUTE(KernelExecTimeout, kernelExecTimeoutEnabled),
    CU2CPP_ATTRIBUTE(Integrated, integrated),
    CU2CPP_ATTRIBUTE(CanMapHostMemory, canMapHostMemory),
    CU2CPP_ATTRIBUTE(ComputeMode, computeMode),
    CU2CPP_ATTRIBUTE(MaxTexture1DWidth, maxTexture1D),
    CU2CPP_ATTRIBUTE(MaxTexture2DWidth, maxTexture2D[0]),
    CU2CPP_ATTRIBUTE(MaxTexture2DHeight, maxTexture2D[1]),
    CU2CPP_ATTRIBUTE(MaxTexture3DWidth, maxTexture3D[0]),
    CU2CPP_ATTRIBUTE(MaxTexture3DHeight, maxTexture3D[1]),
    CU2CPP_ATTRIBUTE(MaxTexture3DDepth, maxTexture3D[2]),
    CU2CPP_ATTRIBUTE(MaxTexture2DLayeredWidth, maxTexture2DLayered[0]),
    CU2CPP_ATTRIBUTE(MaxTexture2DLayeredHeight, maxTexture2DLayered[1]),
    CU2CPP_ATTRIBUTE(MaxTexture2DLayeredLayers, maxTexture2DLayered[2]),
    CU2CPP_ATTRIBUTE(SurfaceAlignment, surfaceAlignment),
    CU2CPP_ATTRIBUTE(ConcurrentKernels, concurrentKernels),
    CU2CPP_ATTRIBUTE(EccEnabled, ECCEnabled),
    CU2CPP_ATTRIBUTE(PciBusId, pciBusID),
    CU2CPP_ATTRIBUTE(PciDeviceId, pciDeviceID),
    CU2CPP_ATTRIBUTE(TccDriver, tccDriver),
    CU2CPP_ATTRIBUTE(MemoryClockRate, memoryClockRate),
    CU2CPP_ATTRIBUTE(GlobalMemoryBusWidth, memoryBusWidth),
    CU2CPP_ATTRIBUTE(L2CacheSize, l2CacheSize),
    CU2CPP_ATTRIBUTE(MaxThreadsPerMultiProcessor, maxThreadsPerMultiProcessor),
    CU2CPP_ATTRIBUTE(AsyncEngineCount, asyncEngineCount),
    CU2CPP_ATTRIBUTE(UnifiedAddressing, unifiedAddressing),
    CU2CPP_ATTRIBUTE(MaxTexture1DLayeredWidth, maxTexture1DLayered[0]),
    CU2CPP_ATTRIBUTE(MaxTexture1DLayeredLayers, maxTexture1DLayered[1]),
    CU2CPP_ATTRIBUTE(MaxTexture2DGatherWidth, maxTexture2DGather[0]),
    CU2CPP_ATTRIBUTE(MaxTexture2DGatherHeight, maxTexture2DGather[1]),
    CU2CPP_ATTRIBUTE(MaxTexture3DWidthAlt, maxTexture3DAlt[0]),
    CU2CPP_ATTRIBUTE(MaxTexture3DHeightAlt, maxTexture3DAlt[1]),
    CU2CPP_ATTRIBUTE(MaxTexture3DDepthAlt, maxTexture3DAlt[2]),
    CU2CPP_ATTRIBUTE(PciDomainId, pciDomainID),
    CU2CPP_ATTRIBUTE(TexturePitchAlignment, texturePitchAlignment),
    CU2CPP_ATTRIBUTE(MaxTextureCubemapWidth, maxTextureCubemap),
    CU2CPP_ATTRIBUTE(MaxTextureCubemapLayeredWidth, maxTextureCubemapLayered[0]),
    CU2CPP_ATTRIBUTE(MaxTextureCubemapLayeredLayers, maxTextureCubemapLayered[1]),
    CU2CPP_ATTRIBUTE(MaxSurface1DWidth, maxSurface1D),
    CU2CPP_ATTRIBUTE(MaxSurface2DWidth, maxSurface2D[0]),
    CU2CPP_ATTRIBUTE(MaxSurface2DHeight, maxSurface2D[1]),
    CU2CPP_ATTRIBUTE(MaxSurface3DWidth, maxSurface3D[0]),
    CU2CPP_ATTRIBUTE(MaxSurface3DHeight, maxSurface3D[1]),
    CU2CPP_ATTRIBUTE(MaxSurface3DDepth, maxSurface3D[2]),
    CU2CPP_ATTRIBUTE(MaxSurface1DLayeredWidth, maxSurface1DLayered[0]),
    CU2CPP_ATTRIBUTE(MaxSurface1DLayeredLayers, maxSurface1DLayered[1]),
    CU2CPP_ATTRIBUTE(MaxSurface2DLayeredWidth, maxSurface2DLayered[0]),
    CU2CPP_ATTRIBUTE(MaxSurface2DLayeredHeight, maxSurface2DLayered[1]),
    CU2CPP_ATTRIBUTE(MaxSurface2DLayeredLayers, maxSurface2DLayered[2]),
    CU2CPP_ATTRIBUTE(MaxSurfaceCubemapWidth, maxSurfaceCubemap),
    CU2CPP_ATTRIBUTE(MaxSurfaceCubemapLayeredWidth, maxSurfaceCubemapLayered[0]),
    CU2CPP_ATTRIBUTE(MaxSurfaceCubemapLayeredLayers, maxSurfaceCubemapLayered[1]),
    CU2CPP_ATTRIBUTE(MaxTexture1DLinearWidth, maxTexture1DLinear),
    CU2CPP_ATTRIBUTE(MaxTexture2DLinearWidth, maxTexture2DLinear[0]),
    CU2CPP_ATTRIBUTE(MaxTexture2DLinearHeight, maxTexture2DLinear[1]),
    CU2CPP_ATTRIBUTE(MaxTexture2DLinearPitch, maxTexture2DLinear[2]),
    CU2CPP_ATTRIBUTE(MaxTexture2DMipmappedWidth, maxTexture2DMipmap[0]),
    CU2CPP_ATTRIBUTE(MaxTexture2DMipmappedHeight, maxTexture2DMipmap[1]),
    CU2CPP_ATTRIBUTE(ComputeCapabilityMajor, major),
    CU2CPP_ATTRIBUTE(ComputeCapabilityMinor, minor),
    CU2CPP_ATTRIBUTE(MaxTexture1DMipmappedWidth, maxTexture1DMipmap),
    CU2CPP_ATTRIBUTE(StreamPrioritiesSupported, streamPrioritiesSupported),
    CU2CPP_ATTRIBUTE(GlobalL1CacheSupported, globalL1CacheSupported),
    CU2CPP_ATTRIBUTE(LocalL1CacheSupported, localL1CacheSupported),
    CU2CPP_ATTRIBUTE(MaxSharedMemoryPerMultiprocessor, sharedMemPerMultiprocessor),
    CU2CPP_ATTRIBUTE(MaxRegistersPerMultiprocessor, regsPerMultiprocessor),
    CU2CPP_ATTRIBUTE(ManagedMemory, managedMemory),
    CU2CPP_ATTRIBUTE(IsMultiGpuBoard, isMultiGpuBoard),
    CU2CPP_ATTRIBUTE(MultiGpuBoardGroupID, multiGpuBoardGroupID),
    CU2CPP_ATTRIBUTE(HostNativeAtomicSupported, hostNativeAtomicSupported),
    CU2CPP_ATTRIBUTE(SingleToDoublePrecisionPerfRatio, singleToDoublePrecisionPerfRatio),
    CU2CPP_ATTRIBUTE(PageableMemoryAccess, pageableMemoryAccess),
    CU2CPP_ATTRIBUTE(ConcurrentManagedAccess, concurrentManagedAccess),
    CU2CPP_ATTRIBUTE(ComputePreemptionSupported, computePreemptionSupported),
    CU2CPP_ATTRIBUTE(CanUseHostPointerForRegisteredMem, canUseHostPointerForRegisteredMem),
    CU2CPP_ATTRIBUTE(CooperativeLaunch, cooperativeLaunch),
    CU2CPP_ATTRIBUTE(CooperativeMultiDeviceLaunch, cooperativeMultiDeviceLaunch),
    CU2CPP_ATTRIBUTE(MaxSharedMemoryPerBlockOptin, sharedMemPerBlockOptin),
    CU2CPP_ATTRIBUTE(HostRegisterSupported, hostRegisterSupported),
    CU2CPP_ATTRIBUTE(PageableMemoryAccessUsesHostPageTables,
                     pageableMemoryAccessUsesHostPageTables),
    CU2CPP_ATTRIBUTE(DirectManagedMemAccessFromHost, directManagedMemAccessFromHost),
    CU2CPP_ATTRIBUTE(MaxBlocksPerMultiprocessor, maxBlocksPerMultiProcessor),
    CU2CPP_ATTRIBUTE(MaxPersistingL2CacheSize, persistingL2CacheMaxSize),
    CU2CPP_ATTRIBUTE(MaxAccessPolicyWindowSize, accessPolicyMaxWindowSize),
    CU2CPP_ATTRIBUTE(ReservedSharedMemoryPerBlock, reservedSharedMemPerBlock),
    CU2CPP_ATTRIBUTE(SparseCudaArraySupported, sparseCudaArraySupported),
    CU2CPP_ATTRIBUTE(HostRegisterReadOnlySupported, hostRegisterReadOnlySupported),
    CU2CPP_ATTRIBUTE(TimelineSemaphoreInteropSupported, timelineSemaphoreInteropSupported),
    CU2CPP_ATTRIBUTE(MemoryPoolsSupported, memoryPoolsSupported),
    CU2CPP_ATTRIBUTE(GPUDirectRDMASupported, gpuDirectRDMASupported),
    CU2CPP_ATTRIBUTE(MemoryPoolSupportedHandleTypes, memoryPoolSupportedHandleTypes),
    CU2CPP_ATTRIBUTE(ClusterLaunch, clusterLaunch),
    CU2CPP_ATTRIBUTE(DeferredMappingCudaArraySupported, deferredMappingCudaArraySupported),
    CU2CPP_ATTRIBUTE(IpcEventSupport, ipcEventSupported),
    {cudaDevAttrMemSyncDomainCount, [](const cudaDeviceProp&) { return 1LL; }},
    CU2CPP_ATTRIBUTE(NumaId, deviceNumaId),
    CU2CPP_ATTRIBUTE(HostNumaId, hostNumaId),
};
#undef CU2CPP_ATTRIBUTE

} // namespace

bool attributeOf(const cudaDeviceProp& p, cudaDeviceAttr attribute, int& value) {
  const auto found = std::find_if(std::begin(attributes), std::end(attributes),
                                  [&](const Attribute& one) { return one.id == attribute; });
  if (found != std::end(attributes)) {
    value = int(std::min<long long>(found->get(p), 2147483647));
    return true;
  }
  // The other attributes of the enumeration name what this device does not have; between and after
  // are no attributes.
  value = 0;
  return attribute >= 1 && attribute <= 147 && attribute != 44;
}

} // namespace cu2cpp::rt
