// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What goes wrong on fibers ends the kernel with an error and one line on stderr, never with a hang
// or a wrong number.
#undef NDEBUG // for the declaration of __assert_fail()
#include <cassert>
#include <string>

#include <gtest/gtest.h>

#include "block_on_fibers.h"
#include "exec/fiber_stacks.h"

using cu2cpp::tests::onFibers;
using testing::internal::CaptureStderr;
using testing::internal::GetCapturedStderr;

namespace {

// The block must work again after each failure.
void expectHealthy() {
  int count = 0;
  EXPECT_EQ(cudaSuccess, onFibers(dim3(300), [&](const uint3) {
              __syncthreads();
              ++count;
            }));
  EXPECT_EQ(300, count);
}

bool contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

__attribute__((noinline)) int recurse(volatile int* out, int depth) {
  volatile char frame[4000];
  frame[depth % 4000] = char(depth);
  *out = depth;
  return depth == 0 ? 0 : recurse(out, depth - 1) + frame[depth % 4000];
}

} // namespace

TEST(FibersFailure, MaskThatNamesALaneElsewhereIsReported) {
  CaptureStderr();
  EXPECT_EQ(cudaErrorLaunchTimeout, onFibers(
                                        dim3(32),
                                        [&](const uint3 threadIdx) {
                                          if (threadIdx.x < 16)
                                            __syncwarp(0x0001ffff);
                                          else
                                            __syncthreads();
                                        },
                                        "stuck"));
  const std::string text = GetCapturedStderr();
  EXPECT_TRUE(contains(text, "kernel 'stuck', block (7,0,0)")) << text;
  EXPECT_TRUE(contains(text, "16 at __syncwarp() [thread (0,0,0) (1,0,0)")) << text;
  EXPECT_TRUE(contains(text, "16 at __syncthreads() [thread (16,0,0)")) << text;
  expectHealthy();
}

TEST(FibersFailure, StackOverflowNamesKernelAndThread) {
  volatile int sink = 0;
  CaptureStderr();
  EXPECT_EQ(cudaErrorHardwareStackError, onFibers(
                                             dim3(40),
                                             [&](const uint3 threadIdx) {
                                               __syncthreads();
                                               if (threadIdx.x == 33)
                                                 recurse(&sink, 1 << 20);
                                             },
                                             "deep"));
  const std::string text = GetCapturedStderr();
  EXPECT_TRUE(contains(text, "kernel 'deep', block (7,0,0), thread (33,0,0): stack overflow"))
      << text;
  expectHealthy();
  // Twice: the signal must still be deliverable.
  CaptureStderr();
  EXPECT_EQ(cudaErrorHardwareStackError,
            onFibers(dim3(1), [&](const uint3) { recurse(&sink, 1 << 20); }));
  GetCapturedStderr();
}

TEST(FibersFailure, LimitGivesMoreStack) {
  volatile int sink = 0;
  const std::size_t before = cu2cpp::rt::fiberStackBytes();
  cu2cpp::rt::setFiberStackBytes(std::size_t(16) << 20);
  EXPECT_EQ(cudaSuccess, onFibers(dim3(8), [&](const uint3) {
              __syncthreads();
              recurse(&sink, 3000); // 12 MB
            }));
  cu2cpp::rt::setFiberStackBytes(1024);
  EXPECT_EQ(before, cu2cpp::rt::fiberStackBytes());
  expectHealthy();
}

TEST(FibersFailure, HalfAMegabyteOfLocalArraysFits) {
  long sum = 0;
  ASSERT_EQ(cudaSuccess, onFibers(dim3(4), [&](const uint3 threadIdx) {
              volatile int local[131000];
              for (int i = 0; i < 131000; i += 500)
                local[i] = int(threadIdx.x);
              __syncthreads();
              sum += local[130500];
            }));
  EXPECT_EQ(6, sum);
}

TEST(FibersFailure, AssertSpeaksAsCudaDoes) {
  CaptureStderr();
  EXPECT_EQ(cudaErrorAssert, onFibers(dim3(64), [&](const uint3 threadIdx) {
              __syncthreads();
              if (threadIdx.x == 5)
                __assert_fail("x > 0", "file.cu", 12, "void kernel(int*)::<lambda(const uint3)>");
            }));
  EXPECT_EQ("file.cu:12: void kernel(int*): block: [7,0,0], thread: [5,0,0] Assertion `x > 0` "
            "failed.\n",
            GetCapturedStderr());
  expectHealthy();
}

TEST(FibersFailure, AssertOnTheHostEndsTheProcess) {
  EXPECT_DEATH(__assert_fail("no", "host.cpp", 3, "int main()"),
               "host.cpp:3: int main\\(\\): Assertion `no' failed.");
}

TEST(FibersFailure, TrapEndsTheKernel) {
  int after = 0;
  EXPECT_EQ(cudaErrorLaunchFailure, onFibers(dim3(64), [&](const uint3 threadIdx) {
              if (threadIdx.x == 40)
                __trap();
              __syncthreads();
              ++after;
            }));
  EXPECT_EQ(0, after);
  expectHealthy();
}

TEST(FibersFailure, CollectiveOutsideOfFibersIsRefused) {
  cu2cpp::Block block;
  block.blockDim = dim3(2);
  const auto before = cu2cpp::detail::context;
  cu2cpp::detail::context.block = &block;
  CaptureStderr();
  const auto status = cu2cpp::rt::runAbortable([](void*) { __syncthreads(); }, nullptr);
  EXPECT_TRUE(contains(GetCapturedStderr(), "__syncthreads() was reached"));
  EXPECT_EQ(cudaErrorLaunchFailure, static_cast<cudaError_t>(status));
  cu2cpp::detail::context = before;
}
