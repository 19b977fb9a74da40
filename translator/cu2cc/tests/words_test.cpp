// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splitting of command lines, response files and nvcc's environment variables.
#include "words.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>

namespace cu2cpp::cu2cc {
namespace {

TEST(Words, ShellSplittingRemovesQuotes) {
  EXPECT_EQ(splitShell(R"(a "b c"  'd "e"' f\ g)"), (Words{"a", "b c", "d \"e\"", "f g"}));
  EXPECT_EQ(splitShell("''"), (Words{""}));
  EXPECT_EQ(splitShell("  "), Words{});
}

TEST(Words, ListsSplitAtPlainCommasOnly) {
  EXPECT_EQ(splitList("a,b"), (Words{"a", "b"}));
  EXPECT_EQ(splitList("X=f(1,2),Y"), (Words{"X=f(1,2)", "Y"}));
  EXPECT_EQ(splitList(R"(a\,b)"), (Words{"a,b"}));
  EXPECT_EQ(splitList("S=\"x,y\""), (Words{"S=\"x,y\""}));
}

// The four spellings were compared with what `nvcc -dryrun` hands to the host compiler.
TEST(Words, HostOptionsSplitAtCommasAndBlanks) {
  EXPECT_EQ(splitHostOptions("-Wall -O2,-g"), (Words{"-Wall", "-O2", "-g"}));
  EXPECT_EQ(splitHostOptions(R"(-Wl\,-rpath\,/x)"), (Words{"-Wl,-rpath,/x"}));
  EXPECT_EQ(splitHostOptions(R"("-Wl,-z,now")"), (Words{"-Wl,-z,now"}));
  EXPECT_EQ(splitHostOptions(R"(-DA="x y")"), (Words{"-DA=x y"}));
}

TEST(Words, JoiningIsTheInverseOfShellSplitting) {
  const Words words = {"plain", "two words", "it's", "", "a\"b", "$x"};
  EXPECT_EQ(splitShell(joinForShell({"plain", "two words", "", "a\"b", "$x"})),
            (Words{"plain", "two words", "", "a\"b", "$x"}));
  EXPECT_EQ(joinForShell({"-I/a/b.c", "x=1"}), "-I/a/b.c x=1");
  EXPECT_EQ(splitShell(joinForShell(words)), words);
}

TEST(Words, ResponseFilesNest) {
  const std::string inner = testing::TempDir() + "cu2cc_inner.txt";
  const std::string outer = testing::TempDir() + "cu2cc_outer.txt";
  std::ofstream(inner) << "-O2\n\"a b.cu\"\n";
  std::ofstream(outer) << "-g @" << inner << "\n";
  Words words;
  std::string error;
  ASSERT_TRUE(expandWords({"-c", "--options-file", outer, "x.cu"}, words, error)) << error;
  EXPECT_EQ(words, (Words{"-c", "-g", "-O2", "a b.cu", "x.cu"}));
  words.clear();
  EXPECT_FALSE(expandWords({"@/no/such/file"}, words, error));
  EXPECT_NE(error.find("/no/such/file"), std::string::npos);
  std::ofstream(inner) << "@" << inner;
  words.clear();
  EXPECT_FALSE(expandWords({"@" + inner}, words, error));
  std::remove(inner.c_str());
  std::remove(outer.c_str());
}

TEST(Words, EnvironmentComesBeforeAndAfter) {
  setenv("NVCC_PREPEND_FLAGS", "-O1 '-DA=b c'", 1);
  setenv("NVCC_APPEND_FLAGS", "-g", 1);
  Words words;
  std::string error;
  EXPECT_TRUE(expandWords({"x.cu"}, words, error));
  unsetenv("NVCC_PREPEND_FLAGS");
  unsetenv("NVCC_APPEND_FLAGS");
  EXPECT_EQ(words, (Words{"-O1", "-DA=b c", "x.cu", "-g"}));
}

} // namespace
} // namespace cu2cpp::cu2cc
