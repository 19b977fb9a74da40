// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules as text: base64 with the examples of RFC 4648, and lines of 76.
#include "module_text.h"

#include <gtest/gtest.h>

using namespace cu2cpp::cu2cc;

namespace {

std::string digits(const std::string& bytes) {
  const std::string text = moduleText(bytes);
  return text.substr(text.find('\n') + 1);
}

TEST(ModuleText, EndsWithPadding) {
  EXPECT_EQ(digits("foobar"), "Zm9vYmFy\n");
  EXPECT_EQ(digits("fooba"), "Zm9vYmE=\n");
  EXPECT_EQ(digits("foob"), "Zm9vYg==\n");
}

TEST(ModuleText, HasNoZerosAndShortLines) {
  const std::string text = moduleText(std::string(1000, 0));
  EXPECT_EQ(text.find('\0'), std::string::npos);
  EXPECT_EQ(digits(std::string(57, 0)), std::string(76, 'A') + "\n\n");
  EXPECT_EQ(text.rfind("// cu2cpp module", 0), 0u) << "what the runtime looks for";
}

} // namespace
