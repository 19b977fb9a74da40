// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Event management.
//
// CUDA Runtime API, 'Event Management'.
#include "api/call.h"

using namespace cu2cpp::rt;

namespace {

std::shared_ptr<Event> eventOf(cudaEvent_t handle) { return process().events.find(handle); }

constexpr unsigned knownFlags =
    cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;

} // namespace

extern "C" cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  return deviceCall([=] {
    // An event for other processes must not keep times (Runtime API, 'cudaEventCreateWithFlags').
    if (!event || (flags & ~knownFlags) ||
        ((flags & cudaEventInterprocess) && !(flags & cudaEventDisableTiming)))
      return Status::InvalidValue;
    auto object = std::make_shared<Event>(!(flags & cudaEventDisableTiming));
    *event = static_cast<cudaEvent_t>(const_cast<void*>(process().events.add(std::move(object))));
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}

extern "C" cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return deviceCall(
      [=] { return process().events.remove(event) ? Status::Ok : Status::InvalidHandle; });
}

extern "C" cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return deviceCall([=] {
    const std::shared_ptr<Event> object = eventOf(event);
    const std::shared_ptr<Stream> queue = streamOf(stream);
    if (!object || !queue)
      return Status::InvalidHandle;
    auto task = std::make_unique<Task>();
    task->recording = std::make_shared<Recording>();
    const std::shared_ptr<Recording> recording = task->recording;
    const Status status = submit(queue, std::move(task), false);
    if (status == Status::Ok)
      object->set(recording);
    return status;
  });
}

extern "C" cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream,
                                                unsigned int flags) {
  // cudaEventRecordExternal differs in captures only.
  if (flags & ~unsigned(cudaEventRecordExternal))
    return record(Status::InvalidValue);
  return cudaEventRecord(event, stream);
}

extern "C" cudaError_t cudaEventQuery(cudaEvent_t event) {
  return deviceCall([=] {
    const std::shared_ptr<Event> object = eventOf(event);
    if (!object)
      return Status::InvalidHandle;
    return object->done() ? currentDevice().failure() : Status::NotReady;
  });
}

extern "C" cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return deviceCall([=] {
    const std::shared_ptr<Event> object = eventOf(event);
    if (!object)
      return Status::InvalidHandle;
    const std::shared_ptr<Recording> recording = object->recording();
    return recording ? waitFor(recording->point) : Status::Ok;
  });
}

extern "C" cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t end) {
  return deviceCall([=] {
    if (!ms)
      return Status::InvalidValue;
    const std::shared_ptr<Event> first = eventOf(start), last = eventOf(end);
    return first && last ? elapsedMilliseconds(*first, *last, ms) : Status::InvalidHandle;
  });
}
