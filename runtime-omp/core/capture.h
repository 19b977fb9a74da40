// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stream capture: what is put into a capturing stream becomes a node of a graph instead of a task.
// A capture begins at one stream and spreads over events to others, which must come back to it
// before its end.
//
//   begin(s1)  A in s1  record(e, s1)  wait(s2, e)  B in s2  record(f, s2)  wait(s1, f)  end(s1)
//
// CUDA C++ Programming Guide, 'Creating a Graph Using Stream Capture'.
#ifndef CU2CPP_CORE_CAPTURE_H
#define CU2CPP_CORE_CAPTURE_H

#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "core/graph.h"
#include "core/stream.h"

namespace cu2cpp::rt {

class Event;

enum class CaptureMode { Global, ThreadLocal, Relaxed };

struct Capture {
  unsigned long long id = 0;
  std::shared_ptr<Graph> graph;
  CaptureMode mode = CaptureMode::Global;
  std::thread::id thread; // where it began
  Stream* origin = nullptr;
  bool invalid = false;
  std::vector<std::shared_ptr<Stream>> streams; // that take part
};

/// CaptureInfo is what a program may ask of a capturing stream.
struct CaptureInfo {
  bool active = false, invalid = false;
  unsigned long long id = 0;
  std::shared_ptr<Graph> graph;
};

class Captures {
public:
  /// begin() captures into the graph, behind the given nodes of it.
  Status begin(const std::shared_ptr<Stream>& stream, CaptureMode mode,
               std::shared_ptr<Graph> graph, std::vector<Node*> behind);
  /// end() gives the graph; null when the capture had been invalidated.
  Status end(const std::shared_ptr<Stream>& stream, std::shared_ptr<Graph>& out);
  /// streamDestroyed() drops what has been gathered if the capture began at the stream. Another
  /// stream's part stays: it has come back before, or is missed at the end.
  void streamDestroyed(const std::shared_ptr<Stream>& stream);
  CaptureInfo info(const Stream& stream);
  /// tail() are the nodes that the stream's next one will depend on; valid until it changes.
  const std::vector<Node*>& tail(const Stream& stream);
  Status setTail(const std::shared_ptr<Stream>& stream, const std::vector<Node*>& nodes,
                 bool replace);

  /// add() appends a node to a capturing stream.
  Status add(const std::shared_ptr<Stream>& stream, std::shared_ptr<const NodeBody> body,
             Node** out = nullptr);
  Status record(const std::shared_ptr<Stream>& stream, Event& event);
  /// wait() makes the stream wait for an event that a capture has recorded: it joins the capture.
  Status wait(const std::shared_ptr<Stream>& stream, Event& event);

  /// forget() is called when the event is recorded outside of captures.
  void forget(Event& event);
  /// captured() is true for an event whose latest record is part of a capture that goes on. holds()
  /// makes the capture invalid besides, as asking for the state of such an event does.
  bool captured(const Event& event);
  bool holds(const Event& event);

  /// refuse() is for calls that a capture of the stream prohibits: it is over then.
  Status refuse(const Stream& stream, Status why = Status::CaptureUnsupported);
  /// checkLegacy() refuses use of the legacy stream that would have to wait for a capture.
  Status checkLegacy(const Device& device);
  /// checkUnsafe() refuses calls that may synchronise, where the mode of a capture forbids them.
  Status checkUnsafe();
  /// refuseAll() is for waiting for a whole device.
  Status refuseAll(const Device& device);

  /// anyActive() is true while there is any capture.
  bool anyActive() const { return active_.load(std::memory_order_relaxed) > 0; }
  static CaptureMode exchangeThreadMode(CaptureMode mode);

private:
  Status join(const std::shared_ptr<Stream>& stream, const std::shared_ptr<Capture>& capture,
              const std::vector<Node*>& tail);
  static Status current(const Stream& stream);

  std::mutex mutex_; // a leaf; guards the capture members of streams and events too
  std::atomic<int> active_{0};
  std::vector<std::shared_ptr<Capture>> all_;
  unsigned long long lastId_ = 0;
};

} // namespace cu2cpp::rt

#endif
