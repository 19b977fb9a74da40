// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcc's option syntax -> Options.
#include "parse_options.h"

#include "words.h"

#include <gtest/gtest.h>

namespace cu2cpp::cu2cc {
namespace {

Options parse(const std::string& line) {
  std::string error;
  const std::optional<Options> options = parseOptions(splitShell(line), error);
  EXPECT_TRUE(options) << line << ": " << error;
  return options.value_or(Options{});
}

std::string errorOf(const std::string& line) {
  std::string error;
  EXPECT_FALSE(parseOptions(splitShell(line), error)) << line;
  return error;
}

TEST(ParseOptions, ValuesInEverySpelling) {
  for (const char* line : {"-o out x.cu", "-oout x.cu", "-o=out x.cu", "--output-file out x.cu",
                           "--output-file=out x.cu", "x.cu -o out"})
    EXPECT_EQ(parse(line).output, "out") << line;
  for (const char* line : {"-Idir x.cu", "-I dir x.cu", "-I=dir x.cu", "--include-path=dir x.cu",
                           "--include-path dir x.cu"})
    EXPECT_EQ(parse(line).includes, Words{"-Idir"}) << line;
  EXPECT_EQ(parse("-Ia,b -isystem c x.cu").includes, (Words{"-Ia", "-Ib", "-isystemc"}));
}

TEST(ParseOptions, GpuOptionsAreAcceptedWithTheirValues) {
  const Options o = parse("-arch=sm_70 -arch sm_80 -gencode arch=compute_50,code=sm_50 "
                          "--generate-code=arch=compute_60,code=[sm_60,compute_60] -code=sm_70 "
                          "--gpu-name sm_13 -Xptxas -v -Xptxas=-dlcm=ca --ptxas-options=-v "
                          "-Xcudafe --diag_suppress=x --maxrregcount=32 -maxrregcount 16 -lineinfo "
                          "--extended-lambda -expt-relaxed-constexpr -cudart static -e foo "
                          "-Wno-deprecated-gpu-targets -restrict -m64 x.cu");
  ASSERT_EQ(o.inputs.size(), 1u);
  EXPECT_EQ(o.inputs[0].path, "x.cu");
  EXPECT_TRUE(o.hostFlags.empty());
  EXPECT_TRUE(o.libraries.empty());
}

TEST(ParseOptions, PhasesAndSeparateCompilation) {
  EXPECT_EQ(parse("x.cu").phase, Phase::Link);
  EXPECT_EQ(parse("-c x.cu").phase, Phase::Compile);
  EXPECT_TRUE(parse("-dc x.cu").relocatable);
  EXPECT_EQ(parse("-dc x.cu").phase, Phase::Compile);
  EXPECT_TRUE(parse("-rdc=true -c x.cu").relocatable);
  EXPECT_FALSE(parse("-rdc=true -rdc=false -c x.cu").relocatable);
  EXPECT_FALSE(parse("-dw x.cu").relocatable);
  EXPECT_EQ(parse("-dlink a.o").phase, Phase::DeviceLink);
  EXPECT_EQ(parse("--lib x.cu").phase, Phase::Library);
  EXPECT_EQ(parse("-MM x.cu").phase, Phase::Dependencies);
  EXPECT_EQ(parse("--version").phase, Phase::Version);
  EXPECT_NE(errorOf("-rdc=maybe x.cu").find("true or false"), std::string::npos);
}

TEST(ParseOptions, LanguagesFollowSuffixUnlessForced) {
  const Options o = parse("a.cu b.cpp c.c d.cc e.o f.a libg.so.1.2");
  const Language expected[] = {Language::Cuda,   Language::Cxx,    Language::C,     Language::Cxx,
                               Language::Object, Language::Object, Language::Object};
  ASSERT_EQ(o.inputs.size(), 7u);
  for (std::size_t i = 0; i < 7; ++i)
    EXPECT_EQ(o.inputs[i].language, expected[i]) << o.inputs[i].path;
  const Options forced = parse("-x cu b.cpp e.o");
  EXPECT_EQ(forced.inputs[0].language, Language::Cuda);
  EXPECT_EQ(forced.inputs[1].language, Language::Object);
  EXPECT_NE(errorOf("readme.txt").find("readme.txt"), std::string::npos);
}

TEST(ParseOptions, DefinitionsKeepCommasInParenthesesAndLoseShellBackslashes) {
  EXPECT_EQ(parse("-DA=1,B '-DF=g(1,2)' -D C -UC x.cu").definitions,
            (Words{"-DA=1", "-DB", "-DF=g(1,2)", "-DC", "-UC"}));
  EXPECT_EQ(parse(R"('-DS=\"text\"' x.cu)").definitions, Words{"-DS=\"text\""});
}

TEST(ParseOptions, OptimisationLevels) {
  EXPECT_EQ(parse("x.cu").optimization, "");
  EXPECT_EQ(parse("-O2 x.cu").optimization, "2");
  EXPECT_EQ(parse("-O 0 x.cu").optimization, "0");
  EXPECT_EQ(parse("--optimize=3 x.cu").optimization, "3");
  EXPECT_EQ(parse("-O x.cu").optimization, "1");
  EXPECT_EQ(parse("-O x.cu").inputs.size(), 1u);
  EXPECT_NE(errorOf("-O7 x.cu").find("-O0 to -O3"), std::string::npos);
}

TEST(ParseOptions, HostCompilerOptions) {
  EXPECT_EQ(parse("-Xcompiler -Wall,-fopenmp --compiler-options '-O2 -g' x.cu").hostFlags,
            (Words{"-Wall", "-fopenmp", "-O2", "-g"}));
  EXPECT_EQ(parse("-Wall -fopenmp -march=skylake -g3 -pthread x.cu").hostFlags,
            (Words{"-Wall", "-fopenmp", "-march=skylake", "-g3", "-pthread"}));
  EXPECT_EQ(parse("-Xlinker -rpath,/x -Lfoo x.cu").linkerFlags,
            (Words{"-Xlinker", "-rpath", "-Xlinker", "/x", "-Lfoo"}));
}

TEST(ParseOptions, UnknownOptionsAreForwardedWhereAsked) {
  EXPECT_EQ(parse("-forward-unknown-to-host-compiler -pipe -ansi x.cu").hostFlags,
            (Words{"-pipe", "-ansi"}));
  EXPECT_EQ(parse("x.cu -rdynamic --forward-unknown-opts").hostFlags, Words{"-rdynamic"});
  EXPECT_EQ(parse("-forward-unknown-to-host-linker -s x.cu").linkerFlags, Words{"-s"});
}

TEST(ParseOptions, OptionsOfOtherMachinesAndTimes) {
  const Options o = parse("--m64 -use-local-env -idp /cygwin/ -time times.csv x.cu");
  EXPECT_EQ(o.inputs.size(), 1u);
  EXPECT_EQ(o.timeFile, "times.csv");
}

TEST(ParseOptions, WerrorOfNvccIsNotWerrorOfTheHostCompiler) {
  EXPECT_TRUE(parse("-Werror all-warnings x.cu").hostFlags.empty());
  EXPECT_TRUE(parse("-Werror=cross-execution-space-call x.cu").hostFlags.empty());
  EXPECT_EQ(parse("-Werror x.cu").hostFlags, Words{"-Werror"});
  EXPECT_EQ(parse("-Werror=return-type x.cu").hostFlags, Words{"-Werror=return-type"});
}

TEST(ParseOptions, ErrorsNameTheOption) {
  EXPECT_EQ(errorOf("-foo=3 --bar x.cu"), "unknown option '--bar'");
  EXPECT_EQ(errorOf("--use_fast_moth x.cu"), "unknown option '--use_fast_moth'");
  EXPECT_EQ(errorOf("-pipe x.cu"), "unknown option '-pipe'");
  EXPECT_NE(errorOf("-sanitize=memcheck x.cu").find("GPU code"), std::string::npos);
  EXPECT_NE(errorOf("-ltoir x.cu").find("GPU code"), std::string::npos);
  EXPECT_NE(errorOf("x.cu -o").find("needs a value"), std::string::npos);
  EXPECT_NE(errorOf("-m32 x.cu").find("64-bit"), std::string::npos);
  EXPECT_NE(errorOf("").find("no input files"), std::string::npos);
  EXPECT_NE(errorOf("-std=c++42 x.cu").find("c++42"), std::string::npos);
  EXPECT_NE(errorOf("-c a.cu b.cu -o c.o").find("2 inputs"), std::string::npos);
  EXPECT_NE(errorOf("--default-stream own x.cu").find("per-thread"), std::string::npos);
  EXPECT_NE(errorOf("--cuda-version=twelve x.cu").find("twelve"), std::string::npos);
}

} // namespace
} // namespace cu2cpp::cu2cc
