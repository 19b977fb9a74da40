// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Diagnostics, the JSON report, files that appear all or not at all, and the whole command on small
// files.
#include "apply/write_files.h"
#include "report/summary.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "snippet.h"

using namespace cu2cpp;
using namespace cu2cpp::test;

namespace {

struct Row {
  int number;
  std::string name, severity, text, hint;
};

const std::vector<Row> table = {
#define DIAG(number, name, severity, text, hint) {number, #name, #severity, text, hint},
#include "report/diagnostics.def"
#undef DIAG
};

TEST(DiagnosticTable, NumbersAreUniqueAndInOrder) {
  for (std::size_t i = 1; i < table.size(); ++i)
    EXPECT_LT(table[i - 1].number, table[i].number) << table[i].name;
  for (const Row& row : table)
    EXPECT_TRUE(row.number >= 1000 && row.number < 5000) << row.name;
}
TEST(DiagnosticTable, PlaceholdersCountFromZero) {
  for (const Row& row : table) {
    std::set<char> used;
    for (std::size_t at = row.text.find('%'); at != std::string::npos;
         at = row.text.find('%', at + 1))
      used.insert(row.text.at(at + 1));
    char next = '0';
    for (const char digit : used)
      EXPECT_EQ(digit, next++) << row.text;
    EXPECT_EQ(row.hint.find('%'), std::string::npos) << row.hint;
  }
}
TEST(DiagnosticTable, ErrorsSayWhatToDo) {
  for (const Row& row : table) {
    if (row.severity == "Error") {
      EXPECT_FALSE(row.hint.empty()) << row.name;
    }
    EXPECT_TRUE(row.hint.empty() || row.hint.back() == '.') << row.hint;
    EXPECT_NE(row.text.back(), '.') << row.text;
  }
}

TEST(Diagnostics, OneLine) {
  Diagnostics d;
  d.report(DiagId::InputUnreadable, {}, {"a.cu", "gone"});
  d.report(DiagId::UnsupportedName, {"b.cu", 3, 7}, {"f", "why"});
  EXPECT_EQ(d.all()[0].oneLine(),
            "cu2cpp: error: cannot read a.cu: gone [CU1002] Check the path and its permissions.");
  EXPECT_EQ(d.all()[1].oneLine(), "b.cu:3:7: warning: 'f' is not supported: why [CU2002]");
}
TEST(Diagnostics, SameOneOnce) {
  Diagnostics d;
  for (const char* why : {"a", "a", "b"})
    d.report(DiagId::UnsupportedName, {"b.cu", 3, 7}, {"f", why});
  EXPECT_EQ(d.all().size(), 2u);
  EXPECT_TRUE(d.has(Severity::Unsupported));
  EXPECT_FALSE(d.has(Severity::Error));
}

TEST(WriteFiles, AllOrNothing) {
  const TemporaryFolder folder;
  folder.write("old.cpp", "old");
  folder.write("taken/x", "");
  Diagnostics d;
  EXPECT_FALSE(writeFiles({{folder.path("new.cpp"), "new"},
                           {folder.path("old.cpp"), "changed"},
                           {folder.path("taken"), "file"}},
                          d));
  EXPECT_EQ(folder.files(), (std::vector<std::string>{"old.cpp", "taken/x"}));
  EXPECT_EQ(readFile(folder.path("old.cpp")), "old");
  ASSERT_EQ(d.all().size(), 1u);
  EXPECT_EQ(d.all()[0].code(), "CU1003");
}
TEST(WriteFiles, MakesFolders) {
  const TemporaryFolder folder;
  Diagnostics d;
  EXPECT_TRUE(writeFiles({{folder.path("a/b/c.cpp"), "text"}}, d));
  EXPECT_EQ(readFile(folder.path("a/b/c.cpp")), "text");
  EXPECT_EQ(folder.files().size(), 1u);
}

TEST(Report, HoldsKernelsAndDiagnostics) {
  const auto report = nlohmann::json::parse(
      translateText("__global__ void a(int* p) { *p = 1; }\n\n__global__ "
                    "void b(int n) { again: __syncthreads(); if (--n) goto again; }")
          .report);
  EXPECT_EQ(report["tool"], "cu2cpp");
  const auto& file = report["files"].at(0);
  EXPECT_FALSE(file["failed"]);
  ASSERT_EQ(file["kernels"].size(), 2u);
  EXPECT_EQ(file["kernels"][0]["name"], "a");
  EXPECT_EQ(file["kernels"][0]["form"], "loop");
  EXPECT_EQ(file["kernels"][1]["form"], "fibers");
  EXPECT_EQ(file["kernels"][1]["line"], 3);
  ASSERT_EQ(file["diagnostics"].size(), 1u);
  EXPECT_EQ(file["diagnostics"][0]["code"], "CU2101");
  EXPECT_EQ(file["diagnostics"][0]["severity"], "note");
}

TEST(Translate, ExitCodes) {
  EXPECT_EQ(translateText("int main() {}").exitCode, 0);
  EXPECT_EQ(translateText("__global__ void k() { asm(\"wgmma.fence.sync.aligned;\"); }").exitCode,
            1);
  const Translated broken = translateText("int main() { return x; }");
  EXPECT_EQ(broken.exitCode, 2);
  EXPECT_EQ(broken.text, "");
}
TEST(Translate, SameInputSameText) {
  const std::string code =
      "__global__ void k(int* p, int n) { __shared__ int s[8]; int a = p[1], b = n; float c = "
      "p[threadIdx.x];"
      " s[threadIdx.x] = a; __syncthreads(); p[threadIdx.x] = s[0] + b + c; n += 1; }";
  EXPECT_EQ(translateText(code).text, translateText(code).text);
}
TEST(Translate, DumpAfter) {
  const std::string code = "__global__ void k(int* p) {\n  __shared__ int s[32];\n"
                           "  s[threadIdx.x] = p[threadIdx.x];\n  __syncthreads();\n"
                           "  p[threadIdx.x] = s[0];\n}\n";
  testing::internal::CaptureStdout();
  translateText(code, {"--dump-after=analyse"});
  const std::string facts = testing::internal::GetCapturedStdout();
  for (const char* line : {"kernel k ", "meets: block, in __syncthreads", "static shared: s\n",
                           "\n  region ", "\n  barrier "})
    EXPECT_NE(facts.find(line), std::string::npos) << line << " in\n" << facts;
  testing::internal::CaptureStdout();
  translateText(code, {"--dump-after=plan"});
  const std::string edits = testing::internal::GetCapturedStdout();
  EXPECT_NE(edits.find(":1:1: replace \"__global__ \" by \"\""), std::string::npos) << edits;
}
TEST(Translate, LineDirectives) {
  const std::string code = "__global__ void k(int* p) {\n  *p = 1;\n}\n";
  EXPECT_EQ(translateText(code).text.find("#line"), std::string::npos);
  const std::string text = translateText(code, {"--line-directives"}).text;
  // The line behind the inserted ones is the user's second.
  const std::size_t last = text.rfind("#line 1 \""), assignment = text.find("\n  *p = 1;");
  ASSERT_TRUE(last != std::string::npos && assignment != std::string::npos) << text;
  EXPECT_EQ(std::count(text.begin() + std::string::difference_type(last),
                       text.begin() + std::string::difference_type(assignment), '\n'),
            1)
      << text;
}

} // namespace
