// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What libcu++ has beyond the standard library, against values worked out by hand.
#include <gtest/gtest.h>

#include <cuda/bit>
#include <cuda/cmath>
#include <cuda/std/mdspan> // declares names of its own in cuda::std
#include <cuda/std/numbers>

#include <cuda/std/barrier>

TEST(LibCudaCxx, QuotientsAndMultiples) {
  enum Size : unsigned char { sixty = 60 };
  static_assert(cuda::ceil_div(10, 3) == 4 && cuda::ceil_div(9u, 3) == 3u);
  EXPECT_EQ(0, cuda::ceil_div(0, 7));
  EXPECT_EQ(1u, cuda::ceil_div(~0u, ~0u));
  EXPECT_EQ(1u << 31, cuda::ceil_div(~0u, 2u));
  EXPECT_EQ(1 << 30, cuda::ceil_div(0x7fffffff, 2));
  EXPECT_EQ(9, cuda::ceil_div(sixty, 7));
  EXPECT_EQ(128, cuda::round_up(97, 32));
  EXPECT_EQ(96ll, cuda::round_up(96ll, 32));
  EXPECT_EQ(96, cuda::round_down(127, 32));
  EXPECT_EQ(5ull << 40, cuda::round_down((5ull << 40) + 3, 1u << 20));
  EXPECT_EQ(9, cuda::ilog2(1023));
  EXPECT_EQ(63, cuda::ilog2(1ull << 63));
  EXPECT_EQ(2, cuda::ilog10(999));
  EXPECT_EQ(3, cuda::ilog10(1000));
}

TEST(LibCudaCxx, FieldsOfBits) {
  EXPECT_EQ(0xff0u, cuda::bitmask<unsigned>(4, 8));
  EXPECT_EQ(~0ull, cuda::bitmask<unsigned long long>(0, 64));
  EXPECT_EQ(0, cuda::bitmask<unsigned char>(8, 0));
  EXPECT_EQ(0x80000001u, cuda::bit_reverse(0x80000001u));
  EXPECT_EQ(0xc0, cuda::bit_reverse((unsigned char)3));
  EXPECT_EQ(0xffff1affu, cuda::bitfield_insert(0xffffffffu, 0x31au, 8, 8));
  EXPECT_EQ(0x34u, cuda::bitfield_extract(0x12345678u, 16, 8));
}

TEST(LibCudaCxx, ConstantsOfMathematics) {
  EXPECT_FLOAT_EQ(3.14159265f, cuda::std::numbers::pi_v<float>);
  EXPECT_DOUBLE_EQ(1.0, cuda::std::numbers::ln10 * cuda::std::numbers::log10e);
  EXPECT_DOUBLE_EQ(1.0, cuda::std::numbers::phi * (cuda::std::numbers::phi - 1));
}

TEST(LibCudaCxx, BarrierBesideOtherHeaders) {
  cuda::std::barrier<> barrier(1);
  barrier.arrive_and_wait();
}
