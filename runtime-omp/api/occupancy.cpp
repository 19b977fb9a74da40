// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Occupancy, by the limits of compute capability 9.0: 2048 threads, 32 blocks and 228 KB of shared
// memory at a time.
//
// CUDA C++ Programming Guide, 'Occupancy Calculator'; 'Compute Capabilities', 'Technical
// Specifications'.
#include <algorithm>

#include "api/call.h"

using namespace cu2cpp::rt;

namespace {

constexpr std::size_t sharedBytesOfProcessor = 228 * 1024, reservedSharedBytes = 1024;
constexpr std::size_t sharedGranularity = 128;

Status maxBlocks(int* blocks, const void* func, int blockSize, std::size_t dynamicSharedBytes) {
  if (!blocks || blockSize <= 0)
    return Status::InvalidValue;
  const std::optional<Function> function = process().functions.find(func);
  if (!function)
    return Status::InvalidDeviceFunction;
  // The kernel's launch bounds do not count here; only a launch of such blocks fails.
  if (unsigned(blockSize) > limits::blockThreads ||
      dynamicSharedBytes > function->dynamicSharedLimit()) {
    *blocks = 0;
    return Status::Ok;
  }
  const int wholeWarps = (blockSize + 31) / 32 * 32;
  const std::size_t shared = function->staticShared + dynamicSharedBytes + reservedSharedBytes;
  const std::size_t whole = (shared + sharedGranularity - 1) / sharedGranularity;
  const int byShared = int(sharedBytesOfProcessor / (whole * sharedGranularity));
  *blocks = std::min({limits::residentThreads / wholeWarps, limits::residentBlocks, byShared});
  return Status::Ok;
}

} // namespace

extern "C" cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks,
                                                                     const void* func,
                                                                     int blockSize,
                                                                     size_t dynamicSMemSize) {
  return deviceCall([=] { return maxBlocks(numBlocks, func, blockSize, dynamicSMemSize); });
}

extern "C" cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* numBlocks, const void* func, int blockSize, size_t dynamicSMemSize, unsigned int flags) {
  return deviceCall([=] {
    if (flags & ~unsigned(cudaOccupancyDisableCachingOverride))
      return Status::InvalidValue;
    return maxBlocks(numBlocks, func, blockSize, dynamicSMemSize);
  });
}

extern "C" cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* dynamicSmemSize,
                                                                 const void* func, int numBlocks,
                                                                 int blockSize) {
  return deviceCall([=] {
    int possible = 0;
    if (!dynamicSmemSize || numBlocks <= 0)
      return Status::InvalidValue;
    if (const Status status = maxBlocks(&possible, func, blockSize, 0); status != Status::Ok)
      return status;
    if (numBlocks > possible)
      return Status::InvalidValue;
    const std::optional<Function> function = process().functions.find(func);
    const std::size_t part =
        sharedBytesOfProcessor / std::size_t(numBlocks) / sharedGranularity * sharedGranularity;
    const std::size_t most = std::min(part, limits::sharedBytesOptIn);
    *dynamicSmemSize =
        std::min(most - std::min(most, function->staticShared), function->dynamicSharedLimit());
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaOccupancyMaxPotentialClusterSize(int* clusterSize, const void* func,
                                                            const cudaLaunchConfig_t* config) {
  return deviceCall([=] {
    const std::optional<Function> function = process().functions.find(func);
    if (!clusterSize || !config)
      return Status::InvalidValue;
    if (!function)
      return Status::InvalidDeviceFunction;
    *clusterSize = function->largeClusters ? 16 : 8;
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaOccupancyMaxActiveClusters(int* numClusters, const void* func,
                                                      const cudaLaunchConfig_t* config) {
  return deviceCall([=] {
    if (!numClusters || !config)
      return Status::InvalidValue;
    int blocks = 0;
    const dim3 block = config->blockDim;
    if (const Status status =
            maxBlocks(&blocks, func, int(block.x * block.y * block.z), config->dynamicSmemBytes);
        status != Status::Ok)
      return status;
    unsigned size = 1;
    for (unsigned i = 0; i < config->numAttrs; ++i)
      if (config->attrs[i].id == cudaLaunchAttributeClusterDimension)
        size = config->attrs[i].val.clusterDim.x * config->attrs[i].val.clusterDim.y *
               config->attrs[i].val.clusterDim.z;
    // A cluster's blocks have a thread each, whatever the processors hold.
    *numClusters = size == 0 ? 0 : std::max(1, blocks * machine().cores / int(size));
    return Status::Ok;
  });
}
