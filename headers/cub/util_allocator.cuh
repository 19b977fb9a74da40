// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cub::CachingDeviceAllocator: device memory that is kept when it is freed. Blocks have sizes of
// powers of bin_growth; those freed on a stream are used again on it at once, on others when the
// stream's work until then is done.
//
// CUB documentation, 'CachingDeviceAllocator'.
#ifndef CU2CPP_CUB_UTIL_ALLOCATOR_CUH
#define CU2CPP_CUB_UTIL_ALLOCATOR_CUH

#include <cstddef>
#include <limits>
#include <map>
#include <mutex>
#include <vector>

#include <cub/util_device.cuh>

namespace cub {

struct CachingDeviceAllocator {
  static constexpr int InvalidDeviceOrdinal = -1;
  static constexpr unsigned int InvalidBin = ~0u;
  static constexpr std::size_t INVALID_SIZE = ~std::size_t(0);

  CachingDeviceAllocator(unsigned int bin_growth, unsigned int min_bin = 1,
                         unsigned int max_bin = InvalidBin,
                         std::size_t max_cached_bytes = INVALID_SIZE, bool skip_cleanup = false,
                         bool debug = false)
      : bin_growth(bin_growth), min_bin(min_bin), max_bin(max_bin),
        max_cached_bytes(max_cached_bytes), skip_cleanup(skip_cleanup) {
    (void)debug;
  }
  CachingDeviceAllocator(bool skip_cleanup = false, bool debug = false)
      : CachingDeviceAllocator(8, 3, 7, (std::size_t(1) << 21) * 3 - 1, skip_cleanup, debug) {}
  CachingDeviceAllocator(const CachingDeviceAllocator&) = delete;
  CachingDeviceAllocator& operator=(const CachingDeviceAllocator&) = delete;
  ~CachingDeviceAllocator() {
    if (!skip_cleanup)
      FreeAllCached();
  }

  cudaError_t SetMaxCachedBytes(std::size_t bytes) {
    const std::lock_guard<std::mutex> lock(mutex_);
    max_cached_bytes = bytes;
    return cudaSuccess;
  }
  cudaError_t DeviceAllocate(int device, void** d_ptr, std::size_t bytes,
                             cudaStream_t active_stream = 0) {
    if (device == InvalidDeviceOrdinal)
      device = CurrentDevice();
    const std::size_t size = binSize(bytes);
    const std::lock_guard<std::mutex> lock(mutex_);
    for (std::size_t i = 0; i < cached_.size(); ++i) {
      Block& block = cached_[i];
      if (block.device != device || block.bytes != size)
        continue;
      if (block.stream != active_stream && ::cudaEventQuery(block.ready) != cudaSuccess)
        continue;
      block.stream = active_stream;
      *d_ptr = block.memory;
      cachedBytes_ -= block.bytes;
      live_[block.memory] = block;
      cached_.erase(cached_.begin() + std::ptrdiff_t(i));
      return cudaSuccess;
    }
    const OnDevice on(device);
    Block block{nullptr, size, device, active_stream, nullptr};
    cudaError_t error = ::cudaMalloc(&block.memory, size);
    if (error == cudaErrorMemoryAllocation) {
      // What is kept may be enough.
      ::cudaGetLastError();
      freeCached();
      error = ::cudaMalloc(&block.memory, size);
    }
    if (error == cudaSuccess)
      error = ::cudaEventCreateWithFlags(&block.ready, cudaEventDisableTiming);
    if (error == cudaSuccess) {
      live_[block.memory] = block;
      *d_ptr = block.memory;
    }
    return error;
  }
  cudaError_t DeviceAllocate(void** d_ptr, std::size_t bytes, cudaStream_t active_stream = 0) {
    return DeviceAllocate(InvalidDeviceOrdinal, d_ptr, bytes, active_stream);
  }
  cudaError_t DeviceFree(int device, void* d_ptr) {
    if (device == InvalidDeviceOrdinal)
      device = CurrentDevice();
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = live_.find(d_ptr);
    const OnDevice on(device);
    if (found == live_.end())
      return ::cudaFree(d_ptr);
    const Block block = found->second;
    live_.erase(found);
    if (cachedBytes_ > max_cached_bytes || block.bytes > max_cached_bytes - cachedBytes_)
      return release(block);
    cachedBytes_ += block.bytes;
    cached_.push_back(block);
    return ::cudaEventRecord(block.ready, block.stream);
  }
  cudaError_t DeviceFree(void* d_ptr) { return DeviceFree(InvalidDeviceOrdinal, d_ptr); }
  cudaError_t FreeAllCached() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return freeCached();
  }

  unsigned int bin_growth, min_bin, max_bin;
  std::size_t max_cached_bytes;
  const bool skip_cleanup;

private:
  struct Block {
    void* memory;
    std::size_t bytes;
    int device;
    cudaStream_t stream;
    cudaEvent_t ready;
  };
  struct OnDevice {
    int before = CurrentDevice();
    explicit OnDevice(int device) { ::cudaSetDevice(device); }
    ~OnDevice() { ::cudaSetDevice(before); }
  };
  std::size_t binSize(std::size_t bytes) const {
    std::size_t size = 1;
    unsigned int bin = 0;
    for (; bin < min_bin || size < bytes; ++bin) {
      if (bin > max_bin || size > std::numeric_limits<std::size_t>::max() / bin_growth)
        return bytes;
      size *= bin_growth;
    }
    return bin > max_bin ? bytes : size;
  }
  static cudaError_t release(const Block& block) {
    ::cudaEventDestroy(block.ready);
    return ::cudaFree(block.memory);
  }
  cudaError_t freeCached() {
    cudaError_t error = cudaSuccess;
    for (const Block& block : cached_) {
      const OnDevice on(block.device);
      const cudaError_t each = release(block);
      error = error == cudaSuccess ? each : error;
    }
    cached_.clear();
    cachedBytes_ = 0;
    return error;
  }

  std::mutex mutex_;
  std::vector<Block> cached_;
  std::map<void*, Block> live_;
  std::size_t cachedBytes_ = 0;
};

} // namespace cub

#endif
