// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scheduler of fibers: starting, switching, finishing, leaving. Who waits for whom is in
// fiber_collectives.cpp.
#include "exec/fibers.h"

#include <cstdio>
#include <memory>
#include <thread>

#include <cu2cpp/device/turn.h>

#include "exec/abort.h"
#include "exec/faults.h"

namespace cu2cpp {
namespace detail {
__thread unsigned turnsLeft = 0;
}

namespace rt {
namespace {

namespace bc = boost::context::detail;

// Calls of atomics, fences and clocks that a thread makes between two turns of the others.
constexpr unsigned turnCalls = 32;

__thread FiberBlock* active = nullptr;

FiberBlock& fibersOfThisThread() {
  thread_local const std::unique_ptr<FiberBlock> own = std::make_unique<FiberBlock>();
  return *own;
}

} // namespace

FiberBlock* currentFibers() noexcept { return active; }

void endKernel(cudaError_t error) {
  if (active)
    active->leave(error);
  abortKernel(error);
}

FiberBlock::FiberBlock() { watchStackOverflow(); }

cudaError_t FiberBlock::run(const Block& block, Call call, void* body, const char* kernel) {
  block_ = &block;
  kernel_ = kernel;
  call_ = call;
  body_ = body;
  count_ = live_ = block.threadCount();
  started_ = 0;
  nextIndex_ = {};
  idleTurns_ = 0;
  error_ = cudaSuccess;
  ready_ = {};
  barriers_ = {};
  barriersInUse_ = 0;
  tiles_.clear();
  if (fibers_.size() < count_)
    fibers_.resize(count_);
  if (warps_.size() * 32 < count_)
    warps_.resize((count_ + 31) / 32);
  for (unsigned w = 0; w * 32 < count_; ++w) {
    const unsigned lanes = count_ - w * 32;
    warps_[w].live = lanes >= 32 ? 0xffffffffu : (1u << lanes) - 1;
    warps_[w].gatherings = 0;
  }
  stacks_.reset();

  FiberBlock* const outer = active;
  const unsigned outerTurns = detail::turnsLeft;
  const Thread* const outerThread = detail::context.thread;
  active = this;
  detail::turnsLeft = turnCalls;
  startNext(&main_);
  detail::turnsLeft = outerTurns;
  detail::context.thread = outerThread;
  active = outer;
  running_ = nullptr;
  return error_;
}

// enter() is where each fiber begins. A stack runs one thread after the other as long as none of
// them waits.
void FiberBlock::enter(bc::transfer_t from) noexcept {
  *static_cast<void**>(from.data) = from.fctx;
  FiberBlock& self = *active;
  for (;;) {
    self.call_(self.body_, self.running_->thread);
    self.finish();
  }
}

// prepareNext() makes the next thread the running one, on the given stack.
void FiberBlock::prepareNext(char* stack) {
  Fiber& fiber = fibers_[started_++];
  fiber.thread.threadIdx = nextIndex_;
  fiber.thread.block = block_;
  fiber.stack = stack;
  fiber.waitsAt = nullptr;
  fiber.finished = false;
  if (++nextIndex_.x == block_->blockDim.x) {
    nextIndex_.x = 0;
    if (++nextIndex_.y == block_->blockDim.y) {
      nextIndex_.y = 0;
      ++nextIndex_.z;
    }
  }
  running_ = &fiber;
  detail::context.thread = &fiber.thread;
}

void FiberBlock::startNext(void** saveAt) {
  char* stack = stacks_.take();
  if (!stack) {
    std::fprintf(stderr,
                 "cu2cpp: kernel '%s': no memory for the stacks of %u threads of %zu bytes each "
                 "(see cudaLimitStackSize, vm.max_map_count)\n",
                 kernel_, count_, stacks_.bytes());
    error_ = cudaErrorMemoryAllocation;
    if (saveAt == &main_)
      return;
    leave(error_);
  }
  prepareNext(stack);
  const bc::transfer_t back =
      bc::jump_fcontext(bc::make_fcontext(stack, stacks_.bytes(), enter), saveAt);
  *static_cast<void**>(back.data) = back.fctx;
}

// ensureReady() is called when all threads have started: somebody can go on after it, or it leaves.
void FiberBlock::ensureReady() {
  if (!ready_.empty() || resolveConverged())
    return;
  reportDeadlock();
  leave(cudaErrorLaunchTimeout);
}

// finish() returns when the next thread is to start on the stack of the one that has finished.
void FiberBlock::finish() {
  Fiber& self = *running_;
  char* const stack = self.stack;
  self.finished = true;
  self.stack = nullptr;
  --live_;
  idleTurns_ = 0;

  const unsigned warp = rank(self) / 32;
  Warp& w = warps_[warp];
  w.live &= ~(1u << rank(self) % 32);
  for (unsigned i = 0; i < w.gatherings;)
    if ((w.gathering[i].mask & w.live & ~w.gathering[i].arrived) == 0)
      complete(warp, i, &self);
    else
      ++i;
  for (unsigned left = barriersInUse_; left != 0; left &= left - 1) {
    Barrier& barrier = barriers_[unsigned(__builtin_ctz(left))];
    if (barrier.count == 0 && barrier.arrived == live_)
      complete(barrier);
  }

  for (std::size_t i = 0; i < tiles_.size();)
    if (isComplete(tiles_[i]))
      completeTile(i);
    else
      ++i;

  if (ready_.empty() && started_ < count_)
    return prepareNext(stack);
  stacks_.give(stack);
  if (live_ == 0) {
    bc::jump_fcontext(main_, &scrap_);
    __builtin_unreachable();
  }
  ensureReady();
  resume(ready_.pop(), &scrap_);
  __builtin_unreachable();
}

void FiberBlock::yield() {
  Fiber& self = *running_;
  if (started_ < count_) {
    ready_.push(self);
    return startNext(&self.context);
  }
  // Everybody polls and nobody gets further: lanes that only wait for company may be what they poll
  // for; otherwise it is another block, so let its OS thread run.
  if (++idleTurns_ > 2 * live_) {
    idleTurns_ = 0;
    if (!resolveConverged())
      std::this_thread::yield();
  }
  if (ready_.empty())
    return;
  ready_.push(self);
  resume(ready_.pop(), &self.context);
}

void FiberBlock::leave(cudaError_t error) {
  error_ = error;
  bc::jump_fcontext(main_, &scrap_);
  __builtin_unreachable();
}

} // namespace rt

namespace detail {

void runOnFibers(const Block& block, void (*call)(void* body, const Thread& thread), void* body,
                 const char* kernel) {
  const cudaError_t error = rt::fibersOfThisThread().run(block, call, body, kernel);
  if (error != cudaSuccess)
    rt::endKernel(error);
}

void takeTurn() noexcept {
  if (--turnsLeft != 0)
    return;
  turnsLeft = rt::turnCalls;
  rt::active->yield();
}

} // namespace detail
} // namespace cu2cpp
