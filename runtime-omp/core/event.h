// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Events: a name for the latest place in a stream where they were recorded.
//
// CUDA C++ Programming Guide, 'Events'.
#ifndef CU2CPP_CORE_EVENT_H
#define CU2CPP_CORE_EVENT_H

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "core/stream.h"

namespace cu2cpp::rt {

class SharedEvent;

class Event {
public:
  explicit Event(bool keepsTime) : timed_(keepsTime) {}

  bool timed() const { return timed_; }
  /// recording() is the latest one, null before the first.
  std::shared_ptr<Recording> recording() const;
  void set(std::shared_ptr<Recording> recording);
  /// done() is true when the work before the latest recording has ended, and before the first.
  bool done() const;

  /// shared is set for events of several processes.
  std::shared_ptr<SharedEvent> shared;
  /// foreign() is the number of the latest record if another process has made it.
  std::optional<std::uint64_t> foreign() const;
  /// captured is where a capture has recorded the event, if that was its latest record. Guarded by
  /// the mutex of Captures.
  struct Captured {
    std::weak_ptr<Capture> capture;
    std::vector<Node*> tail;
  } captured;
  /// byCapture tells whether a capture made the latest record. It stays when the capture has ended.
  std::atomic<bool> byCapture{false};

private:
  const bool timed_;
  mutable std::mutex mutex_; // a leaf
  std::shared_ptr<Recording> recording_;
};

/// elapsedMilliseconds() is the time from one event to the other.
Status elapsedMilliseconds(const Event& start, const Event& end, float* out);

} // namespace cu2cpp::rt

#endif
