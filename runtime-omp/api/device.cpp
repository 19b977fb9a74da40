// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device management, versions, peers and the old cudaThread* names.
//
// CUDA Runtime API, 'Device Management', 'Peer Device Memory Access', 'Version Management'.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "api/call.h"
#include "api/device_attributes.h"
#include "api/runtime_use.h"
#include "core/profiler.h"
#include "exec/device_heap.h"
#include "exec/fiber_stacks.h"

thread_local bool cu2cpp::rt::usesRuntime = false;

using namespace cu2cpp::rt;

namespace {

bool isDevice(int device) { return device >= 0 && device < process().deviceCount(); }

constexpr unsigned knownFlags =
    cudaDeviceScheduleMask | cudaDeviceMapHost | cudaDeviceLmemResizeToMax | cudaDeviceSyncMemops;

bool validFlags(unsigned flags) {
  const unsigned schedule = flags & cudaDeviceScheduleMask;
  return !(flags & ~knownFlags) && (schedule & (schedule - 1)) == 0; // at most one way of waiting
}

// Kernels can not wait for what they launch, since CUDA 12 on a GPU neither: that limit is gone.
// Then numbers that name no limit.
Status unknownLimit(cudaLimit limit) {
  return limit == cudaLimitDevRuntimeSyncDepth ? Status::UnsupportedLimit : Status::InvalidValue;
}

} // namespace

extern "C" cudaError_t cudaGetDeviceCount(int* count) {
  return plainCall([=] {
    if (!count)
      return Status::InvalidValue;
    *count = process().deviceCount();
    return *count > 0 ? Status::Ok : Status::NoDevice;
  });
}

