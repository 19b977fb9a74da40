// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Initialisation, errors, devices and contexts.
//
// CUDA Driver API, 'Initialization', 'Device Management', 'Context Management'.
#include <cstring>
#include <string>
#include <vector>

#include "api/runtime_use.h"
#include "driver/driver.h"

namespace cu2cpp::rt {
namespace {

std::atomic<bool> initialised{false};

struct ContextTable {
  std::mutex mutex; // a leaf
  HandleTable<Context> all;
  std::map<int, std::shared_ptr<Context>> primary;
  std::map<int, int> retained;
  unsigned long long lastId = 0;
};
ContextTable& contexts() {
  static auto& theTable = *new ContextTable;
  return theTable;
}

thread_local std::vector<std::shared_ptr<Context>> stackOfThread;

std::shared_ptr<Context> primaryOf(int device) {
  ContextTable& table = contexts();
  std::lock_guard lock(table.mutex);
  std::shared_ptr<Context>& context = table.primary[device];
  if (!context) {
    context = std::make_shared<Context>();
    context->device = device;
    context->primary = true;
    context->id = ++table.lastId;
    table.all.add(context);
  }
  return context;
}

void makeCurrent() {
  if (!stackOfThread.empty())
    selectDevice(stackOfThread.back()->device);
}

bool isDevice(CUdevice device) { return device >= 0 && device < process().deviceCount(); }

} // namespace

bool driverInitialised() { return initialised.load(std::memory_order_relaxed) || usesRuntime; }

std::shared_ptr<Context> currentContext() {
  if (!stackOfThread.empty())
    return stackOfThread.back();
  return usesRuntime ? primaryOf(currentDevice().number()) : nullptr;
}

std::shared_ptr<Context> contextOf(CUcontext handle) { return contexts().all.find(handle); }

} // namespace cu2cpp::rt

using namespace cu2cpp::rt;

extern "C" CUresult cuInit(unsigned int Flags) {
  if (Flags != 0)
    return CUDA_ERROR_INVALID_VALUE;
  if (process().devices.empty())
    return CUDA_ERROR_NO_DEVICE;
  initialised = true;
  return CUDA_SUCCESS;
}

extern "C" CUresult cuDriverGetVersion(int* driverVersion) {
  const RestoreLastError restore;
  return resultOf(cudaDriverGetVersion(driverVersion));
}

