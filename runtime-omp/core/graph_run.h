// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One launch of a graph as work of a stream. Each thread that joins takes parts of whatever node
// has all its dependencies behind it, so nodes that do not depend on each other share the machine,
// and a chain of small nodes costs no hand-over.
//
// Lock order: a run's mutex, then the scheduler's.
//
// CUDA C++ Programming Guide, 'CUDA Graphs'.
#ifndef CU2CPP_CORE_GRAPH_RUN_H
#define CU2CPP_CORE_GRAPH_RUN_H

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "core/graph_plan.h"
#include "core/scheduler.h"

namespace cu2cpp::rt {

class GraphExec;

class GraphRun final : public Work {
public:
  /// `pending` counts the launches by kernels that have not ended, of which this is one.
  GraphRun(Scheduler& scheduler, std::shared_ptr<const Plan> plan,
           std::shared_ptr<Stream> hostStream, const GraphExec& exec,
           std::shared_ptr<std::atomic<unsigned>> pending = nullptr);
  ~GraphRun() override;

  /// exec() names the graph; it may be gone.
  const GraphExec* exec() const { return exec_; }
  bool launchedByKernel() const { return pending_ != nullptr; }

  std::uint64_t parts() const override { return 2; } // several threads may join
  void run(std::uint64_t, std::uint64_t) noexcept override {}
  bool sharesItself() const override { return true; }
  bool wantsHelp() const override { return wanted_.load(std::memory_order_relaxed) > 1; }
  bool isQuick() const override;
  void join(bool leader, unsigned teamSize) noexcept override;
  Description describe() const override { return {"graph", nullptr, plan_->nodes.size(), 0}; }
  Status result() const override { return failure_.load(std::memory_order_relaxed); }

private:
  struct State {
    std::uint32_t waiting = 0; // dependencies that have not ended
    std::uint32_t takers = 0;  // threads that run parts now
    std::uint32_t cost = 0;    // while it is listed: what all parts are thought to take
    bool listed = false;       // in ready_
  };
  using Lock = std::unique_lock<std::mutex>;

  void takeParts(bool leader, unsigned teamSize) noexcept;
  bool skips() const;
  void endWork(const PlanNode& node) noexcept;
  // All with the mutex held; those that take a Lock release it while they run parts.
  void takeWhole(Lock& lock);
  void takeSome(Lock& lock, std::uint32_t node);
  void note(std::uint32_t node, std::int64_t nanoseconds);
  void startRegion(std::uint32_t region);
  void start(std::uint32_t node);
  void complete(std::uint32_t node);
  void settle();
  bool startBody(std::uint32_t node);
  void unlist(std::uint32_t node);
  void finish();
  void reach(std::uint32_t node);
  void tellWanted();
  void pushReady(std::uint32_t node);
  void runHost(std::uint32_t node);

  Scheduler& scheduler_;
  const std::shared_ptr<const Plan> plan_;
  const std::shared_ptr<Stream> hostStream_;
  const GraphExec* const exec_;
  const std::shared_ptr<std::atomic<unsigned>> pending_;
  std::mutex mutex_;
  std::condition_variable changed_; // for the leader
  std::vector<State> states_;
  std::vector<std::shared_ptr<Recording>> recordings_; // of plan_->records
  std::vector<std::uint32_t> unfinished_;              // by region
  std::deque<std::uint32_t> ready_;                    // nodes with parts to take
  std::uint64_t readyCost_ = 0;                        // of those, in nanoseconds
  std::uint64_t spent_ = 0;                            // on all that has ended
  std::int64_t startedAt_ = 0;
  std::vector<std::uint32_t> starting_, completed_; // to be handled by settle()
  bool begun_ = false, finished_ = false;
  unsigned helpers_ = 0, teamSize_ = 1;
  unsigned slow_ = 0; // of the leader and the helpers, those whose nodes are not known to be quick
  // 1: there are parts to take, 2: worth a helper, -1: all is done. Partner: wantsHelp() and the
  // leader's spinning, as a hint.
  std::atomic<int> wanted_{0};
  std::atomic<Status> failure_{Status::Ok};
};

/// runningGraph is the launch whose kernel the OS thread runs; null outside of graphs.
extern thread_local GraphRun* runningGraph;

} // namespace cu2cpp::rt

#endif
