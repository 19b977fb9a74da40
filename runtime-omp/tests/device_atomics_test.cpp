// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomics: old values, each operation's rule, and no lost update between OS threads.
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <cu2cpp/device_functions.h>

TEST(Atomics, ReturnTheOldValueAndStoreTheNew) {
  int i = 5;
  EXPECT_EQ(5, atomicAdd(&i, 3));
  EXPECT_EQ(8, atomicSub(&i, 10));
  EXPECT_EQ(-2, atomicMax(&i, -7));
  EXPECT_EQ(-2, atomicMin(&i, -7));
  EXPECT_EQ(-7, atomicExch(&i, 12));
  EXPECT_EQ(12, atomicAnd(&i, 10));
  EXPECT_EQ(8, atomicOr(&i, 3));
  EXPECT_EQ(11, atomicXor(&i, 1));
  EXPECT_EQ(10, atomicCAS(&i, 10, 1));
  EXPECT_EQ(1, atomicCAS(&i, 10, 2));
  EXPECT_EQ(1, i);

  unsigned u = 0;
  EXPECT_EQ(0u, atomicSub(&u, 1u));
  EXPECT_EQ(0xffffffffu, atomicMin(&u, 7u));
  EXPECT_EQ(7u, atomicMax(&u, 0x80000000u));
  EXPECT_EQ(0x80000000u, u);

  unsigned long long w = 1ull << 40;
  EXPECT_EQ(1ull << 40, atomicAdd(&w, 1ull << 40));
  EXPECT_EQ(1ull << 41, atomicMax(&w, ~0ull));
  long long s = -1;
  EXPECT_EQ(-1, atomicMin(&s, -(1ll << 40)));
  EXPECT_EQ(-(1ll << 40), s);

  float f = 1.5f;
  EXPECT_EQ(1.5f, atomicAdd(&f, 1));
  EXPECT_EQ(2.5f, atomicExch(&f, -0.0f));
  EXPECT_EQ(0.0f, atomicAdd(&f, 0.0f)); // -0 + 0 is 0
  EXPECT_FALSE(std::signbit(f));
  double d = 1e300;
  EXPECT_EQ(1e300, atomicAdd_system(&d, 1e300));
  EXPECT_EQ(2e300, d);

  unsigned short h[2] = {3, 4};
  EXPECT_EQ(4, atomicCAS(&h[1], 4, 9));
  EXPECT_EQ(3, h[0]);
  EXPECT_EQ(9, h[1]);
}

TEST(Atomics, IncrementAndDecrementWrapAsDocumented) {
  for (const unsigned start : {0u, 4u, 5u, 6u, 0xffffffffu})
    for (const unsigned limit : {0u, 5u, 0xffffffffu}) {
      unsigned up = start, down = start;
      EXPECT_EQ(start, atomicInc(&up, limit));
      EXPECT_EQ(start >= limit ? 0u : start + 1, up);
      EXPECT_EQ(start, atomicDec(&down, limit));
      EXPECT_EQ(start == 0 || start > limit ? limit : start - 1, down);
      up = start;
      atomicInc_block(&up, limit);
      EXPECT_EQ(start >= limit ? 0u : start + 1, up);
    }
}

TEST(Atomics, NoUpdateIsLostBetweenThreads) {
  constexpr int threads = 4, rounds = 20000;
  int i = 0, best = 0;
  float f = 0;
  double d = 0;
  unsigned wrapping = 0;
  unsigned long long locked = 0;
  int lock = 0;
  std::vector<std::thread> team;
  for (int t = 0; t < threads; ++t)
    team.emplace_back([&, t] {
      for (int r = 0; r < rounds; ++r) {
        atomicAdd(&i, 1);
        atomicAdd(&f, 1.0f);
        atomicAdd(&d, 1.0);
        atomicInc(&wrapping, 9u);
        atomicMax(&best, r * threads + t);
      }
#ifndef __SANITIZE_THREAD__ // knows no fences
      for (int r = 0; r < 200; ++r) {
        while (atomicCAS(&lock, 0, 1) != 0)
          std::this_thread::yield();
        __threadfence();
        ++locked;
        __threadfence();
        atomicExch(&lock, 0);
      }
#endif
    });
  for (std::thread& t : team)
    t.join();
  EXPECT_EQ(threads * rounds, i);
  EXPECT_EQ(float(threads * rounds), f);
  EXPECT_EQ(double(threads * rounds), d);
  EXPECT_EQ(unsigned(threads * rounds % 10), wrapping);
  EXPECT_EQ(rounds * threads - 1, best);
#ifndef __SANITIZE_THREAD__
  EXPECT_EQ(800u, locked);
#endif
}