// "cudaErrorInvalidValue" has a driver's name too: CUDA_ERROR_INVALID_VALUE.
extern "C" CUresult cuGetErrorName(CUresult error, const char** pStr) {
  if (!pStr)
    return CUDA_ERROR_INVALID_VALUE;
  *pStr = driverErrorName(error);
  return *pStr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

extern "C" CUresult cuGetErrorString(CUresult error, const char** pStr) {
  if (!pStr)
    return CUDA_ERROR_INVALID_VALUE;
  // Two that the runtime does not have.
  *pStr = error == CUDA_ERROR_CONTEXT_ALREADY_CURRENT ? "context already current"
          : error == CUDA_ERROR_KEY_ROTATION ? "an error happened during the key rotation sequence"
          : driverErrorName(error)           ? cudaGetErrorString(static_cast<cudaError_t>(error))
                                             : nullptr;
  return *pStr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

extern "C" CUresult cuGetProcAddress(const char* symbol, void** pfn, int cudaVersion,
                                     unsigned long long flags,
                                     CUdriverProcAddressQueryResult* symbolStatus) {
  if (!symbol || !pfn || cudaVersion <= 0 || flags > 2)
    return CUDA_ERROR_INVALID_VALUE;
  *pfn = driverFunction(symbol);
  if (symbolStatus)
    *symbolStatus = *pfn ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  return *pfn || symbolStatus ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

extern "C" CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  return driverCall([=] {
    if (!device)
      return CUDA_ERROR_INVALID_VALUE;
    if (!isDevice(ordinal))
      return CUDA_ERROR_INVALID_DEVICE;
    *device = ordinal;
    return CUDA_SUCCESS;
  });
}
extern "C" CUresult cuDeviceGetCount(int* count) {
  return driverCall([=] { return cudaGetDeviceCount(count); });
}

namespace {

template <class Use> CUresult withProperties(CUdevice device, Use use) {
  return driverCall([&]() -> CUresult {
    cudaDeviceProp properties{};
    if (!isDevice(device))
      return CUDA_ERROR_INVALID_DEVICE;
    if (const cudaError_t error = cudaGetDeviceProperties(&properties, device))
      return resultOf(error);
    return use(properties);
  });
}

} // namespace

extern "C" CUresult cuDeviceGetName(char* name, int len, CUdevice dev) {
  return withProperties(dev, [=](const cudaDeviceProp& properties) {
    if (!name || len <= 0)
      return CUDA_ERROR_INVALID_VALUE;
    std::strncpy(name, properties.name, std::size_t(len) - 1);
    name[len - 1] = 0;
    return CUDA_SUCCESS;
  });
}
extern "C" CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice dev) {
  return withProperties(dev, [=](const cudaDeviceProp& properties) {
    if (!uuid)
      return CUDA_ERROR_INVALID_VALUE;
    *uuid = properties.uuid;
    return CUDA_SUCCESS;
  });
}
extern "C" CUresult cuDeviceGetLuid(char*, unsigned int*, CUdevice) {
  return driverCall([] { return CUDA_ERROR_NOT_SUPPORTED; }); // for Windows
}
extern "C" CUresult cuDeviceTotalMem(size_t* bytes, CUdevice dev) {
  return withProperties(dev, [=](const cudaDeviceProp& properties) {
    if (!bytes)
      return CUDA_ERROR_INVALID_VALUE;
    *bytes = properties.totalGlobalMem;
    return CUDA_SUCCESS;
  });
}
extern "C" CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice dev) {
  return withProperties(dev, [=](const cudaDeviceProp& properties) {
    if (!major || !minor)
      return CUDA_ERROR_INVALID_VALUE;
    *major = properties.major;
    *minor = properties.minor;
    return CUDA_SUCCESS;
  });
}
extern "C" CUresult cuDeviceGetProperties(CUdevprop* prop, CUdevice dev) {
  return withProperties(dev, [=](const cudaDeviceProp& properties) {
    if (!prop)
      return CUDA_ERROR_INVALID_VALUE;
    *prop = {};
    prop->maxThreadsPerBlock = properties.maxThreadsPerBlock;
    std::memcpy(prop->maxThreadsDim, properties.maxThreadsDim, sizeof prop->maxThreadsDim);
    std::memcpy(prop->maxGridSize, properties.maxGridSize, sizeof prop->maxGridSize);
    prop->sharedMemPerBlock = int(properties.sharedMemPerBlock);
    prop->totalConstantMemory = int(properties.totalConstMem);
    prop->SIMDWidth = properties.warpSize;
    prop->memPitch = int(properties.memPitch);
    prop->regsPerBlock = properties.regsPerBlock;
    cudaDeviceGetAttribute(&prop->clockRate, cudaDevAttrClockRate, dev);
    prop->textureAlign = int(properties.textureAlignment);
    return CUDA_SUCCESS;
  });
}

// Attributes that the runtime does not have: whether the driver's features are there.
extern "C" CUresult cuDeviceGetAttribute(int* pi, CUdevice_attribute attrib, CUdevice dev) {
  return driverCall([=]() -> CUresult {
    if (!pi)
      return CUDA_ERROR_INVALID_VALUE;
    if (!isDevice(dev))
      return CUDA_ERROR_INVALID_DEVICE;
    switch (attrib) {
    case CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS:
    case CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR:
    case CU_DEVICE_ATTRIBUTE_UNIFIED_FUNCTION_POINTERS:
      *pi = 1;
      return CUDA_SUCCESS;
    case CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED:
      *pi = 0;
      return CUDA_SUCCESS;
    default:
      return resultOf(cudaDeviceGetAttribute(pi, static_cast<cudaDeviceAttr>(attrib), dev));
    }
  });
}

