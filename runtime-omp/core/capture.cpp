// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stream capture.
#include "core/capture.h"

#include <algorithm>
#include <unordered_set>

#include "core/device.h"
#include "core/event.h"

namespace cu2cpp::rt {
namespace {

thread_local CaptureMode threadMode = CaptureMode::Global;

void addOnce(std::vector<Node*>& list, Node* node) {
  if (std::find(list.begin(), list.end(), node) == list.end())
    list.push_back(node);
}

// All nodes that lead to the given ones, these included.
std::unordered_set<const Node*> leadingTo(const std::vector<Node*>& nodes) {
  std::unordered_set<const Node*> seen(nodes.begin(), nodes.end());
  std::vector<const Node*> open(nodes.begin(), nodes.end());
  while (!open.empty()) {
    const Node* const node = open.back();
    open.pop_back();
    for (const Node* before : node->dependencies)
      if (seen.insert(before).second)
        open.push_back(before);
  }
  return seen;
}

} // namespace

CaptureMode Captures::exchangeThreadMode(CaptureMode mode) {
  const CaptureMode before = threadMode;
  threadMode = mode;
  return before;
}

// With the mutex held: whether the stream's capture goes on.
Status Captures::current(const Stream& stream) {
  return stream.capture->invalid ? Status::CaptureInvalidated : Status::Ok;
}

Status Captures::begin(const std::shared_ptr<Stream>& stream, CaptureMode mode,
                       std::shared_ptr<Graph> graph, std::vector<Node*> behind) {
  // The legacy default stream can't be captured (Runtime API, 'cudaStreamBeginCapture').
  if (stream == stream->device.legacyStream())
    return Status::CaptureUnsupported;
  std::lock_guard lock(mutex_);
  if (stream->capture)
    return Status::IllegalState;
  auto capture = std::make_shared<Capture>();
  capture->id = ++lastId_;
  capture->graph = std::move(graph);
  capture->mode = mode;
  capture->thread = std::this_thread::get_id();
  capture->origin = stream.get();
  capture->streams.push_back(stream);
  stream->captureTail = std::move(behind);
  stream->capture = capture;
  stream->capturing.store(true, std::memory_order_relaxed);
  all_.push_back(std::move(capture));
  ++active_;
  return Status::Ok;
}

Status Captures::end(const std::shared_ptr<Stream>& stream, std::shared_ptr<Graph>& out) {
  std::lock_guard lock(mutex_);
  const std::shared_ptr<Capture> capture = stream->capture;
  if (!capture)
    return Status::IllegalState;
  if (capture->mode != CaptureMode::Relaxed && capture->thread != std::this_thread::get_id())
    return Status::CaptureWrongThread;
  if (capture->origin != stream.get()) {
    capture->invalid = true;
    return Status::CaptureUnmatched;
  }
  Status status = current(*stream);
  if (status == Status::Ok) {
    const std::unordered_set<const Node*> joined = leadingTo(stream->captureTail);
    for (const std::shared_ptr<Stream>& other : capture->streams)
      for (const Node* node : other->captureTail)
        if (!joined.count(node))
          status = Status::CaptureUnjoined;
  }
  for (const std::shared_ptr<Stream>& other : capture->streams) {
    other->capturing.store(false, std::memory_order_relaxed);
    other->capture.reset();
    other->captureTail.clear();
  }
  capture->streams.clear();
  all_.erase(std::find(all_.begin(), all_.end(), capture));
  --active_;
  if (status == Status::Ok)
    out = capture->graph;
  return status;
}

void Captures::streamDestroyed(const std::shared_ptr<Stream>& stream) {
  {
    std::lock_guard lock(mutex_);
    if (!stream->capture || stream->capture->origin != stream.get())
      return;
  }
  std::shared_ptr<Graph> dropped;
  (void)end(stream, dropped);
}

CaptureInfo Captures::info(const Stream& stream) {
  std::lock_guard lock(mutex_);
  if (!stream.capture)
    return {};
  return {true, stream.capture->invalid, stream.capture->id, stream.capture->graph};
}

const std::vector<Node*>& Captures::tail(const Stream& stream) { return stream.captureTail; }

Status Captures::setTail(const std::shared_ptr<Stream>& stream, const std::vector<Node*>& nodes,
                         bool replace) {
  std::lock_guard lock(mutex_);
  if (!stream->capture)
    return Status::IllegalState;
  if (const Status status = current(*stream); status != Status::Ok)
    return status;
  for (const Node* node : nodes)
    if (!stream->capture->graph->contains(node))
      return Status::InvalidValue;
  if (replace)
    stream->captureTail.clear();
  for (Node* node : nodes)
    addOnce(stream->captureTail, node);
  return Status::Ok;
}

Status Captures::add(const std::shared_ptr<Stream>& stream, std::shared_ptr<const NodeBody> body,
                     Node** out) {
  std::lock_guard lock(mutex_);
  if (!stream->capture)
    return Status::IllegalState;
  if (const Status status = current(*stream); status != Status::Ok)
    return status;
  const std::shared_ptr<Node> node =
      stream->capture->graph->addNode(std::move(body), stream->captureTail);
  stream->captureTail = {node.get()};
  if (out)
    *out = node.get();
  return Status::Ok;
}

Status Captures::record(const std::shared_ptr<Stream>& stream, Event& event) {
  std::lock_guard lock(mutex_);
  if (!stream->capture)
    return Status::IllegalState;
  if (const Status status = current(*stream); status != Status::Ok)
    return status;
  event.captured = {stream->capture, stream->captureTail};
  event.byCapture.store(true, std::memory_order_relaxed);
  return Status::Ok;
}

Status Captures::wait(const std::shared_ptr<Stream>& stream, Event& event) {
  std::lock_guard lock(mutex_);
  const std::shared_ptr<Capture> capture = event.captured.capture.lock();
  if (!capture || capture->streams.empty()) {
    // Recorded outside of a capture, or in one that has ended.
    if (!stream->capture)
      return Status::IllegalState;
    if (const Status status = current(*stream); status != Status::Ok)
      return status;
    stream->capture->invalid = true;
    return Status::CaptureIsolation;
  }
  if (capture->invalid)
    return Status::CaptureInvalidated;
  if (stream->capture && stream->capture != capture) {
    stream->capture->invalid = capture->invalid = true;
    return Status::CaptureMerge;
  }
  if (stream == stream->device.legacyStream()) {
    capture->invalid = true;
    return Status::CaptureImplicit;
  }
  return join(stream, capture, event.captured.tail);
}

void Captures::forget(Event& event) {
  std::lock_guard lock(mutex_);
  event.captured = {};
  event.byCapture.store(false, std::memory_order_relaxed);
}

bool Captures::captured(const Event& event) {
  if (!anyActive())
    return false;
  std::lock_guard lock(mutex_);
  const std::shared_ptr<Capture> capture = event.captured.capture.lock();
  return capture && !capture->streams.empty();
}

bool Captures::holds(const Event& event) {
  if (!anyActive())
    return false;
  std::lock_guard lock(mutex_);
  const std::shared_ptr<Capture> capture = event.captured.capture.lock();
  if (!capture || capture->streams.empty())
    return false;
  capture->invalid = true;
  return true;
}

Status Captures::join(const std::shared_ptr<Stream>& stream,
                      const std::shared_ptr<Capture>& capture, const std::vector<Node*>& tail) {
  if (!stream->capture) {
    stream->capture = capture;
    stream->capturing.store(true, std::memory_order_relaxed);
    capture->streams.push_back(stream);
  }
  for (Node* node : tail)
    addOnce(stream->captureTail, node);
  return Status::Ok;
}

Status Captures::refuse(const Stream& stream, Status why) {
  std::lock_guard lock(mutex_);
  if (!stream.capture)
    return why;
  if (const Status status = current(stream); status != Status::Ok)
    return status;
  stream.capture->invalid = true;
  return why;
}

Status Captures::checkLegacy(const Device& device) {
  std::lock_guard lock(mutex_);
  bool found = false;
  for (const std::shared_ptr<Capture>& capture : all_)
    for (const std::shared_ptr<Stream>& stream : capture->streams)
      if (stream->blocking && &stream->device == &device)
        found = capture->invalid = true;
  return found ? Status::CaptureImplicit : Status::Ok;
}

// Programming Guide, 'Prohibited and Unhandled Operations'; Runtime API,
// 'cudaThreadExchangeStreamCaptureMode'.
Status Captures::checkUnsafe() {
  if (threadMode == CaptureMode::Relaxed)
    return Status::Ok;
  std::lock_guard lock(mutex_);
  bool found = false;
  for (const std::shared_ptr<Capture>& capture : all_) {
    const bool own = capture->thread == std::this_thread::get_id();
    if (capture->mode == CaptureMode::Relaxed)
      continue;
    if (own || (threadMode == CaptureMode::Global && capture->mode == CaptureMode::Global))
      found = capture->invalid = true;
  }
  return found ? Status::CaptureUnsupported : Status::Ok;
}

Status Captures::refuseAll(const Device& device) {
  std::lock_guard lock(mutex_);
  bool found = false;
  for (const std::shared_ptr<Capture>& capture : all_)
    for (const std::shared_ptr<Stream>& stream : capture->streams)
      if (&stream->device == &device)
        found = capture->invalid = true;
  return found ? Status::CaptureUnsupported : Status::Ok;
}

} // namespace cu2cpp::rt
