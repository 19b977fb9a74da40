// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks of a grid that may wait for each other. Those that nobody runs yet lie here, the lowest is
// taken first; when nothing has moved for a while, threads are added that run more of them beside
// those that wait:
//
//   team:   block 0 (waits for 3)   block 1 (waits for 3)
//   added:  block 2, block 3        all go on
//
// A GPU keeps as many blocks resident as fit. CUDA C++ Programming Guide, 'Hardware
// Implementation'.
#ifndef CU2CPP_EXEC_WAITING_BLOCKS_H
#define CU2CPP_EXEC_WAITING_BLOCKS_H

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

namespace cu2cpp::rt {

class WaitingBlocks {
public:
  /// Blocks from `next` to `count` have not been handed out to anybody yet.
  WaitingBlocks(std::atomic<std::uint64_t>& next, std::uint64_t count,
                std::function<void(std::uint64_t)> run);
  /// start() looks after them from now on.
  void start();
  ~WaitingBlocks(); ///< when the blocks that added threads run have ended

  void giveBack(std::uint64_t first, std::uint64_t last);
  /// take() is the lowest block that was given back; false if there is none.
  bool take(std::uint64_t& block);
  /// started() is called by each block: something moves.
  void started() { moved_.fetch_add(1, std::memory_order_relaxed); }

private:
  void watch();
  void help();
  bool takeAny(std::uint64_t& block);

  std::atomic<std::uint64_t>& next_;
  const std::uint64_t count_;
  const std::function<void(std::uint64_t)> run_;
  std::atomic<std::uint64_t> moved_{0};

  std::mutex mutex_; // a leaf
  std::condition_variable changed_;
  std::map<std::uint64_t, std::uint64_t> given_; // first -> last of ranges
  bool over_ = false;
  std::vector<std::thread> helpers_;
  std::thread watcher_;
};

} // namespace cu2cpp::rt

#endif
