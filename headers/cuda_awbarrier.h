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

#include <cu2cpp/device/mbarrier.h>

typedef std::uint64_t __mbarrier_t;
typedef std::uint64_t __mbarrier_token_t; // the number of a phase

inline std::uint32_t __mbarrier_maximum_count() { return cu2cpp::detail::mbarrierArrivals; }
inline void __mbarrier_init(__mbarrier_t* b, std::uint32_t expected) {
  cu2cpp::detail::initialiseMbarrier(b, expected);
}
inline void __mbarrier_inval(__mbarrier_t*) {}
inline __mbarrier_token_t __mbarrier_arrive(__mbarrier_t* b) {
  cu2cpp::detail::giveTurn();
  return cu2cpp::detail::changeMbarrier(b, 1, 0, 0).phase;
}
inline __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t* b) {
  cu2cpp::detail::giveTurn();
  return cu2cpp::detail::changeMbarrier(b, 1, 1, 0).phase;
}
CU2CPP_SYNC(block) inline bool __mbarrier_test_wait(__mbarrier_t* b, __mbarrier_token_t token) {
  if (cu2cpp::detail::mbarrierPassed(b, unsigned(token)))
    return true;
  cu2cpp::pollTurn();
  return false;
}
CU2CPP_SYNC(block) inline bool __mbarrier_test_wait_parity(__mbarrier_t* b, bool parity) {
  if (cu2cpp::detail::mbarrierPassedParity(b, parity))
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
