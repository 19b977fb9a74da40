// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where fibers meet: barriers of the block and gatherings of lanes, their rules for threads that
// have exited, and what is said when nobody can go on.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <cu2cpp/device/turn.h>

#include "exec/fibers.h"

namespace cu2cpp {
namespace rt {
namespace {

bool sameSite(const detail::CallSite& a, const detail::CallSite& b) {
  if (!a.file || !b.file)
    return a.file == b.file;
  return a.line == b.line && (a.file == b.file || std::strcmp(a.file, b.file) == 0);
}

std::string text(const ::uint3& v) {
  return '(' + std::to_string(v.x) + ',' + std::to_string(v.y) + ',' + std::to_string(v.z) + ')';
}

} // namespace

detail::BarrierResult FiberBlock::syncBlock(bool predicate, const char* name, unsigned id,
                                            unsigned count) {
  Barrier& barrier = barriers_[id % barriers_.size()];
  barrier.count = count;
  barrier.trueCount += predicate;
  if (++barrier.arrived == (count ? count : live_)) {
    complete(barrier);
  } else {
    barrier.waiting.push(*running_);
    barriersInUse_ |= 1u << (id % barriers_.size());
    waitHere(name);
  }
  return barrier.result;
}

void FiberBlock::arriveBlock(unsigned id, unsigned count) {
  Barrier& barrier = barriers_[id % barriers_.size()];
  barrier.count = count;
  if (++barrier.arrived == count)
    complete(barrier);
  else
    barriersInUse_ |= 1u << (id % barriers_.size());
}

void FiberBlock::complete(Barrier& barrier) {
  barrier.result = {barrier.arrived, barrier.trueCount};
  barrier.arrived = barrier.trueCount = 0;
  ready_.append(barrier.waiting);
  barriersInUse_ &= ~(1u << (&barrier - barriers_.data()));
}

void FiberBlock::joinWarp(unsigned mask, detail::Resolve resolve, detail::LaneCall& call,
                          const char* name) {
  // A lane must name itself. Programs that don't still run on GPUs, where the lanes left out meet
  // among themselves.
  const unsigned self = 1u << rank(*running_) % 32;
  join({mask & self ? mask : ~mask, 0, resolve, {nullptr, 0}}, call, name);
}

void FiberBlock::joinConverged(const detail::CallSite& site, detail::Resolve resolve,
                               detail::LaneCall& call, const char* name) {
  join({0xffffffffu, 0, resolve, site}, call, name);
}

void FiberBlock::join(const Gathering& wanted, detail::LaneCall& call, const char* name) {
  const unsigned warp = rank(*running_) / 32;
  const unsigned lane = rank(*running_) % 32;
  Warp& w = warps_[warp];
  unsigned index = 0;
  while (index < w.gatherings &&
         !(w.gathering[index].mask == wanted.mask && w.gathering[index].resolve == wanted.resolve &&
           sameSite(w.gathering[index].site, wanted.site)))
    ++index;
  if (index == w.gatherings)
    w.gathering[w.gatherings++] = wanted;
  Gathering& gathering = w.gathering[index];
  w.call[lane] = &call;
  gathering.arrived |= 1u << lane;
  if ((gathering.mask & w.live & ~gathering.arrived) == 0)
    complete(warp, index, running_);
  else
    waitHere(name);
}

// complete() resolves a gathering and makes its lanes ready, `except` apart, who runs already.
void FiberBlock::complete(unsigned warp, unsigned index, const Fiber* except) {
  Warp& w = warps_[warp];
  const Gathering done = w.gathering[index];
  w.gathering[index] = w.gathering[--w.gatherings];
  done.resolve({done.arrived, w.call.data()});
  for (unsigned left = done.arrived; left != 0; left &= left - 1) {
    Fiber& fiber = fibers_[warp * 32 + unsigned(__builtin_ctz(left))];
    if (&fiber != except)
      ready_.push(fiber);
  }
}

void FiberBlock::joinTile(unsigned first, unsigned count, detail::ResolveTile resolve,
                          void* operand, const char* name) {
  std::size_t index = 0;
  while (index < tiles_.size() && !(tiles_[index].first == first && tiles_[index].count == count &&
                                    tiles_[index].resolve == resolve))
    ++index;
  if (index == tiles_.size()) {
    tiles_.push_back({first, count, resolve, 0, {}, std::vector<void*>(count)});
  }
  TileGathering& tile = tiles_[index];
  tile.operand[rank(*running_) - first] = operand;
  ++tile.arrived;
  if (isComplete(tile))
    return completeTile(index);
  tile.waiting.push(*running_);
  waitHere(name);
}

bool FiberBlock::isComplete(const TileGathering& tile) const {
  const unsigned last = std::min(tile.first + tile.count, count_);
  unsigned gone = 0;
  if (live_ != count_)
    for (unsigned i = tile.first; i < last; ++i)
      gone += i < started_ && fibers_[i].finished;
  return tile.arrived + gone == last - tile.first;
}

void FiberBlock::completeTile(std::size_t index) {
  TileGathering done = std::move(tiles_[index]);
  tiles_.erase(tiles_.begin() + std::ptrdiff_t(index));
  done.resolve({done.count, done.operand.data()});
  ready_.append(done.waiting);
}

// resolveConverged() lets all lanes go on that wait in functions without a mask; false if there are
// none.
bool FiberBlock::resolveConverged() {
  bool any = false;
  for (unsigned warp = 0; warp * 32 < count_; ++warp)
    for (unsigned i = 0; i < warps_[warp].gatherings;)
      if (warps_[warp].gathering[i].site.file) {
        complete(warp, i, nullptr);
        any = true;
      } else {
        ++i;
      }
  return any;
}

void FiberBlock::reportDeadlock() const {
  struct Waiting {
    unsigned count = 0;
    std::string threads;
  };
  std::map<std::string, Waiting> at;
  for (unsigned i = 0; i < started_; ++i) {
    if (fibers_[i].finished)
      continue;
    Waiting& waiting = at[fibers_[i].waitsAt];
    constexpr unsigned named = 4;
    if (waiting.count < named)
      waiting.threads += ' ' + text(fibers_[i].thread.threadIdx);
    else if (waiting.count == named)
      waiting.threads += " ...";
    ++waiting.count;
  }
  std::string message = "cu2cpp: kernel '" + std::string(kernel_) + "', block " +
                        text(block_->blockIdx) + ": its threads wait for each other for ever:";
  for (const auto& [name, waiting] : at)
    message +=
        ' ' + std::to_string(waiting.count) + " at " + name + " [thread" + waiting.threads + "]";
  message += ", " + std::to_string(count_ - live_) + " have returned\n";
  std::fputs(message.c_str(), stderr);
}

namespace {

// A collective outside of fibers: alone in its block a thread waits for nobody, otherwise the
// translation is wrong.
__attribute__((noinline)) void requireAlone(const char* name) {
  if (detail::context.block && detail::context.block->threadCount() == 1)
    return;
  std::fprintf(stderr, "cu2cpp: %s was reached by a kernel that doesn't run on fibers\n", name);
  endKernel(cudaErrorLaunchFailure);
}

} // namespace
} // namespace rt

namespace detail {

// Flattened: see fibers.h on returns after a switch.
__attribute__((flatten)) BarrierResult syncBlock(bool predicate, const char* name, unsigned id,
                                                 unsigned count) {
  if (rt::FiberBlock* fibers = rt::currentFibers())
    return fibers->syncBlock(predicate, name, id, count);
  rt::requireAlone(name);
  return {1, predicate};
}

void arriveBlock(const char* name, unsigned id, unsigned count) {
  if (rt::FiberBlock* fibers = rt::currentFibers())
    fibers->arriveBlock(id, count);
  else
    rt::requireAlone(name);
}

__attribute__((flatten)) void joinWarp(unsigned mask, Resolve resolve, LaneCall& call,
                                       const char* name) {
  if (rt::FiberBlock* fibers = rt::currentFibers())
    return fibers->joinWarp(mask, resolve, call, name);
  rt::requireAlone(name);
  LaneCall* const only = &call;
  resolve({1u, &only});
}

void joinConverged(const CallSite& site, Resolve resolve, LaneCall& call, const char* name) {
  if (rt::FiberBlock* fibers = rt::currentFibers())
    return fibers->joinConverged(site, resolve, call, name);
  rt::requireAlone(name);
  LaneCall* const only = &call;
  resolve({1u, &only});
}

void joinTile(unsigned first, unsigned count, ResolveTile resolve, void* operand,
              const char* name) {
  if (rt::FiberBlock* fibers = rt::currentFibers())
    return fibers->joinTile(first, count, resolve, operand, name);
  rt::requireAlone(name);
  std::vector<void*> only(count);
  only[0] = operand;
  resolve({count, only.data()});
}

unsigned laneId() noexcept { return thisThread().rank() % 32; }

void sleepThread(unsigned nanoseconds) noexcept {
  const auto end = std::chrono::steady_clock::now() + std::chrono::nanoseconds(nanoseconds);
  do
    pollTurn();
  while (std::chrono::steady_clock::now() < end);
}

} // namespace detail

void pollTurn() noexcept {
  // Mostly what a loop waits for is there when it asks first; the system is asked now and then.
  constexpr unsigned roundsBetweenYields = 64;
  if (rt::FiberBlock* fibers = rt::currentFibers())
    fibers->yield();
  else if (thread_local unsigned rounds = 0; ++rounds % roundsBetweenYields == 0)
    std::this_thread::yield();
}

} // namespace cu2cpp
