// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lcuda
// Driver API: initialisation, devices, contexts and their stack, primary contexts, limits, and the runtime beside them.
#include <cstdio>

#include <cuda.h>

#define SHOW(call) show(#call, call)
static void show(const char* what, CUresult result) {
  const char* name = "?";
  cuGetErrorName(result, &name);
  printf("%-66s %s\n", what, name ? name : "none");
}

int main() {
  CUdevice device = 7;
  CUcontext first = nullptr, second = nullptr, current = nullptr, primary = nullptr;
  int count = 0, active = 7, number = 0;
  unsigned flags = 77;
  size_t bytes = 0;
  char name[256];
  printf("- initialisation\n");
  SHOW(cuDeviceGet(&device, 0));
  SHOW(cuCtxGetCurrent(&current));
  SHOW(cuDeviceGetCount(&count));
  SHOW(cuInit(1));
  SHOW(cuInit(0));
  SHOW(cuInit(0));
  SHOW(cuDriverGetVersion(nullptr));
  SHOW(cuDriverGetVersion(&number));
  printf("12 or later %d\n", number >= 12000);

  printf("- devices\n");
  SHOW(cuDeviceGetCount(&count));
  printf("some %d\n", count > 0);
  SHOW(cuDeviceGetCount(nullptr));
  SHOW(cuDeviceGet(&device, 1000));
  SHOW(cuDeviceGet(&device, -1));
  SHOW(cuDeviceGet(nullptr, 0));
  SHOW(cuDeviceGet(&device, 0));
  printf("%d\n", device);
  SHOW(cuDeviceGetName(name, sizeof name, device));
  SHOW(cuDeviceGetName(nullptr, 10, device));
  SHOW(cuDeviceGetName(name, sizeof name, 1000));
  SHOW(cuDeviceTotalMem(&bytes, device));
  SHOW(cuDeviceTotalMem(nullptr, device));
  SHOW(cuDeviceGetAttribute(&number, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device));
  printf("%d\n", number);
  SHOW(cuDeviceGetAttribute(&number, static_cast<CUdevice_attribute>(100000), device));
  SHOW(cuDeviceGetAttribute(&number, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 1000));
  SHOW(cuDeviceGetAttribute(&number, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, device));
  printf("%d\n", number);
  SHOW(cuDeviceCanAccessPeer(&number, device, device));
  printf("%d\n", number);

  printf("- no context\n");
  CUdeviceptr p = 0;
  SHOW(cuCtxGetCurrent(&current));
  printf("null %d\n", current == nullptr);
  SHOW(cuCtxGetDevice(&device));
  SHOW(cuCtxSynchronize());
  SHOW(cuMemAlloc(&p, 16));
  SHOW(cuCtxPopCurrent(&current));
  SHOW(cuDevicePrimaryCtxGetState(0, &flags, &active));
  printf("flags %u, active %d\n", flags, active);

  printf("- contexts\n");
  SHOW(cuCtxCreate(&first, nullptr, 0x1000000, 0));
  SHOW(cuCtxCreate(nullptr, nullptr, 0, 0));
  SHOW(cuCtxCreate(&first, nullptr, 0, 1000));
  SHOW(cuCtxCreate(&first, nullptr, CU_CTX_SCHED_BLOCKING_SYNC, 0));
  SHOW(cuCtxGetCurrent(&current));
  printf("the first %d\n", current == first);
  SHOW(cuCtxGetFlags(&flags));
  printf("scheduling %u\n", flags & CU_CTX_SCHED_MASK);
  SHOW(cuCtxGetDevice(&device));
  printf("%d\n", device);
  SHOW(cuCtxCreate(&second, nullptr, 0, 0));
  SHOW(cuCtxGetCurrent(&current));
  printf("the second %d\n", current == second);
  unsigned long long one = 0, two = 0;
  SHOW(cuCtxGetId(first, &one));
  SHOW(cuCtxGetId(second, &two));
  printf("different %d\n", one != two);
  SHOW(cuCtxPushCurrent(first));
  SHOW(cuCtxPopCurrent(&current));
  printf("the first %d\n", current == first);
  SHOW(cuCtxPopCurrent(nullptr));
  SHOW(cuCtxGetCurrent(&current));
  printf("the first %d\n", current == first);
  SHOW(cuCtxSetCurrent(second));
  SHOW(cuCtxDestroy(second));
  SHOW(cuCtxGetCurrent(&current));
  printf("null %d\n", current == nullptr);
  SHOW(cuCtxPushCurrent(nullptr));
  SHOW(cuCtxSetCurrent(first));
  SHOW(cuCtxGetApiVersion(first, &flags));
  SHOW(cuCtxSynchronize());
  SHOW(cuCtxGetStreamPriorityRange(&number, &active));
  printf("%d %d\n", number, active);
  SHOW(cuCtxGetLimit(&bytes, CU_LIMIT_STACK_SIZE));
  printf("%zu\n", bytes);
  SHOW(cuCtxGetLimit(&bytes, static_cast<CUlimit>(50)));
  SHOW(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 2048));
  SHOW(cuCtxGetLimit(&bytes, CU_LIMIT_STACK_SIZE));
  printf("%zu\n", bytes);
  CUfunc_cache cache = CU_FUNC_CACHE_PREFER_EQUAL;
  SHOW(cuCtxGetCacheConfig(&cache));
  printf("%d\n", int(cache));
  SHOW(cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_L1));
  SHOW(cuCtxEnablePeerAccess(first, 0));
  SHOW(cuCtxDisablePeerAccess(first));
  SHOW(cuCtxDestroy(nullptr));

  printf("- primary context\n");
  SHOW(cuDevicePrimaryCtxSetFlags(0, CU_CTX_SCHED_YIELD));
  SHOW(cuDevicePrimaryCtxGetState(0, &flags, &active));
  printf("flags %u, active %d\n", flags, active);
  SHOW(cuDevicePrimaryCtxRetain(&primary, 0));
  SHOW(cuDevicePrimaryCtxGetState(0, &flags, &active));
  printf("flags %u, active %d\n", flags, active);
  SHOW(cuDevicePrimaryCtxRetain(&current, 0));
  printf("the same %d\n", current == primary);
  SHOW(cuDevicePrimaryCtxRelease(0));
  SHOW(cuCtxSetCurrent(primary));
  int* fromRuntime = nullptr;
  printf("runtime %s\n", cudaGetErrorName(cudaMalloc(&fromRuntime, 64)));
  SHOW(cuCtxGetCurrent(&current));
  printf("the primary one %d\n", current == primary);
  SHOW(cuMemAlloc(&p, 64));
  printf("runtime frees %s\n", cudaGetErrorName(cudaFree(reinterpret_cast<void*>(p))));
  SHOW(cuMemFree(reinterpret_cast<CUdeviceptr>(fromRuntime)));
  SHOW(cuCtxDestroy(primary));
  SHOW(cuDevicePrimaryCtxRelease(0));
  SHOW(cuDevicePrimaryCtxRelease(1000));
  SHOW(cuCtxSetCurrent(first));
  SHOW(cuCtxDestroy(first));
  SHOW(cuCtxSetCurrent(nullptr));
  SHOW(cuCtxSynchronize());
  return 0;
}
