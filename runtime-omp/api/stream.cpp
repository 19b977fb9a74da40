// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stream management, callbacks and host functions.
//
// CUDA Runtime API, 'Stream Management'; CUDA C++ Programming Guide, 'Streams'.
#include <algorithm>
#include <mutex>

#include "api/graph_nodes.h"
#include "core/shared_event.h"

using namespace cu2cpp::rt;

namespace {

// The legacy default stream stands for all blocking streams: who waits for it waits for them too.
Status synchronize(const std::shared_ptr<Stream>& stream) {
  if (stream->capturing.load(std::memory_order_relaxed))
    return process().captures.refuse(*stream);
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
  return deviceCall([=] {
    const std::shared_ptr<Stream> removed = process().streams.remove(stream);
    if (!removed)
      return Status::InvalidHandle;
    if (removed->capturing.load(std::memory_order_relaxed))
      process().captures.streamDestroyed(removed);
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return streamCall(stream, synchronize);
}

extern "C" cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return streamCall(stream, [](const std::shared_ptr<Stream>& queue) {
    if (process().captures.anyActive())
      for (const Status status : {process().captures.checkUnsafe(), checkCaptures(queue)})
        if (status != Status::Ok)
          return status;
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
    Captures& captures = process().captures;
    const bool capturing = queue->capturing.load(std::memory_order_relaxed);
    if (capturing && (flags & cudaEventWaitExternal))
      return captures.add(queue, std::make_shared<EventBody>(false, event, object));
    if (capturing || captures.captured(*object))
      return captures.wait(queue, *object);
    if (const auto foreign = object->foreign()) {
      // Another process records it: a thread that may wait does.
      auto task = std::make_unique<Task>();
      task->host = [shared = object->shared, number = *foreign](Status) { shared->await(number); };
      return submit(queue, std::move(task), false);
    }
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
    if (queue->capturing.load(std::memory_order_relaxed))
      return process().captures.add(queue,
                                    std::make_shared<HostBody>(cudaHostNodeParams{fn, userData}));
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
    const bool known = place.known ? place.allocation.isManaged() : place.variable;
    if (!known || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost &&
                   flags != cudaMemAttachSingle))
      return Status::InvalidValue;
    if (place.known && length != 0 && length > place.allocation.bytes)
      return Status::InvalidValue;
    return submit(queue, std::make_unique<Task>(), false);
  });
}

namespace {

// Attributes are kept for those who ask; none of them changes what a CPU does.
struct Attributes {
  cudaAccessPolicyWindow window{};
  cudaSynchronizationPolicy policy =
      static_cast<cudaSynchronizationPolicy>(-1); // none, as on a GPU
  cudaLaunchMemSyncDomain domain = cudaLaunchMemSyncDomainDefault;
  cudaLaunchMemSyncDomainMap map{0, 1};
};
std::mutex attributesMutex; // a leaf

Attributes attributesOf(const Stream& stream) {
  std::lock_guard lock(attributesMutex);
  return stream.attributes ? *static_cast<const Attributes*>(stream.attributes.get())
                           : Attributes{};
}

void setAttributes(Stream& stream, const Attributes& attributes) {
  std::lock_guard lock(attributesMutex);
  stream.attributes = std::make_shared<Attributes>(attributes);
}

} // namespace

extern "C" cudaError_t cudaStreamGetAttribute(cudaStream_t hStream, cudaLaunchAttributeID attr,
                                              cudaLaunchAttributeValue* value_out) {
  return streamCall(hStream, [=](const std::shared_ptr<Stream>& stream) {
    if (!value_out)
      return Status::InvalidValue;
    const Attributes attributes = attributesOf(*stream);
    *value_out = {};
    switch (attr) {
    case cudaLaunchAttributeAccessPolicyWindow:
      value_out->accessPolicyWindow = attributes.window;
      return Status::Ok;
    case cudaLaunchAttributeSynchronizationPolicy:
      value_out->syncPolicy = attributes.policy;
      return Status::Ok;
    case cudaLaunchAttributePriority:
      value_out->priority = stream->priority;
      return Status::Ok;
    case cudaLaunchAttributeMemSyncDomain:
      value_out->memSyncDomain = attributes.domain;
      return Status::Ok;
    case cudaLaunchAttributeMemSyncDomainMap:
      value_out->memSyncDomainMap = attributes.map;
      return Status::Ok;
    default:
      return Status::InvalidValue;
    }
  });
}

extern "C" cudaError_t cudaStreamSetAttribute(cudaStream_t hStream, cudaLaunchAttributeID attr,
                                              const cudaLaunchAttributeValue* value) {
  return streamCall(hStream, [=](const std::shared_ptr<Stream>& stream) {
    if (!value)
      return Status::InvalidValue;
    Attributes attributes = attributesOf(*stream);
    switch (attr) {
    case cudaLaunchAttributeAccessPolicyWindow:
      if (value->accessPolicyWindow.hitRatio < 0 || value->accessPolicyWindow.hitRatio > 1 ||
          value->accessPolicyWindow.num_bytes > limits::policyWindowBytes ||
          value->accessPolicyWindow.missProp == cudaAccessPropertyPersisting)
        return Status::InvalidValue;
      attributes.window = value->accessPolicyWindow;
      break;
    case cudaLaunchAttributeSynchronizationPolicy:
      if (value->syncPolicy < cudaSyncPolicyAuto || value->syncPolicy > cudaSyncPolicyBlockingSync)
        return Status::InvalidValue;
      attributes.policy = value->syncPolicy;
      break;
    case cudaLaunchAttributePriority:
      stream->priority =
          std::clamp(value->priority, limits::greatestPriority, limits::leastPriority);
      return Status::Ok;
    case cudaLaunchAttributeMemSyncDomain:
      attributes.domain = value->memSyncDomain;
      break;
    case cudaLaunchAttributeMemSyncDomainMap:
      attributes.map = value->memSyncDomainMap;
      break;
    default:
      return Status::InvalidValue;
    }
    setAttributes(*stream, attributes);
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaStreamCopyAttributes(cudaStream_t dst, cudaStream_t src) {
  return streamCall(src, [=](const std::shared_ptr<Stream>& source) {
    const std::shared_ptr<Stream> target = streamOf(dst);
    if (!target)
      return Status::InvalidHandle;
    setAttributes(*target, attributesOf(*source));
    target->priority = source->priority.load();
    return Status::Ok;
  });
}
