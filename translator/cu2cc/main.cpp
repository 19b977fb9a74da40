// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cu2cc: stands where a makefile has nvcc. argv -> Options -> Plan -> processes. Exit codes: 0
// done, 2 for cu2cc's own errors, else the code of the command that failed.
#include "explain_loops.h"
#include "headers_read.h"
#include "installation.h"
#include "launcher.h"
#include "module_text.h"
#include "nvcc_output.h"
#include "parse_options.h"
#include "run_plan.h"
#include "words.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <unistd.h>

namespace fs = std::filesystem;

namespace cu2cpp::cu2cc {
namespace {

const char* const helpText = R"(Usage: cu2cc [options] file...

Compiles CUDA C++ for the CPU with nvcc's command line: each .cu file is translated by cu2cpp, compiled by g++ or
clang++ and linked with the runtime library of cu2cpp. Options that are about GPU code (-arch, -gencode, -Xptxas ...)
are accepted and have no effect.

Phases     (default) make a program   -c object   -dc object with relocatable device code   -lib static library
           -shared shared library     -dlink empty object   -E preprocess   -M, -MM, -MD, -MMD, -MF, -MT, -MP
           -cuda translated source    -run start the program after linking it (-run-args a,b)
Files      -o file   -odir dir   -x cu|c++|c   -I dir   -isystem dir   -include file   -L dir   -l library   @file
Code       -D name=value   -U name   -std c++17|c++20   -O0..-O3 (default -O3)   -g   -G   -use_fast_math   -fmad=false
           -rdc=true   --default-stream per-thread|legacy   -w   -Werror
Compiler   -ccbin g++|clang++|path (or the variable CXX)   -Xcompiler list   -Xlinker list   unknown -f, -m, -W options
Driver     -t threads   --keep   --keep-dir dir   -v   --dryrun   -V, --version   -h, --help

Options of its own
  --cuda-version=12.4                  version that the headers announce
  --cu2cpp-form=auto|loop|fibers|...   execution form of the kernels, see `cu2cpp --help`
  --cu2cpp-report=file.json            what became of each kernel
  --cu2cpp-line-directives=on|off      messages, __FILE__ and debuggers name the .cu file (default on)
  --cu2cpp-allow-unsupported           go on where the translator reports unsupported parts
  --cu2cpp-launcher=compiler command   first of all: runs a build system's command; of translated code, as cu2cc would
  --cu2cpp-read-headers                alone: reads the headers of cu2cpp once, for all later calls (installing does that)
  --cu2cpp-explain-vectorisation       print which loops of each kernel run as vectors, and why others do not

Variables: NVCC_PREPEND_FLAGS, NVCC_APPEND_FLAGS, NVCC_CCBIN, CXX, TMPDIR.
)";

int fail(const std::string& message) {
  std::fprintf(stderr, "cu2cc: error: %s\n", message.c_str());
  return 2;
}

/// showEnvironment() answers `nvcc -v` with something that is no input: CMake asks so where the
/// Toolkit is.
void showEnvironment(const Words& words) {
  std::string ignored;
  const bool verbose = std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return word == "-v" || word == "--verbose" || word == "-dryrun" || word == "--dryrun";
  });
  if (!verbose)
    return;
  if (const std::optional<Installation> installation = findInstallation(Options(), ignored))
    std::fputs(environmentText(*installation).c_str(), stderr);
}

