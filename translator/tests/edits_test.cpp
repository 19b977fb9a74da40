// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edits and what becomes of them: order, duplicates, conflicts, #line; and where outputs go.
#include "apply/apply_edits.h"
#include "plan/output_layout.h"

#include <gtest/gtest.h>

#include "snippet.h"

using namespace cu2cpp;
using namespace cu2cpp::test;

namespace {

std::string applied(const std::string& text, const std::vector<Edit>& edits) {
  Diagnostics diagnostics;
  const std::string out = applyEdits(text, edits, "a.cu", "", diagnostics);
  return diagnostics.all().empty() ? out : diagnostics.all().front().oneLine();
}

TEST(EditList, SameEditCountsOnce) {
  EditList list;
  list.replace({"a.cu", 2, 4}, "x");
  list.replace({"a.cu", 2, 4}, "x");
  list.replace({"a.cu", 2, 4}, "y");
  list.insert({"a.cu", 2}, "x");
  list.insert({"a.cu", 2}, "x");
  list.replace({"b.cu", 2, 4}, "x");
  EXPECT_EQ(list.byFile().at("a.cu").size(), 3u);
  EXPECT_TRUE(list.touches("b.cu"));
  EXPECT_FALSE(list.touches("c.cu"));
}

TEST(ApplyEdits, InOrderOfPlaces) {
  EXPECT_EQ(applied("0123456789", {{8, 9, "B"}, {1, 3, "a"}, {5, 5, "+"}}), "0a34+567B9");
}
TEST(ApplyEdits, InsertionsAtOnePlaceKeepTheirOrder) {
  EXPECT_EQ(applied("ab", {{1, 1, "1"}, {1, 1, "2"}}), "a12b");
}
TEST(ApplyEdits, InsertionBeforeReplacement) {
  EXPECT_EQ(applied("abc", {{1, 2, "B"}, {1, 1, "+"}}), "a+Bc");
}
TEST(ApplyEdits, AtBothEnds) { EXPECT_EQ(applied("abc", {{3, 3, ">"}, {0, 0, "<"}}), "<abc>"); }
TEST(ApplyEdits, NeighboursDoNotConflict) {
  EXPECT_EQ(applied("abcd", {{0, 2, "x"}, {2, 4, "y"}}), "xy");
}
TEST(ApplyEdits, OverlapIsReported) {
  EXPECT_EQ(applied("ab\ncdef", {{3, 6, "x"}, {4, 7, "y"}}).substr(0, 47),
            "a.cu:2:2: error: two rewrites of the same text ");
}
TEST(ApplyEdits, InsertionInsideReplacementIsReported) {
  EXPECT_NE(applied("abcdef", {{1, 5, "x"}, {3, 3, "y"}}).find("CU1005"), std::string::npos);
}
TEST(ApplyEdits, YieldingEditVanishesInWiderOne) {
  EXPECT_EQ(applied("abcdef", {{0, 5, "x"}, {1, 3, "", true}}), "xf");
  EXPECT_EQ(applied("abcdef", {{1, 3, "", true}}), "adef");
}

TEST(LineDirectives, EveryLineNamesItsOrigin) {
  const std::string text = "one\ntwo\nthree\nfour\n";
  Diagnostics diagnostics;
  // Three lines inserted before "two"; "three" and its line end removed.
  const std::string out =
      applyEdits(text, {{4, 4, "x\ny\n"}, {8, 14, ""}}, "a.cu", "a.cu", diagnostics);
  EXPECT_EQ(out, "#line 1 \"a.cu\"\none\nx\n#line 2 \"a.cu\"\ny\n#line 2 "
                 "\"a.cu\"\ntwo\nfour\n#line 5 \"a.cu\"\n");
}

TEST(LineDirectives, NotInsideOfAMacrosDefinition) {
  Diagnostics diagnostics;
  EXPECT_EQ(applyEdits("one\n", {{4, 4, "#define M \\\n  1\nx"}}, "a.cu", "a.cu", diagnostics),
            "#line 1 \"a.cu\"\none\n#define M \\\n  1\n#line 2 \"a.cu\"\nx");
}

TEST(OutputLayout, BesideTheInput) {
  const TemporaryFolder folder;
  const std::string input = folder.write("x/a.cu", ""), header = folder.write("x/b.cuh", "");
  Options options;
  const OutputLayout layout(options, {input});
  EXPECT_EQ(layout.mainOutput(input), folder.path("x/a.cpp"));
  EXPECT_EQ(layout.headerOutput(input, header), folder.path("x/b.hpp"));
  EXPECT_TRUE(layout.isInPlace(input));
}
TEST(OutputLayout, NeverOverTheUsersHeader) {
  const TemporaryFolder folder;
  const std::string input = folder.write("a.cu", ""), header = folder.write("b.h", "");
  Options options;
  EXPECT_NE(OutputLayout(options, {input}).headerOutput(input, header), header);
  folder.write("b.hpp", "the user's");
  const std::string other = folder.write("b.cuh", "");
  EXPECT_NE(OutputLayout(options, {input}).headerOutput(input, other), folder.path("b.hpp"));
}
TEST(OutputLayout, ToAFile) {
  const TemporaryFolder folder;
  const std::string input = folder.write("a.cu", "");
  Options options;
  options.output = folder.path("out/b.cc");
  EXPECT_EQ(OutputLayout(options, {input}).mainOutput(input), folder.path("out/b.cc"));
}
TEST(OutputLayout, SeveralInputsKeepTheirTree) {
  const TemporaryFolder folder;
  const std::string a = folder.write("src/a.cu", ""), b = folder.write("src/sub/b.cu", "");
  Options options;
  options.output = folder.path("out");
  const OutputLayout layout(options, {a, b});
  EXPECT_EQ(layout.mainOutput(a), folder.path("out/a.cpp"));
  EXPECT_EQ(layout.mainOutput(b), folder.path("out/sub/b.cpp"));
  EXPECT_FALSE(layout.isInPlace(a));
}

} // namespace
