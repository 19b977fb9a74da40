// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The clock that kernels read: the processor's time-stamp counter.
#ifndef CU2CPP_EXEC_DEVICE_CLOCK_H
#define CU2CPP_EXEC_DEVICE_CLOCK_H

namespace cu2cpp::rt {

/// deviceClockKilohertz() is the rate of clock64(); measured at the first call, which takes some
/// milliseconds.
unsigned deviceClockKilohertz() noexcept;

} // namespace cu2cpp::rt

#endif
