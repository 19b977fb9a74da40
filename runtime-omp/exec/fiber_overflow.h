// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stack overflow of a fiber: a fault in the guard below its stack ends the kernel with one line
// that names it.
#ifndef CU2CPP_EXEC_FIBER_OVERFLOW_H
#define CU2CPP_EXEC_FIBER_OVERFLOW_H

namespace cu2cpp::rt {

/// watchStackOverflow() prepares this OS thread: the process's SIGSEGV handler (once; other faults
/// go to the handler that was there before) and an alternate signal stack.
void watchStackOverflow();

} // namespace cu2cpp::rt

#endif
