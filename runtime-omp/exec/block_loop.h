// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launched grid as work: its parts are the blocks, blockIdx.x fastest. Sets what thisBlock()
// reads around each call of the kernel.
//
// CUDA C++ Programming Guide, 'Thread Hierarchy'.
#ifndef CU2CPP_EXEC_BLOCK_LOOP_H
#define CU2CPP_EXEC_BLOCK_LOOP_H

#include <atomic>
#include <memory>

#include <cu2cpp/kernel_call.h>

#include "exec/waiting_blocks.h"
#include "exec/work.h"

namespace cu2cpp::rt {

/// forgetKernels() drops what is known of kernels from the grids that have run: code is unloaded,
/// and addresses are used again.
void forgetKernels() noexcept;

class Grid final : public Work {
public:
  Grid(const detail::LaunchShape& shape, std::unique_ptr<detail::KernelCall> call)
      : call_(std::move(call)), grid_(shape.grid), block_(shape.block),
        sharedBytes_(shape.sharedBytes) {}

  std::uint64_t parts() const override { return std::uint64_t(grid_.x) * grid_.y * grid_.z; }
  // Neighbours along x share lines and pages, and some kernels run them as one (block_row.h).
  std::uint64_t rowLength() const override { return grid_.x; }
  std::uint64_t rowsTogether() const override;
  void run(std::uint64_t first, std::uint64_t last) noexcept override;
  bool anyOrder() const override;
  bool isQuick() const override;
  void noteCost(std::int64_t ofPart) const override;
  Description describe() const override { return {"kernel", call_->kernel(), parts(), 0}; }
  Status result() const override { return failure_.load(std::memory_order_relaxed); }
  void allReturned() noexcept override;

  /// Range is a row of blocks that one OS thread runs, one after the other.
  struct Range {
    Grid* grid;
    std::uint64_t first, last;
    std::uint64_t index = 0; // of the block that runs
  };
  /// blocksMayWait() puts the range's blocks behind the running one where any thread can take them.
  void blocksMayWait(Range& range) noexcept;

private:
  static void runRange(void* range);
  void runOne(std::uint64_t first, std::uint64_t last) noexcept;

  std::unique_ptr<detail::KernelCall> call_;
  ::dim3 grid_;
  ::dim3 block_;
  std::size_t sharedBytes_;
  std::atomic<Status> failure_{Status::Ok};  // of the first block that was aborted
  std::atomic<std::uint32_t> wantedRows_{0}; // as Block::wantedRows says
  // Of a grid whose blocks may wait for each other, from the first block that says so to
  // allReturned().
  std::atomic<WaitingBlocks*> waiting_{nullptr};
  bool saidToWait_ = false; // by the only block
};

/// currentRange() is the range that this OS thread runs; null in blocks that run together.
Grid::Range* currentRange() noexcept;

} // namespace cu2cpp::rt

#endif
