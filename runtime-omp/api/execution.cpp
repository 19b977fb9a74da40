// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Execution control: launches by `kernel<<<...>>>` (cu2cpp::launch) and by address, and kernels'
// attributes.
//
// CUDA Runtime API, 'Execution Control'; CUDA C++ Programming Guide, 'Execution Configuration'.
#include <cu2cpp/block.h>
#include <cu2cpp/kernel_call.h>

#include "api/call.h"
#include "exec/block_loop.h"
#include "exec/shared_memory.h"

using namespace cu2cpp::rt;
using cu2cpp::detail::KernelCall;
using cu2cpp::detail::LaunchShape;

namespace {

// A shape that no GPU takes is an invalid value, as CUDA 13 reports it, not an invalid
// configuration.
Status checkShape(const LaunchShape& shape, std::size_t dynamicSharedLimit) {
  const dim3 grid = shape.grid, block = shape.block;
  if (grid.x == 0 || grid.y == 0 || grid.z == 0 || block.x == 0 || block.y == 0 || block.z == 0)
    return Status::InvalidValue;
  if (grid.x > limits::gridX || grid.y > limits::gridY || grid.z > limits::gridZ)
    return Status::InvalidValue;
  if (block.x > limits::blockX || block.y > limits::blockY || block.z > limits::blockZ ||
      std::uint64_t(block.x) * block.y * block.z > limits::blockThreads)
    return Status::InvalidValue;
  return shape.sharedBytes <= dynamicSharedLimit ? Status::Ok : Status::InvalidValue;
}

// A kernel whose address is not known (a template that the launch instantiates) may have asked for
// the most.
std::size_t dynamicSharedLimit(const void* kernel, std::size_t wanted) {
  if (wanted == 0)
    return 0; // spares the look-up
  if (!kernel)
    return limits::sharedBytesOptIn;
  const std::optional<Function> function = process().functions.find(kernel);
  return function ? function->dynamicSharedLimit : limits::sharedBytes;
}

Status queueLaunch(const void* kernel, const LaunchShape& shape, std::unique_ptr<KernelCall> call) {
  if (cu2cpp::detail::context.block)
    return Status::NotSupported; // launches from kernels (dynamic parallelism)
  if (const Status status = checkShape(shape, dynamicSharedLimit(kernel, shape.sharedBytes));
      status != Status::Ok)
    return status;
  const std::shared_ptr<Stream> stream = streamOf(shape.stream);
  // A kernel runs on its stream's device, which must be the current one (Programming Guide, 'Stream
  // and Event Behavior').
  if (!stream || &stream->device != &currentDevice())
    return Status::InvalidHandle;
  return submit(stream, std::make_unique<Grid>(shape, std::move(call)), process().launchBlocking);
}

Status launchByAddress(const void* func, const LaunchShape& shape, void** args) {
  const std::optional<Function> function = func ? process().functions.find(func) : std::nullopt;
  if (!function)
    return Status::InvalidDeviceFunction;
  // The arguments are read at once, but only for a launch that will take place.
  if (const Status status = checkShape(shape, function->dynamicSharedLimit); status != Status::Ok)
    return status;
  return queueLaunch(func, shape, function->reader(func, args));
}

} // namespace

namespace cu2cpp::detail {

cudaError_t enqueueLaunch(const void* kernel, const LaunchShape& shape,
                          std::unique_ptr<KernelCall> call) noexcept {
  return deviceCall([&] { return queueLaunch(kernel, shape, std::move(call)); });
}

void registerKernel(const void* kernel, ArgumentReader reader) noexcept {
  process().functions.add(kernel, reader);
}

} // namespace cu2cpp::detail

extern "C" cudaError_t cudaLaunchKernel(const void* func, dim3 gridDim, dim3 blockDim, void** args,
                                        size_t sharedMem, cudaStream_t stream) {
  return deviceCall(
      [&] { return launchByAddress(func, {gridDim, blockDim, sharedMem, stream}, args); });
}

extern "C" cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* func,
                                           void** args) {
  return deviceCall([&] {
    if (!config || (config->numAttrs > 0 && !config->attrs))
      return Status::InvalidValue;
    for (unsigned i = 0; i < config->numAttrs; ++i) {
      const cudaLaunchAttribute& attribute = config->attrs[i];
      const auto& cluster = attribute.val.clusterDim;
      switch (attribute.id) {
      case cudaLaunchAttributeIgnore:
      case cudaLaunchAttributePriority: // a hint
        break;
      case cudaLaunchAttributeCooperative:
        if (attribute.val.cooperative)
          return Status::NotSupported;
        break;
      case cudaLaunchAttributeClusterDimension:
        if (cluster.x != 1 || cluster.y != 1 || cluster.z != 1)
          return Status::NotSupported;
        break;
      default:
        return Status::NotSupported;
      }
    }
    return launchByAddress(
        func, {config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream}, args);
  });
}

// Blocks of a cooperative launch may wait for each other, which needs all of them resident: not
// there yet.
extern "C" cudaError_t cudaLaunchCooperativeKernel(const void*, dim3, dim3, void**, size_t,
                                                   cudaStream_t) {
  return deviceCall([] { return Status::NotSupported; });
}

extern "C" cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attr, const void* func) {
  return deviceCall([=] {
    if (!attr)
      return Status::InvalidValue;
    const std::optional<Function> function = process().functions.find(func);
    if (!function)
      return Status::InvalidDeviceFunction;
    *attr = {};
    attr->maxThreadsPerBlock = int(limits::blockThreads);
    attr->numRegs = 32; // lets 2048 threads be resident, which is what a CPU can promise
    attr->ptxVersion = attr->binaryVersion = 90;
    attr->maxDynamicSharedSizeBytes = int(function->dynamicSharedLimit);
    attr->preferredShmemCarveout = function->carveout;
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaFuncSetAttribute(const void* func, cudaFuncAttribute attr, int value) {
  return deviceCall([=] {
    Status status = Status::Ok;
    const bool known = process().functions.change(func, [&](Function& function) {
      switch (attr) {
      case cudaFuncAttributeMaxDynamicSharedMemorySize:
        if (value < 0 || std::size_t(value) > limits::sharedBytesOptIn)
          status = Status::InvalidValue;
        else
          function.dynamicSharedLimit = std::size_t(value);
        break;
      case cudaFuncAttributePreferredSharedMemoryCarveout:
        if (value < -1 || value > 100)
          status = Status::InvalidValue;
        else
          function.carveout = value;
        break;
      default:
        status = Status::NotSupported; // clusters
      }
    });
    return known ? status : Status::InvalidDeviceFunction;
  });
}

extern "C" cudaError_t cudaFuncSetCacheConfig(const void* func, cudaFuncCache) {
  return deviceCall(
      [=] { return process().functions.find(func) ? Status::Ok : Status::InvalidDeviceFunction; });
}

extern "C" cudaError_t cudaFuncSetSharedMemConfig(const void* func, cudaSharedMemConfig) {
  return deviceCall(
      [=] { return process().functions.find(func) ? Status::Ok : Status::InvalidDeviceFunction; });
}
