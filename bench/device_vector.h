// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device memory for the CUDA versions of the workloads: allocated with a copy of host values, freed
// at the end.
#pragma once

#include <cuda_runtime.h>

#include "measure.h"

#define CHECK_CUDA(call)                                                                           \
  do {                                                                                             \
    const cudaError_t status_ = (call);                                                            \
    if (status_ != cudaSuccess) {                                                                  \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status_));        \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (0)

template <class T> class DeviceVector {
public:
  explicit DeviceVector(std::size_t n) : size_(n) { CHECK_CUDA(cudaMalloc(&data_, n * sizeof(T))); }
  explicit DeviceVector(const std::vector<T>& values) : DeviceVector(values.size()) {
    copyFrom(values);
  }
  DeviceVector(const DeviceVector&) = delete;
  DeviceVector& operator=(const DeviceVector&) = delete;
  ~DeviceVector() { cudaFree(data_); }
  operator T*() const { return data_; }
  void copyFrom(const std::vector<T>& values) {
    CHECK_CUDA(cudaMemcpy(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  std::vector<T> toHost() const {
    std::vector<T> values(size_);
    CHECK_CUDA(cudaMemcpy(values.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }

private:
  T* data_ = nullptr;
  std::size_t size_;
};

/// finish() ends a round: all launches have run without an error.
inline void finish() {
  CHECK_CUDA(cudaGetLastError());
  CHECK_CUDA(cudaDeviceSynchronize());
}
