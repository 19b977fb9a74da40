// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who executes what. A host thread that waits for a point executes the tasks that lead to it; when
// nobody waits, the threads of the team take over, so that launches stay asynchronous. Work of many
// parts is shared: whoever leads it publishes it, and idle threads of the team take ranges of its
// parts.
//
//   host: launch A, launch B, wait for B        team: (asleep)
//   host: leads A ----- leads B ----- returns   team:   helps A   helps B
//
// Lock order: the scheduler's mutex is never held while another lock of the runtime is taken or
// user code runs; the profile's is taken inside of it.
//
// CUDA C++ Programming Guide, 'Asynchronous Concurrent Execution'.
#ifndef CU2CPP_CORE_SCHEDULER_H
#define CU2CPP_CORE_SCHEDULER_H

#include <array>
#include <chrono>
#include <condition_variable>
#include <limits>
#include <memory>
#include <mutex>
#include <vector>

#include "core/stream.h"

namespace cu2cpp::rt {

/// now() is a steady clock in nanoseconds.
std::int64_t now();

class Scheduler {
public:
  /// enqueue() appends the task to the stream, orders it after what the default stream's rules
  /// demand and returns its point. A marker that has nothing to wait for is done at once.
  Point enqueue(const std::shared_ptr<Stream>& stream, std::unique_ptr<Task> task);

  /// tail() is the point after the last task that the stream has now.
  Point tail(const std::shared_ptr<Stream>& stream);

  /// here() is the point after all that a task enqueued in the stream now would wait for.
  Point here(const std::shared_ptr<Stream>& stream);

  /// nothingBefore() is true when a task that is enqueued now has nothing to wait for.
  bool nothingBefore(const std::shared_ptr<Stream>& stream);

  /// pending() are the tails of all streams of the device that have tasks.
  std::vector<Point> pending(const Device& device);

  /// wait() returns when the point is reached; the calling thread executes tasks that lead to it.
  /// After stop() it returns at once.
  void wait(const Point& point);

  /// mayWait() is false on threads that must not wait: in a kernel and in a host function.
  static bool mayWait();

  bool stopped() const { return stopping_.load(std::memory_order_relaxed); }

  /// reach() completes a recording whose point is the first and only one of a stream of its own.
  void reach(Recording& recording);

  /// callForHelp() tells idle threads that work which shares itself has parts to take.
  void callForHelp();

  /// awaitTeam() returns when no thread of the team is still on its way into the parallel region.
  void awaitTeam();

  /// stop() lets no further part of any work start and waits a little for those that run (the
  /// process is exiting).
  void stop();

private:
  friend class WorkerTeam;

  /// Own is the share of a run's parts with which one thread of the team begins.
  struct alignas(64) Own {
    std::atomic<std::uint64_t> next;
    std::uint64_t end;
    std::atomic<bool> claimed; ///< by a helper
  };
  static constexpr unsigned mostOwn = 64;
  /// Grids of so many blocks may be too small to be shared.
  static constexpr std::uint64_t smallGrid = 64;
  /// Run is a piece of work in execution: its leader and those who help take ranges of its parts.
  struct Run {
    Work* work;
    std::uint64_t parts;
    std::uint64_t chunk;
    unsigned teamSize;
    Own* own = nullptr;                  // one for each thread of the team, where the order is free
    std::atomic<std::uint64_t> taken{0}; // then, of all parts
    std::atomic<int> helpers{0};         // changed with the mutex held, like the list of runs
    std::condition_variable* leader = nullptr;
  };
  using Lock = std::unique_lock<std::mutex>;
  // How long the end of the process waits for threads of the runtime.
  static constexpr std::chrono::seconds exitPatience{2};
  struct Waiter {
    Point point;
    std::condition_variable wake;
    bool look = false; // something changed that this thread may act on
  };

  static constexpr std::int64_t anyAge = std::numeric_limits<std::int64_t>::max();
  /// Bounds of what a thread executes of a stream in one go: so many tasks, and none younger.
  struct Bounds {
    std::uint64_t most = 1;
    std::int64_t youngest = anyAge;
  };
  static constexpr unsigned mostQuick = 32;
  using Batch = std::array<std::unique_ptr<Task>*, mostQuick>;

  // All with the mutex held; those that take a Lock release it while they execute.
  bool ready(const Stream& stream) const;
  Stream* findReady(std::int64_t youngest, bool hostFunctions) const;
  Stream* findTowards(Stream& stream);
  void execute(Lock& lock, Stream& stream, const Bounds& bounds);
  unsigned gatherQuick(Stream& stream, const Bounds& bounds, Batch& batch);
  void executeQuick(Lock& lock, Stream& stream, const Batch& batch, unsigned count);
  void interruptBatch();
  void lead(Lock& lock, Work& work);
  Status leadChildren(Lock& lock, Work& work);
  void help(Lock& lock, Run& run);
  Run* findRun() const;
  void complete(Stream& stream);
  void settle();
  void list(const std::shared_ptr<Stream>& stream);
  void wakeForMore();
  void wakeExecutor();
  void wakeWaiters();
  void addLegacyOrder(Stream& stream, Task& task);

  /// Both return how many parts the thread has done; 0 where the work itself knows.
  std::uint64_t takeParts(Run& run, bool leader);
  static unsigned claimShare(Run& run);
  std::uint64_t takeOwnParts(Run& run, unsigned first);
  static std::uint64_t nextChunk(const Run& run, std::uint64_t done, std::int64_t start);
  static bool hasParts(const Run& run);
  void teamLoop(int index, int given);
  void hostFunctionLoop();

  std::mutex mutex_;
  std::vector<std::shared_ptr<Stream>> busy_; // streams with tasks
  std::vector<Run*> runs_;
  std::vector<Waiter*> waiters_;
  std::uint64_t lastOrder_ = 0;
  std::uint64_t lastMark_ = 0;
  int executing_ = 0;                    // threads that execute work now
  bool batching_ = false;                // one of them runs a batch, see executeQuick()
  std::atomic<bool> interrupted_{false}; // and shall look after others now
  int teamSize_ = 1;
  bool teamStarted_ = false;
  int arrived_ = 0; // threads of the team that are in teamLoop()
  bool hostThreadStarted_ = false;
  int sleepers_ = 0;            // team threads asleep on helpers_
  bool executorAsleep_ = false; // team thread 0 sleeps without a time limit
  bool executorAway_ = false;   // team thread 0 executes something and looks after nothing else
  std::int64_t lastEnqueue_ = 0;
  std::condition_variable teamComplete_;
  std::condition_variable helpers_;
  std::condition_variable executor_;
  std::condition_variable hostFunctions_;
  std::atomic<bool> stopping_{false};
  // Counts publications of work; idle team threads watch it for some microseconds before they
  // sleep.
  std::atomic<unsigned> news_{0};
};

} // namespace cu2cpp::rt

#endif
