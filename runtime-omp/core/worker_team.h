// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The threads of the runtime: one team of OpenMP threads (OMP_NUM_THREADS, OMP_PROC_BIND and
// OMP_PLACES hold for it) and one thread for host functions. Both live as long as the process.
#ifndef CU2CPP_CORE_WORKER_TEAM_H
#define CU2CPP_CORE_WORKER_TEAM_H

#include <atomic>
#include <cstdint>

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

inline void pauseThread() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// spinUntil() watches the condition for about as long as a hand-over through the operating system
/// takes.
template <class Condition> bool spinUntil(Condition condition) {
  constexpr std::int64_t spinNanoseconds = 20'000;
  const std::int64_t end = now() + spinNanoseconds;
  do {
    for (int i = 0; i < 32; ++i) {
      if (condition())
        return true;
      pauseThread();
    }
  } while (now() < end);
  return condition();
}

} // namespace cu2cpp::rt

#endif
