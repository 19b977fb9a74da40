// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs ranges of a grid's blocks on the calling thread.
#include "exec/block_loop.h"

#include <algorithm>

#include <cu2cpp/block.h>
#include <cu2cpp/device/turn.h>

#include "exec/abort.h"
#include "exec/faults.h"
#include "exec/resident_grid.h"
#include "exec/shared_memory.h"

namespace cu2cpp::rt {

namespace {

thread_local Grid::Range* runningRange = nullptr;

// About as long as it takes until another thread joins a grid.
constexpr std::uint64_t joiningNanoseconds = 2'000;

// What is known of a kernel. One that has lost its place to another is only met as if for the first
// time.
struct KernelRecord {
  std::atomic<const void*> kernel; // none of its blocks may wait for others (blocksMayWait() stands
                                   // at the head of those that may)
  std::atomic<std::uint32_t> blockCost; // nanoseconds, of small grids
  std::atomic<std::uint32_t> rows;      // of blocks that its blocks would like to run as one
};
KernelRecord records[256];

KernelRecord& placeOf(const void* kernel) {
  const auto address = reinterpret_cast<std::uintptr_t>(kernel);
  return records[(address >> 4 ^ address >> 12) % 256];
}

// Null for a kernel of which no grid has run yet.
KernelRecord* recordOf(const void* kernel) {
  KernelRecord& place = placeOf(kernel);
  return kernel && place.kernel.load(std::memory_order_relaxed) == kernel ? &place : nullptr;
}

void noteNotToWait(const void* kernel) {
  if (!kernel || recordOf(kernel))
    return;
  KernelRecord& place = placeOf(kernel);
  place.blockCost.store(~0u, std::memory_order_relaxed);
  place.rows.store(1, std::memory_order_relaxed);
  place.kernel.store(kernel, std::memory_order_relaxed);
}

} // namespace

void forgetKernels() noexcept {
  for (KernelRecord& record : records)
    record.kernel.store(nullptr, std::memory_order_relaxed);
}

bool Grid::anyOrder() const { return recordOf(call_->identity()) != nullptr; }

void Grid::allReturned() noexcept {
  if (WaitingBlocks* const waiting = waiting_.load(std::memory_order_relaxed)) {
    delete waiting; // its threads' last blocks must not make another one
    waiting_.store(nullptr, std::memory_order_relaxed);
  } else if (result() == Status::Ok && !saidToWait_)
    noteNotToWait(call_->identity());
  const std::uint32_t rows = wantedRows_.load(std::memory_order_relaxed);
  if (KernelRecord* const record = rows > 1 ? recordOf(call_->identity()) : nullptr)
    record->rows.store(rows, std::memory_order_relaxed);
}

std::uint64_t Grid::rowsTogether() const {
  const KernelRecord* const record = recordOf(call_->identity());
  return record ? record->rows.load(std::memory_order_relaxed) : 1;
}

bool Grid::isQuick() const {
  const KernelRecord* const record = recordOf(call_->identity());
  return record && record->blockCost.load(std::memory_order_relaxed) * parts() < joiningNanoseconds;
}

void Grid::noteCost(std::int64_t ofPart) const {
  if (KernelRecord* const record = recordOf(call_->identity()))
    record->blockCost.store(std::uint32_t(std::min<std::int64_t>(ofPart, ~0u)),
                            std::memory_order_relaxed);
}

// One pass for the range and not one per block: the abort's jump target and the arenas are set up
// once.
void Grid::runRange(void* argument) {
  Range& range = *static_cast<Range*>(argument);
  Grid& grid = *range.grid;
  Block block;
  block.blockDim = grid.block_;
  block.gridDim = grid.grid_;
  block.dynamicSharedBytes = grid.sharedBytes_;
  block.dynamicShared = dynamicArena(grid.sharedBytes_);
  const std::size_t slotBytes = staticSharedBytes();
  block.staticShared = staticArena(slotBytes);
  if ((grid.sharedBytes_ && !block.dynamicShared) || (slotBytes && !block.staticShared))
    abortKernel(cudaErrorMemoryAllocation);

  const std::uint64_t row = grid.grid_.x, plane = row * grid.grid_.y;
  block.blockIdx.z = static_cast<unsigned>(range.first / plane);
  block.blockIdx.y = static_cast<unsigned>(range.first % plane / row);
  block.blockIdx.x = static_cast<unsigned>(range.first % row);
  detail::context.block = &block;
  runningCall = grid.call_.get(); // for inCluster()
  runningRange = &range;
  for (std::uint64_t index = range.first;;) {
    range.index = index;
    const std::uint64_t inRow = grid.grid_.x - block.blockIdx.x, inRange = range.last - index;
    block.following = static_cast<unsigned>(std::min(inRow, inRange) - 1);
    const std::uint64_t rows = block.blockIdx.x == 0 ? inRange / row : 0;
    block.followingRows = static_cast<unsigned>(
        rows > 0 ? std::min<std::uint64_t>(rows, grid.grid_.y - block.blockIdx.y) - 1 : 0);
    block.taken = 0;
    grid.call_->runBlock();
    if (block.wantedRows > 1 && index == range.first)
      grid.wantedRows_.store(block.wantedRows, std::memory_order_relaxed);
    index += 1 + block.taken;
    if (index == range.last || grid.failure_.load(std::memory_order_relaxed) != Status::Ok)
      return;
    block.blockIdx.x += 1 + block.taken;
    if (block.blockIdx.x < grid.grid_.x)
      continue;
    block.blockIdx.y += block.blockIdx.x / grid.grid_.x; // it may have run whole rows along
    block.blockIdx.x = 0;
    if (block.blockIdx.y < grid.grid_.y)
      continue;
    block.blockIdx.y = 0;
    ++block.blockIdx.z;
  }
}

// Blocks behind the running one go to whoever is free, the lowest first.
void Grid::blocksMayWait(Range& range) noexcept {
  if (parts() == 1) {
    saidToWait_ = true;
    return;
  }
  WaitingBlocks* waiting = waiting_.load(std::memory_order_acquire);
  if (!waiting) {
    auto first = std::make_unique<WaitingBlocks>(
        nextPart, parts(), [this](std::uint64_t block) { runOne(block, block + 1); });
    if (waiting_.compare_exchange_strong(waiting, first.get(), std::memory_order_acq_rel))
      (waiting = first.release())->start();
  }
  waiting->started();
  if (range.index + 1 < range.last) {
    waiting->giveBack(range.index + 1, range.last);
    range.last = range.index + 1;
  }
}

void Grid::run(std::uint64_t first, std::uint64_t last) noexcept {
  runOne(first, last);
  std::uint64_t block = 0;
  if (WaitingBlocks* const waiting = waiting_.load(std::memory_order_acquire))
    while (waiting->take(block))
      runOne(block, block + 1);
}

void Grid::runOne(std::uint64_t first, std::uint64_t last) noexcept {
  if (failure_.load(std::memory_order_relaxed) != Status::Ok)
    return;
  Range range{this, first, last};
  Range* const outer = runningRange;
  const detail::Context before = detail::context;
  const InKernel outside = inKernel;
  inKernel = {&children, cudaSuccess};
  const Status status = runAbortable(runRange, &range);
  runningRange = outer;
  detail::context = before;
  inKernel = outside;
  if (status != Status::Ok) {
    tellFault();
    Status none = Status::Ok;
    failure_.compare_exchange_strong(none, status, std::memory_order_relaxed);
  }
}

Grid::Range* currentRange() noexcept { return runningRange; }

} // namespace cu2cpp::rt

namespace cu2cpp {

void blocksMayWait() noexcept {
  // Blocks of clusters and of cooperative launches are there together anyway.
  if (rt::Grid::Range* const range = rt::currentRange())
    range->grid->blocksMayWait(*range);
}

} // namespace cu2cpp
