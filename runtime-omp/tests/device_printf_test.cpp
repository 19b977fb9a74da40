// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// printf() of translated sources: what a GPU prints differently from the C library. The texts for
// conversions that a GPU does not know were printed by one.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

#include "runtime_test.h"

extern "C" int cu2cppPrintf(const char* format, ...);

namespace {

/// The NaN that x86's operations give.
double processorsNan() {
  const std::uint64_t bits = 0xfff8000000000000u;
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

class DevicePrintf : public RuntimeTest {
protected:
  static std::string printed(void (*kernel)(int*)) {
    static int result;
    testing::internal::CaptureStdout();
    cu2cpp::launch(kernel, 1, 1)(&result);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    std::fflush(stdout);
    return testing::internal::GetCapturedStdout() + "=" + std::to_string(result);
  }
};

TEST_F(DevicePrintf, IsTextFromAnUnknownConversionOn) {
  EXPECT_EQ(printed([](int* result) {
              *result = cu2cppPrintf("%zu %td %jd\n", std::size_t(1), std::ptrdiff_t(2), 3l);
            }),
            "%zu %td %jd\n=0");
  EXPECT_EQ(printed([](int* result) {
              *result = cu2cppPrintf("%*d|%-*d|%.*f|%*.*f\n", 6, 42, 6, 42, 2, 3.14159, 8, 3, 2.7);
            }),
            "    42|42    |%.*f|%*.*f\n=4");
  EXPECT_EQ(printed([](int* result) { *result = cu2cppPrintf("%5.1f%% %zu", 99.5, 4ul); }),
            " 99.5% %zu=1");
}

TEST_F(DevicePrintf, GoesOnBehindASingleUnknownConversion) {
  EXPECT_EQ(printed([](int* result) { *result = cu2cppPrintf("%k %d|%5%|%'d|%1$d", 3); }),
            "%k 3|%5%|%'d|%1$d=1");
}

TEST_F(DevicePrintf, KnowsEverythingElse) {
  EXPECT_EQ(printed([](int* result) {
              *result = cu2cppPrintf("%d %hhd %lld %s %c %.3s|%-6.2f|%#x %p %%", 1, -4, -9ll,
                                     "text", 'c', "cut off", 2.5, 255, nullptr);
            }),
            "1 -4 -9 text c cut|2.50  |0xff (nil) %=9");
}

TEST_F(DevicePrintf, ShowsTheSignOfNansAndWhatTheHostAsksFor) {
  EXPECT_EQ(printed([](int* result) {
              *result = cu2cppPrintf("%f %d %6.1f|%-6g|%s %zu", processorsNan(), 7, processorsNan(),
                                     -processorsNan(), "text", std::size_t(1));
            }),
            "-nan 7   -nan|nan   |text %zu=5");
  testing::internal::CaptureStdout();
  EXPECT_EQ(cu2cppPrintf("%f %zu %.*f %5s\n", processorsNan(), std::size_t(6), 2, 1.0, "end"), 18);
  std::fflush(stdout);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "-nan 6 1.00   end\n");
}

} // namespace
