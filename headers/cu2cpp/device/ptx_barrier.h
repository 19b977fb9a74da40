// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers in shared memory and the bulk copies that complete them.
//
// PTX ISA, 'mbarrier.arrive', 'mbarrier.expect_tx', 'cp.async.bulk'.
#ifndef CU2CPP_DEVICE_PTX_BARRIER_H
#define CU2CPP_DEVICE_PTX_BARRIER_H

#include <cstring>

#include <cuda_awbarrier.h>

namespace cu2cpp {
namespace ptx {

inline __mbarrier_token_t mbarrier_arrive(__mbarrier_t* barrier, unsigned count = 1) noexcept {
  cu2cpp::detail::giveTurn();
  return cu2cpp::detail::changeMbarrier(barrier, count, 0, 0).phase;
}
inline __mbarrier_token_t mbarrier_arrive_drop(__mbarrier_t* barrier, unsigned count = 1) noexcept {
  cu2cpp::detail::giveTurn();
  return cu2cpp::detail::changeMbarrier(barrier, count, count, 0).phase;
}
inline __mbarrier_token_t mbarrier_arrive_expect_tx(__mbarrier_t* barrier,
                                                    unsigned bytes) noexcept {
  cu2cpp::detail::giveTurn();
  return cu2cpp::detail::changeMbarrier(barrier, 1, 0, bytes).phase;
}
inline void mbarrier_expect_tx(__mbarrier_t* barrier, unsigned bytes) noexcept {
  cu2cpp::detail::changeMbarrier(barrier, 0, 0, bytes);
}
inline void mbarrier_complete_tx(__mbarrier_t* barrier, unsigned bytes) noexcept {
  cu2cpp::detail::changeMbarrier(barrier, 0, 0, -std::int64_t(bytes));
}

/// cp_async_bulk() copies at once.
inline void cp_async_bulk(void* to, const void* from, unsigned bytes) noexcept {
  std::memcpy(to, from, bytes);
}
inline void cp_async_bulk(void* to, const void* from, unsigned bytes,
                          __mbarrier_t* barrier) noexcept {
  std::memcpy(to, from, bytes);
  mbarrier_complete_tx(barrier, bytes);
}

} // namespace ptx
} // namespace cu2cpp

#endif
