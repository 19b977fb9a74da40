// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stream management, callbacks and host functions.
//
// CUDA Runtime API, 'Stream Management'; CUDA C++ Programming Guide, 'Streams'.
#include "api/call.h"

using namespace cu2cpp::rt;

namespace {

// The legacy default stream stands for all blocking streams: who waits for it waits for them too.
Status synchronize(const std::shared_ptr<Stream>& stream) {
  if (stream != stream->device.legacyStream())
    return waitFor(process().scheduler.tail(stream));
  return submit(stream, std::make_unique<Task>(), true);
}

// For the legacy default stream that includes all blocking streams, as for synchronize().
bool idle(const std::shared_ptr<Stream>& stream) {
  if (stream != stream->device.legacyStream())
    return process().scheduler.tail(stream).reached();
  return process().scheduler.nothingBefore(stream);
}

template <class Body> cudaError_t streamCall(cudaStream_t handle, Body body) {
  return deviceCall([&] {
    const std::shared_ptr<Stream> stream = streamOf(handle);
    return stream ? body(stream) : Status::InvalidHandle;
  });
}

} // namespace

extern "C" cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags,
                                                    int priority) {
  return deviceCall([=] {
    if (!stream || (flags & ~unsigned(cudaStreamNonBlocking)))
      return Status::InvalidValue;
    const auto object =
        process().createStream(currentDevice(), !(flags & cudaStreamNonBlocking), priority);
    *stream = reinterpret_cast<cudaStream_t>(object.get());
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  return cudaStreamCreateWithPriority(stream, flags, limits::leastPriority);
}

extern "C" cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return cudaStreamCreateWithPriority(stream, cudaStreamDefault, limits::leastPriority);
}

// Work that is queued is still done (Programming Guide, 'Creation and Destruction of Streams').
extern "C" cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return deviceCall(
      [=] { return process().streams.remove(stream) ? Status::Ok : Status::InvalidHandle; });
}

extern "C" cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return streamCall(stream, synchronize);
}

extern "C" cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return streamCall(stream, [](const std::shared_ptr<Stream>& queue) {
    return idle(queue) ? queue->device.failure() : Status::NotReady;
  });
}

extern "C" cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return streamCall(stream, [=](const std::shared_ptr<Stream>& queue) {
    if (!priority)
      return Status::InvalidValue;
    *priority = queue->priority;
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags) {
  return streamCall(stream, [=](const std::shared_ptr<Stream>& queue) {
    if (!flags)
      return Status::InvalidValue;
    *flags = queue->blocking ? cudaStreamDefault : cudaStreamNonBlocking;
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* streamId) {
  return streamCall(stream, [=](const std::shared_ptr<Stream>& queue) {
    if (!streamId)
      return Status::InvalidValue;
    *streamId = queue->id;
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  return streamCall(stream, [=](const std::shared_ptr<Stream>& queue) {
    if (!device)
      return Status::InvalidValue;
    *device = queue->device.number();
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                           unsigned int flags) {
  return streamCall(stream, [=](const std::shared_ptr<Stream>& queue) {
    if (flags & ~unsigned(cudaEventWaitExternal))
      return Status::InvalidValue;
    const std::shared_ptr<Event> object = process().events.find(event);
    if (!object)
      return Status::InvalidHandle;
    const std::shared_ptr<Recording> recording = object->recording();
    if (!recording)
      return Status::Ok; // never recorded: nothing to wait for
    auto task = std::make_unique<Task>();
    task->after.push_back(recording->point);
    return submit(queue, std::move(task), false);
  });
}

extern "C" cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void* userData) {
  return streamCall(stream, [=](const std::shared_ptr<Stream>& queue) {
    if (!fn)
      return Status::InvalidValue;
    auto task = std::make_unique<Task>();
    task->host = [=](Status) { fn(userData); };
    return submit(queue, std::move(task), false);
  });
}

extern "C" cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                             void* userData, unsigned int flags) {
  return streamCall(stream, [=](const std::shared_ptr<Stream>& queue) {
    if (!callback || flags != 0)
      return Status::InvalidValue;
    auto task = std::make_unique<Task>();
    task->host = [=](Status status) {
      callback(stream, static_cast<cudaError_t>(status), userData);
    };
    // A callback learns of the error, a host function is not called (Runtime API,
    // 'cudaLaunchHostFunc').
    task->hostAfterFailure = true;
    return submit(queue, std::move(task), false);
  });
}

// All memory is reachable from everywhere all the time: attaching only has to keep its place in the
// stream's order.
extern "C" cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* devPtr, size_t length,
                                                unsigned int flags) {
  return streamCall(stream, [=](const std::shared_ptr<Stream>& queue) {
    const Place place = placeOf(process().allocations, devPtr);
    const bool known = place.known ? place.allocation.kind == MemoryKind::Managed : place.variable;
    if (!known || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost &&
                   flags != cudaMemAttachSingle))
      return Status::InvalidValue;
    if (place.known && length != 0 && length > place.allocation.bytes)
      return Status::InvalidValue;
    return submit(queue, std::make_unique<Task>(), false);
  });
}
