// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of the runtime API that take a kernel, as templates over its type: a typed kernel
// makes itself known to the runtime (cu2cpp::kernelAddress), an untyped pointer must have been.
//
// CUDA C++ Programming Guide, 'Execution Configuration' and 'Occupancy Calculator'.
#ifndef CU2CPP_API_KERNELS_H
#define CU2CPP_API_KERNELS_H

#include <cstddef>
#include <type_traits>

#include <cu2cpp/kernel_call.h>
#include <cuda_runtime_api.h>

namespace cu2cpp {
namespace detail {

template <class Type> const void* knownAddress(Type* kernel) {
  if constexpr (std::is_function<Type>::value)
    return reinterpret_cast<const void*>(cu2cpp::kernelAddress(kernel));
  else
    return static_cast<const void*>(kernel);
}

} // namespace detail
} // namespace cu2cpp

template <class Type>
inline cudaError_t cudaLaunchKernel(Type* func, dim3 gridDim, dim3 blockDim, void** args,
                                    std::size_t sharedMem = 0, cudaStream_t stream = nullptr) {
  return ::cudaLaunchKernel(cu2cpp::detail::knownAddress(func), gridDim, blockDim, args, sharedMem,
                            stream);
}
template <class Type>
inline cudaError_t cudaLaunchCooperativeKernel(Type* func, dim3 gridDim, dim3 blockDim, void** args,
                                               std::size_t sharedMem = 0,
                                               cudaStream_t stream = nullptr) {
  return ::cudaLaunchCooperativeKernel(cu2cpp::detail::knownAddress(func), gridDim, blockDim, args,
                                       sharedMem, stream);
}
template <class... Parameters, class... First>
inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config,
                                      void (*kernel)(Parameters...), First&&... arguments) {
  return [&](Parameters... values) {
    void* addresses[] = {static_cast<void*>(&values)..., nullptr};
    return ::cudaLaunchKernelExC(config, cu2cpp::detail::knownAddress(kernel), addresses);
  }(std::forward<First>(arguments)...);
}

template <class Type>
inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attr, Type* func) {
  return ::cudaFuncGetAttributes(attr, cu2cpp::detail::knownAddress(func));
}
template <class Type>
inline cudaError_t cudaFuncSetAttribute(Type* func, cudaFuncAttribute attr, int value) {
  return ::cudaFuncSetAttribute(cu2cpp::detail::knownAddress(func), attr, value);
}
template <class Type>
inline cudaError_t cudaFuncSetCacheConfig(Type* func, cudaFuncCache cacheConfig) {
  return ::cudaFuncSetCacheConfig(cu2cpp::detail::knownAddress(func), cacheConfig);
}
template <class Type>
inline cudaError_t cudaFuncSetSharedMemConfig(Type* func, cudaSharedMemConfig config) {
  return ::cudaFuncSetSharedMemConfig(cu2cpp::detail::knownAddress(func), config);
}

template <class Type>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, Type* func,
                                                                 int blockSize,
                                                                 std::size_t dynamicSMemSize) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      numBlocks, cu2cpp::detail::knownAddress(func), blockSize, dynamicSMemSize);
}
template <class Type>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* numBlocks, Type* func, int blockSize, std::size_t dynamicSMemSize, unsigned int flags) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      numBlocks, cu2cpp::detail::knownAddress(func), blockSize, dynamicSMemSize, flags);
}
template <class Type>
inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* dynamicSmemSize,
                                                             Type* func, int numBlocks,
                                                             int blockSize) {
  return ::cudaOccupancyAvailableDynamicSMemPerBlock(
      dynamicSmemSize, cu2cpp::detail::knownAddress(func), numBlocks, blockSize);
}

template <class Type>
inline cudaError_t cudaOccupancyMaxPotentialClusterSize(int* clusterSize, Type* func,
                                                        const cudaLaunchConfig_t* config) {
  return ::cudaOccupancyMaxPotentialClusterSize(clusterSize, cu2cpp::detail::knownAddress(func),
                                                config);
}
template <class Type>
inline cudaError_t cudaOccupancyMaxActiveClusters(int* numClusters, Type* func,
                                                  const cudaLaunchConfig_t* config) {
  return ::cudaOccupancyMaxActiveClusters(numClusters, cu2cpp::detail::knownAddress(func), config);
}

/// Finds the block size (a multiple of the warp size) that keeps most threads resident, and the
/// grid size that fills the device with such blocks. bytesFor(blockSize) is the dynamic shared
/// memory that a block of that size asks for.
template <class Type, class BytesFor>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int* minGridSize, int* blockSize, Type* func, BytesFor bytesFor, int blockSizeLimit = 0,
    unsigned int flags = 0) {
  if (!minGridSize || !blockSize)
    return ::cudaFuncGetAttributes(nullptr, nullptr); // records cudaErrorInvalidValue
  cudaFuncAttributes kernel{};
  int device = 0, processors = 0;
  cudaError_t error = cudaFuncGetAttributes(&kernel, func);
  if (error == cudaSuccess)
    error = cudaGetDevice(&device);
  if (error == cudaSuccess)
    error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  if (error != cudaSuccess)
    return error;
  int limit = kernel.maxThreadsPerBlock;
  if (blockSizeLimit > 0)
    limit = blockSizeLimit < limit ? blockSizeLimit : limit;
  int best = 0, bestBlocks = 0, bestThreads = 0;
  for (int rounded = (limit + 31) / 32 * 32; rounded > 0; rounded -= 32) {
    const int size = rounded < limit ? rounded : limit;
    int blocks = 0;
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, func, size,
                                                                   bytesFor(size), flags);
    if (error != cudaSuccess)
      return error;
    if (blocks * size > bestThreads) {
      bestThreads = blocks * size;
      best = size;
      bestBlocks = blocks;
    }
  }
  *blockSize = best;
  *minGridSize = bestBlocks * processors;
  return cudaSuccess;
}
template <class Type, class BytesFor>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* minGridSize, int* blockSize,
                                                                  Type* func, BytesFor bytesFor,
                                                                  int blockSizeLimit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(minGridSize, blockSize, func,
                                                                 bytesFor, blockSizeLimit);
}
template <class Type>
inline cudaError_t
cudaOccupancyMaxPotentialBlockSizeWithFlags(int* minGridSize, int* blockSize, Type* func,
                                            std::size_t dynamicSMemSize = 0, int blockSizeLimit = 0,
                                            unsigned int flags = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
      minGridSize, blockSize, func, [=](int) { return dynamicSMemSize; }, blockSizeLimit, flags);
}
template <class Type>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int* minGridSize, int* blockSize, Type* func,
                                                      std::size_t dynamicSMemSize = 0,
                                                      int blockSizeLimit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeWithFlags(minGridSize, blockSize, func, dynamicSMemSize,
                                                     blockSizeLimit);
}

#endif
