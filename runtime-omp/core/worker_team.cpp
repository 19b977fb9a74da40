// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the runtime's threads do. Team thread 0 is the executor: it looks after tasks that nobody
// waits for. The others sleep until there are parts to share or several streams to serve.
#include "core/worker_team.h"

#include <cstdlib>
#include <thread>

#include <omp.h>

namespace cu2cpp::rt {
namespace {

// A task is left to the host thread for this long: most programs wait soon after they launch.
constexpr std::int64_t graceNanoseconds = 25'000;
// The executor looks by itself for this long after the last enqueueing, which spares the next one a
// system call.
constexpr std::int64_t attentiveNanoseconds = 5'000'000;
constexpr auto lookAgainAfter = std::chrono::microseconds(40);

thread_local bool hostFunctionThread = false;
thread_local unsigned indexInTeam = 0;

// Set before the team starts: a thread that is late to ask may meet an OpenMP library that has shut
// down at exit, and libomp starts anew then (and its checked builds abort).
std::int64_t patientTime = shortSpin;

std::int64_t timeToStayAwake(int threads) {
  const char* policy = std::getenv("OMP_WAIT_POLICY");
  const bool passive = policy && (policy[0] == 'p' || policy[0] == 'P');
  return passive || threads > omp_get_num_procs() ? shortSpin : 300'000;
}

} // namespace

bool onHostFunctionThread() { return hostFunctionThread; }

unsigned teamIndex() { return indexInTeam; }

std::int64_t patientSpin() { return patientTime; }

// A persistent parallel region and not one per grid: the same threads then serve the host thread
// that waits and the executor, and there is one team whoever leads (libgomp and libomp keep a pool
// for each thread that opens a region).
void WorkerTeam::start(Scheduler& scheduler) {
  scheduler.teamStarted_ = true;
  const int size = omp_get_max_threads();
  scheduler.teamSize_ = size;
  patientTime = timeToStayAwake(size);
  // The OpenMP library shuts down at exit too, and threads on their way into a region don't survive
  // that. The calls above have initialised it, so this function runs before its own.
  static Scheduler* starting;
  starting = &scheduler;
  std::atexit([] { starting->awaitTeam(); });
  std::thread([&scheduler, size] {
#pragma omp parallel num_threads(size)
    {
      const int index = omp_get_thread_num(), given = omp_get_num_threads();
      scheduler.teamLoop(index, given);
    }
  }).detach();
}

void Scheduler::awaitTeam() {
  Lock lock(mutex_);
  teamComplete_.wait_for(lock, exitPatience,
                         [&] { return !teamStarted_ || arrived_ == teamSize_; });
}

void WorkerTeam::startHostFunctionThread(Scheduler& scheduler) {
  scheduler.hostThreadStarted_ = true;
  std::thread([&scheduler] {
    hostFunctionThread = true;
    scheduler.hostFunctionLoop();
  }).detach();
}

// From here on the thread makes no use of the OpenMP library; it never leaves, not even at exit.
void Scheduler::teamLoop(int index, int given) {
  indexInTeam = unsigned(index);
  Lock lock(mutex_);
  teamSize_ = given; // may be less than was asked for (OMP_THREAD_LIMIT, OMP_DYNAMIC)
  if (++arrived_ == teamSize_)
    teamComplete_.notify_all();
  bool warm = false; // just worked: more may come at once
  for (;;) {
    const unsigned seen = news_.load(std::memory_order_acquire);
    if (stopping_.load(std::memory_order_relaxed)) {
      ++sleepers_; // for good: the process is exiting
      helpers_.wait(lock, [] { return false; });
    }
    const std::int64_t time = now();
    if (executing_ < teamSize_) {
      Run* const run = findRun();
      const std::int64_t youngest = time - graceNanoseconds;
      Stream* const stream = run ? nullptr : findReady(youngest, false);
      if (run || stream) {
        if (stream && sleepers_ > 0 && busy_.size() > 1)
          helpers_.notify_one(); // another stream may be ready too
        executorAway_ |= index == 0;
        if (run)
          help(lock, *run);
        else
          execute(lock, *stream, {mostQuick, youngest});
        if (index == 0)
          executorAway_ = false;
        warm = true;
        continue;
      }
    }
    if (warm) {
      warm = false;
      lock.unlock();
      // The executor has more to look after.
      spinUntil([&] { return news_.load(std::memory_order_acquire) != seen; },
                index == 0 ? shortSpin : patientSpin());
      lockSoon(lock);
      continue;
    }
    if (index != 0) {
      ++sleepers_;
      // What is too young yet is this thread's while the executor is away.
      if (executorAway_ && executing_ < teamSize_ && findReady(time, false))
        helpers_.wait_for(lock, lookAgainAfter);
      else
        helpers_.wait(lock);
      --sleepers_;
    } else if (time - lastEnqueue_ < attentiveNanoseconds) {
      executor_.wait_for(lock, lookAgainAfter);
    } else {
      executorAsleep_ = true;
      executor_.wait(lock, [&] { return !executorAsleep_; });
    }
  }
}

void Scheduler::hostFunctionLoop() {
  Lock lock(mutex_);
  for (;;) {
    if (Stream* stream = findReady(0, true); stream && !stopping_.load(std::memory_order_relaxed)) {
      execute(lock, *stream, {1, anyAge});
      wakeForMore();
    } else {
      hostFunctions_.wait(lock);
    }
  }
}

} // namespace cu2cpp::rt