int compile(const Options& options) {
  std::string error;
  const std::optional<Installation> installation = findInstallation(options, error);
  if (!installation)
    return fail(error);
  WorkDirectory work;
  if (!options.dryRun && !work.create(error))
    return fail(error);
  const std::optional<Plan> plan =
      makePlan(options, *installation, options.dryRun ? "/tmp/cu2cc-dryrun" : work.path(), error);
  if (!plan)
    return fail(error);
  for (const std::string& warning : plan->warnings)
    std::fprintf(stderr, "cu2cc: warning: %s\n", warning.c_str());
  if (options.verbose || options.dryRun)
    std::fputs(environmentText(*installation).c_str(), stderr);
  if (options.dryRun)
    printPlan(*plan);
  int code = options.dryRun ? 0 : runPlan(*plan, options);
  if (code == 0 && !options.dryRun && !plan->textModule.empty() && !writeAsText(plan->textModule))
    code = fail("can not write " + plan->textModule);
  if (options.verbose && options.phase == Phase::Link)
    std::fputs(linkText(*installation).c_str(), stderr);
  if (options.dryRun)
    return 0;
  if (code == 0)
    for (const std::string& record : plan->loopRecords) {
      std::ifstream file(record);
      std::ostringstream text;
      text << file.rdbuf();
      std::fputs(explainLoops(text.str()).c_str(), stdout);
    }
  if (code == 0)
    for (const std::string& note : plan->notes)
      std::fprintf(stderr, "cu2cc: %s\n", note.c_str());
  return code;
}

/// launch() becomes the command behind --cu2cpp-launcher.
int launch(const std::string& compiler, const Words& command) {
  Words words = launched(command, compiler, findKernelCompiler(), isTranslated, findPasses);
  std::vector<char*> pointers;
  for (std::string& word : words)
    pointers.push_back(word.data());
  pointers.push_back(nullptr);
  if (!words.empty())
    execvp(pointers.front(), pointers.data());
  return fail("cannot run '" + (words.empty() ? compiler : words.front()) + "'");
}

/// keepHeaders() reads our headers for commands to come. Where g++ compiles kernels it keeps none.
int keepHeaders() {
  std::string error;
  const std::optional<Options> options = parseOptions({"-c", "a.cu"}, error);
  std::optional<Installation> installation =
      options ? findInstallation(*options, error) : std::nullopt;
  if (!installation)
    return fail(error);
  installation->kernelCompiler = findKernelCompiler(); // a variable may name another now, not then
  if (installation->kernelCompiler.empty())
    return 0;
  const Words start = compilationStart(*options, *installation);
  return readHeaders(start, installation->headers, keptHeaders(), error) ? 0 : fail(error);
}

int run(const Words& arguments) {
  if (arguments == Words{"--cu2cpp-read-headers"})
    return keepHeaders();
  const std::string launcher = "--cu2cpp-launcher=";
  if (!arguments.empty() && arguments.front().rfind(launcher, 0) == 0)
    return launch(arguments.front().substr(launcher.size()),
                  {arguments.begin() + 1, arguments.end()});
  Words words;
  std::string error;
  if (!expandWords(arguments, words, error))
    return fail(error);
  const std::optional<Options> options = parseOptions(words, error);
  if (!options) {
    showEnvironment(words);
    return fail(error);
  }
  switch (options->phase) {
  case Phase::Help:
    std::fputs(helpText, stdout);
    return 0;
  case Phase::Version:
    std::fputs(versionText(options->cudaVersion, CU2CPP_VERSION).c_str(), stdout);
    return 0;
  case Phase::ListArchitectures:
    std::puts("compute_90"); // what __CUDA_ARCH__ reads as in translated code
    return 0;
  default:
    return compile(*options);
  }
}

/// recordCall() starts this command once more through `cu2cpp record-call`, where `cu2cpp record`
/// runs the build and the makefile names this command by its path, as CUDA_DIR=<toolkit> makes it.
void recordCall(char** argv) {
  const char* log = std::getenv("CU2CPP_RECORD");
  if (!log || std::getenv("CU2CPP_RECORDED"))
    return;
  std::error_code failed;
  const fs::path self = fs::read_symlink("/proc/self/exe", failed);
  std::string translator = (self.parent_path() / "cu2cpp").string(), itself = self.string();
  std::string verb = "record-call", place = log;
  std::vector<char*> words = {translator.data(), verb.data(), place.data(), itself.data()};
  for (char** word = argv + 1; *word; ++word)
    words.push_back(*word);
  words.push_back(nullptr);
  execv(words.front(), words.data()); // where this fails, the call goes unrecorded
}

} // namespace
} // namespace cu2cpp::cu2cc

int main(int argc, char** argv) {
  cu2cpp::cu2cc::recordCall(argv);
  return cu2cpp::cu2cc::run({argv + 1, argv + argc});
}
