// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When headers that were read before are used, with a compiler that only writes what it is asked
// for.
#include "headers_read.h"

#include "words.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace cu2cpp::cu2cc {
namespace {

namespace fs = std::filesystem;

class HeadersRead : public ::testing::Test {
protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "headers-read-XXXXXX").string();
    ASSERT_TRUE(mkdtemp(name.data()));
    directory_ = name;
    fs::create_directories(path("ours/cu2cpp"));
    fs::create_directories(path("system"));
    fs::create_directories(path("users"));
    write("ours/cu2cpp/launch.h", "#include <math.h>\n");
    write("system/math.h", "#ifdef FAST\n#endif\n#if __has_include(<extra/more.h>)\n#endif\n");
    // Finds its options as clang does: -MF <dependencies> and -o <result>.
    write("clang++", "#!/bin/sh\n"
                     "while [ $# -gt 0 ]; do\n"
                     "  case $1 in -MF) rule=$2 ;; -o) result=$2 ;; esac\n"
                     "  shift\n"
                     "done\n"
                     "echo result > \"$result\"\n"
                     "printf 'all: %s \\\\\\n  %s\\n' " +
                         path("ours/cu2cpp/launch.h") + " " + path("system/math.h") +
                         " > \"$rule\"\n");
    fs::permissions(path("clang++"), fs::perms::owner_all);
    unsetenv("CPATH");
    std::string error;
    ASSERT_TRUE(readHeaders(start(), path("ours"), path("kept"), error)) << error;
  }
  void TearDown() override { fs::remove_all(directory_); }

  std::string path(const std::string& name) const { return directory_ + "/" + name; }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
  }
  Words start() const { return {path("clang++"), "-O3", "-I" + path("ours")}; }
  /// Whether a command with these words behind the usual ones takes what was kept.
  bool uses(const Words& more = {}) const {
    Words command = start();
    command.insert(command.end(), more.begin(), more.end());
    const Words flags = headersRead(command, path("kept"));
    return flags == Words{"-include-pch", path("kept.pch")};
  }

  std::string directory_;
};

TEST_F(HeadersRead, IsUsedByTheSameCommandAndWithWhatMakesNoDifference) {
  EXPECT_TRUE(uses());
  EXPECT_TRUE(uses({"-iquote", "dir", "-march=native", "-ffile-prefix-map=a=b"}));
  EXPECT_TRUE(uses({"-I" + path("users"), "-isystem", path("users"), "-DSLOW=2", "-U", "SLOWER"}));
}
TEST_F(HeadersRead, IsNotUsedWithOtherFlags) {
  EXPECT_FALSE(uses({"-fopenmp"}));
  EXPECT_FALSE(uses({"-O2"}));
  EXPECT_FALSE(uses({"-include", "first.h"}));
  EXPECT_TRUE(headersRead({path("clang++"), "-O2", "-I" + path("ours")}, path("kept")).empty());
  EXPECT_TRUE(headersRead({path("clang++"), "-O3"}, path("kept")).empty());
}
TEST_F(HeadersRead, IsNotUsedWithMacrosThatTheHeadersName) {
  EXPECT_FALSE(uses({"-DFAST"}));
  EXPECT_FALSE(uses({"-D", "FAST=1"}));
  EXPECT_FALSE(uses({"-UFAST"}));
  EXPECT_TRUE(uses({"-DFASTER"}));
}
TEST_F(HeadersRead, IsNotUsedWhereTheUserHasAHeaderOfThatName) {
  write("users/math.h", "");
  EXPECT_FALSE(uses({"-I" + path("users")}));
  EXPECT_FALSE(uses({"-isystem", path("users")}));
  fs::remove(path("users/math.h"));
  fs::create_directories(path("users/extra"));
  write("users/extra/more.h", "");
  EXPECT_FALSE(uses({"-I", path("users")}));
}
TEST_F(HeadersRead, IsNotUsedWhenSomethingHasChanged) {
  write("system/math.h", "other");
  EXPECT_FALSE(uses());
}
TEST_F(HeadersRead, IsNotUsedWithAnotherCompilerInItsPlace) {
  std::ofstream(path("clang++"), std::ios::app) << "# newer\n";
  EXPECT_FALSE(uses());
}
TEST_F(HeadersRead, IsNotUsedWithDirectoriesFromTheEnvironment) {
  setenv("CPATH", "/somewhere", 1);
  EXPECT_FALSE(uses());
  unsetenv("CPATH");
}
TEST_F(HeadersRead, ACompilerThatFailsLeavesNothing) {
  write("clang++", "#!/bin/sh\nexit 1\n");
  std::string error;
  EXPECT_FALSE(readHeaders(start(), path("ours"), path("kept"), error));
  EXPECT_FALSE(uses());
  EXPECT_FALSE(fs::exists(path("kept.pch")));
}

} // namespace
} // namespace cu2cpp::cu2cc
