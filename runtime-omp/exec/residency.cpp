// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the threads of blocks that run together ask for: barriers of the cluster and the grid,
// addresses in other blocks' shared memory, and which memory an address is in.
#include <cstdio>

#include <pthread.h>

#include <cu2cpp/device/residency.h>
#include <cu2cpp/device/turn.h>

#include "exec/abort.h"
#include "exec/fibers.h"
#include "exec/resident_grid.h"
#include "exec/shared_memory.h"

namespace cu2cpp {
namespace rt {
namespace {

// The blocks to meet; null for a block that is alone.
Meeting* meetingOf(detail::Together whom, const char* name) {
  Resident* const r = currentResident();
  if (whom == detail::Together::cluster)
    return r && r->place.size() > 1 ? &r->cluster->barrier : nullptr;
  if (r && r->grid)
    return r->grid;
  const ::dim3 grid = detail::context.block->gridDim;
  if (std::uint64_t(grid.x) * grid.y * grid.z > 1) {
    std::fprintf(stderr, "cu2cpp: %s needs a cooperative launch\n", name);
    endKernel(cudaErrorLaunchFailure);
  }
  return nullptr;
}

void awaitOrEnd(Meeting& meeting, unsigned phase) {
  if (!meeting.await(phase))
    endKernel(cudaErrorLaunchFailure); // another block has failed already
}

bool within(const void* address, const void* begin, std::size_t bytes) {
  const auto a = reinterpret_cast<std::uintptr_t>(address);
  const auto b = reinterpret_cast<std::uintptr_t>(begin);
  return begin && a >= b && a - b < bytes;
}

struct Range {
  char* begin;
  std::size_t bytes;
};

// A list that only grows: variables come with the program and with modules.
struct ConstantVariable {
  const void* begin;
  std::size_t bytes;
  ConstantVariable* next;
};
ConstantVariable* constantVariables = nullptr; // atomic: readers see whole elements

Range dynamicOf(const Block& block) {
  return {static_cast<char*>(block.dynamicShared), block.dynamicSharedBytes};
}
Range staticOf(const Block& block) {
  return {static_cast<char*>(block.staticShared), staticSharedBytes()};
}

// The running OS thread's own stack, where a kernel's frame and its shared variables are.
Range stackOfThread() {
  static thread_local const Range range = [] {
    pthread_attr_t attributes;
    void* begin = nullptr;
    std::size_t bytes = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
      pthread_attr_getstack(&attributes, &begin, &bytes);
      pthread_attr_destroy(&attributes);
    }
    return Range{static_cast<char*>(begin), bytes};
  }();
  return range;
}

} // namespace
} // namespace rt

