// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The frame of every API function: from the core's Status to CUDA's error code, the last error of
// the host thread, errors that kernels left, and no exception out of extern "C".
//
// CUDA C++ Programming Guide, 'Error Checking'.
#ifndef CU2CPP_API_CALL_H
#define CU2CPP_API_CALL_H

#include <memory>
#include <new>

#include <cuda_runtime_api.h>

#include "core/copy.h"
#include "core/process.h"

namespace cu2cpp::rt {

/// record() makes a failure the thread's last error and returns it as CUDA's code.
cudaError_t record(Status status) noexcept;

/// setLastError() is for the driver API, which leaves the runtime's alone.
void setLastError(cudaError_t error) noexcept;

/// deviceCall() runs the body unless there is no device or a kernel has left an error on it, which
/// is then the result.
template <class Body> cudaError_t deviceCall(Body body) noexcept {
  try {
    if (process().devices.empty())
      return record(Status::NoDevice);
    Status status = currentDevice().failure();
    if (status == Status::Ok)
      status = body();
    return record(status);
  } catch (const std::bad_alloc&) {
    return record(Status::OutOfMemory);
  } catch (...) {
    return record(Status::Unknown);
  }
}

/// plainCall() runs the body also after a kernel has failed: what needs no working device.
template <class Body> cudaError_t plainCall(Body body) noexcept {
  try {
    return record(body());
  } catch (const std::bad_alloc&) {
    return record(Status::OutOfMemory);
  } catch (...) {
    return record(Status::Unknown);
  }
}

/// streamOf() is the stream behind a handle; null for a handle that is none.
std::shared_ptr<Stream> streamOf(cudaStream_t handle);

/// submit() queues work on a stream and, if asked, waits for it and reports what it left.
Status submit(const std::shared_ptr<Stream>& stream, std::unique_ptr<Work> work, bool wait);
Status submit(const std::shared_ptr<Stream>& stream, std::unique_ptr<Task> task, bool wait);

/// checkCaptures() refuses what a capture prohibits: use of the stream, or of the legacy stream.
Status checkCaptures(const std::shared_ptr<Stream>& stream);

/// driverFunction() is the address of a function of the driver API, null for what is none.
void* driverFunction(const char* name);

/// noteVariable() makes a variable of device code known to the checks of copies.
void noteVariable(void* address, std::size_t bytes);

/// forgetIpc() is called when memory is freed that other processes may have mapped.
void forgetIpc(const Allocation& allocation);

/// forgetHints() is called when managed memory is freed.
void forgetHints(const Allocation& allocation);

/// waitFor() waits for a point and reports an error that kernels of its device left.
Status waitFor(const Point& point);
/// waitForDevice() is the wait inside of calls that free something: unsafe while a capture goes on,
/// where its mode says so. synchronizeDevice() is the program's own, which no capture allows.
Status waitForDevice(Device& device);
Status synchronizeDevice(Device& device);

} // namespace cu2cpp::rt

#endif
