// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole projects: what a compilation database says, how the edits of several units become one text,
// where files go, which of CUDA's names a text has. The whole command on a project is
// test-corpus/project/.
#include "project/compile_database.h"
#include "project/merge_edits.h"
#include "project/project_layout.h"
#include "project/record.h"
#include "project/render_project.h"
#include "project/text_diff.h"
#include "project/workers.h"
#include "report/analysis.h"

#include <algorithm>
#include <cstdlib>

#include <gtest/gtest.h>

#include "snippet.h"

using namespace cu2cpp;
using namespace cu2cpp::test;

namespace {

FileEdits file(std::vector<Edit> edits, std::vector<OffsetRange> skipped = {},
               std::vector<FunctionRange> functions = {}) {
  FileEdits f;
  f.edits = std::move(edits);
  f.skipped = std::move(skipped);
  f.functions = std::move(functions);
  return f;
}

std::string merged(const FileEdits& a, const FileEdits& b) {
  if (const auto at = conflictOf(a, b))
    return "conflict at " + std::to_string(*at);
  std::vector<Edit> edits = mergeEdits({&a, &b});
  std::sort(edits.begin(), edits.end(),
            [](const Edit& x, const Edit& y) { return x.begin < y.begin; });
  std::string text;
  for (const Edit& e : edits)
    text += (text.empty() ? "" : " ") + std::to_string(e.begin) + e.text;
  return text;
}

TEST(MergeEdits, SameEditsOnce) {
  EXPECT_EQ(merged(file({{3, 4, "a", false}}), file({{3, 4, "a", false}})), "3a");
}
TEST(MergeEdits, OtherTextAtTheSamePlaceIsAConflict) {
  EXPECT_EQ(merged(file({{3, 4, "a", false}}), file({{3, 4, "b", false}})), "conflict at 3");
  EXPECT_EQ(merged(file({{3, 4, "a", false}, {9, 9, "c", false}}), file({{3, 4, "a", false}})),
            "conflict at 9");
}
TEST(MergeEdits, SkippedTextIsTheOthersToSay) {
  // #ifdef A (10 to 20) #else (20 to 30): each unit sees one side.
  EXPECT_EQ(
      merged(file({{12, 13, "a", false}}, {{20, 30}}), file({{22, 23, "b", false}}, {{10, 20}})),
      "12a 22b");
  EXPECT_EQ(merged(file({{12, 13, "a", false}}), file({{22, 23, "b", false}}, {{10, 20}})),
            "conflict at 22");
}
TEST(MergeEdits, WhoHasInstancesOfATemplateKnowsBetter) {
  const auto with = file({{5, 6, "a", false}, {7, 8, "b", false}}, {}, {{{0, 50}, true}});
  const auto without = file({{5, 6, "x", false}}, {}, {{{0, 50}, false}});
  EXPECT_EQ(merged(with, without), "5a 7b");
  EXPECT_EQ(merged(without, with), "5a 7b");
  EXPECT_EQ(merged(with, file({{5, 6, "x", false}}, {}, {{{0, 50}, true}})), "conflict at 5");
}
TEST(MergeEdits, BlockSizesAreHints) {
  const auto head = [](const std::string& block) { return file({{5, 5, block + "\n", false}}); };
  const std::string plain = "const cu2cpp::Block& cuBlock = cu2cpp::thisBlock();",
                    hinted = "const auto& cuBlock = cu2cpp::thisBlock<16, 16>();",
                    other = "const auto& cuBlock = cu2cpp::thisBlock<64>();";
  EXPECT_EQ(merged(head(plain), head(hinted)), "5" + hinted + "\n");
  EXPECT_EQ(merged(head(hinted), head(plain)), "5" + hinted + "\n");
  EXPECT_EQ(merged(head(hinted), head(other)), "5" + hinted + "\n");
  const std::string whole = "cu2cpp::runBlock<64>([&](const auto& cuBlock) CU2CPP_INLINE {",
                    usual = "cu2cpp::runAnyBlock<64>([&](const auto& cuBlock) CU2CPP_INLINE {",
                    unknown = "cu2cpp::runBlock([&](const auto& cuBlock) CU2CPP_INLINE {";
  EXPECT_EQ(merged(head(unknown), head(whole)), "5" + whole + "\n");
  EXPECT_EQ(merged(head(whole), head(unknown)), "5" + whole + "\n");
  EXPECT_EQ(merged(head(unknown), head(usual)), "5" + usual + "\n");
}
TEST(MergeEdits, OtherTextToStartFromIsAConflict) {
  FileEdits ptx = file({});
  ptx.ownText = true;
  ptx.text = "int i;";
  EXPECT_EQ(merged(ptx, file({})), "conflict at 0");
}
TEST(MergeEdits, GroupsHoldWhatCanBeOne) {
  const FileEdits a = file({{3, 4, "a", false}}), b = file({{3, 4, "b", false}}),
                  none = file({}, {{0, 9}});
  std::optional<unsigned> at;
  EXPECT_EQ(groupEdits({&a, &b, &none, &a, &b}, at), (std::vector<std::size_t>{0, 1, 0, 0, 1}));
  EXPECT_EQ(at, 3u);
}

CompileCommand command(const std::string& words) {
  CompileCommand result;
  std::string error;
  std::vector<std::string> list;
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    list.push_back(words.substr(at, end - at));
    at = end + 1;
  }
  EXPECT_TRUE(commandOf(list, "/place", "a.cu", result, error)) << error;
  return result;
}

