// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// abortKernel() as a long jump. The builtins and not <csetjmp>: the fortified longjmp() of glibc
// takes a jump from a fiber's stack to the thread's own for an overflow and ends the process.
#include "exec/abort.h"

#include <cstdlib>

namespace cu2cpp::rt {
namespace {

struct Exit {
  void* place[5]; // what __builtin_setjmp() asks for
  cudaError_t error;
};

thread_local Exit* currentExit = nullptr;

} // namespace

void abortKernel(cudaError_t error) {
  if (!currentExit)
    std::abort();
  currentExit->error = error;
  __builtin_longjmp(currentExit->place, 1);
}

// Not inlined, so that no local of a caller lives across the jump.
__attribute__((noinline)) Status runAbortable(void (*body)(void* argument), void* argument) {
  Exit* const outer = currentExit;
  Exit exit;
  exit.error = cudaSuccess;
  currentExit = &exit;
  if (__builtin_setjmp(exit.place) == 0)
    body(argument);
  currentExit = outer;
  return static_cast<Status>(exit.error);
}

} // namespace cu2cpp::rt
