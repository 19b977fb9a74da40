// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Leaving a kernel from within: a failed assert, __trap(), a stack that ran over. The block is left
// where it stands (its destructors do not run, as on a GPU), blocks that have not started are
// skipped, the error becomes the launch's.
//
// CUDA C++ Programming Guide, 'Assertion' and 'Trap function'.
#ifndef CU2CPP_EXEC_ABORT_H
#define CU2CPP_EXEC_ABORT_H

#include <driver_types.h>

#include "exec/status.h"

namespace cu2cpp::rt {

/// abortKernel() ends the block that this OS thread runs, also from a fiber's stack. Outside a
/// kernel it ends the process.
[[noreturn]] void abortKernel(cudaError_t error);

/// runAbortable() calls body(argument) and returns Ok, or the error with which abortKernel() left
/// it.
Status runAbortable(void (*body)(void* argument), void* argument);

} // namespace cu2cpp::rt

#endif
