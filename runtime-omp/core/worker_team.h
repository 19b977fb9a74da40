// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The threads of the runtime: one team of OpenMP threads (OMP_NUM_THREADS, OMP_PROC_BIND and
// OMP_PLACES hold for it) and one thread for host functions. Both live as long as the process.
#ifndef CU2CPP_CORE_WORKER_TEAM_H
#define CU2CPP_CORE_WORKER_TEAM_H

#include <atomic>
#include <cstdint>
#include <mutex>

#include "core/scheduler.h"

namespace cu2cpp::rt {

/// WorkerTeam starts the scheduler's threads, each when it is first needed.
class WorkerTeam {
public:
  /// start() sets the team's size and starts it; the scheduler's mutex is held.
  static void start(Scheduler& scheduler);
  static void startHostFunctionThread(Scheduler& scheduler);
};

/// onHostFunctionThread() says whether the caller is a host function (or something that it called).
bool onHostFunctionThread();

/// teamIndex() is the number of the calling thread in the team, 0 outside of it.
unsigned teamIndex();

inline void pauseThread() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// For about as long as a hand-over through the operating system takes.
constexpr std::int64_t shortSpin = 20'000;

/// patientSpin() is how long a thread of the team watches for the next grid, in nanoseconds. Waking
/// many threads one by one takes longer than most grids run, so they stay awake for a while, as
/// those of OpenMP libraries do; not where there are more of them than processors, nor with
/// OMP_WAIT_POLICY=passive.
std::int64_t patientSpin();

/// spinUntil() watches the condition for a time in nanoseconds.
template <class Condition> bool spinUntil(Condition condition, std::int64_t time = shortSpin) {
  const std::int64_t end = now() + time;
  do {
    for (int i = 0; i < 32; ++i) {
      if (condition())
        return true;
      pauseThread();
    }
  } while (now() < end);
  return condition();
}

/// lockSoon() locks a mutex that is held for short only: threads that meet there would otherwise
/// put each other to sleep and wake each other in turn.
inline void lockSoon(std::unique_lock<std::mutex>& lock) {
  for (int i = 0; i < 200; ++i) {
    if (lock.try_lock())
      return;
    pauseThread();
  }
  lock.lock();
}

} // namespace cu2cpp::rt

#endif
