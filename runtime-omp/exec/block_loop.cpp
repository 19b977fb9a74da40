// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs ranges of a grid's blocks on the calling thread.
#include "exec/block_loop.h"

#include <algorithm>

#include <cu2cpp/block.h>

#include "exec/abort.h"
#include "exec/resident_grid.h"
#include "exec/shared_memory.h"

namespace cu2cpp::rt {

struct Grid::Range {
  Grid* grid;
  std::uint64_t first, last;
};

// One pass for the range and not one per block: the abort's jump target and the arenas are set up
// once.
void Grid::runRange(void* argument) {
  const Range& range = *static_cast<const Range*>(argument);
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
  for (std::uint64_t index = range.first;;) {
    const std::uint64_t inRow = grid.grid_.x - block.blockIdx.x, inRange = range.last - index;
    block.following = static_cast<unsigned>(std::min(inRow, inRange) - 1);
    block.taken = 0;
    grid.call_->runBlock();
    index += 1 + block.taken;
    if (index == range.last || grid.failure_.load(std::memory_order_relaxed) != Status::Ok)
      return;
    block.blockIdx.x += 1 + block.taken;
    if (block.blockIdx.x < grid.grid_.x)
      continue;
    block.blockIdx.x = 0;
    if (++block.blockIdx.y < grid.grid_.y)
      continue;
    block.blockIdx.y = 0;
    ++block.blockIdx.z;
  }
}

void Grid::run(std::uint64_t first, std::uint64_t last) noexcept {
  if (failure_.load(std::memory_order_relaxed) != Status::Ok)
    return;
  Range range{this, first, last};
  const detail::Context before = detail::context;
  const InKernel outside = inKernel;
  inKernel = {&children, cudaSuccess};
  const Status status = runAbortable(runRange, &range);
  detail::context = before;
  inKernel = outside;
  if (status != Status::Ok) {
    Status none = Status::Ok;
    failure_.compare_exchange_strong(none, status, std::memory_order_relaxed);
  }
}

} // namespace cu2cpp::rt
