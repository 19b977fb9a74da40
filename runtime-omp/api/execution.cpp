// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Execution control: launches by `kernel<<<...>>>` (cu2cpp::launch) and by address, and kernels'
// attributes.
//
// CUDA Runtime API, 'Execution Control'; CUDA C++ Programming Guide, 'Execution Configuration'.
#include <algorithm>
#include <vector>

#include <dlfcn.h>

#include <cu2cpp/block.h>
#include <cu2cpp/kernel_call.h>

#include "api/graph_nodes.h"
#include "api/launching.h"
#include "exec/block_loop.h"
#include "exec/resident_grid.h"
#include "exec/shared_memory.h"

using namespace cu2cpp::rt;
using cu2cpp::detail::KernelCall;
using cu2cpp::detail::LaunchShape;

namespace {

// A shape that no GPU takes, or that this kernel does not, is an invalid value, as CUDA 13 reports
// it, not an invalid configuration.
Status checkShape(const void* kernel, const LaunchShape& shape) {
  const dim3 grid = shape.grid, block = shape.block;
  if (grid.x == 0 || grid.y == 0 || grid.z == 0 || block.x == 0 || block.y == 0 || block.z == 0)
    return Status::InvalidValue;
  if (grid.x > limits::gridX || grid.y > limits::gridY || grid.z > limits::gridZ)
    return Status::InvalidValue;
  if (block.x > limits::blockX || block.y > limits::blockY || block.z > limits::blockZ)
    return Status::InvalidValue;
  const std::uint64_t threads = std::uint64_t(block.x) * block.y * block.z;
  if (threads > limits::blockThreads ||
      threads > process().functions.mostThreads(kernel, unsigned(threads)))
    return Status::InvalidValue;
  if (shape.sharedBytes == 0)
    return Status::Ok; // spares the look-up
  // A kernel whose address is not known (a template that the launch instantiates) may have asked
  // for the most.
  const std::size_t most =
      kernel ? process().functions.dynamicSharedLimit(kernel) : limits::sharedBytesOptIn;
  return shape.sharedBytes <= most ? Status::Ok : Status::InvalidValue;
}

// Blocks that run at the same time have a thread each; more of them than this are refused.
constexpr std::uint64_t mostResidentBlocks = 2048;
constexpr unsigned portableClusterBlocks = 8, mostClusterBlocks = 16;

Status failure(cudaError_t error) { return static_cast<Status>(error); }

Status checkTogether(const std::optional<Function>& function, const LaunchShape& shape,
                     Togetherness& together) {
  dim3& cluster = together.cluster;
  const dim3 own = function ? function->cluster : dim3(0, 0, 0);
  if (cluster.x == 0)
    cluster = own.x ? own : dim3(1, 1, 1);
  else if (own.x && (own.x != cluster.x || own.y != cluster.y || own.z != cluster.z))
    return failure(cudaErrorInvalidClusterSize);
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

// A launch that fails spoils the capture that it would have been part of.
Status refused(const LaunchShape& shape, Status why) {
  const std::shared_ptr<Stream> stream = streamOf(shape.stream);
  return stream && stream->capturing ? process().captures.refuse(*stream, why) : why;
}

Status queueLaunch(const void* kernel, const LaunchShape& shape, std::unique_ptr<KernelCall> call,
                   Togetherness together = {}) {
  if (const Status status = checkShape(kernel, shape); status != Status::Ok)
    // Kernels read another error than hosts.
    return cu2cpp::detail::context.block ? failure(cudaErrorInvalidConfiguration)
                                         : refused(shape, status);
  const std::shared_ptr<Stream> stream = streamOf(shape.stream);
  // A kernel runs on its stream's device, which must be the current one (Programming Guide, 'Stream
  // and Event Behavior').
  if (!stream || &stream->device != &currentDevice())
    return Status::InvalidHandle;
  if (cu2cpp::detail::context.block) {
    inKernel.children->add(makeGrid(shape, together, std::move(call)),
                           shape.stream == cudaStreamTailLaunch);
    return Status::Ok;
  }
  if (stream->capturing.load(std::memory_order_relaxed)) {
    Node* node = nullptr;
    const Status status = process().captures.add(
        stream,
        std::make_shared<KernelBody>(kernel, shape, together, std::move(call), stream->priority),
        &node);
    if (status == Status::Ok && together.programmatic && node->dependencies.size() == 1 &&
        node->dependencies[0]->body->type() == NodeType::Kernel)
      node->edgeData[node->dependencies[0]] = {cudaGraphKernelNodePortProgrammatic, 0,
                                               cudaGraphDependencyTypeProgrammatic};
    return status;
  }
  return submit(stream, makeGrid(shape, together, std::move(call)), process().launchBlocking);
}

// The parameters lie in the buffer as in a structure. A GPU takes zeros for those that lie behind
// the end of a short one: `padded` holds such arguments.
Status fromBuffer(const Function& function, void** extra, std::vector<void*>& arguments,
                  std::vector<char>& padded) {
  char* buffer = nullptr;
  std::size_t bytes = 0;
  constexpr auto end = std::uintptr_t(0), pointer = std::uintptr_t(1), size = std::uintptr_t(2);
  for (; reinterpret_cast<std::uintptr_t>(*extra) != end; extra += 2) {
    if (reinterpret_cast<std::uintptr_t>(*extra) == pointer)
      buffer = static_cast<char*>(extra[1]);
    else if (reinterpret_cast<std::uintptr_t>(*extra) == size)
      bytes = *static_cast<std::size_t*>(extra[1]);
    else
      return Status::InvalidValue;
  }
  const cu2cpp::detail::ParameterLayout& layout = function.layout;
  const std::size_t last = layout.count - 1;
  const std::size_t expected = layout.count == 0 ? 0 : layout.offset[last] + layout.bytes[last];
  if (bytes > expected)
    return static_cast<Status>(cudaErrorLaunchOutOfResources);
  if (!buffer && expected > 0)
    return Status::InvalidValue;
  if (bytes < expected) {
    padded.assign(buffer, buffer + bytes);
    padded.resize(expected);
    buffer = padded.data();
  }
  for (std::size_t i = 0; i < layout.count; ++i)
    arguments.push_back(buffer + layout.offset[i]);
  return Status::Ok;
}

} // namespace

namespace cu2cpp::rt {

Status checkLaunch(const void* kernel, const LaunchShape& shape, Togetherness& together) {
  if (const Status status = checkShape(kernel, shape); status != Status::Ok)
    return status;
  const std::optional<Function> function = kernel ? process().functions.find(kernel) : std::nullopt;
  return checkTogether(function, shape, together);
}

std::unique_ptr<Work> makeGrid(const LaunchShape& shape, const Togetherness& together,
                               std::unique_ptr<KernelCall> call) {
  const dim3& cluster = together.cluster;
  if (together.cooperative || cluster.x * cluster.y * cluster.z > 1)
    return std::make_unique<ResidentGrid>(shape, cluster, together.cooperative, std::move(call));
  return std::make_unique<Grid>(shape, std::move(call));
}

Status readCall(const void* kernel, void** arguments, void** extra,
                std::unique_ptr<KernelCall>& out) {
  const std::optional<Function> function = kernel ? process().functions.find(kernel) : std::nullopt;
  if (!function)
    return Status::InvalidDeviceFunction;
  std::vector<void*> unpacked;
  std::vector<char> padded;
  if (extra) {
    if (arguments)
      return Status::InvalidValue;
    if (const Status status = fromBuffer(*function, extra, unpacked, padded); status != Status::Ok)
      return status;
    arguments = unpacked.data();
  }
  if (!arguments && function->layout.count > 0)
    return Status::InvalidValue;
  out.reset(function->reader(kernel, arguments));
  return Status::Ok;
}

Status launchByAddress(const void* kernel, const LaunchShape& shape, void** arguments, void** extra,
                       Togetherness together) {
  // The arguments are read at once, but only for a launch that will take place.
  if (!kernel)
    return Status::InvalidDeviceFunction;
  if (!process().functions.find(kernel))
    return Status::InvalidHandle;
  if (const Status status = checkLaunch(kernel, shape, together); status != Status::Ok)
    return refused(shape, status);
  std::unique_ptr<KernelCall> call;
  if (const Status status = readCall(kernel, arguments, extra, call); status != Status::Ok)
    return status;
  return queueLaunch(kernel, shape, std::move(call), together);
}

} // namespace cu2cpp::rt

namespace cu2cpp::detail {

cudaError_t enqueueLaunch(const void* kernel, const LaunchShape& shape, KernelCall* call) noexcept {
  std::unique_ptr<KernelCall> owned(call);
  return deviceCall([&] {
    Togetherness together;
    if (const std::optional<Function> function = functionTable().findInClusters(kernel))
      if (const Status status = checkTogether(function, shape, together); status != Status::Ok)
        return refused(shape, status);
    return queueLaunch(kernel, shape, std::move(owned), together);
  });
}

void registerKernel(const void* kernel, ArgumentReader reader,
                    const ParameterLayout& layout) noexcept {
  process().functions.add(kernel, reader, layout);
}

bool limitKernel(const void* kernel, unsigned threads, std::size_t sharedBytes,
                 ::dim3 cluster) noexcept {
  functionTable().limit(kernel, threads, sharedBytes, cluster);
  return true;
}

} // namespace cu2cpp::detail

extern "C" cudaError_t cudaLaunchKernel(const void* func, dim3 gridDim, dim3 blockDim, void** args,
                                        size_t sharedMem, cudaStream_t stream) {
  return deviceCall(
      [&] { return launchByAddress(func, {gridDim, blockDim, sharedMem, stream}, args, nullptr); });
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
      case cudaLaunchAttributePriority: // hints, all of them
      case cudaLaunchAttributeAccessPolicyWindow:
      case cudaLaunchAttributeSynchronizationPolicy:
      case cudaLaunchAttributeClusterSchedulingPolicyPreference:
      case cudaLaunchAttributeMemSyncDomainMap:
      case cudaLaunchAttributeMemSyncDomain:
      case cudaLaunchAttributePreferredClusterDimension:
      case cudaLaunchAttributePreferredSharedMemoryCarveout:
      case cudaLaunchAttributeNvlinkUtilCentricScheduling:
        break;
      // Allows the kernel to start before the one before it has ended; nothing demands that it
      // does.
      case cudaLaunchAttributeProgrammaticStreamSerialization:
        together.programmatic = attribute.val.programmaticStreamSerializationAllowed != 0;
        break;
      case cudaLaunchAttributeCooperative:
        together.cooperative = attribute.val.cooperative != 0;
        break;
      case cudaLaunchAttributeClusterDimension:
        if (cluster.x == 0)
          return failure(cudaErrorInvalidClusterSize);
        together.cluster = dim3(cluster.x, cluster.y, cluster.z);
        break;
      default:
        return Status::NotSupported;
      }
    }
    return launchByAddress(
        func, {config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream}, args,
        nullptr, together);
  });
}

