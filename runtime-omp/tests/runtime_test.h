// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fixture of the runtime's tests: each test ends without pending work, without a last error and
// with all device memory freed. Gate holds a stream back until the test opens it, so that no test
// depends on time.
#ifndef CU2CPP_TESTS_RUNTIME_TEST_H
#define CU2CPP_TESTS_RUNTIME_TEST_H

#include <condition_variable>
#include <mutex>
#include <vector>

#include <cu2cpp/launch.h>
#include <gtest/gtest.h>

class RuntimeTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_EQ(cudaGetLastError(), cudaSuccess);
    ASSERT_EQ(cudaMemGetInfo(&freeBefore_, &total_), cudaSuccess);
  }
  void TearDown() override {
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "the test left an error behind";
    std::size_t freeAfter = 0;
    EXPECT_EQ(cudaMemGetInfo(&freeAfter, &total_), cudaSuccess);
    EXPECT_EQ(freeAfter, freeBefore_) << "the test left memory behind";
  }

private:
  std::size_t freeBefore_ = 0, total_ = 0;
};

/// Expects the call to fail with that code, and takes the code off the last error.
#define EXPECT_CUDA_ERROR(call, code)                                                              \
  do {                                                                                             \
    EXPECT_EQ(call, code);                                                                         \
    EXPECT_EQ(cudaGetLastError(), code);                                                           \
  } while (0)

class Gate {
public:
  // The host functions use the gate, so it stays until all have passed.
  ~Gate() {
    open();
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return waiting_ == 0; });
  }
  /// close() queues a host function on the stream that waits for open().
  void close(cudaStream_t stream) {
    {
      std::lock_guard lock(mutex_);
      ++waiting_;
    }
    ASSERT_EQ(cudaLaunchHostFunc(
                  stream, [](void* self) { static_cast<Gate*>(self)->pass(); }, this),
              cudaSuccess);
  }
  void open() {
    std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }

private:
  void pass() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return open_; });
    --waiting_;
    changed_.notify_all();
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
  int waiting_ = 0;
};

class Stream {
public:
  explicit Stream(unsigned flags = cudaStreamDefault, int priority = 0) {
    EXPECT_EQ(cudaStreamCreateWithPriority(&handle_, flags, priority), cudaSuccess);
  }
  ~Stream() { EXPECT_EQ(cudaStreamDestroy(handle_), cudaSuccess); }
  Stream(const Stream&) = delete;
  operator cudaStream_t() const { return handle_; }

private:
  cudaStream_t handle_ = nullptr;
};

class Event {
public:
  explicit Event(unsigned flags = cudaEventDefault) {
    EXPECT_EQ(cudaEventCreateWithFlags(&handle_, flags), cudaSuccess);
  }
  ~Event() { EXPECT_EQ(cudaEventDestroy(handle_), cudaSuccess); }
  Event(const Event&) = delete;
  operator cudaEvent_t() const { return handle_; }

private:
  cudaEvent_t handle_ = nullptr;
};

template <class T> class DeviceArray {
public:
  explicit DeviceArray(std::size_t count) : count_(count) {
    EXPECT_EQ(cudaMalloc(&data_, count * sizeof(T)), cudaSuccess);
    EXPECT_EQ(cudaMemset(data_, 0, count * sizeof(T)), cudaSuccess);
  }
  ~DeviceArray() { EXPECT_EQ(cudaFree(data_), cudaSuccess); }
  DeviceArray(const DeviceArray&) = delete;
  operator T*() const { return data_; }
  std::vector<T> toHost() const {
    std::vector<T> result(count_);
    EXPECT_EQ(cudaMemcpy(result.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost),
              cudaSuccess);
    return result;
  }

private:
  std::size_t count_;
  T* data_ = nullptr;
};

#endif
