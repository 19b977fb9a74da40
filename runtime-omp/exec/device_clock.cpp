// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clock64(), and clock(), whose name CUDA shares with the C library: cycles inside a kernel, the
// process's CPU time outside.
//
// CUDA C++ Programming Guide, 'Time Function'.
#include "exec/device_clock.h"

#include <chrono>
#include <ctime>

#include <cu2cpp/block.h>
#include <cu2cpp/device/control.h>
#include <cu2cpp/device/turn.h>

namespace {

long long ticks() noexcept {
#if defined(__x86_64__)
  return static_cast<long long>(__builtin_ia32_rdtsc());
#elif defined(__aarch64__)
  long long count;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(count));
  return count;
#else
  return std::chrono::steady_clock::now().time_since_epoch().count();
#endif
}

using Clock = std::chrono::steady_clock;
struct Reading {
  Clock::time_point time;
  long long ticks;
};
// Of several readings the one of which the time is known best: another process may have run between
// two of the three looks at clocks.
Reading bestReading() noexcept {
  Reading best{};
  Clock::duration narrowest = Clock::duration::max();
  for (int i = 0; i < 10; ++i) {
    const auto before = Clock::now();
    const long long count = ticks();
    const auto width = Clock::now() - before;
    if (width < narrowest) {
      narrowest = width;
      best = {before + width / 2, count};
    }
  }
  return best;
}

} // namespace

namespace cu2cpp::rt {

unsigned deviceClockKilohertz() noexcept {
  static const unsigned rate = [] {
    const Reading first = bestReading();
    while (Clock::now() - first.time < std::chrono::milliseconds(5)) {
    }
    const Reading last = bestReading();
    const double seconds = std::chrono::duration<double>(last.time - first.time).count();
    return static_cast<unsigned>(static_cast<double>(last.ticks - first.ticks) / seconds / 1000.0);
  }();
  return rate;
}

} // namespace cu2cpp::rt

// A loop that waits for a time to pass must let the other threads of its block run.
long long clock64() noexcept {
  cu2cpp::detail::giveTurn();
  return ticks();
}

extern "C" std::clock_t clock() noexcept {
  if (cu2cpp::detail::context.block)
    return clock64();
  timespec used{};
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) != 0)
    return -1;
  return used.tv_sec * CLOCKS_PER_SEC + used.tv_nsec / (1000000000 / CLOCKS_PER_SEC);
}