extern "C" CUresult cuDeviceGetPCIBusId(char* pciBusId, int len, CUdevice dev) {
  return driverCall([=] { return cudaDeviceGetPCIBusId(pciBusId, len, dev); });
}
extern "C" CUresult cuDeviceGetByPCIBusId(CUdevice* dev, const char* pciBusId) {
  return driverCall([=] { return cudaDeviceGetByPCIBusId(dev, pciBusId); });
}
extern "C" CUresult cuDeviceCanAccessPeer(int* canAccessPeer, CUdevice dev, CUdevice peerDev) {
  return driverCall([=] { return cudaDeviceCanAccessPeer(canAccessPeer, dev, peerDev); });
}
extern "C" CUresult cuDeviceGetP2PAttribute(int* value, CUdevice_P2PAttribute attrib,
                                            CUdevice srcDevice, CUdevice dstDevice) {
  return driverCall([=] {
    return cudaDeviceGetP2PAttribute(value, static_cast<cudaDeviceP2PAttr>(attrib), srcDevice,
                                     dstDevice);
  });
}
extern "C" CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool_out, CUdevice dev) {
  return driverCall([=] { return cudaDeviceGetDefaultMemPool(pool_out, dev); });
}
extern "C" CUresult cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice dev) {
  return driverCall([=] { return cudaDeviceGetMemPool(pool, dev); });
}
extern "C" CUresult cuDeviceSetMemPool(CUdevice dev, CUmemoryPool pool) {
  return driverCall([=] { return cudaDeviceSetMemPool(dev, pool); });
}

extern "C" CUresult cuDevicePrimaryCtxRetain(CUcontext* pctx, CUdevice dev) {
  return driverCall([=] {
    if (!pctx)
      return CUDA_ERROR_INVALID_VALUE;
    if (!isDevice(dev))
      return CUDA_ERROR_INVALID_DEVICE;
    *pctx = handleOf(primaryOf(dev));
    std::lock_guard lock(contexts().mutex);
    ++contexts().retained[dev];
    return CUDA_SUCCESS;
  });
}
extern "C" CUresult cuDevicePrimaryCtxRelease(CUdevice dev) {
  return driverCall([=] {
    if (!isDevice(dev))
      return CUDA_ERROR_INVALID_DEVICE;
    std::lock_guard lock(contexts().mutex);
    int& count = contexts().retained[dev];
    if (count == 0)
      return CUDA_ERROR_INVALID_CONTEXT;
    --count;
    return CUDA_SUCCESS;
  });
}
extern "C" CUresult cuDevicePrimaryCtxReset(CUdevice dev) {
  return driverCall([=]() -> CUresult {
    if (!isDevice(dev))
      return CUDA_ERROR_INVALID_DEVICE;
    const int before = currentDevice().number();
    selectDevice(dev);
    const CUresult result = resultOf(cudaDeviceReset());
    selectDevice(before);
    return result;
  });
}
extern "C" CUresult cuDevicePrimaryCtxGetState(CUdevice dev, unsigned int* flags, int* active) {
  return driverCall([=] {
    if (!isDevice(dev))
      return CUDA_ERROR_INVALID_DEVICE;
    if (!flags || !active)
      return CUDA_ERROR_INVALID_VALUE;
    *flags = process().devices[std::size_t(dev)]->flags;
    std::lock_guard lock(contexts().mutex);
    *active = contexts().retained[dev] > 0;
    return CUDA_SUCCESS;
  });
}
extern "C" CUresult cuDevicePrimaryCtxSetFlags(CUdevice dev, unsigned int flags) {
  return driverCall([=] {
    if (!isDevice(dev))
      return CUDA_ERROR_INVALID_DEVICE;
    if (flags & ~unsigned(CU_CTX_FLAGS_MASK))
      return CUDA_ERROR_INVALID_VALUE;
    process().devices[std::size_t(dev)]->flags = flags;
    return CUDA_SUCCESS;
  });
}

