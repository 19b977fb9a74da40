// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `fibers` form: all threads of a block as fibers of one OS thread. A thread runs until it
// waits in a collective; then the next that can run goes on, the longest ready first, and threads
// that have not started come last:
//
//   thread 0 starts ... waits at a barrier -> thread 1 starts ... -> the last one arrives: all
//   ready again, in order
//
// The hardware's rule for exits: a thread that has returned counts as arrived everywhere (PTX ISA,
// 'bar', 'shfl.sync'). When nobody can go on, lanes that only wait for company (functions without a
// mask) go on with those present; if there are none, the block is reported as dead.
#ifndef CU2CPP_EXEC_FIBERS_H
#define CU2CPP_EXEC_FIBERS_H

#include <array>
#include <cstddef>
#include <vector>

#include <boost/context/detail/fcontext.hpp>

#include <cu2cpp/block.h>
#include <cu2cpp/device/lane_call.h>
#include <cu2cpp/device/sync.h>
#include <driver_types.h>

#include "exec/fiber_stacks.h"

namespace cu2cpp::rt {

/// Fiber is one thread of the running block.
struct Fiber {
  Thread thread;                 // what context.thread points at while this fiber runs
  void* context = nullptr;       // where it goes on
  char* stack = nullptr;         // upper end; null before it starts and after it has returned
  Fiber* next = nullptr;         // in the ready queue or in a barrier's list
  const char* waitsAt = nullptr; // name of the collective, for messages
  bool finished = false;
};

/// FiberList is a queue of fibers, linked through Fiber::next.
struct FiberList {
  Fiber* head = nullptr;
  Fiber* tail = nullptr;

  bool empty() const { return head == nullptr; }
  void push(Fiber& fiber) {
    fiber.next = nullptr;
    (head ? tail->next : head) = &fiber;
    tail = &fiber;
  }
  Fiber& pop() {
    Fiber& first = *head;
    head = first.next;
    return first;
  }
  /// append() takes over all fibers of the other list.
  void append(FiberList& other) {
    if (other.empty())
      return;
    (head ? tail->next : head) = other.head;
    tail = other.tail;
    other.head = nullptr;
  }
};

/// FiberBlock runs one block at a time; each OS thread has its own.
class FiberBlock {
public:
  FiberBlock();
  FiberBlock(const FiberBlock&) = delete;
  FiberBlock& operator=(const FiberBlock&) = delete;

  using Call = void (*)(void* body, const Thread& thread);
  /// run() returns when all threads have returned; cudaSuccess, or the error for which the kernel
  /// was left.
  cudaError_t run(const Block& block, Call call, void* body, const char* kernel);

  /// The following are for the running fiber.
  detail::BarrierResult syncBlock(bool predicate, const char* name, unsigned id, unsigned count);
  void arriveBlock(unsigned id, unsigned count);
  void joinWarp(unsigned mask, detail::Resolve resolve, detail::LaneCall& call, const char* name);
  void joinConverged(const detail::CallSite& site, detail::Resolve resolve, detail::LaneCall& call,
                     const char* name);
  void joinTile(unsigned first, unsigned count, detail::ResolveTile resolve, void* operand,
                const char* name);
  /// yield() lets others run: threads that haven't started first, then those that are ready, then
  /// other OS threads.
  void yield();
  /// leave() drops all fibers as they are (no destructors) and makes run() return the error.
  [[noreturn]] void leave(cudaError_t error);

  const Fiber* running() const { return running_; }
  const Block& block() const { return *block_; }
  unsigned live() const { return live_; } // threads that have not returned
  const char* kernel() const { return kernel_; }
  const FiberStacks& stacks() const { return stacks_; }
  unsigned rank(const Fiber& fiber) const { return unsigned(&fiber - fibers_.data()); }

private:
  struct Barrier {
    FiberList waiting;
    unsigned arrived = 0, trueCount = 0; // of the phase that is gathering
    unsigned count = 0;                  // threads to wait for; 0 = all that have not finished
    detail::BarrierResult result{};      // of the last complete phase
  };
  /// Gathering is a group of lanes that wait for each other.
  struct Gathering {
    unsigned mask, arrived;
    detail::Resolve resolve;
    detail::CallSite site; // file is null where lanes meet by mask
  };
  /// TileGathering is the same for the threads of a tile of several warps.
  struct TileGathering {
    unsigned first, count;
    detail::ResolveTile resolve;
    unsigned arrived = 0;
    FiberList waiting;
    std::vector<void*> operand; // by rank in the tile
  };
  struct Warp {
    unsigned live = 0;
    unsigned gatherings = 0;
    std::array<Gathering, 32> gathering;
    std::array<detail::LaneCall*, 32> call;
  };

  static void enter(boost::context::detail::transfer_t from) noexcept;
  void prepareNext(char* stack);
  __attribute__((noinline)) void startNext(void** saveAt);
  void resume(Fiber& target, void** saveAt);
  void waitHere(const char* name);
  void finish();
  __attribute__((noinline)) void ensureReady();
  void complete(Barrier& barrier);
  void complete(unsigned warp, unsigned index, const Fiber* except);
  bool isComplete(const TileGathering& tile) const;
  void completeTile(std::size_t index);
  void join(const Gathering& wanted, detail::LaneCall& call, const char* name);
  bool resolveConverged();
  void reportDeadlock() const;

  FiberStacks stacks_;
  std::vector<Fiber> fibers_;
  std::vector<Warp> warps_;
  std::array<Barrier, 16> barriers_;
  std::vector<TileGathering> tiles_; // where threads wait
  FiberList ready_;
  Fiber* running_ = nullptr;
  const Block* block_ = nullptr;
  const char* kernel_ = nullptr;
  Call call_ = nullptr;
  void* body_ = nullptr;
  void* main_ = nullptr;  // run()'s context
  void* scrap_ = nullptr; // takes contexts that nobody will resume
  unsigned count_ = 0, started_ = 0, live_ = 0;
  ::uint3 nextIndex_{};        // threadIdx of the thread that starts next
  unsigned barriersInUse_ = 0; // bit set of barriers where threads wait
  unsigned idleTurns_ = 0;     // yields since a thread last came on
  cudaError_t error_ = cudaSuccess;
};

// Switching is inline, into the collectives: each function that a fiber leaves through `ret` after
// a switch costs a mispredicted return, because the processor's return stack belongs to the fiber
// before.

inline void FiberBlock::resume(Fiber& target, void** saveAt) {
  running_ = &target;
  detail::context.thread = &target.thread;
  const auto back = boost::context::detail::jump_fcontext(target.context, saveAt);
  *static_cast<void**>(back.data) = back.fctx;
}

inline void FiberBlock::waitHere(const char* name) {
  Fiber& self = *running_;
  self.waitsAt = name;
  idleTurns_ = 0;
  if (ready_.empty()) {
    if (started_ < count_)
      return startNext(&self.context);
    ensureReady();
  }
  Fiber& next = ready_.pop();
  if (&next != &self)
    resume(next, &self.context);
}

/// currentFibers() is the block that this OS thread runs on fibers; null in the other forms.
FiberBlock* currentFibers() noexcept;

/// endKernel() leaves the running kernel from wherever it is; its launch fails with the error,
/// which sticks.
[[noreturn]] void endKernel(cudaError_t error);

} // namespace cu2cpp::rt

#endif