extern "C" cudaError_t cudaLaunchCooperativeKernel(const void* func, dim3 gridDim, dim3 blockDim,
                                                   void** args, size_t sharedMem,
                                                   cudaStream_t stream) {
  return deviceCall([&] {
    Togetherness together;
    together.cooperative = true;
    return launchByAddress(func, {gridDim, blockDim, sharedMem, stream}, args, nullptr, together);
  });
}

extern "C" cudaError_t cudaFuncGetParamInfo(const void* func, size_t paramIndex,
                                            size_t* paramOffset, size_t* paramSize) {
  return deviceCall([=] {
    const std::optional<Function> function = process().functions.find(func);
    if (!function)
      return Status::InvalidDeviceFunction;
    if (!paramOffset || paramIndex >= function->layout.count)
      return Status::InvalidValue;
    *paramOffset = function->layout.offset[paramIndex];
    if (paramSize)
      *paramSize = function->layout.bytes[paramIndex];
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaFuncGetName(const char** name, const void* func) {
  return deviceCall([=] {
    if (!name)
      return Status::InvalidValue;
    if (!process().functions.find(func))
      return Status::InvalidDeviceFunction;
    // The program's table of symbols has it, if it was linked with -rdynamic or is a library.
    Dl_info symbol{};
    *name = dladdr(func, &symbol) && symbol.dli_sname ? symbol.dli_sname : "";
    return Status::Ok;
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
    attr->maxThreadsPerBlock = int(function->mostThreads);
    attr->sharedSizeBytes = function->staticShared;
    attr->numRegs = 32; // lets 2048 threads be resident, which is what a CPU can promise
    attr->ptxVersion = attr->binaryVersion = 90;
    attr->maxDynamicSharedSizeBytes = int(function->dynamicSharedLimit());
    attr->preferredShmemCarveout = function->carveout;
    attr->clusterDimMustBeSet = function->cluster.x != 0;
    attr->requiredClusterWidth = int(function->cluster.x);
    attr->requiredClusterHeight = int(function->cluster.y);
    attr->requiredClusterDepth = int(function->cluster.z);
    attr->nonPortableClusterSizeAllowed = function->largeClusters;
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaFuncSetAttribute(const void* func, cudaFuncAttribute attr, int value) {
  return deviceCall([=] {
    Status status = Status::Ok;
    const bool known = process().functions.change(func, [&](Function& function) {
      switch (attr) {
      case cudaFuncAttributeMaxDynamicSharedMemorySize:
        if (value < 0 || std::size_t(value) > function.mostDynamicShared())
          status = Status::InvalidValue;
        else
          function.dynamicSharedAsked = std::size_t(value);
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
