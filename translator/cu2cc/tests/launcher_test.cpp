// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A build system's command lines and what becomes of them.
#include "launcher.h"

#include <gtest/gtest.h>

namespace cu2cpp::cu2cc {
namespace {

std::string launchedLine(const std::string& line, const Words& kernelCompiler = {"clang++-19"}) {
  const Words words = launched(splitShell(line), "/usr/bin/c++", kernelCompiler,
                               [](const std::string& path) { return path == "out/kernel.cpp"; });
  return joinForShell(words);
}

bool has(const std::string& line, const std::string& words) {
  return (" " + line + " ").find(" " + words + " ") != std::string::npos;
}

TEST(Launcher, LeavesOtherCommandsAsTheyAre) {
  for (const char* line :
       {"/usr/bin/c++ -O2 -o host.o -c host.cpp", "/usr/bin/c++ out/kernel.o -o program",
        "/usr/bin/cc -c out/kernel.cpp", "/usr/bin/c++ -E out/kernel.cpp"})
    EXPECT_EQ(launchedLine(line), line);
}

TEST(Launcher, CompilesTranslatedCodeForSpeed) {
  const std::string line =
      launchedLine("ccache /usr/bin/c++ -DN=4 -I/here -O2 -g -DNDEBUG -std=gnu++17 "
                   "-fdiagnostics-color=always -march=native -MD -MT k.o -MF k.o.d -o k.o -c "
                   "out/kernel.cpp");
  EXPECT_EQ(line.rfind("ccache clang++-19 -march=native", 0), 0u) << line;
  EXPECT_TRUE(has(line, "-Xclang -no-enable-noundef-analysis")) << line;
  EXPECT_TRUE(has(line, "-DN=4 -I/here -O3 -g -DNDEBUG")) << line;
  EXPECT_TRUE(has(line, "-MD -MT k.o -MF k.o.d -o k.o -c out/kernel.cpp")) << line;
}

TEST(Launcher, KeepsTheCompilerWhereAnotherDoesNotUnderstandItsFlags) {
  for (const char* flag : {"-fopenmp", "-flto", "--param=max-unroll-times=2", "-include pch.h"}) {
    const std::string line =
        launchedLine("/usr/bin/c++ " + std::string(flag) + " -o k.o -c out/kernel.cpp");
    EXPECT_EQ(line.rfind("/usr/bin/c++ -O3 -march=native", 0), 0u) << line;
    EXPECT_TRUE(has(line, "-fexpensive-optimizations")) << line;
    EXPECT_TRUE(has(line, flag)) << line;
  }
  EXPECT_EQ(launchedLine("/usr/bin/c++ -o k.o -c out/kernel.cpp", {}).rfind("/usr/bin/c++ -O3", 0),
            0u);
}

TEST(Launcher, LeavesChosenLevelsAndDebugBuilds) {
  EXPECT_TRUE(has(launchedLine("/usr/bin/c++ -O1 -c out/kernel.cpp"), "-O1"));
  EXPECT_FALSE(has(launchedLine("/usr/bin/c++ -O1 -c out/kernel.cpp"), "-O3"));
  EXPECT_FALSE(has(launchedLine("/usr/bin/c++ -g -c out/kernel.cpp"), "-O3"));
}

} // namespace
} // namespace cu2cpp::cu2cc