extern "C" CUresult cuCtxCreate(CUcontext* pctx, unsigned int flags, CUdevice dev) {
  return driverCall([=] {
    if (!pctx || (flags & ~unsigned(CU_CTX_FLAGS_MASK)))
      return CUDA_ERROR_INVALID_VALUE;
    if (!isDevice(dev))
      return CUDA_ERROR_INVALID_DEVICE;
    const auto context = std::make_shared<Context>();
    context->device = dev;
    context->flags = flags;
    {
      std::lock_guard lock(contexts().mutex);
      context->id = ++contexts().lastId;
    }
    contexts().all.add(context);
    stackOfThread.push_back(context);
    makeCurrent();
    *pctx = handleOf(context);
    return CUDA_SUCCESS;
  });
}

extern "C" CUresult cuCtxAttach(CUcontext* pctx, unsigned int flags) {
  return contextCall([=] {
    if (!pctx || flags != 0)
      return CUDA_ERROR_INVALID_VALUE;
    const std::shared_ptr<Context> context = currentContext();
    ++context->uses;
    *pctx = handleOf(context);
    return CUDA_SUCCESS;
  });
}
extern "C" CUresult cuCtxDetach(CUcontext ctx) {
  const std::shared_ptr<Context> context = contextOf(ctx);
  if (!context)
    return ctx ? CUDA_ERROR_INVALID_CONTEXT : CUDA_ERROR_INVALID_VALUE;
  return --context->uses > 0 ? CUDA_SUCCESS : cuCtxDestroy(ctx);
}

extern "C" CUresult cuCtxDestroy(CUcontext ctx) {
  return driverCall([=]() -> CUresult {
    const std::shared_ptr<Context> context = contextOf(ctx);
    if (!ctx)
      return CUDA_ERROR_INVALID_VALUE;
    if (!context || context->primary)
      return CUDA_ERROR_INVALID_CONTEXT;
    const Status status = synchronizeDevice(*process().devices[std::size_t(context->device)]);
    if (status != Status::Ok)
      return resultOf(status);
    contexts().all.remove(ctx);
    if (currentContext() == context) {
      usesRuntime = false;
      stackOfThread.pop_back();
      makeCurrent();
    }
    return CUDA_SUCCESS;
  });
}

