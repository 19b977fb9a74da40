// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Execution control: launches by `kernel<<<...>>>` (cu2cpp::launch) and by address, and kernels'
// attributes.
//
// CUDA Runtime API, 'Execution Control'; CUDA C++ Programming Guide, 'Execution Configuration'.
#include <algorithm>

#include <cu2cpp/block.h>
#include <cu2cpp/kernel_call.h>

#include "api/call.h"
#include "exec/block_loop.h"
#include "exec/resident_grid.h"
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

// Blocks that run at the same time have a thread each; more of them than this are refused.
constexpr std::uint64_t mostResidentBlocks = 2048;
constexpr unsigned portableClusterBlocks = 8, mostClusterBlocks = 16;

/// Togetherness is which blocks of a launch must run at the same time.
struct Togetherness {
  dim3 cluster{0, 0, 0}; // 0: as the kernel says
  bool cooperative = false;
};

Status failure(cudaError_t error) { return static_cast<Status>(error); }

Status checkTogether(const std::optional<Function>& function, const LaunchShape& shape,
                     Togetherness& together) {
  dim3& cluster = together.cluster;
  if (cluster.x == 0)
    cluster = function && function->cluster.x ? function->cluster : dim3(1, 1, 1);
  if (cluster.y == 0 || cluster.z == 0)
    return Status::InvalidValue;
  const std::uint64_t blocks = std::uint64_t(cluster.x) * cluster.y * cluster.z;
  const bool large = function && function->largeClusters;
  if (blocks > (large ? mostClusterBlocks : portableClusterBlocks))
    return failure(cudaErrorInvalidClusterSize);
  if (shape.grid.x % cluster.x || shape.grid.y % cluster.y || shape.grid.z % cluster.z)
    return failure(cudaErrorInvalidClusterSize);
  if (together.cooperative &&
      std::uint64_t(shape.grid.x) * shape.grid.y * shape.grid.z > mostResidentBlocks)
    return failure(cudaErrorCooperativeLaunchTooLarge);
  return Status::Ok;
}

Status queueLaunch(const void* kernel, const LaunchShape& shape, std::unique_ptr<KernelCall> call,
                   Togetherness together = {}) {
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
  std::unique_ptr<Work> work;
  if (together.cooperative || together.cluster.x * together.cluster.y * together.cluster.z > 1)
    work = std::make_unique<ResidentGrid>(shape, together.cluster, together.cooperative,
                                          std::move(call));
  else
    work = std::make_unique<Grid>(shape, std::move(call));
  return submit(stream, std::move(work), process().launchBlocking);
}

Status launchByAddress(const void* func, const LaunchShape& shape, void** args,
                       Togetherness together = {}) {
  const std::optional<Function> function = func ? process().functions.find(func) : std::nullopt;
  if (!function)
    return Status::InvalidDeviceFunction;
  // The arguments are read at once, but only for a launch that will take place.
  if (const Status status = checkShape(shape, function->dynamicSharedLimit); status != Status::Ok)
    return status;
  if (const Status status = checkTogether(function, shape, together); status != Status::Ok)
    return status;
  return queueLaunch(func, shape, function->reader(func, args), together);
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
    Togetherness together;
    for (unsigned i = 0; i < config->numAttrs; ++i) {
      const cudaLaunchAttribute& attribute = config->attrs[i];
      const auto& cluster = attribute.val.clusterDim;
      switch (attribute.id) {
      case cudaLaunchAttributeIgnore:
      case cudaLaunchAttributePriority: // a hint
        break;
      case cudaLaunchAttributeCooperative:
        together.cooperative = attribute.val.cooperative != 0;
        break;
      case cudaLaunchAttributeClusterDimension:
        if (cluster.x == 0)
          return Status::InvalidValue;
        together.cluster = dim3(cluster.x, cluster.y, cluster.z);
        break;
      default:
        return Status::NotSupported;
      }
    }
    return launchByAddress(
        func, {config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream}, args,
        together);
  });
}

extern "C" cudaError_t cudaLaunchCooperativeKernel(const void* func, dim3 gridDim, dim3 blockDim,
                                                   void** args, size_t sharedMem,
                                                   cudaStream_t stream) {
  return deviceCall([&] {
    Togetherness together;
    together.cooperative = true;
    return launchByAddress(func, {gridDim, blockDim, sharedMem, stream}, args, together);
  });
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
      case cudaFuncAttributeNonPortableClusterSizeAllowed:
        function.largeClusters = value != 0;
        break;
      case cudaFuncAttributeRequiredClusterWidth:
        function.cluster = {unsigned(value), std::max(function.cluster.y, 1u),
                            std::max(function.cluster.z, 1u)};
        break;
      case cudaFuncAttributeRequiredClusterHeight:
        function.cluster.y = unsigned(value);
        break;
      case cudaFuncAttributeRequiredClusterDepth:
        function.cluster.z = unsigned(value);
        break;
      case cudaFuncAttributeClusterSchedulingPolicyPreference: // a hint
        break;
      default:
        status = Status::InvalidValue;
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
