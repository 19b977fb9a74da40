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

} // namespace

namespace cu2cpp::rt {

unsigned deviceClockKilohertz() noexcept {
  static const unsigned rate = [] {
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    const long long first = ticks();
    auto now = begin;
    do
      now = Clock::now();
    while (now - begin < std::chrono::milliseconds(5));
    const double seconds = std::chrono::duration<double>(now - begin).count();
    return static_cast<unsigned>(static_cast<double>(ticks() - first) / seconds / 1000.0);
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
