// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options -> commands, on an imagined machine.
#include "plan.h"

#include "parse_options.h"
#include "words.h"

#include <gtest/gtest.h>
#include <set>

namespace cu2cpp::cu2cc {
namespace {

/// planned() is the plan of a command line as text, one command a line, with ours shortened.
struct Planned {
  std::vector<std::string> lines;
  std::vector<std::string> warnings;
  std::string error;

  const std::string& only() const { return lines.at(0); }
};

Planned planned(const std::string& line, const std::set<std::string>& missing = {"/nocuda"},
                const std::set<std::string>& only = {},
                const std::vector<std::string>& kernelCompiler = {}) {
  Planned result;
  const std::optional<Options> options = parseOptions(splitShell(line), result.error);
  EXPECT_TRUE(options) << line << ": " << result.error;
  if (!options)
    return result;
  Installation at;
  at.translator = "cu2cpp";
  at.headers = "HEADERS";
  at.runtime = "RUNTIME.a";
  at.runtimeLibraries = {"-lboost_context"};
  at.hostCompiler = {"g++"};
  at.kernelCompiler = kernelCompiler;
  at.cublas = missing.count("CUBLAS.a") == 0 ? "CUBLAS.a" : "";
  at.cublasLibraries = {"-lopenblas"};
  at.exists = [&](const std::string& path) {
    const bool toolkit = path.find("host_config.h") != std::string::npos;
    return toolkit ? only.count(path) > 0 : missing.count(path) == 0;
  };
  at.isDirectory = [](const std::string& path) {
    return path == "." || path == "out" || path == "k";
  };
  at.isTranslated = [](const std::string& path) { return path == "kept.cpp"; };
  at.beginsWithHeaders = at.isTranslated;
  at.passesFor = [](const std::vector<std::string>& compiler) {
    return compiler.back() == "clang++-19" ? Words{"-fpass-plugin=PASS"} : Words();
  };
  at.headersRead = [](const std::vector<std::string>& command) {
    return Words{"-include-pch", command.front() + ".pch"};
  };
  const std::optional<Plan> plan = makePlan(*options, at, "TMP", result.error);
  if (!plan)
    return result;
  for (const Job& job : plan->jobs)
    for (const Command& command : job)
      result.lines.push_back(joinForShell(command.words));
  for (const Command& command : plan->end)
    result.lines.push_back(joinForShell(command.words));
  result.warnings = plan->warnings;
  return result;
}

bool has(const std::string& line, const std::string& words) {
  return (" " + line + " ").find(" " + words + " ") != std::string::npos;
}

TEST(Plan, TranslatedSourceAsNvccNamesIt) {
  const Planned own = planned("-cuda dir/a.cu");
  ASSERT_EQ(own.lines.size(), 2u);
  EXPECT_TRUE(has(own.lines[0], "-o TMP/0/a.cpp")) << own.lines[0];
  EXPECT_TRUE(has(own.lines[1], "-E TMP/0/a.cpp -o a.cu.cpp.ii")) << own.lines[1];
  EXPECT_TRUE(has(planned("-cuda a.cu -o b.cpp").only(), "-o b.cpp"));
}
TEST(Plan, ClangTakesHeadersThatWereReadBeforeForTranslatedCodeAlone) {
  const Planned plan = planned("-c a.cu b.cpp", {"/nocuda"}, {}, {"clang++-19"});
  ASSERT_EQ(plan.lines.size(), 3u);
  EXPECT_TRUE(has(plan.lines[1], "-include-pch clang++-19.pch -c TMP/0/a.cpp -o a.o"))
      << plan.lines[1];
  EXPECT_FALSE(has(plan.lines[2], "-include-pch")) << plan.lines[2];
  EXPECT_FALSE(has(planned("-c a.cu").lines[1], "-include-pch"));
}
TEST(Plan, SourceIsTranslatedCompiledAndLinked) {
  const Planned p = planned("-o app dir/a.cu b.o");
  ASSERT_EQ(p.lines.size(), 3u);
  EXPECT_EQ(p.lines[0], "cu2cpp dir/a.cu -o TMP/0/a.cpp --absolute-includes --quiet "
                        "--line-directives -- -std=c++17");
  EXPECT_TRUE(has(p.lines[1], "-O3 -march=native -fno-math-errno -fno-trapping-math"));
  EXPECT_TRUE(has(p.lines[1], "-fno-strict-aliasing -fwrapv -fexpensive-optimizations "
                              "--param=avoid-fma-max-bits=0 -IHEADERS -iquote dir "
                              "-ffile-prefix-map=TMP=cu2cpp "
                              "-c TMP/0/a.cpp -o TMP/0/a.o"));
  const Planned linked = planned("-o app dir/a.cu b.o", {"CUBLAS.a"});
  EXPECT_EQ(linked.lines.at(2),
            "g++ -Wl,--undefined=cu2cppDriverFunction "
            "-Wl,--export-dynamic-symbol=cu2cppDriverFunction -Wl,-rpath,./driver "
            "-Wl,--start-group TMP/0/a.o b.o RUNTIME.a -Wl,--end-group -fopenmp "
            "-lboost_context -o app");
}

TEST(Plan, TheDriverApiMayBeFoundByDlopen) {
  const std::string whole = "-rdynamic -Wl,--whole-archive RUNTIME.a -Wl,--no-whole-archive";
  EXPECT_TRUE(has(planned("a.cu -ldl").lines.at(2), whole));
  EXPECT_FALSE(has(planned("a.cu").lines.at(2), whole));
  EXPECT_FALSE(has(planned("a.cu -shared").lines.at(2), "-Wl,-rpath,./driver"));
  EXPECT_FALSE(has(planned("a.cu -Xcompiler -static").lines.at(2), "-Wl,-rpath,./driver"));
}
TEST(Plan, ModulesOfPtxAreTranslatedLikeSources) {
  const Planned p = planned("-cubin a.ptx -o a.cubin");
  EXPECT_TRUE(has(p.lines.at(0), "cu2cpp a.ptx -o TMP/0/a.cpp")) << p.lines[0];
  EXPECT_TRUE(has(p.lines.at(2), "-shared -Wl,-Bsymbolic TMP/0/a.o -lm -o a.cubin")) << p.lines[2];
}

TEST(Plan, KernelsHaveACompilerOfTheirOwnUnlessFlagsAreForOne) {
  const auto compilerOf = [](const std::string& line) { return line.substr(0, line.find(' ')); };
  const Planned p = planned("a.cu b.cpp -Xcompiler -Wall,-fPIC", {}, {}, {"clang++-19"});
  ASSERT_EQ(p.lines.size(), 4u);
  EXPECT_EQ(compilerOf(p.lines[1]), "clang++-19");
  EXPECT_TRUE(has(p.lines[1], "-ffp-contract=fast-honor-pragmas"));
  EXPECT_TRUE(has(p.lines[1], "-fpass-plugin=PASS"));
  EXPECT_EQ(compilerOf(p.lines[2]), "g++");
  EXPECT_FALSE(has(p.lines[2], "-fpass-plugin"));
  EXPECT_EQ(compilerOf(p.lines[3]), "g++");
  const Planned wrapping = planned("a.cu -Xcompiler -fno-wrapv", {}, {}, {"clang++-19"});
  EXPECT_EQ(compilerOf(wrapping.lines.at(1)), "clang++-19");
  EXPECT_LT(wrapping.lines[1].find("-fwrapv"), wrapping.lines[1].find("-fno-wrapv"));
  const Planned kept = planned("-c kept.cpp", {}, {}, {"clang++-19"});
  EXPECT_EQ(compilerOf(kept.only()), "clang++-19");
  EXPECT_TRUE(has(kept.only(), "-mllvm -slp-threshold=3"));
  EXPECT_TRUE(has(kept.only(), "-include-pch clang++-19.pch"));
  EXPECT_FALSE(has(planned("-c kept.cpp -include a.h", {}, {}, {"clang++-19"}).only(),
                   "-include-pch clang++-19.pch"));
  const Planned withOpenMp = planned("a.cu -Xcompiler -fopenmp", {}, {}, {"clang++-19"});
  EXPECT_EQ(compilerOf(withOpenMp.lines.at(1)), "g++");
  const Planned exact = planned("a.cu -fmad=false", {}, {}, {"clang++-19"});
  EXPECT_TRUE(has(exact.lines.at(0), "-ffp-contract=off"));
  EXPECT_TRUE(has(exact.lines.at(1), "-ffp-contract=off"));
  EXPECT_TRUE(has(planned("-G a.cu").lines.at(0), "-ffp-contract=off"));
  EXPECT_FALSE(has(planned("a.cu").lines.at(0), "-ffp-contract"));
  EXPECT_FALSE(has(exact.lines.at(1), "-ffp-contract=fast-honor-pragmas"));
}

TEST(Plan, TwoSourcesOfOneNameDoNotMeet) {
  const Planned p = planned("a/x.cu b/x.cu");
  EXPECT_TRUE(has(p.lines[0], "TMP/0/x.cpp"));
  EXPECT_TRUE(has(p.lines[2], "TMP/1/x.cpp"));
}

TEST(Plan, ObjectsAreNamedAsNvccNamesThem) {
  EXPECT_TRUE(has(planned("-c dir/a.cu").lines[1], "-o a.o"));
  EXPECT_TRUE(has(planned("-c dir/a.cu -o out/z.o").lines[1], "-o out/z.o"));
  EXPECT_TRUE(has(planned("-c dir/a.cu -odir out").lines[1], "-o out/a.o"));
  EXPECT_TRUE(has(planned("a.cu").lines[2], "-o a.out"));
  EXPECT_TRUE(has(planned("-lib a.cu").lines[3], "ar qcs a.a TMP/0/a.o"));
  EXPECT_TRUE(has(planned("-dlink a.o -o l.o").only(), "-c /dev/null -o l.o"));
}

TEST(Plan, OurHeadersComeBeforeTheUsersAndToolkitHeadersAreLeftOut) {
  const Planned p = planned("-c -I/cuda/include -Ifirst -isystem second a.cu", {},
                            {"/cuda/include/crt/host_config.h"});
  EXPECT_FALSE(has(p.lines[0], "-I/cuda/include"));
  EXPECT_TRUE(has(p.lines[0], "-- -std=c++17 -Ifirst -isystem second"));
  EXPECT_TRUE(has(p.lines[1], "-IHEADERS -iquote . -Ifirst -isystem second"));
}

TEST(Plan, StandardsBelow17BecomeC17) {
  EXPECT_TRUE(has(planned("-std=c++11 -c a.cu").lines[1], "-std=c++17"));
  EXPECT_TRUE(has(planned("-std=gnu++14 -c a.cu").lines[1], "-std=gnu++17"));
  EXPECT_TRUE(has(planned("--std c++20 -c a.cu").lines[0], "-- -std=c++20"));
  EXPECT_TRUE(has(planned("--std c++20 -c a.cu").lines[1], "-std=c++20"));
  EXPECT_TRUE(has(planned("-c a.cpp").only(), "-std=gnu++17"));
  EXPECT_FALSE(has(planned("-c a.c").only(), "-std=c++17"));
  EXPECT_TRUE(has(planned("-c a.c").only(), "-x c"));
}

TEST(Plan, OpenMpPragmasCountOnlyWhenAsked) {
  EXPECT_TRUE(has(planned("-c a.cu").lines[1], "-fopenmp-simd"));
  EXPECT_FALSE(has(planned("-c a.cu").lines[1], "-fopenmp"));
  const Planned p = planned("-c -Xcompiler -fopenmp a.cu");
  EXPECT_TRUE(has(p.lines[0], "-D_OPENMP=201511"));
  EXPECT_TRUE(has(p.lines[1], "-fopenmp"));
}

TEST(Plan, PreprocessorFlagsInsideXcompilerReachTheTranslator) {
  const Planned p = planned("-c -Xcompiler '-DX=1 -I inc -O1' a.cu");
  EXPECT_TRUE(has(p.lines[0], "-DX=1 -I inc"));
  EXPECT_FALSE(has(p.lines[0], "-O1"));
  EXPECT_TRUE(has(p.lines[1], "-DX=1 -I inc -O1"));
}

TEST(Plan, OptimisationAndDebugging) {
  EXPECT_TRUE(has(planned("-c -O1 a.cu").lines[1], "-O1"));
  EXPECT_TRUE(has(planned("-c -O2 a.cu").lines[1], "-O3"));
  EXPECT_TRUE(has(planned("-c -O2 a.cpp").only(), "-O2"));
  EXPECT_TRUE(has(planned("-c -G a.cu").lines[1], "-O0 -g"));
  EXPECT_TRUE(has(planned("-c -g -O2 a.cu").lines[1], "-O3 -g"));
  EXPECT_TRUE(has(planned("-c a.cu").lines[1], "-fno-strict-aliasing"));
  EXPECT_TRUE(has(planned("-c host.cpp").only(), "-fno-strict-aliasing -fwrapv"));
  EXPECT_FALSE(has(planned("-c a.cu").lines[1], "-ffast-math"));
  EXPECT_TRUE(has(planned("-c -use_fast_math a.cu").lines[1], "-ffast-math -fno-finite-math-only"));
  EXPECT_TRUE(has(planned("-c -fmad=false a.cu").lines[1], "-ffp-contract=off"));
  EXPECT_FALSE(has(planned("-c --cu2cpp-line-directives=off a.cu").lines[0], "--line-directives"));
}

TEST(Plan, LibrariesOfTheToolkit) {
  const Planned p = planned("a.cu -lcudart_static -lcuda -lm -lcufft -L/nocuda -L/have -lfoo");
  const std::string& link = p.lines.back();
  EXPECT_TRUE(has(link, "TMP/0/a.o RUNTIME.a -L/have -lm -lfoo CUBLAS.a RUNTIME.a"));
  ASSERT_EQ(p.warnings.size(), 1u);
  EXPECT_NE(p.warnings[0].find("-lcufft"), std::string::npos);
  EXPECT_TRUE(planned("-c a.cu -lcufft").warnings.empty());
}

TEST(Plan, CublasNeedsNoFlagAndLeavesNoTraceWhereItIsNotCalled) {
  const Planned p = planned("a.cu -lcublas_static");
  EXPECT_TRUE(p.warnings.empty());
  EXPECT_TRUE(has(p.lines.back(), "CUBLAS.a RUNTIME.a -Wl,--end-group -Wl,--push-state,--as-needed "
                                  "-lopenblas -Wl,--pop-state"));
  EXPECT_TRUE(planned("a.cu -lcublas -lcublasLt").warnings.empty());
  EXPECT_TRUE(has(planned("a.cu").lines.back(), "-lopenblas"));
  EXPECT_FALSE(has(planned("a.cu -Xcompiler -static").lines.back(), "CUBLAS.a"));
  const Planned without = planned("a.cu -lcublas", {"CUBLAS.a"});
  EXPECT_FALSE(has(without.lines.back(), "-lopenblas"));
  ASSERT_EQ(without.warnings.size(), 1u);
  EXPECT_NE(without.warnings[0].find("-lcublas"), std::string::npos);
}

TEST(Plan, DependencyFilesHaveNvccsNames) {
  EXPECT_TRUE(has(planned("-MD -c a.cu -o out/x.o").only(), "-M -MT out/x.o a.cu -o out/x.d"));
  EXPECT_TRUE(has(planned("-MMD -MP -MF d -MT t -c a.cu").only(), "-MM -MP -MT t a.cu -o d"));
  EXPECT_TRUE(has(planned("-M dir/a.cu").only(), "-M -MT a.o dir/a.cu"));
}

TEST(Plan, OwnOptionsReachTheTranslator) {
  const Planned p =
      planned("-dc --cu2cpp-form=fibers --cu2cpp-report=r.json --cuda-version=11.8 a.cu");
  EXPECT_TRUE(has(p.lines[0], "--rdc"));
  EXPECT_TRUE(has(p.lines[0], "--form=fibers --report r.json"));
  EXPECT_TRUE(has(p.lines[1], "-DCUDART_VERSION=11080 -DCUDA_VERSION=11080"));
}

TEST(Plan, KeptSourcesNeverOverwriteTheUsers) {
  EXPECT_TRUE(has(planned("-c --keep a.cu").lines[0], "-o ./a.cu2cpp/a.cpp"));
  EXPECT_TRUE(has(planned("-c --keep-dir k a.cu").lines[0], "-o k/a.cu2cpp/a.cpp"));
}

TEST(Plan, ObjectsNameNoTemporaryDirectory) {
  EXPECT_TRUE(has(planned("-g -c a.cu").lines.at(1), "-ffile-prefix-map=TMP=cu2cpp"));
  EXPECT_FALSE(has(planned("-g -c a.cu --keep-dir k").lines.at(1), "-ffile-prefix-map"));
}

TEST(Plan, MissingFilesAreNamed) {
  EXPECT_EQ(planned("-c gone.cu", {"gone.cu"}).error, "no such file: 'gone.cu'");
  EXPECT_EQ(planned("a.cu -o no/app", {"no"}).error,
            "cannot write 'no/app': there is no directory 'no'");
  EXPECT_EQ(planned("a.cu -o out").error, "cannot write 'out': it is a directory");
  EXPECT_EQ(planned("a.cu b.o -o b.o").error, "cannot write 'b.o': it is an input");
  EXPECT_NE(planned("a.cu", {"RUNTIME.a"}).error.find("RUNTIME.a"), std::string::npos);
}

TEST(Plan, RunStartsTheProgram) {
  EXPECT_EQ(planned("-run -run-args 1,2 a.cu -o p").lines.back(), "./p 1 2");
}

} // namespace
} // namespace cu2cpp::cu2cc
