// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches, occupancy and the profiler's switch.
//
// CUDA Driver API, 'Execution Control', 'Occupancy', 'Profiler Control'.
#include <algorithm>
#include <vector>

#include "api/launching.h"
#include "driver/driver.h"

using namespace cu2cpp::rt;

namespace {

Status launch(CUfunction f, dim3 grid, dim3 block, unsigned shared, CUstream stream,
              void** arguments, void** extra, const Togetherness& together = {}) {
  return launchByAddress(kernelOf(f), {grid, block, shared, stream}, arguments, extra, together);
}

} // namespace

extern "C" CUresult cuLaunchKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY,
                                   unsigned int gridDimZ, unsigned int blockDimX,
                                   unsigned int blockDimY, unsigned int blockDimZ,
                                   unsigned int sharedMemBytes, CUstream hStream,
                                   void** kernelParams, void** extra) {
  return contextCall([=]() -> CUresult {
    if (const Status failed = currentDevice().failure(); failed != Status::Ok)
      return resultOf(failed);
    return resultOf(launch(f, dim3(gridDimX, gridDimY, gridDimZ),
                           dim3(blockDimX, blockDimY, blockDimZ), sharedMemBytes, hStream,
                           kernelParams, extra));
  });
}

extern "C" CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned int gridDimX,
                                              unsigned int gridDimY, unsigned int gridDimZ,
                                              unsigned int blockDimX, unsigned int blockDimY,
                                              unsigned int blockDimZ, unsigned int sharedMemBytes,
                                              CUstream hStream, void** kernelParams) {
  return contextCall([=]() -> CUresult {
    if (const Status failed = currentDevice().failure(); failed != Status::Ok)
      return resultOf(failed);
    Togetherness together;
    together.cooperative = true;
    return resultOf(launch(f, dim3(gridDimX, gridDimY, gridDimZ),
                           dim3(blockDimX, blockDimY, blockDimZ), sharedMemBytes, hStream,
                           kernelParams, nullptr, together));
  });
}

extern "C" CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction f,
                                     void** kernelParams, void** extra) {
  return contextCall([=]() -> CUresult {
    if (!config || (config->numAttrs > 0 && !config->attrs))
      return CUDA_ERROR_INVALID_VALUE;
    if (extra)
      return CUDA_ERROR_NOT_SUPPORTED; // attributes together with a packed buffer
    std::vector<cudaLaunchAttribute> attributes;
    for (unsigned i = 0; i < config->numAttrs; ++i) {
      cudaLaunchAttribute one{};
      one.id = static_cast<cudaLaunchAttributeID>(config->attrs[i].id);
      one.val = config->attrs[i].value;
      attributes.push_back(one);
    }
    const cudaLaunchConfig_t same{dim3(config->gridDimX, config->gridDimY, config->gridDimZ),
                                  dim3(config->blockDimX, config->blockDimY, config->blockDimZ),
                                  config->sharedMemBytes,
                                  config->hStream,
                                  attributes.data(),
                                  unsigned(attributes.size())};
    return resultOf(cudaLaunchKernelExC(&same, kernelOf(f), kernelParams));
  });
}

extern "C" CUresult cuLaunchHostFunc(CUstream hStream, CUhostFn fn, void* userData) {
  return contextCall([=] { return cudaLaunchHostFunc(hStream, fn, userData); });
}