bool has(const std::vector<std::string>& flags, const std::string& flag) {
  return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

TEST(CompileDatabase, CommandsOfNvcc) {
  const CompileCommand c = command(
      "/usr/local/cuda/bin/nvcc -gencode arch=compute_80,code=sm_80 --expt-relaxed-constexpr "
      "-Iinclude -DN=4 -std=c++20 -dc -Xcompiler -Wall a.cu -o a.o");
  EXPECT_TRUE(c.cuda);
  EXPECT_TRUE(c.separateCompilation);
  EXPECT_TRUE(has(c.flags, "-Iinclude") && has(c.flags, "-DN=4") && has(c.flags, "-std=c++20"));
  EXPECT_FALSE(has(c.flags, "-gencode") || has(c.flags, "-Wall"));
  EXPECT_EQ(c.file, "/place/a.cu");
}
TEST(CompileDatabase, CommandsOfHostCompilers) {
  EXPECT_FALSE(command("g++ -O2 -Iinclude -c a.cu").cuda);
  EXPECT_TRUE(command("ccache clang++ --cuda-gpu-arch=sm_80 -Iinclude -c a.cu").cuda);
  EXPECT_TRUE(has(command("clang++ -x cuda -isystem /x -c a.cu").flags, "-isystem"));
}
TEST(CompileDatabase, CommandsThatDoNotFit) {
  CompileCommand result;
  std::string error;
  EXPECT_FALSE(commandOf({"nvcc", "-c", "b.cu"}, "/place", "a.cu", result, error));
  EXPECT_EQ(error, "the command does not name the file");
}

TEST(Record, FindsSources) {
  const auto sources = sourcesIn({"-x", "cu", "-o", "b.cpp", "-c", "a.cu", "-I", "c.cu", "d.o"});
  EXPECT_EQ(sources, std::vector<std::string>{"a.cu"});
  EXPECT_TRUE(sourcesIn({"-E", "a.cu"}).empty());
}

TEST(Layout, MirrorsTheTree) {
  ExtensionRules rules;
  ASSERT_TRUE(parseExtensionRules("", rules));
  const ProjectLayout layout("/nowhere/src", "/out", rules, {});
  EXPECT_EQ(layout.outputOf("/nowhere/src/a/b.cu", true), "/out/a/b.cpp");
  EXPECT_EQ(layout.outputOf("/nowhere/src/a/b.cu", false), "/out/a/b.cu.hpp");
  EXPECT_EQ(layout.outputOf("/nowhere/src/b.cuh", false), "/out/b.hpp");
  EXPECT_EQ(layout.outputOf("/nowhere/src/b.h", false), "/out/b.h");
  EXPECT_EQ(layout.outputOf("/lib/kernels/b.h", false), "/out/external/kernels/b.h");
}
TEST(Layout, StaysBesideTheSources) {
  ExtensionRules rules;
  ASSERT_TRUE(parseExtensionRules(".cu=.cc", rules));
  const ProjectLayout layout("/nowhere/src", "", rules, {});
  EXPECT_EQ(layout.outputOf("/nowhere/src/a/b.cu", true), "/nowhere/src/a/b.cc");
  EXPECT_EQ(layout.outputOf("/nowhere/src/b.h", false), "/nowhere/src/b.cpu.h");
}
TEST(Layout, TakesNoNameOfTheUsers) {
  const TemporaryFolder folder;
  const std::string cuda = folder.write("b.cu", ""), host = folder.write("b.cpp", "int main() {}");
  ExtensionRules rules;
  ASSERT_TRUE(parseExtensionRules("", rules));
  const std::string root = cuda.substr(0, cuda.rfind('/'));
  EXPECT_EQ(ProjectLayout(root, "/out", rules, {}).outputOf(cuda, true), "/out/b.cu.cpp");
}
TEST(Layout, RefusesBadRules) {
  ExtensionRules rules;
  for (const char* bad : {"cu=.cpp", ".cu", ".cu=", ".cu=../x"})
    EXPECT_FALSE(parseExtensionRules(bad, rules)) << bad;
}

TEST(Includes, KeepTheirWay) {
  ExtensionRules rules;
  parseExtensionRules("", rules);
  const ProjectLayout layout("/src", "/out", rules, {});
  IncludeDirective include{"/src/a/x.cu",       0,   0, "../lib/scan.cuh", false,
                           "/src/lib/scan.cuh", true};
  EXPECT_EQ(newSpelling(include, "/out/a/x.cpp", "/out/lib/scan.hpp", layout),
            "\"../lib/scan.hpp\"");
  include.spelled = "lib/scan.cuh";
  include.angled = true;
  EXPECT_EQ(newSpelling(include, "/out/a/x.cpp", "/out/lib/scan.hpp", layout), "<lib/scan.hpp>");
  include.resolved = "/elsewhere/scan.cuh";
  EXPECT_EQ(newSpelling(include, "/out/a/x.cpp", "/out/external/elsewhere/scan.hpp", layout),
            "\"../external/elsewhere/scan.hpp\"");
  include = {"/src/x.cu", 0, 0, "same.h", false, "/src/same.h", true};
  EXPECT_EQ(newSpelling(include, "/out/x.cpp", "/out/same.h", layout), "");
}

TEST(Diff, ShowsHunks) {
  EXPECT_EQ(unifiedDiff("a", "1\n2\n3\n", "b", "1\n2\n3\n"), "");
  EXPECT_EQ(unifiedDiff("a", "1\n2\n3\n", "b", "1\nx\n3\n"),
            "--- a\n+++ b\n@@ -1,3 +1,3 @@\n 1\n-2\n+x\n 3\n");
  EXPECT_EQ(unifiedDiff("a", "", "b", "1\n"), "--- a\n+++ b\n@@ -1,0 +1,1 @@\n+1\n");
  EXPECT_EQ(unifiedDiff("a", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n", "b",
                        "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n"),
            "--- a\n+++ b\n@@ -1,3 +1,4 @@\n+0\n 1\n 2\n 3\n@@ -9,4 +10,3 @@\n 9\n 10\n 11\n-12\n");
}

TEST(Workers, GiveBackBytesOrWhyNot) {
  std::vector<Outcome> outcomes(5);
  runParallel(
      5, 2,
      [](std::size_t i) {
        if (i == 3)
          std::abort();
        return std::string(i * 100000, 'x');
      },
      [&](std::size_t i, Outcome o) { outcomes[i] = std::move(o); });
  for (const std::size_t i : {0, 1, 2, 4})
    EXPECT_TRUE(outcomes[i].bytes.size() == i * 100000 && outcomes[i].crash.empty());
  EXPECT_NE(outcomes[3].crash.find("Abort"), std::string::npos) << outcomes[3].crash;
}

TEST(Names, OfCudaInCodeOnly) {
  const TextUsage usage = findUsage("// cudaFree(p)\nconst char* s = \"cudaFree(p)\";\n"
                                    "#include <cufft.h>\n#define cudaMine(x) x\n"
                                    "void f() { cudaMine(1); cudaFree(p); cudaFree(q);\n"
                                    "  cufftExecC2C(a); cudaImport(b); thrust::sort(a, b); }\n"
                                    "__global__ void __launch_bounds__(64) k(int* p) {}\n",
                                    {{"cudaFree", ""}, {"cudaImport", "why"}}, {"cuda.h"}, false);
  ASSERT_EQ(usage.names.size(), 3u);
  EXPECT_EQ(usage.names[0].name, "cudaFree");
  EXPECT_EQ(usage.names[0].lines, (std::vector<unsigned>{5, 5}));
  EXPECT_EQ(usage.names[1].library, "cuFFT");
  EXPECT_TRUE(usage.names[1].state == NameUse::State::Missing);
  EXPECT_EQ(usage.names[2].why, "why");
  ASSERT_EQ(usage.libraries.size(), 2u);
  EXPECT_EQ(usage.libraries[1].name, "Thrust");
  ASSERT_EQ(usage.kernels.size(), 1u);
  EXPECT_EQ(usage.kernels[0].first, "k");
}
TEST(Names, OfTheUsersAreNotMissing) {
  EXPECT_TRUE(findUsage("void f() { cudaMine(1); }", {}, {}, true).names.empty());
}

TEST(Suppress, TakesOpinionsOutAndNoErrors) {
  Diagnostics d;
  d.report(DiagId::RunsOnFibers, {"a.cu", 1, 1}, {"k", "why"});
  d.report(DiagId::ParseFailed, {}, {"a.cu"});
  std::vector<FileSummary> files(1);
  files[0].diagnostics = d.all();
  EXPECT_TRUE(isReported(files, {"fibers"}) && isReported(files, {"CU2101"}));
  EXPECT_FALSE(isReported(files, {"unsupported"}));
  suppress(files, {"CU2101", "CU1001"});
  ASSERT_EQ(files[0].diagnostics.size(), 1u);
  EXPECT_EQ(files[0].diagnostics[0].code(), "CU1001");
  EXPECT_EQ(findUnknownNumber({"CU2101", "fibers"}, true), "");
  EXPECT_EQ(findUnknownNumber({"CU2101", "fibers"}, false), "fibers");
  EXPECT_EQ(findUnknownNumber({"CU99"}, true), "CU99");
}

} // namespace