extern "C" CUresult cuCtxPushCurrent(CUcontext ctx) {
  return driverCall([=] {
    const std::shared_ptr<Context> context = contextOf(ctx);
    if (!context)
      return ctx ? CUDA_ERROR_INVALID_CONTEXT : CUDA_ERROR_INVALID_VALUE;
    stackOfThread.push_back(context);
    makeCurrent();
    return CUDA_SUCCESS;
  });
}
extern "C" CUresult cuCtxPopCurrent(CUcontext* pctx) {
  return driverCall([=] {
    const std::shared_ptr<Context> context = currentContext();
    if (!context)
      return CUDA_ERROR_INVALID_CONTEXT;
    if (pctx)
      *pctx = handleOf(context);
    if (!stackOfThread.empty())
      stackOfThread.pop_back();
    usesRuntime = false;
    makeCurrent();
    return CUDA_SUCCESS;
  });
}
// Takes the place of the topmost one; none empties that place.
extern "C" CUresult cuCtxSetCurrent(CUcontext ctx) {
  return driverCall([=] {
    const std::shared_ptr<Context> context = contextOf(ctx);
    if (ctx && !context)
      return CUDA_ERROR_INVALID_CONTEXT;
    if (!stackOfThread.empty())
      stackOfThread.pop_back();
    usesRuntime = false; // until its next call
    if (context)
      stackOfThread.push_back(context);
    makeCurrent();
    return CUDA_SUCCESS;
  });
}
extern "C" CUresult cuCtxGetCurrent(CUcontext* pctx) {
  return driverCall([=] {
    if (!pctx)
      return CUDA_ERROR_INVALID_VALUE;
    *pctx = handleOf(currentContext());
    return CUDA_SUCCESS;
  });
}
extern "C" CUresult cuCtxGetDevice(CUdevice* device) {
  return contextCall([=] {
    if (!device)
      return CUDA_ERROR_INVALID_VALUE;
    *device = currentContext()->device;
    return CUDA_SUCCESS;
  });
}
extern "C" CUresult cuCtxGetFlags(unsigned int* flags) {
  return contextCall([=] {
    if (!flags)
      return CUDA_ERROR_INVALID_VALUE;
    *flags = currentContext()->flags;
    return CUDA_SUCCESS;
  });
}
extern "C" CUresult cuCtxSetFlags(unsigned int flags) {
  return contextCall([=] {
    if (flags & ~unsigned(CU_CTX_FLAGS_MASK))
      return CUDA_ERROR_INVALID_VALUE;
    currentContext()->flags = flags;
    return CUDA_SUCCESS;
  });
}
extern "C" CUresult cuCtxGetId(CUcontext ctx, unsigned long long* ctxId) {
  return driverCall([=] {
    const std::shared_ptr<Context> context = ctx ? contextOf(ctx) : currentContext();
    if (!context)
      return CUDA_ERROR_INVALID_CONTEXT;
    if (!ctxId)
      return CUDA_ERROR_INVALID_VALUE;
    *ctxId = context->id;
    return CUDA_SUCCESS;
  });
}
extern "C" CUresult cuCtxGetApiVersion(CUcontext ctx, unsigned int* version) {
  return driverCall([=] {
    if (ctx ? !contextOf(ctx) : !currentContext())
      return CUDA_ERROR_INVALID_CONTEXT;
    if (!version)
      return CUDA_ERROR_INVALID_VALUE;
    *version = 3020; // since CUDA 3.2
    return CUDA_SUCCESS;
  });
}
extern "C" CUresult cuCtxSynchronize() {
  return contextCall([] { return cudaDeviceSynchronize(); });
}
extern "C" CUresult cuCtxGetLimit(size_t* pvalue, CUlimit limit) {
  return contextCall([=] { return cudaDeviceGetLimit(pvalue, static_cast<cudaLimit>(limit)); });
}
extern "C" CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  return contextCall([=] { return cudaDeviceSetLimit(static_cast<cudaLimit>(limit), value); });
}
extern "C" CUresult cuCtxGetCacheConfig(CUfunc_cache* pconfig) {
  return contextCall(
      [=] { return cudaDeviceGetCacheConfig(reinterpret_cast<cudaFuncCache*>(pconfig)); });
}
extern "C" CUresult cuCtxSetCacheConfig(CUfunc_cache config) {
  return contextCall([=] { return cudaDeviceSetCacheConfig(static_cast<cudaFuncCache>(config)); });
}
extern "C" CUresult cuCtxGetStreamPriorityRange(int* leastPriority, int* greatestPriority) {
  return contextCall(
      [=] { return cudaDeviceGetStreamPriorityRange(leastPriority, greatestPriority); });
}
extern "C" CUresult cuCtxResetPersistingL2Cache() {
  return contextCall([] { return cudaCtxResetPersistingL2Cache(); });
}
extern "C" CUresult cuCtxEnablePeerAccess(CUcontext peerContext, unsigned int Flags) {
  return contextCall([=]() -> CUresult {
    const std::shared_ptr<Context> peer = contextOf(peerContext);
    if (!peer)
      return CUDA_ERROR_INVALID_CONTEXT;
    return resultOf(cudaDeviceEnablePeerAccess(peer->device, Flags));
  });
}
extern "C" CUresult cuCtxDisablePeerAccess(CUcontext peerContext) {
  return contextCall([=]() -> CUresult {
    const std::shared_ptr<Context> peer = contextOf(peerContext);
    if (!peer)
      return CUDA_ERROR_INVALID_CONTEXT;
    return resultOf(cudaDeviceDisablePeerAccess(peer->device));
  });
}
