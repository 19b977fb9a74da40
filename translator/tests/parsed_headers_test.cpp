// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands before the user's text is parsed once, and only what is not the user's.
#include "parse/parsed_headers.h"

#include <gtest/gtest.h>

#include "parse/source_unit.h"
#include "snippet.h"

using cu2cpp::InstallLayout;
using cu2cpp::leadingIncludes;
using cu2cpp::ParsedHeaders;
using cu2cpp::ParseLog;
using cu2cpp::test::TemporaryFolder;

namespace {

using Names = std::vector<std::string>;

TEST(ParsedHeaders, TakesWhatATextBeginsWith) {
  EXPECT_EQ(
      leadingIncludes("// text\n#pragma once\n#include <cstdio>\n#include <sys/types.h> // x\n"
                      "int i;\n#include <vector>\n"),
      (Names{"<cstdio>", "<sys/types.h>"}));
  EXPECT_EQ(leadingIncludes("#include <cstdio>\n#include \"mine.h\"\n#include <vector>\n"),
            Names{"<cstdio>"});
  EXPECT_EQ(leadingIncludes("#include <cstdio>\n#define _USE_MATH_DEFINES\n#include <cmath>\n"),
            Names{"<cstdio>"});
  EXPECT_EQ(leadingIncludes("#include <cstdio>\n#if 1\n#include <cmath>\n#endif\n"),
            Names{"<cstdio>"});
  EXPECT_EQ(leadingIncludes(""), Names{});
}

struct Parsed {
  std::vector<std::string> userFiles, absent;
  std::vector<std::string> includes; ///< "spelled resolved", as the unit notes them
  bool whole;
};

Parsed parse(const InstallLayout& layout, const std::string& file, const Names& flags,
             const ParsedHeaders* headers) {
  ParseLog log;
  const auto unit = parseCuda(layout, file, flags, log, false, {}, {}, headers);
  Parsed parsed{{log.userFiles.begin(), log.userFiles.end()},
                {log.absentFiles.begin(), log.absentFiles.end()},
                {},
                unit != nullptr};
  if (unit)
    for (const auto& include : unit->includes())
      parsed.includes.push_back(include.spelled + " " + include.resolved);
  return parsed;
}

TEST(ParsedHeaders, EndBeforeTheUsersOwn) {
  const TemporaryFolder folder;
  folder.write("mine.h",
               "#include <cmath>\ninline __device__ float half(float x) { return x / 2; }\n");
  const std::string text = "#include <vector>\n#include <mine.h>\n#include <cstdio>\n"
                           "__global__ void k(float* p) { p[threadIdx.x] = half(p[0]); }\n"
                           "int main() { std::vector<float> v(3); std::printf(\"%f\", v[0]); }\n";
  const std::string file = folder.write("code.cu", text);
  const Names flags{"-I" + folder.path(".")};
  const InstallLayout layout = cu2cpp::findInstallLayout("/nonexistent/bin/cu2cpp");
  const ParsedHeaders headers(layout, file, flags);
  EXPECT_NE(headers.pathFor(text, flags), "");
  EXPECT_NE(headers.pathFor("#include <vector>\nint i;\n", flags), "");
  EXPECT_EQ(headers.pathFor("#include <cstdio>\n", flags), "");
  EXPECT_EQ(headers.pathFor(text, {}), "");
  const Parsed with = parse(layout, file, flags, &headers),
               without = parse(layout, file, flags, nullptr);
  EXPECT_TRUE(with.whole);
  EXPECT_EQ(with.userFiles, without.userFiles);
  EXPECT_EQ(with.userFiles.size(), 2u);
  EXPECT_EQ(with.absent, without.absent);
  EXPECT_EQ(with.includes, without.includes);
  EXPECT_EQ(with.includes.size(), 4u);
}

TEST(ParsedHeaders, NoneWhereOneDoesNotCompile) {
  const TemporaryFolder folder;
  const std::string text = "#include <no_such_header_at_all.h>\n";
  const std::string file = folder.write("code.cu", text);
  const ParsedHeaders headers(cu2cpp::findInstallLayout("/nonexistent/bin/cu2cpp"), file, {});
  EXPECT_EQ(headers.pathFor(text, {}), "");
}

TEST(ParsedHeaders, NoneWhereTheCommandLineBringsTheUsersFiles) {
  const TemporaryFolder folder;
  const Names flags{"-include", folder.write("first.h", "__device__ int here;\n")};
  const std::string text = "#include <cstdio>\nint main() {}\n";
  const std::string file = folder.write("code.cu", text);
  const ParsedHeaders headers(cu2cpp::findInstallLayout("/nonexistent/bin/cu2cpp"), file, flags);
  EXPECT_EQ(headers.pathFor(text, flags), "");
}

} // namespace
