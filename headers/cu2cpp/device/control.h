// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ways out of a kernel and looks at the clock: assert(), __trap(), __brkpt(), clock64(), the global
// timer. assert() is the C library's; the runtime library answers its call of __assert_fail() with
// CUDA's message and error while a kernel runs. Likewise clock() counts cycles in a kernel and
// processor time outside.
//
// CUDA C++ Programming Guide, 'Assertion', 'Trap function', 'Breakpoint Function', 'Time Function'.
#ifndef CU2CPP_DEVICE_CONTROL_H
#define CU2CPP_DEVICE_CONTROL_H

#include <assert.h>

#include <cu2cpp/attributes.h>

#ifdef CU2CPP_PARSE
// The message names the thread, so a kernel that can get here publishes it.
extern "C" CU2CPP_THREAD void __assert_fail(const char* expression, const char* file,
                                            unsigned int line, const char* function) noexcept
    __attribute__((noreturn));
#endif

namespace cu2cpp {
/// assertFails() is the same for a thread that is given.
[[noreturn]] void assertFails(::uint3 thread, const char* expression, const char* file,
                              unsigned int line, const char* function) noexcept;
} // namespace cu2cpp

/// __trap() ends the kernel; its launch fails with cudaErrorLaunchFailure, and so does what
/// follows.
[[noreturn]] void __trap();
void __brkpt();

/// clock64() counts at the rate that cudaDeviceProp::clockRate names.
long long clock64() noexcept;
inline void __prof_trigger(int) {}

#endif
