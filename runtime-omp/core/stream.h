// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams, tasks and points. A stream is a queue of tasks; a point is a place in a stream ("after
// the n-th task"), which is what events record and what waits wait for. A task starts when it is
// first in its stream and all points that it depends on are reached.
//
// CUDA C++ Programming Guide, 'Streams' and 'Events'.
#ifndef CU2CPP_CORE_STREAM_H
#define CU2CPP_CORE_STREAM_H

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "exec/work.h"

namespace cu2cpp::rt {

class Device;
struct Capture;
struct Node;
struct Stream;

/// Point is reached when the stream has completed `count` tasks. Without a stream it is always
/// reached.
struct Point {
  std::shared_ptr<Stream> stream;
  std::uint64_t count = 0;

  inline bool reached() const;
};

/// Recording is one record of an event: where it stands, and the time when the work before it had
/// ended.
struct Recording {
  Point point;
  std::atomic<std::int64_t> nanoseconds{0}; // written before the point is reached
  std::uint64_t number = 0;                 // among the records of several processes
};

/// Task is one entry of a stream. Exactly one of work, host and nothing (a marker: events, waits)
/// is set.
struct Task {
  std::unique_ptr<Work> work;
  std::function<void(Status)> host;     // runs on the runtime's host-function thread
  bool hostAfterFailure = false;        // host is called even when the device has failed
  std::shared_ptr<Recording> recording; // gets its time when the task ends
  std::vector<Point> after;             // besides the task before it in the stream
  std::uint64_t order = 0;              // over all streams, by time of enqueueing
  std::int64_t enqueuedAt = 0;          // nanoseconds

  bool isMarker() const { return !work && !host; }
  /// mayStart() is true when all that it waits for besides the task before it is done.
  bool mayStart() const {
    return std::all_of(after.begin(), after.end(), [](const Point& p) { return p.reached(); });
  }
};

/// Stream: all members but `completed` and the constants are guarded by the scheduler's mutex.
struct Stream {
  Stream(Device& owner, unsigned long long number, bool blocksOnLegacy, int level)
      : device(owner), id(number), blocking(blocksOnLegacy), priority(level) {}

  Device& device;
  const unsigned long long id;
  const bool blocking;                     // takes part in the legacy default stream's ordering
  std::atomic<int> priority;               // lower is more urgent
  std::shared_ptr<void> attributes;        // the API's own; guarded by the API
  std::deque<std::unique_ptr<Task>> tasks; // while it runs, some of the first may be gone
  bool running = false;                    // the first task is being executed
  bool listed = false;                     // is in the scheduler's list of streams with tasks
  std::uint64_t mark = 0;                  // visited by the search with this number
  std::uint64_t enqueued = 0;
  // Written by who executes the first tasks with release, read anywhere with acquire: who sees a
  // count sees what those tasks wrote.
  std::atomic<std::uint64_t> completed{0};

  // Guarded by the mutex of Captures; `capturing` alone may be read without it.
  std::atomic<bool> capturing{false};
  std::shared_ptr<Capture> capture;
  std::vector<Node*> captureTail; // what the next node will depend on

  bool idle() const { return tasks.empty(); }
};

inline bool Point::reached() const {
  return !stream || stream->completed.load(std::memory_order_seq_cst) >= count;
}

} // namespace cu2cpp::rt

#endif
