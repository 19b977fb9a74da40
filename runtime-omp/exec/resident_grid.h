// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launched grid whose blocks run together: all of them (cooperative) or cluster by cluster. Each
// block has an OS thread with a stack of its own; the stacks are alike, so that a shared variable,
// which is a local of the kernel, lies at the same distance from each stack's end.
//
//   cluster 0: thread 0 runs block 0, thread 1 runs block 1     both wait at cluster.sync()
//   cluster 1: the same threads, afterwards
//
// CUDA C++ Programming Guide, 'Thread Block Clusters', 'Grid Synchronization'.
#ifndef CU2CPP_EXEC_RESIDENT_GRID_H
#define CU2CPP_EXEC_RESIDENT_GRID_H

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include <cu2cpp/device/residency.h>
#include <cu2cpp/kernel_call.h>

#include "exec/work.h"

namespace cu2cpp::rt {

/// Meeting is a barrier of blocks. A block that has ended no longer counts.
class Meeting {
public:
  explicit Meeting(unsigned blocks) : expected_(blocks) {}
  /// arrive() gives the number of the phase to wait for.
  unsigned arrive();
  bool reached(unsigned phase);
  /// await() is false when a block has failed, so that nobody should go on.
  bool await(unsigned phase);
  void leave();
  void fail();

private:
  void complete();
  std::mutex mutex_; // a leaf
  std::condition_variable changed_;
  unsigned expected_, arrived_ = 0, phase_ = 0;
  bool failed_ = false;
};

/// Resident is what a block that runs together with others knows of them.
struct Resident {
  struct Member {
    const Block* block = nullptr;
    char *stackBegin = nullptr, *stackEnd = nullptr;
  };
  /// Cluster is shared by the blocks of one cluster.
  struct Cluster {
    explicit Cluster(unsigned blocks) : barrier(blocks), start(blocks), member(blocks) {}
    Meeting barrier, start;
    std::vector<Member> member;
  };
  /// Half is a barrier that the block's threads arrive at one by one.
  struct Half {
    unsigned arrived = 0, phase = 0, meetingPhase = 0;
    std::vector<unsigned> outstanding; // by thread: the phase that it waits for
  };

  detail::ClusterPlace place;
  Meeting* grid = nullptr; // null unless cooperative
  Cluster* cluster = nullptr;
  bool meeting = false; // a thread of the block waits for the other blocks on behalf of all
  Half half[2];
};

/// currentResident() is null in a block that runs by itself.
Resident* currentResident() noexcept;

class ResidentGrid final : public Work {
public:
  /// `cluster` is the cluster's size in blocks; 1, 1, 1 without clusters.
  ResidentGrid(const detail::LaunchShape& shape, ::dim3 cluster, bool cooperative,
               std::shared_ptr<detail::KernelCall> call);

  std::uint64_t parts() const override { return 1; }
  void run(std::uint64_t, std::uint64_t) noexcept override { runClusters(0, clusters_); }
  Description describe() const override {
    return {"kernel", call_->kernel(), std::uint64_t(shape_.grid.x) * shape_.grid.y * shape_.grid.z,
            0};
  }
  Status result() const override { return failure_.load(std::memory_order_relaxed); }

  /// runClusters() returns when all blocks of the clusters have ended.
  void runClusters(std::uint64_t first, std::uint64_t last) noexcept;

private:
  struct Team;
  struct Seat;
  static void* runSeat(void* seat);
  static void runBlockOf(void* seat);
  void runBlock(Seat& seat, std::uint64_t cluster);

  detail::LaunchShape shape_;
  ::dim3 cluster_;
  ::dim3 gridInClusters_;
  bool cooperative_;
  std::uint64_t clusters_;
  std::shared_ptr<detail::KernelCall> call_;
  std::atomic<Status> failure_{Status::Ok};
};

/// runningCall is the kernel that this OS thread runs blocks of, for inCluster().
extern thread_local detail::KernelCall* runningCall;

} // namespace cu2cpp::rt

#endif
