// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Event management.
//
// CUDA Runtime API, 'Event Management'.
#include "api/graph_nodes.h"
#include "core/shared_event.h"

using namespace cu2cpp::rt;

namespace {

std::shared_ptr<Event> eventOf(cudaEvent_t handle) { return process().events.find(handle); }

// The record of an event that other processes look at.
class ReachWork final : public Work {
public:
  ReachWork(std::shared_ptr<SharedEvent> event, std::uint64_t number)
      : event_(std::move(event)), number_(number) {}
  ~ReachWork() override { event_->endRecord(number_); } // also after a failure
  std::uint64_t parts() const override { return 1; }
  void run(std::uint64_t, std::uint64_t) noexcept override {}

private:
  std::shared_ptr<SharedEvent> event_;
  std::uint64_t number_;
};

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
    if (flags & cudaEventInterprocess) {
      object->shared = SharedEvent::map(SharedFile::create("cu2cpp-event", roundToPages(1)));
      if (!object->shared)
        return static_cast<Status>(cudaErrorOperatingSystem);
    }
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

namespace {

// An external record in a capture is a node; any other only marks a place of the capture.
cudaError_t recordEvent(cudaEvent_t event, cudaStream_t stream, bool external) {
  return deviceCall([=] {
    const std::shared_ptr<Event> object = eventOf(event);
    const std::shared_ptr<Stream> queue = streamOf(stream);
    if (!object || !queue)
      return Status::InvalidHandle;
    if (queue->capturing.load(std::memory_order_relaxed)) {
      if (!external)
        return process().captures.record(queue, *object);
      return process().captures.add(queue, std::make_shared<EventBody>(true, event, object));
    }
    if (external) // for captures only, as on a GPU
      return Status::IllegalState;
    auto task = std::make_unique<Task>();
    task->recording = std::make_shared<Recording>();
    const std::shared_ptr<Recording> recording = task->recording;
    if (object->shared) {
      recording->number = object->shared->beginRecord();
      task->work = std::make_unique<ReachWork>(object->shared, recording->number);
    }
    const Status status = submit(queue, std::move(task), false);
    if (status == Status::Ok) {
      object->set(recording);
      if (process().captures.anyActive() || object->byCapture.load(std::memory_order_relaxed))
        process().captures.forget(*object);
    }
    return status;
  });
}

} // namespace

extern "C" cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return recordEvent(event, stream, false);
}

extern "C" cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream,
                                                unsigned int flags) {
  if (flags & ~unsigned(cudaEventRecordExternal))
    return record(Status::InvalidValue);
  return recordEvent(event, stream, flags & cudaEventRecordExternal);
}

extern "C" cudaError_t cudaEventQuery(cudaEvent_t event) {
  return deviceCall([=] {
    const std::shared_ptr<Event> object = eventOf(event);
    if (!object)
      return Status::InvalidHandle;
    if (process().captures.holds(*object))
      return Status::CapturedEvent;
    if (object->shared)
      return object->shared->reached(object->shared->latest()) ? Status::Ok : Status::NotReady;
    return object->done() ? currentDevice().failure() : Status::NotReady;
  });
}

extern "C" cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return deviceCall([=] {
    const std::shared_ptr<Event> object = eventOf(event);
    if (!object)
      return Status::InvalidHandle;
    if (process().captures.holds(*object))
      return Status::CapturedEvent;
    if (const auto number = object->foreign()) {
      if (!Scheduler::mayWait())
        return Status::NotPermitted;
      object->shared->await(*number);
      return Status::Ok;
    }
    const std::shared_ptr<Recording> recording = object->recording();
    return recording ? waitFor(recording->point) : Status::Ok;
  });
}

extern "C" cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t end) {
  return deviceCall([=] {
    if (!ms)
      return Status::InvalidValue;
    const std::shared_ptr<Event> first = eventOf(start), last = eventOf(end);
    if (!first || !last)
      return Status::InvalidHandle;
    // There is no time in a record that became part of a graph (measured).
    if (first->byCapture.load(std::memory_order_relaxed) ||
        last->byCapture.load(std::memory_order_relaxed))
      return Status::InvalidValue;
    return elapsedMilliseconds(*first, *last, ms);
  });
}
