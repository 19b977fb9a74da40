// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices by number, flags, limits, cache configuration, peers, and the properties that every GPU of the class shares.
#include <cstdio>
#include <cstring>

#define SHOW(call) printf("%-70s %s\n", #call, cudaGetErrorName(call))

int main() {
  int device = 7;
  cudaDeviceProp prop;
  printf("- devices\n");
  SHOW(cudaGetDeviceCount(nullptr));
  SHOW(cudaGetDevice(&device));
  printf("%d\n", device);
  SHOW(cudaSetDevice(0));
  SHOW(cudaSetDevice(1000));
  SHOW(cudaGetDeviceProperties(nullptr, 0));
  SHOW(cudaGetDeviceProperties(&prop, 1000));
  SHOW(cudaGetDeviceProperties(&prop, -1));
  SHOW(cudaDeviceGetAttribute(&device, cudaDevAttrWarpSize, 1000));
  SHOW(cudaDeviceGetAttribute(nullptr, cudaDevAttrWarpSize, 0));
  SHOW(cudaInitDevice(1000, 0, 0));
  SHOW(cudaInitDevice(0, 0, 0));
  int devices[2] = {0, 0};
  SHOW(cudaSetValidDevices(devices, 1));
  SHOW(cudaSetValidDevices(nullptr, 0));
  cudaDeviceProp want;
  memset(&want, 0, sizeof want);
  SHOW(cudaChooseDevice(&device, &want));
  printf("%d\n", device);
  SHOW(cudaChooseDevice(nullptr, &want));
  int can = 7;
  SHOW(cudaDeviceCanAccessPeer(&can, 0, 0));
  printf("%d\n", can);
  SHOW(cudaDeviceCanAccessPeer(&can, 0, 1000));
  SHOW(cudaDeviceEnablePeerAccess(0, 0));
  SHOW(cudaDeviceEnablePeerAccess(1000, 0));
  SHOW(cudaDeviceDisablePeerAccess(0));
  SHOW(cudaDeviceDisablePeerAccess(1000));
  SHOW(cudaDeviceGetP2PAttribute(&can, cudaDevP2PAttrAccessSupported, 0, 0));
  SHOW(cudaDeviceGetP2PAttribute(&can, cudaDevP2PAttrAccessSupported, 0, 1000));
  char bus[32];
  SHOW(cudaDeviceGetPCIBusId(bus, sizeof bus, 0));
  SHOW(cudaDeviceGetByPCIBusId(&device, bus));
  printf("%d\n", device);
  SHOW(cudaDeviceGetPCIBusId(bus, 2, 0));
  SHOW(cudaDeviceGetPCIBusId(bus, sizeof bus, 1000));
  SHOW(cudaDeviceGetByPCIBusId(&device, "nonsense"));

  printf("- flags and cache\n");
  unsigned flags = 99;
  SHOW(cudaGetDeviceFlags(&flags));
  printf("%u\n", flags);
  SHOW(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
  SHOW(cudaGetDeviceFlags(&flags));
  printf("%u\n", flags);
  SHOW(cudaSetDeviceFlags(0x1000));
  SHOW(cudaSetDeviceFlags(cudaDeviceScheduleSpin | cudaDeviceScheduleYield));
  cudaFuncCache cache = cudaFuncCachePreferEqual;
  SHOW(cudaDeviceGetCacheConfig(&cache));
  printf("%d\n", int(cache));
  SHOW(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
  SHOW(cudaDeviceGetCacheConfig(&cache));
  printf("%d\n", int(cache));
  SHOW(cudaDeviceSetCacheConfig(static_cast<cudaFuncCache>(9)));

  printf("- limits\n");
  const struct {
    const char* name;
    cudaLimit limit;
  } limits[] = {{"stack", cudaLimitStackSize},
                {"printf", cudaLimitPrintfFifoSize},
                {"heap", cudaLimitMallocHeapSize},
                {"launches", cudaLimitDevRuntimePendingLaunchCount},
                {"granularity", cudaLimitMaxL2FetchGranularity}};
  for (const auto& one : limits) {
    size_t value = 77;
    const cudaError_t error = cudaDeviceGetLimit(&value, one.limit);
    printf("%s: %s %zu\n", one.name, cudaGetErrorName(error), value);
  }
  size_t value = 0;
  SHOW(cudaDeviceGetLimit(nullptr, cudaLimitStackSize));
  SHOW(cudaDeviceGetLimit(&value, static_cast<cudaLimit>(50)));
  SHOW(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
  SHOW(cudaDeviceGetLimit(&value, cudaLimitStackSize));
  printf("%zu\n", value);
  SHOW(cudaDeviceSetLimit(cudaLimitStackSize, size_t(1) << 40));
  SHOW(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20));
  SHOW(cudaDeviceGetLimit(&value, cudaLimitMallocHeapSize));
  printf("%zu\n", value);
  SHOW(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 2 << 20));
  SHOW(cudaDeviceGetLimit(&value, cudaLimitPrintfFifoSize));
  printf("%zu\n", value);
  SHOW(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, 128));
  SHOW(cudaDeviceGetLimit(&value, cudaLimitMaxL2FetchGranularity));
  printf("%zu\n", value);
  SHOW(cudaDeviceSetLimit(static_cast<cudaLimit>(50), 1));
  SHOW(cudaCtxResetPersistingL2Cache());

  printf("- properties\n");
  SHOW(cudaGetDeviceProperties(&prop, 0));
  printf("capability %d.%d\n", prop.major, prop.minor);
  printf("threads %d, %d %d %d; grid %d %d %d; warp %d\n", prop.maxThreadsPerBlock, prop.maxThreadsDim[0],
         prop.maxThreadsDim[1], prop.maxThreadsDim[2], prop.maxGridSize[0], prop.maxGridSize[1], prop.maxGridSize[2],
         prop.warpSize);
  printf("shared %zu, on request %zu, multiprocessor %zu, reserved %zu; constant %zu\n", prop.sharedMemPerBlock,
         prop.sharedMemPerBlockOptin, prop.sharedMemPerMultiprocessor, prop.reservedSharedMemPerBlock,
         prop.totalConstMem);
  printf("registers %d %d; threads of a multiprocessor %d; blocks %d\n", prop.regsPerBlock, prop.regsPerMultiprocessor,
         prop.maxThreadsPerMultiProcessor, prop.maxBlocksPerMultiProcessor);
  printf("alignment %zu, pitch %zu, max pitch %zu\n", prop.textureAlignment, prop.texturePitchAlignment, prop.memPitch);
  printf("map %d, unified %d, managed %d, concurrent %d, priorities %d, cooperative %d, preemption %d\n",
         prop.canMapHostMemory, prop.unifiedAddressing, prop.managedMemory, prop.concurrentManagedAccess,
         prop.streamPrioritiesSupported, prop.cooperativeLaunch, prop.computePreemptionSupported);
  printf("kernels %d, integrated %d, tcc %d, L1 %d %d, pools %d, cluster %d\n",
         prop.concurrentKernels, prop.integrated, prop.tccDriver, prop.globalL1CacheSupported,
         prop.localL1CacheSupported, prop.memoryPoolsSupported, prop.clusterLaunch);
  printf("1-D %d %d; 2-D %d %d; 3-D %d %d %d; cube %d; layers %d %d; surfaces %d, %d %d\n", prop.maxTexture1D,
         prop.maxTexture1DMipmap, prop.maxTexture2D[0], prop.maxTexture2D[1], prop.maxTexture3D[0],
         prop.maxTexture3D[1], prop.maxTexture3D[2], prop.maxTextureCubemap, prop.maxTexture2DLayered[0],
         prop.maxTexture2DLayered[2], prop.maxSurface1D, prop.maxSurface2D[0], prop.maxSurface2D[1]);
  const cudaDeviceAttr attributes[] = {cudaDevAttrMaxBlockDimX, cudaDevAttrMaxGridDimX, cudaDevAttrMaxPitch,
                                       cudaDevAttrGpuOverlap, cudaDevAttrCanMapHostMemory, cudaDevAttrComputeMode,
                                       cudaDevAttrUnifiedAddressing, cudaDevAttrMaxTexture2DGatherWidth,
                                       cudaDevAttrStreamPrioritiesSupported, cudaDevAttrManagedMemory,
                                       cudaDevAttrCooperativeLaunch,
                                       cudaDevAttrHostRegisterSupported, cudaDevAttrMaxSharedMemoryPerBlockOptin,
                                       cudaDevAttrMemoryPoolsSupported, cudaDevAttrIpcEventSupport,
                                       cudaDevAttrMaxBlocksPerMultiprocessor, cudaDevAttrReservedSharedMemoryPerBlock,
                                       cudaDevAttrHostRegisterReadOnlySupported};
  for (cudaDeviceAttr attribute : attributes) {
    int number = -7;
    const cudaError_t error = cudaDeviceGetAttribute(&number, attribute, 0);
    printf("attribute %d: %s %d\n", int(attribute), cudaGetErrorName(error), number);
  }
  cudaGetLastError();
  SHOW(cudaDeviceReset());
  SHOW(cudaDeviceGetLimit(&value, cudaLimitStackSize));
  printf("%zu\n", value);
  return 0;
}
