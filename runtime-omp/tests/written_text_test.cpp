// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texts of launches, as macros show them.
#include <gtest/gtest.h>

#include <cu2cpp/kernel_call.h>

namespace {

TEST(WrittenText, LaunchesAreShownAsTheyWere) {
  EXPECT_STREQ(cu2cpp::asWritten("cu2cpp::launch(k, 1, 32)(p)"), "k<<<1, 32>>>(p)");
  EXPECT_STREQ(cu2cpp::asWritten("cu2cpp::launch(a::k<int, 5> , dim3(2, 1), f(\")\") ) (p)"),
               "a::k<int, 5><<< dim3(2, 1), f(\")\") >>> (p)");
  EXPECT_STREQ(cu2cpp::asWritten("cu2cpp::launch(k <int>, 1, 32)(p, 1); g()"),
               "k<<<1, 32>>>(p, 1); g()");
  EXPECT_STREQ(cu2cpp::asWritten("cu2cpp::launch(static_cast<void (*)(int)>(k), 1, 1)(2)"),
               "k<<<1, 1>>>(2)");
  EXPECT_STREQ(cu2cpp::asWritten(
                   "cu2cpp::launch([](auto&... cuArguments) { k<T>(cuArguments...); }, 1, 1)(2)"),
               "k<T><<<1, 1>>>(2)");
  EXPECT_STREQ(cu2cpp::asWritten("f(cu2cpp::launch(k, 1, 1)(), cu2cpp::kernelAddress( k))"),
               "f(k<<<1, 1>>>(), &k)");
}

TEST(WrittenText, EverythingElseStays) {
  const char* const text = "cudaMalloc(&p, 4)";
  EXPECT_EQ(cu2cpp::asWritten(text), text);
  EXPECT_STREQ(cu2cpp::asWritten("cu2cpp::launch(k"), "cu2cpp::launch(k");
}

} // namespace