namespace detail {

using namespace rt;

ClusterPlace clusterPlace() noexcept {
  if (const Resident* r = currentResident())
    return r->place;
  ClusterPlace alone;
  if (context.block) {
    alone.gridDim = context.block->gridDim;
    alone.index = context.block->blockIdx;
  }
  return alone;
}

bool isCooperative() noexcept {
  const Resident* const r = currentResident();
  return r && r->grid;
}

// All threads of the block meet, one waits for the other blocks, all meet again.
void syncTogether(Together whom, const char* name) {
  Meeting* const meeting = meetingOf(whom, name);
  syncBlock(false, name);
  if (!meeting)
    return;
  Resident& r = *currentResident();
  if (!r.meeting) {
    r.meeting = true;
    awaitOrEnd(*meeting, meeting->arrive());
  }
  syncBlock(false, name);
  r.meeting = false;
}

void arriveTogether(Together whom, const char* name) {
  Meeting* const meeting = meetingOf(whom, name);
  Resident* const r = currentResident();
  if (!r)
    return; // without other blocks awaitTogether() is a barrier of the block
  Resident::Half& half = r->half[int(whom)];
  const unsigned count = context.block->threadCount();
  if (half.outstanding.size() != count) {
    half = {};
    half.outstanding.resize(count);
  }
  half.outstanding[thisThread().rank()] = half.phase;
  const FiberBlock* const fibers = currentFibers();
  if (++half.arrived < (fibers ? fibers->live() : 1))
    return;
  half.arrived = 0;
  if (meeting)
    half.meetingPhase = meeting->arrive();
  ++half.phase;
}

void awaitTogether(Together whom, const char* name) {
  Meeting* const meeting = meetingOf(whom, name);
  Resident* const r = currentResident();
  if (!r) {
    syncBlock(false, name);
    return;
  }
  Resident::Half& half = r->half[int(whom)];
  const unsigned phase = half.outstanding[thisThread().rank()];
  while (half.phase == phase)
    pollTurn();
  // All threads of this block have arrived; nobody can arrive for the next phase before all have
  // seen this one, so meetingPhase is still this phase's.
  if (meeting) {
    const unsigned meetingPhase = half.meetingPhase;
    while (half.phase == phase + 1 && !meeting->reached(meetingPhase))
      pollTurn();
  }
}

void* mapShared(const void* address, unsigned rank) {
  const Resident* const r = currentResident();
  if (rank >= (r ? r->place.size() : 1)) {
    std::fprintf(stderr, "cu2cpp: map_shared_rank(): no block %u in a cluster of %u\n", rank,
                 r ? r->place.size() : 1);
    endKernel(cudaErrorIllegalAddress);
  }
  if (!r)
    return const_cast<void*>(address);
  const Resident::Member& mine = r->cluster->member[r->place.rank()];
  const Resident::Member& other = r->cluster->member[rank];
  const auto* p = static_cast<const char*>(address);
  const auto from = [&](const Range& here, char* there) -> void* {
    return within(p, here.begin, here.bytes) ? there + (p - here.begin) : nullptr;
  };
  if (void* q = from(dynamicOf(*mine.block), dynamicOf(*other.block).begin))
    return q;
  if (void* q = from(staticOf(*mine.block), staticOf(*other.block).begin))
    return q;
  if (void* q =
          from({mine.stackBegin, std::size_t(mine.stackEnd - mine.stackBegin)}, other.stackBegin))
    return q;
  return const_cast<void*>(address);
}

unsigned rankOfShared(const void* address) noexcept {
  const Resident* const r = currentResident();
  if (!r)
    return 0;
  for (unsigned rank = 0; rank < r->place.size(); ++rank) {
    const Resident::Member& member = r->cluster->member[rank];
    const Range dynamic = dynamicOf(*member.block), fixed = staticOf(*member.block);
    if (within(address, dynamic.begin, dynamic.bytes) ||
        within(address, fixed.begin, fixed.bytes) ||
        within(address, member.stackBegin, std::size_t(member.stackEnd - member.stackBegin)))
      return rank;
  }
  return r->place.rank();
}

bool isSharedAddress(const void* address) noexcept {
  if (!context.block)
    return false;
  const Range dynamic = dynamicOf(*context.block), fixed = staticOf(*context.block);
  if (within(address, dynamic.begin, dynamic.bytes) || within(address, fixed.begin, fixed.bytes))
    return true;
  // On fibers, what lies on the OS thread's stack is the kernel's frame: shared variables and
  // parameters. In loops a thread's own variables lie there too, which only the frame could tell.
  const Range stack = stackOfThread();
  return currentFibers() && within(address, stack.begin, stack.bytes);
}

void* sharedAt(unsigned lowBits) noexcept {
  // Shared memory lies in at most three places, far less than 4 GiB each.
  const Range stack = stackOfThread();
  const auto nearest = [&](const Range& range) {
    const auto begin = reinterpret_cast<std::uintptr_t>(range.begin);
    const std::uintptr_t address = (begin & ~std::uintptr_t(0xffffffffu)) | lowBits;
    return reinterpret_cast<void*>(address < begin ? address + (std::uintptr_t(1) << 32) : address);
  };
  if (context.block)
    for (const Range& range : {dynamicOf(*context.block), staticOf(*context.block)})
      if (void* const address = nearest(range); within(address, range.begin, range.bytes))
        return address;
  return nearest(stack);
}

bool isClusterSharedAddress(const void* address) noexcept {
  const Resident* const r = currentResident();
  if (!r)
    return isSharedAddress(address);
  for (const Resident::Member& member : r->cluster->member) {
    const Range dynamic = dynamicOf(*member.block), fixed = staticOf(*member.block);
    if (within(address, dynamic.begin, dynamic.bytes) ||
        within(address, fixed.begin, fixed.bytes) ||
        within(address, member.stackBegin, std::size_t(member.stackEnd - member.stackBegin)))
      return true;
  }
  return false;
}

bool isLocalAddress(const void* address) noexcept {
  if (const FiberBlock* fibers = currentFibers()) {
    const Fiber* const running = fibers->running();
    const std::size_t bytes = fibers->stacks().bytes();
    return running && within(address, running->stack - bytes, bytes);
  }
  const Range stack = stackOfThread();
  return within(address, stack.begin, stack.bytes);
}

bool constantVariable(const void* address, std::size_t bytes) noexcept {
  auto* const mine = new ConstantVariable{address, bytes, nullptr};
  mine->next = __atomic_load_n(&constantVariables, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&constantVariables, &mine->next, mine, false,
                                      __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
  }
  return true;
}
bool isConstantAddress(const void* address) noexcept {
  const ConstantVariable* variable = __atomic_load_n(&constantVariables, __ATOMIC_ACQUIRE);
  while (variable && !within(address, variable->begin, variable->bytes))
    variable = variable->next;
  return variable != nullptr;
}

} // namespace detail

bool inCluster(unsigned x, unsigned y, unsigned z) {
  using namespace rt;
  if (x * y * z <= 1)
    return true;
  if (const Resident* r = currentResident(); r && r->place.specified)
    return true;
  const Block block = thisBlock();
  const ::dim3 grid = block.gridDim;
  if (grid.x % x || grid.y % y || grid.z % z)
    endKernel(cudaErrorInvalidClusterSize);
  if (block.blockIdx.x % x || block.blockIdx.y % y || block.blockIdx.z % z)
    return false; // its cluster's first block runs it
  const std::uint64_t index =
      block.blockIdx.x / x +
      std::uint64_t(grid.x / x) *
          (block.blockIdx.y / y + std::uint64_t(grid.y / y) * (block.blockIdx.z / z));
  // The call belongs to the launch, which waits for this block.
  ResidentGrid whole({grid, block.blockDim, block.dynamicSharedBytes, nullptr}, {x, y, z}, false,
                     std::shared_ptr<detail::KernelCall>(runningCall, [](auto*) {}));
  whole.runClusters(index, index + 1);
  if (whole.result() != Status::Ok)
    endKernel(static_cast<cudaError_t>(whole.result()));
  return false;
}

} // namespace cu2cpp