extern "C" cudaError_t cudaGetDeviceProperties(cudaDeviceProp* prop, int device) {
  return plainCall([=] {
    if (!prop)
      return Status::InvalidValue;
    if (!isDevice(device))
      return Status::InvalidDevice;
    *prop = propertiesOf(device);
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attr, int device) {
  return plainCall([=] {
    if (!value)
      return Status::InvalidValue;
    if (!isDevice(device))
      return Status::InvalidDevice;
    static const cudaDeviceProp& properties = *new cudaDeviceProp(propertiesOf(0));
    if (attr == cudaDevAttrPciBusId) {
      *value = device + 1;
      return Status::Ok;
    }
    return attributeOf(properties, attr, *value) ? Status::Ok : Status::InvalidValue;
  });
}

// All devices are alike, so the first is as good as any.
extern "C" cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* prop) {
  return deviceCall([=] {
    if (!device || !prop)
      return Status::InvalidValue;
    *device = 0;
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaSetDevice(int device) {
  return plainCall([=] {
    if (process().devices.empty())
      return Status::NoDevice;
    if (!isDevice(device))
      return Status::InvalidDevice;
    selectDevice(device);
    usesRuntime = true;
    return currentDevice().failure();
  });
}

extern "C" cudaError_t cudaGetDevice(int* device) {
  return plainCall([=] {
    if (!device)
      return Status::InvalidValue;
    if (process().devices.empty())
      return Status::NoDevice;
    *device = currentDevice().number();
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaInitDevice(int device, unsigned int deviceFlags, unsigned int flags) {
  return plainCall([=] {
    if (!isDevice(device))
      return Status::InvalidDevice;
    if (flags & ~unsigned(cudaInitDeviceFlagsAreValid))
      return Status::InvalidValue;
    if (flags & cudaInitDeviceFlagsAreValid) {
      if (!validFlags(deviceFlags))
        return Status::InvalidValue;
      process().devices[std::size_t(device)]->flags = deviceFlags;
    }
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaSetValidDevices(int* devices, int count) {
  return plainCall([=] {
    if (count < 0 || (count > 0 && !devices))
      return Status::InvalidValue;
    return std::all_of(devices, devices + count, isDevice) ? Status::Ok : Status::InvalidDevice;
  });
}

extern "C" cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  return deviceCall([=] {
    if (!validFlags(flags))
      return Status::InvalidValue;
    currentDevice().flags = flags;
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
  return deviceCall([=] {
    if (!flags)
      return Status::InvalidValue;
    *flags = currentDevice().flags | cudaDeviceMapHost; // always possible under unified addressing
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaDeviceGetPCIBusId(char* pciBusId, int len, int device) {
  return plainCall([=] {
    if (!pciBusId || len < 13)
      return Status::InvalidValue;
    if (!isDevice(device))
      return Status::InvalidDevice;
    std::snprintf(pciBusId, std::size_t(len), "0000:%02X:00.0", unsigned(device + 1));
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* pciBusId) {
  return plainCall([=] {
    unsigned domain = 0, bus = 0, slot = 0;
    if (!device || !pciBusId)
      return Status::InvalidValue;
    const bool shortForm = std::strchr(pciBusId, ':') == std::strrchr(pciBusId, ':');
    const int read = shortForm ? std::sscanf(pciBusId, "%x:%x", &bus, &slot)
                               : std::sscanf(pciBusId, "%x:%x:%x", &domain, &bus, &slot);
    if (read < (shortForm ? 2 : 3))
      return Status::InvalidValue;
    if (domain != 0 || slot != 0 || !isDevice(int(bus) - 1))
      return Status::InvalidDevice;
    *device = int(bus) - 1;
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaDriverGetVersion(int* driverVersion) {
  return plainCall([=] {
    if (!driverVersion)
      return Status::InvalidValue;
    *driverVersion = 13000; // what it can do, whichever version the headers announce
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaRuntimeGetVersion(int* runtimeVersion) {
  return plainCall([=] {
    if (!runtimeVersion)
      return Status::InvalidValue;
    *runtimeVersion = CUDART_VERSION;
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaDeviceSynchronize() {
  return deviceCall([] { return synchronizeDevice(currentDevice()); });
}

// Everything of the device goes: pending work is waited for, memory is freed, an error that a
// kernel left is forgotten.
extern "C" cudaError_t cudaDeviceReset() {
  return plainCall([] {
    if (process().devices.empty())
      return Status::NoDevice;
    Device& device = currentDevice();
    if (!Scheduler::mayWait())
      return Status::NotPermitted;
    process().synchronize(device);
    process().streams.removeUnless([&](const Stream& stream) { return &stream.device != &device; });
    process().allocations.releaseAll(device.number());
    for (std::atomic<bool>& peer : device.peers)
      peer = false;
    device.clearFailure();
    device.resetLimits();
    setHeapLimit(device.heapBytes);
    device.flags = 0;
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  return deviceCall([=] {
    Device& device = currentDevice();
    switch (limit) {
    case cudaLimitStackSize:
      if (value > std::size_t(512) << 10) // the most that a thread's local memory can be
        return Status::InvalidValue;
      device.stackBytes = value;
      setFiberStackBytes(value);
      return Status::Ok;
    case cudaLimitPrintfFifoSize:
      device.printfBytes = value;
      return Status::Ok;
    case cudaLimitMallocHeapSize:
      device.heapBytes = value;
      setHeapLimit(value);
      return Status::Ok;
    case cudaLimitDevRuntimePendingLaunchCount:
      device.pendingLaunches = value;
      return Status::Ok;
    // Hints that may be clamped (Programming Guide, 'L2 Cache Set-Aside for Persisting Accesses').
    case cudaLimitMaxL2FetchGranularity:
      device.fetchBytes = std::min<std::size_t>(value, 128);
      return Status::Ok;
    case cudaLimitPersistingL2CacheSize:
      device.persistingBytes =
          std::min(value, std::size_t(propertiesOf(device.number()).persistingL2CacheMaxSize));
      return Status::Ok;
    default:
      return unknownLimit(limit);
    }
  });
}

extern "C" cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  return deviceCall([=] {
    if (!value)
      return Status::InvalidValue;
    const Device& device = currentDevice();
    switch (limit) {
    case cudaLimitStackSize:
      *value = device.stackBytes;
      return Status::Ok;
    case cudaLimitPrintfFifoSize:
      *value = device.printfBytes;
      return Status::Ok;
    case cudaLimitMallocHeapSize:
      *value = device.heapBytes;
      return Status::Ok;
    case cudaLimitDevRuntimePendingLaunchCount:
      *value = device.pendingLaunches;
      return Status::Ok;
    case cudaLimitMaxL2FetchGranularity:
      *value = device.fetchBytes;
      return Status::Ok;
    case cudaLimitPersistingL2CacheSize:
      *value = device.persistingBytes;
      return Status::Ok;
    default:
      return unknownLimit(limit);
    }
  });
}

// A preference; there is one cache.
extern "C" cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache cacheConfig) {
  return deviceCall([=] {
    if (static_cast<unsigned>(cacheConfig) > cudaFuncCachePreferEqual)
      return Status::InvalidValue;
    currentDevice().cacheConfig = cacheConfig;
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* cacheConfig) {
  return deviceCall([=] {
    if (!cacheConfig)
      return Status::InvalidValue;
    *cacheConfig = static_cast<cudaFuncCache>(currentDevice().cacheConfig.load());
    return Status::Ok;
  });
}

// Devices with banks of one width take the call and keep their width, as GPUs since compute
// capability 5 do.
extern "C" cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) {
  return deviceCall([=] {
    return static_cast<unsigned>(config) > cudaSharedMemBankSizeEightByte ? Status::InvalidValue
                                                                          : Status::Ok;
  });
}

extern "C" cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  return deviceCall([=] {
    if (!config)
      return Status::InvalidValue;
    *config = cudaSharedMemBankSizeFourByte;
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaDeviceGetStreamPriorityRange(int* leastPriority, int* greatestPriority) {
  return deviceCall([=] {
    if (leastPriority)
      *leastPriority = limits::leastPriority;
    if (greatestPriority)
      *greatestPriority = limits::greatestPriority;
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaDeviceCanAccessPeer(int* canAccessPeer, int device, int peerDevice) {
  return plainCall([=] {
    if (!canAccessPeer)
      return Status::InvalidValue;
    if (!isDevice(device) || !isDevice(peerDevice))
      return Status::InvalidDevice;
    *canAccessPeer = device != peerDevice;
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaDeviceEnablePeerAccess(int peerDevice, unsigned int flags) {
  return deviceCall([=] {
    if (!isDevice(peerDevice))
      return Status::InvalidDevice;
    if (flags != 0)
      return Status::InvalidValue;
    if (peerDevice == currentDevice().number())
      return static_cast<Status>(cudaErrorPeerAccessUnsupported);
    const bool before = currentDevice().peers[std::size_t(peerDevice)].exchange(true);
    return before ? Status::PeerAccessAlreadyEnabled : Status::Ok;
  });
}

extern "C" cudaError_t cudaDeviceDisablePeerAccess(int peerDevice) {
  return deviceCall([=] {
    if (!isDevice(peerDevice))
      return Status::InvalidDevice;
    const bool before = currentDevice().peers[std::size_t(peerDevice)].exchange(false);
    return before ? Status::Ok : Status::PeerAccessNotEnabled;
  });
}

extern "C" cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attr, int srcDevice,
                                                 int dstDevice) {
  return plainCall([=] {
    if (!value)
      return Status::InvalidValue;
    if (!isDevice(srcDevice) || !isDevice(dstDevice) || srcDevice == dstDevice)
      return Status::InvalidDevice;
    switch (attr) {
    case cudaDevP2PAttrAccessSupported:
    case cudaDevP2PAttrNativeAtomicSupported:
      *value = 1;
      return Status::Ok;
    case cudaDevP2PAttrPerformanceRank:
    case cudaDevP2PAttrCudaArrayAccessSupported:
    case cudaDevP2PAttrOnlyPartialNativeAtomicSupported:
      *value = 0;
      return Status::Ok;
    }
    return Status::InvalidValue;
  });
}

namespace {

// Atomic operations of the processor work on all memory.
Status atomicCapabilities(unsigned* capabilities, const cudaAtomicOperation* operations,
                          unsigned count) {
  if (!capabilities || !operations || count == 0)
    return Status::InvalidValue;
  for (unsigned i = 0; i < count; ++i) {
    const unsigned sizes = cudaAtomicCapabilityScalar32 | cudaAtomicCapabilityScalar64;
    const unsigned both = cudaAtomicCapabilitySigned | cudaAtomicCapabilityUnsigned;
    switch (operations[i]) {
    case cudaAtomicOperationIntegerAdd:
    case cudaAtomicOperationIntegerMin:
    case cudaAtomicOperationIntegerMax:
      capabilities[i] = both | sizes;
      break;
    case cudaAtomicOperationIntegerIncrement:
    case cudaAtomicOperationIntegerDecrement:
      capabilities[i] = cudaAtomicCapabilityUnsigned | cudaAtomicCapabilityScalar32;
      break;
    case cudaAtomicOperationAnd:
    case cudaAtomicOperationOr:
    case cudaAtomicOperationXOR:
      capabilities[i] = sizes;
      break;
    case cudaAtomicOperationExchange:
    case cudaAtomicOperationCAS:
      capabilities[i] = sizes | cudaAtomicCapabilityScalar128;
      break;
    case cudaAtomicOperationFloatAdd:
      capabilities[i] = cudaAtomicCapabilitySigned | sizes;
      break;
    case cudaAtomicOperationFloatMin:
    case cudaAtomicOperationFloatMax:
      capabilities[i] = 0;
      break;
    default:
      return Status::InvalidValue;
    }
  }
  return Status::Ok;
}

} // namespace

extern "C" cudaError_t cudaDeviceGetP2PAtomicCapabilities(unsigned int* capabilities,
                                                          const cudaAtomicOperation* operations,
                                                          unsigned int count, int srcDevice,
                                                          int dstDevice) {
  return plainCall([=] {
    if (!isDevice(srcDevice) || !isDevice(dstDevice) || srcDevice == dstDevice)
      return Status::InvalidDevice;
    return atomicCapabilities(capabilities, operations, count);
  });
}

extern "C" cudaError_t cudaDeviceGetHostAtomicCapabilities(unsigned int* capabilities,
                                                           const cudaAtomicOperation* operations,
                                                           unsigned int count, int device) {
  return plainCall([=] {
    return isDevice(device) ? atomicCapabilities(capabilities, operations, count)
                            : Status::InvalidDevice;
  });
}

extern "C" cudaError_t cudaCtxResetPersistingL2Cache() {
  return deviceCall([] { return Status::Ok; });
}

extern "C" cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
extern "C" cudaError_t cudaThreadExit() { return cudaDeviceReset(); }
extern "C" cudaError_t cudaThreadSetLimit(cudaLimit limit, size_t value) {
  return cudaDeviceSetLimit(limit, value);
}
extern "C" cudaError_t cudaThreadGetLimit(size_t* value, cudaLimit limit) {
  return cudaDeviceGetLimit(value, limit);
}
extern "C" cudaError_t cudaThreadSetCacheConfig(cudaFuncCache cacheConfig) {
  return cudaDeviceSetCacheConfig(cacheConfig);
}
extern "C" cudaError_t cudaThreadGetCacheConfig(cudaFuncCache* cacheConfig) {
  return cudaDeviceGetCacheConfig(cacheConfig);
}

extern "C" cudaError_t cudaProfilerStart() {
  return deviceCall([] {
    setProfiling(true);
    return Status::Ok;
  });
}
extern "C" cudaError_t cudaProfilerStop() {
  return deviceCall([] {
    setProfiling(false);
    return Status::Ok;
  });
}
