// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A barrier in 8 bytes of shared memory, as the hardware's: a phase ends when all arrivals and all
// bytes of copies have come. cuda::barrier of a block, __mbarrier_t and cuda::ptx share it.
//
// PTX ISA, 'Parallel Synchronization and Communication Instructions: mbarrier'.
#ifndef CU2CPP_DEVICE_MBARRIER_H
#define CU2CPP_DEVICE_MBARRIER_H

#include <cstdint>

#include <cu2cpp/attributes.h>
#include <cu2cpp/device/turn.h>

namespace cu2cpp {
namespace detail {

/// Mbarrier: nobody is more than a phase behind, so that a few bits number them.
struct Mbarrier {
  std::uint64_t expected : 20, missing : 20, phase : 3;
  std::int64_t bytes : 21; // of copies that are missing; copies may come before they are expected
};
static_assert(sizeof(Mbarrier) == 8, "the size of the hardware's");

constexpr unsigned mbarrierArrivals = (1u << 20) - 1;

inline Mbarrier readMbarrier(const std::uint64_t* word) {
  const std::uint64_t now = __atomic_load_n(word, __ATOMIC_ACQUIRE);
  Mbarrier fields;
  __builtin_memcpy(&fields, &now, sizeof now);
  return fields;
}
inline void initialiseMbarrier(std::uint64_t* word, std::uint64_t expected) {
  __atomic_store_n(word, expected | expected << 20, __ATOMIC_RELEASE);
}
/// changeMbarrier() counts arrivals and adds to the bytes that are missing; its result is what the
/// barrier was before.
inline Mbarrier changeMbarrier(std::uint64_t* word, unsigned arrivals, unsigned dropped,
                               std::int64_t bytes) {
  std::uint64_t old = __atomic_load_n(word, __ATOMIC_ACQUIRE), wanted;
  Mbarrier before, after;
  do {
    __builtin_memcpy(&before, &old, sizeof old);
    after = before;
    after.expected = after.expected - dropped;
    after.missing = after.missing - arrivals;
    after.bytes = after.bytes + bytes;
    if (after.missing == 0 && after.bytes == 0) {
      after.missing = after.expected;
      after.phase = after.phase + 1;
    }
    __builtin_memcpy(&wanted, &after, sizeof old);
  } while (
      !__atomic_compare_exchange_n(word, &old, wanted, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
  return before;
}
inline bool mbarrierPassed(const std::uint64_t* word, unsigned phase) {
  return readMbarrier(word).phase != phase;
}
inline bool mbarrierPassedParity(const std::uint64_t* word, unsigned parity) {
  return (readMbarrier(word).phase & 1) != (parity & 1);
}

} // namespace detail
} // namespace cu2cpp

#endif
