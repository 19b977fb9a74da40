// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What other tools cut out of nvcc's output must be in ours.
#include "nvcc_output.h"

#include <gtest/gtest.h>
#include <regex>

namespace cu2cpp::cu2cc {
namespace {

std::string found(const std::string& text, const char* expression) {
  std::smatch match;
  return std::regex_search(text, match, std::regex(expression)) ? match[1].str() : "nothing";
}

TEST(NvccOutput, ScriptsFindTheVersion) {
  const std::string text = versionText("12.8", "1.2.3");
  // CMake's words for the compiler and the version; PyTorch's; those that take the fourth line.
  EXPECT_EQ(found(text, "(nvcc: NVIDIA \\(R\\) Cuda compiler driver)").rfind("nvcc:", 0), 0u);
  EXPECT_EQ(found(text, " V([0-9]+\\.[0-9]+\\.[0-9]+)"), "12.8.0");
  EXPECT_EQ(found(text, "release ([0-9]+[.][0-9]+)"), "12.8");
  EXPECT_EQ(found(text, "^.*\\n.*\\n.*\\n(Cuda compilation tools)"), "Cuda compilation tools");
  EXPECT_EQ(found(text, "cu2cc ([0-9.]+)"), "1.2.3");
  EXPECT_EQ(found(versionText("", "1.2.3"), "release (.*),"), "12.4");
}

TEST(NvccOutput, CmakeFindsToolkitLibrariesAndLinkLine) {
  Installation at;
  at.toolkit = "/there/toolkit";
  at.hostCompiler = {"ccache", "/usr/bin/g++"};
  const std::string text = environmentText(at);
  EXPECT_EQ(found(text, "#\\$ TOP=([^\\n]*)"), "/there/toolkit");
  EXPECT_EQ(found(text, "#\\$ +INCLUDES= *([^ \\n]*)"), "\"-I/there/toolkit/include\"");
  EXPECT_EQ(found(text, "-arch compute_([0-9]+)"), "90");
  const std::string libraries = found(text, "#\\$ +LIBRARIES= *([^\\n]*)\\n");
  EXPECT_EQ(libraries, "\"-L/there/toolkit/lib64\"");
  EXPECT_NE(linkText(at).find("#$ /usr/bin/g++ " + libraries + " -lcudadevrt -lcudart_static"),
            std::string::npos);
}

} // namespace
} // namespace cu2cpp::cu2cc
