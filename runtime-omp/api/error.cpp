// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Error handling: the last error of each host thread, and what all API functions share (call.h).
//
// CUDA C++ Programming Guide, 'Error Checking'.
#include <cu2cpp/api/default_stream.h>
#include <cu2cpp/block.h>

#include "api/call.h"
#include "api/log.h"

namespace cu2cpp::rt {
namespace {

thread_local cudaError_t lastErrorOfHost = cudaSuccess;

// A thread that runs a kernel must not see, nor change, the last error of the host's program.
cudaError_t& lastErrorHere() {
  return detail::context.block ? inKernel.lastError : lastErrorOfHost;
}

void note(cudaError_t error) noexcept {
  lastErrorHere() = error;
  logMessage(cudaGetErrorString(error));
}

} // namespace

cudaError_t record(Status status) noexcept {
  const auto error = static_cast<cudaError_t>(status);
  // That something is not ready yet is an answer and no error: cudaGetLastError() doesn't know of
  // it.
  if (error != cudaSuccess && error != cudaErrorNotReady)
    note(error);
  return error;
}

void setLastError(cudaError_t error) noexcept { lastErrorHere() = error; }

std::shared_ptr<Stream> streamOf(cudaStream_t handle) {
  // Streams that exist in kernels only.
  if (detail::context.block &&
      (handle == cudaStreamTailLaunch || handle == cudaStreamFireAndForget))
    return currentDevice().legacyStream();
  const bool perThread = process().perThreadDefaultStream.load(std::memory_order_relaxed);
  if (handle == cudaStreamLegacy || (handle == nullptr && !perThread))
    return currentDevice().legacyStream();
  if (handle == cudaStreamPerThread || handle == nullptr)
    return threadStream(currentDevice());
  return process().streams.find(handle);
}

Status waitFor(const Point& point) {
  if (!Scheduler::mayWait())
    return Status::NotPermitted;
  process().scheduler.wait(point);
  if (!point.reached())
    return Status::Unloading;
  process().trimPools();
  return point.stream ? point.stream->device.failure() : Status::Ok;
}

Status synchronizeDevice(Device& device) {
  if (process().captures.anyActive() && Scheduler::mayWait())
    if (const Status status = process().captures.refuseAll(device); status != Status::Ok)
      return status;
  return waitForDevice(device);
}

Status waitForDevice(Device& device) {
  if (!Scheduler::mayWait())
    return Status::NotPermitted;
  if (process().captures.anyActive())
    if (const Status status = process().captures.checkUnsafe(); status != Status::Ok)
      return status;
  process().synchronize(device);
  process().trimPools();
  return device.failure();
}

// What comes here has no form as a node.
Status checkCaptures(const std::shared_ptr<Stream>& stream) {
  Captures& captures = process().captures;
  if (stream->capturing.load(std::memory_order_relaxed))
    return captures.refuse(*stream);
  return stream == stream->device.legacyStream() ? captures.checkLegacy(stream->device)
                                                 : Status::Ok;
}

Status submit(const std::shared_ptr<Stream>& stream, std::unique_ptr<Task> task, bool wait) {
  // What a kernel asks for belongs to its grid. All of it runs one after the other: events and
  // waits have nothing left to order.
  if (detail::context.block && !wait && !task->host) {
    if (task->work)
      inKernel.children->add(std::move(task->work), false);
    return Status::Ok;
  }
  if (!Scheduler::mayWait())
    return Status::NotPermitted;
  if (process().scheduler.stopped())
    return Status::Unloading;
  if (process().captures.anyActive())
    if (const Status status = checkCaptures(stream); status != Status::Ok)
      return status;
  const Point point = process().scheduler.enqueue(stream, std::move(task));
  return wait ? waitFor(point) : Status::Ok;
}

Status submit(const std::shared_ptr<Stream>& stream, std::unique_ptr<Work> work, bool wait) {
  auto task = std::make_unique<Task>();
  task->work = std::move(work);
  return submit(stream, std::move(task), wait);
}

} // namespace cu2cpp::rt

using namespace cu2cpp::rt;

bool cu2cpp::detail::usePerThreadDefaultStream() noexcept {
  process().perThreadDefaultStream = true;
  return true;
}

// An error that a kernel left is the result of every call until the device is reset, but it is the
// last error only as often as calls have returned it.
extern "C" cudaError_t cudaPeekAtLastError() { return lastErrorHere(); }

extern "C" cudaError_t cudaGetLastError() {
  const cudaError_t error = lastErrorHere();
  lastErrorHere() = cudaSuccess;
  return error;
}
