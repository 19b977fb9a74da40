// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random work, in which every dependency must be kept (random_trial.h), from one and from several
// host threads. CU2CPP_RANDOM_ORDERS sets how many orders are tried.
#include <cstdlib>

#include "random_trial.h"

namespace {

using RandomOrder = RuntimeTest;

int wantedTrials() {
  const char* const wanted = std::getenv("CU2CPP_RANDOM_ORDERS");
  return wanted ? std::atoi(wanted) : 1000;
}

TEST_F(RandomOrder, EveryDependencyIsKept) {
  const int count = wantedTrials();
  violations = 0;
  for (int i = 0; i < count && violations == 0; ++i) {
    Trial(unsigned(i), true).run();
    ASSERT_EQ(violations, 0) << "in the order made from " << i;
  }
}

TEST_F(RandomOrder, EveryDependencyIsKeptWithSeveralHostThreads) {
  const int count = wantedTrials() / 4;
  violations = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([=] {
      for (int i = t; i < count && violations == 0; i += 3)
        Trial(unsigned(i), false).run();
    });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(violations, 0);
}

} // namespace
