// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers in the style of C: __mbarrier_t and its functions.
//
// CUDA C++ Programming Guide, 'Memory Barrier Primitives Interface'.
#ifndef CU2CPP_CUDA_AWBARRIER_H
#define CU2CPP_CUDA_AWBARRIER_H

#include <cstdint>

#include <cu2cpp/device_functions.h>
#include <cuda_runtime.h>

/// 8 bytes in shared memory: arrivals expected, arrivals missing, phase.
typedef std::uint64_t __mbarrier_t;
typedef std::uint64_t __mbarrier_token_t;

namespace cu2cpp {
namespace detail {

// The fields of an __mbarrier_t, from the lowest bit: 20 bits expected, 20 bits missing, 24 bits
// phase.
struct MbarrierFields {
  std::uint64_t expected : 20, missing : 20, phase : 24;
};
static_assert(sizeof(MbarrierFields) == 8, "");

template <class Change> inline MbarrierFields changeMbarrier(__mbarrier_t* b, Change change) {
  giveTurn();
  std::uint64_t old = __atomic_load_n(b, __ATOMIC_ACQUIRE), wanted;
  MbarrierFields before, after;
  do {
    __builtin_memcpy(&before, &old, 8);
    after = before;
    change(after);
    if (after.missing == 0) {
      after.missing = after.expected;
      after.phase = after.phase + 1;
    }
    __builtin_memcpy(&wanted, &after, 8);
  } while (
      !__atomic_compare_exchange_n(b, &old, wanted, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
  return before;
}

} // namespace detail
} // namespace cu2cpp

inline std::uint32_t __mbarrier_maximum_count() { return (1u << 20) - 1; }
inline void __mbarrier_init(__mbarrier_t* b, std::uint32_t expected) {
  const cu2cpp::detail::MbarrierFields fields{expected, expected, 0};
  __builtin_memcpy(b, &fields, 8);
}
inline void __mbarrier_inval(__mbarrier_t*) {}
inline __mbarrier_token_t __mbarrier_arrive(__mbarrier_t* b) {
  return cu2cpp::detail::changeMbarrier(b, [](auto& f) { f.missing = f.missing - 1; }).phase;
}
inline __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t* b) {
  return cu2cpp::detail::changeMbarrier(b,
                                        [](auto& f) {
                                          f.expected = f.expected - 1;
                                          f.missing = f.missing - 1;
                                        })
      .phase;
}
CU2CPP_SYNC(block) inline bool __mbarrier_test_wait(__mbarrier_t* b, __mbarrier_token_t token) {
  const std::uint64_t now = __atomic_load_n(b, __ATOMIC_ACQUIRE);
  cu2cpp::detail::MbarrierFields fields;
  __builtin_memcpy(&fields, &now, 8);
  if (fields.phase != token)
    return true;
  cu2cpp::pollTurn();
  return false;
}
CU2CPP_SYNC(block) inline bool __mbarrier_test_wait_parity(__mbarrier_t* b, bool parity) {
  const std::uint64_t now = __atomic_load_n(b, __ATOMIC_ACQUIRE);
  cu2cpp::detail::MbarrierFields fields;
  __builtin_memcpy(&fields, &now, 8);
  if ((fields.phase & 1) != unsigned(parity))
    return true;
  cu2cpp::pollTurn();
  return false;
}
CU2CPP_SYNC(block)
inline bool __mbarrier_try_wait(__mbarrier_t* b, __mbarrier_token_t token, std::uint32_t = 0) {
  return __mbarrier_test_wait(b, token);
}
CU2CPP_SYNC(block)
inline bool __mbarrier_try_wait_parity(__mbarrier_t* b, bool parity, std::uint32_t = 0) {
  return __mbarrier_test_wait_parity(b, parity);
}
CU2CPP_UNSUPPORTED("the count of arrivals within a token")
std::uint32_t __mbarrier_token_pending_count(__mbarrier_token_t token);

#endif
