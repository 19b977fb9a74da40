// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads, stacks and blocks of grids whose blocks run together.
#include "exec/resident_grid.h"

#include <algorithm>
#include <thread>

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "exec/abort.h"
#include "exec/faults.h"
#include "exec/shared_memory.h"

namespace cu2cpp::rt {

thread_local detail::KernelCall* runningCall = nullptr;

namespace {

thread_local Resident* resident = nullptr;

// Room for a kernel's own frame: its shared variables and, in the split form, values per thread.
constexpr std::size_t stackBytes = std::size_t(8) << 20;

/// Stack is memory for one thread, aligned to its size's granule so that all are alike.
struct Stack {
  Stack() {
    // Twice the size and an aligned half of it: only what is touched costs memory.
    void* const got = mmap(nullptr, 2 * stackBytes, PROT_NONE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (got == MAP_FAILED)
      return;
    mapped = got;
    const auto address = reinterpret_cast<std::uintptr_t>(got);
    begin = reinterpret_cast<char*>((address + stackBytes - 1) / stackBytes * stackBytes);
    const std::size_t guard = std::size_t(sysconf(_SC_PAGESIZE));
    if (mprotect(begin + guard, stackBytes - guard, PROT_READ | PROT_WRITE) != 0)
      begin = nullptr;
  }
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;
  ~Stack() {
    if (mapped)
      munmap(mapped, 2 * stackBytes);
  }
  void* mapped = nullptr;
  char* begin = nullptr;
};

::uint3 unpack(std::uint64_t index, const ::dim3& size) {
  return {unsigned(index % size.x), unsigned(index / size.x % size.y),
          unsigned(index / (std::uint64_t(size.x) * size.y))};
}

} // namespace

Resident* currentResident() noexcept { return resident; }

unsigned Meeting::arrive() {
  const std::lock_guard<std::mutex> lock(mutex_);
  const unsigned phase = phase_;
  if (++arrived_ == expected_)
    complete();
  return phase;
}

void Meeting::complete() {
  arrived_ = 0;
  ++phase_;
  changed_.notify_all();
}

bool Meeting::reached(unsigned phase) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return failed_ || phase_ != phase;
}

bool Meeting::await(unsigned phase) {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [&] { return failed_ || phase_ != phase; });
  return !failed_;
}

void Meeting::leave() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (--expected_ != 0 && arrived_ == expected_)
    complete();
}

void Meeting::fail() {
  const std::lock_guard<std::mutex> lock(mutex_);
  failed_ = true;
  changed_.notify_all();
}

/// Seat is one OS thread: it runs the blocks of one rank, cluster after cluster.
struct ResidentGrid::Seat {
  Team* team;
  unsigned column, rank; // which of the clusters that run at a time, which block of it
  Stack stack;
  pthread_t thread{};
  // Of the block that runs:
  Block block;
  Resident resident;
};

struct ResidentGrid::Team {
  ResidentGrid* grid;
  std::uint64_t first, last;
  unsigned columns;
  Meeting* everybody; // cooperative launches
  std::vector<std::unique_ptr<Resident::Cluster>> cluster;
};

ResidentGrid::ResidentGrid(const detail::LaunchShape& shape, ::dim3 cluster, bool cooperative,
                           std::shared_ptr<detail::KernelCall> call)
    : shape_(shape), cluster_(cluster),
      gridInClusters_(shape.grid.x / cluster.x, shape.grid.y / cluster.y, shape.grid.z / cluster.z),
      cooperative_(cooperative),
      clusters_(std::uint64_t(gridInClusters_.x) * gridInClusters_.y * gridInClusters_.z),
      call_(std::move(call)) {}

