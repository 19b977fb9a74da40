// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work that several threads can share: a grid is its blocks, a large copy its pieces. The scheduler
// hands out ranges of parts in ascending order and knows nothing else about them.
#ifndef CU2CPP_EXEC_WORK_H
#define CU2CPP_EXEC_WORK_H

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "exec/children.h"
#include "exec/status.h"

namespace cu2cpp::rt {

class Work {
public:
  virtual ~Work() = default;
  /// parts() is the number of parts, at least 1.
  virtual std::uint64_t parts() const = 0;
  /// rowLength() is how many parts in a row are best run by one thread, 1 where it doesn't matter.
  virtual std::uint64_t rowLength() const { return 1; }
  /// rowsTogether() is how many such rows are best run as one, if there are enough for all threads.
  virtual std::uint64_t rowsTogether() const { return 1; }
  /// chunkFor() is how many parts a thread of the team takes at a time: small enough to even out
  /// parts of different cost, large enough that the counter costs little, and whole rows where
  /// there are enough of them (of long ones more: each is a large share). For one thread there is
  /// nothing to even out.
  std::uint64_t chunkFor(unsigned teamSize) const {
    const std::uint64_t all = parts(), row = rowLength(), threads = teamSize;
    const std::uint64_t chunk =
        std::clamp<std::uint64_t>(threads == 1 ? all : all / (threads * 16), 1, 64);
    const std::uint64_t whole = (chunk + row - 1) / row * row;
    const std::uint64_t rows = std::min(rowsTogether(), all / row / (threads * 2));
    if (rows > 1 && rows * row > whole)
      return rows * row;
    return whole * threads * (row <= 64 ? 2 : 8) <= all ? whole : chunk;
  }
  /// anyOrder() is true where no part waits for a lower one. Each thread of the team then begins
  /// with the same parts each time, whose data may lie in its cache.
  virtual bool anyOrder() const { return false; }
  /// isQuick() is true if one thread has done all parts before another could join it, judged by
  /// what noteCost() was told of such work before: nanoseconds for a part.
  virtual bool isQuick() const { return false; }
  virtual void noteCost(std::int64_t ofPart) const { (void)ofPart; }
  /// run() does the parts [first, last), in order, on the calling thread. Called from several
  /// threads at once.
  virtual void run(std::uint64_t first, std::uint64_t last) noexcept = 0;
  /// sharesItself() is true for work that hands out its parts itself: threads call join() in place
  /// of run(), helpers while wantsHelp() says so. The leader's call returns when all is done.
  virtual bool sharesItself() const { return false; }
  virtual bool wantsHelp() const { return false; }
  virtual void join(bool leader, unsigned teamSize) noexcept {
    (void)leader;
    (void)teamSize;
  }
  /// describe() is for profiles.
  struct Description {
    const char* kind = "other";
    const void* kernel = nullptr; // its address, where that is known
    std::uint64_t blocks = 0, bytes = 0;
  };
  virtual Description describe() const { return {}; }
  /// result() is asked after all parts are done.
  virtual Status result() const { return Status::Ok; }

  /// allReturned() is called when all calls of run() have returned.
  virtual void allReturned() noexcept {}

  Children children; ///< what its parts have asked for
  /// nextPart: those below have been handed out. Stays as it is where one thread does all parts.
  std::atomic<std::uint64_t> nextPart{~std::uint64_t(0) / 2};
};

} // namespace cu2cpp::rt

#endif
