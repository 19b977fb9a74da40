// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tests of cuBLAS share: arrays for host and device, small integers (every sum of them is
// exact in any order) and a handle.
#ifndef CU2CPP_TESTS_CUBLAS_TEST_H
#define CU2CPP_TESTS_CUBLAS_TEST_H

#include <vector>

#include <cublas_v2.h>

#include "runtime_test.h"

/// Managed<T>(n) is an array that host and device see.
template <class T> class Managed {
public:
  explicit Managed(std::vector<T> values) : size_(values.size()) {
    EXPECT_EQ(cudaMallocManaged(reinterpret_cast<void**>(&data_), size_ * sizeof(T)), cudaSuccess);
    std::copy(values.begin(), values.end(), data_);
  }
  ~Managed() { cudaFree(data_); }
  Managed(const Managed&) = delete;
  Managed& operator=(const Managed&) = delete;
  operator T*() const { return data_; }
  std::vector<T> values() const { return {data_, data_ + size_}; }

private:
  T* data_ = nullptr;
  std::size_t size_;
};

template <class T> inline std::vector<T> numbers(int n, int start = 1) {
  std::vector<T> result;
  for (int i = 0; i < n; ++i)
    result.push_back(T(float((start + i * 7) % 11 - 5)));
  return result;
}

class Cublas : public RuntimeTest {
protected:
  void SetUp() override {
    RuntimeTest::SetUp();
    ASSERT_EQ(cublasCreate(&handle_), CUBLAS_STATUS_SUCCESS);
  }
  void TearDown() override {
    EXPECT_EQ(cublasDestroy(handle_), CUBLAS_STATUS_SUCCESS);
    RuntimeTest::TearDown();
  }
  cublasHandle_t handle_ = nullptr;
};

#endif
