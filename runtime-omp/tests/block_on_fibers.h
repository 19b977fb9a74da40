// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a lambda as the threads of one block on fibers, as the body of a translated kernel does.
#ifndef CU2CPP_TESTS_BLOCK_ON_FIBERS_H
#define CU2CPP_TESTS_BLOCK_ON_FIBERS_H

#include <gtest/gtest.h>

#include <cu2cpp/launch.h>

#include "exec/abort.h"

namespace cu2cpp::tests {

/// onFibers() runs body(thread) for each thread of a block of this size and returns how the kernel
/// ended.
template <class Body> cudaError_t onFibers(dim3 size, Body body, const char* kernel = "kernel") {
  struct Run {
    Block block;
    Body* body;
    const char* kernel;
  } run{{}, &body, kernel};
  run.block.blockDim = size;
  run.block.blockIdx = {7, 0, 0};
  const detail::Context before = detail::context;
  detail::context.block = &run.block;
  const auto status = rt::runAbortable(
      [](void* argument) {
        Run& r = *static_cast<Run*>(argument);
        eachThreadOnFiber(r.block, *r.body, r.kernel);
      },
      &run);
  detail::context = before;
  return static_cast<cudaError_t>(status);
}

/// runOnFibers() expects every thread of the block to run to its end.
template <class Body> void runOnFibers(dim3 size, Body body) {
  unsigned finished = 0;
  EXPECT_EQ(cudaSuccess, onFibers(size, [&](const Thread& thread) {
              body(thread);
              ++finished;
            }));
  EXPECT_EQ(size.x * size.y * size.z, finished);
}

} // namespace cu2cpp::tests

#endif