extern "C" CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, CUfunction func,
                                                                int blockSize,
                                                                size_t dynamicSMemSize) {
  return contextCall([=] {
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks, kernelOf(func), blockSize,
                                                           dynamicSMemSize);
  });
}
extern "C" CUresult
cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* numBlocks, CUfunction func, int blockSize,
                                                     size_t dynamicSMemSize, unsigned int flags) {
  return contextCall([=] {
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        numBlocks, kernelOf(func), blockSize, dynamicSMemSize, flags);
  });
}
extern "C" CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t* dynamicSmemSize,
                                                            CUfunction func, int numBlocks,
                                                            int blockSize) {
  return contextCall([=] {
    return ::cudaOccupancyAvailableDynamicSMemPerBlock(dynamicSmemSize, kernelOf(func), numBlocks,
                                                       blockSize);
  });
}
extern "C" CUresult
cuOccupancyMaxPotentialBlockSizeWithFlags(int* minGridSize, int* blockSize, CUfunction func,
                                          CUoccupancyB2DSize blockSizeToDynamicSMemSize,
                                          size_t dynamicSMemSize, int blockSizeLimit,
                                          unsigned int flags) {
  return contextCall([=]() -> CUresult {
    if (!process().functions.find(kernelOf(func)))
      return CUDA_ERROR_INVALID_HANDLE;
    const auto bytesFor = [=](int size) {
      return blockSizeToDynamicSMemSize ? blockSizeToDynamicSMemSize(size) : dynamicSMemSize;
    };
    return resultOf(cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
        minGridSize, blockSize, const_cast<void*>(kernelOf(func)), bytesFor, blockSizeLimit,
        flags));
  });
}
extern "C" CUresult cuOccupancyMaxPotentialBlockSize(int* minGridSize, int* blockSize,
                                                     CUfunction func,
                                                     CUoccupancyB2DSize blockSizeToDynamicSMemSize,
                                                     size_t dynamicSMemSize, int blockSizeLimit) {
  return cuOccupancyMaxPotentialBlockSizeWithFlags(
      minGridSize, blockSize, func, blockSizeToDynamicSMemSize, dynamicSMemSize, blockSizeLimit, 0);
}

namespace {

// A configuration without its attributes: only the shape counts here.
template <class Ask>
CUresult askClusters(int* out, CUfunction func, const CUlaunchConfig* config, Ask ask) {
  return contextCall([=]() -> CUresult {
    if (!config)
      return CUDA_ERROR_INVALID_VALUE;
    std::vector<cudaLaunchAttribute> attributes;
    for (unsigned i = 0; i < config->numAttrs; ++i) {
      cudaLaunchAttribute one{};
      one.id = static_cast<cudaLaunchAttributeID>(config->attrs[i].id);
      one.val = config->attrs[i].value;
      attributes.push_back(one);
    }
    const cudaLaunchConfig_t same{dim3(config->gridDimX, config->gridDimY, config->gridDimZ),
                                  dim3(config->blockDimX, config->blockDimY, config->blockDimZ),
                                  config->sharedMemBytes,
                                  config->hStream,
                                  attributes.data(),
                                  unsigned(attributes.size())};
    return resultOf(ask(out, kernelOf(func), &same));
  });
}

} // namespace

extern "C" CUresult cuOccupancyMaxActiveClusters(int* numClusters, CUfunction func,
                                                 const CUlaunchConfig* config) {
  return askClusters(numClusters, func, config,
                     [](int* out, const void* kernel, const cudaLaunchConfig_t* same) {
                       return ::cudaOccupancyMaxActiveClusters(out, kernel, same);
                     });
}
extern "C" CUresult cuOccupancyMaxPotentialClusterSize(int* clusterSize, CUfunction func,
                                                       const CUlaunchConfig* config) {
  return askClusters(clusterSize, func, config,
                     [](int* out, const void* kernel, const cudaLaunchConfig_t* same) {
                       return ::cudaOccupancyMaxPotentialClusterSize(out, kernel, same);
                     });
}

extern "C" CUresult cuProfilerStart() {
  return driverCall([] { return cudaProfilerStart(); });
}
extern "C" CUresult cuProfilerStop() {
  return driverCall([] { return cudaProfilerStop(); });
}
extern "C" CUresult cuProfilerInitialize(const char*, const char*, int) {
  return driverCall([] { return CUDA_ERROR_NOT_SUPPORTED; }); // since CUDA 11
}