void ResidentGrid::runClusters(std::uint64_t first, std::uint64_t last) noexcept {
  const unsigned blocks = cluster_.x * cluster_.y * cluster_.z;
  const std::uint64_t count = last - first;
  Meeting everybody(unsigned(std::min<std::uint64_t>(count * blocks, 0xffffffffu)));
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  Team team{
      this,
      first,
      last,
      unsigned(cooperative_ ? count : std::min<std::uint64_t>(count, std::max(1u, cores / blocks))),
      cooperative_ ? &everybody : nullptr,
      {}};
  for (std::uint64_t i = 0; i < count; ++i)
    team.cluster.push_back(std::make_unique<Resident::Cluster>(blocks));

  std::vector<std::unique_ptr<Seat>> seats;
  bool room = true;
  for (unsigned column = 0; column < team.columns && room; ++column)
    for (unsigned rank = 0; rank < blocks && room; ++rank) {
      auto seat = std::make_unique<Seat>();
      seat->team = &team;
      seat->column = column;
      seat->rank = rank;
      room = seat->stack.begin != nullptr;
      if (room) {
        pthread_attr_t attributes;
        pthread_attr_init(&attributes);
        pthread_attr_setstack(&attributes, seat->stack.begin, stackBytes);
        room = pthread_create(&seat->thread, &attributes, runSeat, seat.get()) == 0;
        pthread_attr_destroy(&attributes);
      }
      if (room)
        seats.push_back(std::move(seat));
    }
  if (!room) { // some wait for blocks that can't come
    failure_.store(static_cast<Status>(cudaErrorCooperativeLaunchTooLarge));
    everybody.fail();
    for (auto& cluster : team.cluster) {
      cluster->start.fail();
      cluster->barrier.fail();
    }
  }
  for (auto& seat : seats)
    pthread_join(seat->thread, nullptr);
}

void* ResidentGrid::runSeat(void* argument) {
  Seat& seat = *static_cast<Seat*>(argument);
  const Team& team = *seat.team;
  for (std::uint64_t cluster = team.first + seat.column; cluster < team.last;
       cluster += team.columns) {
    if (team.grid->failure_.load(std::memory_order_relaxed) != Status::Ok)
      break;
    team.grid->runBlock(seat, cluster);
  }
  return nullptr;
}

void ResidentGrid::runBlockOf(void* argument) {
  Seat& seat = *static_cast<Seat*>(argument);
  ResidentGrid& grid = *seat.team->grid;
  Block& block = seat.block;
  block.dynamicShared = dynamicArena(grid.shape_.sharedBytes);
  const std::size_t slotBytes = staticSharedBytes();
  block.staticShared = staticArena(slotBytes);
  if ((grid.shape_.sharedBytes && !block.dynamicShared) || (slotBytes && !block.staticShared))
    abortKernel(cudaErrorMemoryAllocation);
  // Everybody's addresses are known before anyone starts.
  Resident::Cluster& cluster = *seat.resident.cluster;
  cluster.member[seat.rank] = {&block, seat.stack.begin, seat.stack.begin + stackBytes};
  if (!cluster.start.await(cluster.start.arrive()))
    abortKernel(cudaErrorLaunchFailure);
  if (seat.resident.grid && !seat.resident.grid->await(seat.resident.grid->arrive()))
    abortKernel(cudaErrorLaunchFailure);
  detail::context.block = &block;
  grid.call_->runBlock();
}

void ResidentGrid::runBlock(Seat& seat, std::uint64_t index) {
  Team& team = *seat.team;
  Resident& r = seat.resident;
  r = {};
  r.place = {cluster_, gridInClusters_, unpack(index, gridInClusters_), unpack(seat.rank, cluster_),
             cluster_.x * cluster_.y * cluster_.z > 1};
  r.grid = team.everybody;
  r.cluster = team.cluster[std::size_t(index - team.first)].get();
  Block& block = seat.block;
  block = {};
  block.blockDim = shape_.block;
  block.gridDim = shape_.grid;
  block.dynamicSharedBytes = shape_.sharedBytes;
  block.blockIdx = {r.place.index.x * cluster_.x + r.place.block.x,
                    r.place.index.y * cluster_.y + r.place.block.y,
                    r.place.index.z * cluster_.z + r.place.block.z};
  resident = &r;
  runningCall = call_.get();
  inKernel = {&children, cudaSuccess};
  const Status status = runAbortable(runBlockOf, &seat);
  detail::context = {};
  resident = nullptr;
  if (status != Status::Ok) {
    tellFault();
    Status none = Status::Ok;
    failure_.compare_exchange_strong(none, status, std::memory_order_relaxed);
    if (r.grid)
      r.grid->fail();
    for (auto& cluster : team.cluster) {
      cluster->barrier.fail();
      cluster->start.fail();
    }
    return;
  }
  if (r.grid)
    r.grid->leave();
  r.cluster->barrier.leave();
}

} // namespace cu2cpp::rt
