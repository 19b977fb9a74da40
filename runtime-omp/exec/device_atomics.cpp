// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compare-and-swap of 16 bytes: the processor's instruction on x86-64, elsewhere one of a few locks
// chosen by the address. A program's own flags needn't allow the instruction.
#include <cu2cpp/device/atomics_wide.h>

#include <atomic>
#include <cstdint>
#include <cstring>

namespace cu2cpp::detail {

#if defined(__x86_64__)

bool swap128(void* address, void* expected, const void* desired) noexcept {
  unsigned long long low, high, newLow, newHigh;
  std::memcpy(&low, expected, 8);
  std::memcpy(&high, static_cast<char*>(expected) + 8, 8);
  std::memcpy(&newLow, desired, 8);
  std::memcpy(&newHigh, static_cast<const char*>(desired) + 8, 8);
  bool done;
  asm volatile("lock cmpxchg16b %1"
               : "=@ccz"(done), "+m"(*static_cast<unsigned __int128*>(address)), "+a"(low),
                 "+d"(high)
               : "b"(newLow), "c"(newHigh)
               : "memory");
  std::memcpy(expected, &low, 8);
  std::memcpy(static_cast<char*>(expected) + 8, &high, 8);
  return done;
}

#else

namespace {
std::atomic_flag locks[64];
}

bool swap128(void* address, void* expected, const void* desired) noexcept {
  std::atomic_flag& lock = locks[reinterpret_cast<std::uintptr_t>(address) / 16 % 64];
  while (lock.test_and_set(std::memory_order_acquire)) {
  }
  const bool done = std::memcmp(address, expected, 16) == 0;
  std::memcpy(expected, address, 16);
  if (done)
    std::memcpy(address, desired, 16);
  lock.clear(std::memory_order_release);
  return done;
}

#endif

} // namespace cu2cpp::detail
