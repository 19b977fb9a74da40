// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Commands that fail.
#include "run_plan.h"

#include <gtest/gtest.h>

namespace cu2cpp::cu2cc {
namespace {

/// The exit code of a plan whose compiler is a script; what it gets is "$@".
int codeOf(const char* script, bool mayBreakDown) {
  Command command;
  command.words = {"sh", "-c", script, "compiler", "-c", "kernels.cpp"};
  command.mayBreakDown = mayBreakDown;
  Plan plan;
  plan.jobs = {{command}};
  return runPlan(plan, Options());
}

constexpr const char* failsInVectorisers =
    "case \"$*\" in *-fno-tree-vectorize*) exit 0;; *) exit 1;; esac";

TEST(RunPlan, ACompilationThatBreaksDownIsTriedWithoutVectorisers) {
  EXPECT_EQ(codeOf(failsInVectorisers, true), 0);
}
TEST(RunPlan, OtherCommandsAreNotTriedAgain) { EXPECT_EQ(codeOf(failsInVectorisers, false), 1); }
TEST(RunPlan, WhatFailsTwiceFails) {
  EXPECT_EQ(codeOf("exit 1", true), 1);
  EXPECT_EQ(codeOf("exit 3", true), 3);
}

} // namespace
} // namespace cu2cpp::cu2cc
