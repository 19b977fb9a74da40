// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options -> the commands that do the work. A pure function of the options and of a description of
// the installation, so that tests and --dryrun see exactly what would run.
//
//   cu2cc -O2 -o app a.cu b.cpp     cu2cpp a.cu -o TMP/0/a.cpp ... ; g++ ... -c TMP/0/a.cpp -o
//   TMP/0/a.o    (a job)
//                               ->  g++ ... -c b.cpp -o TMP/1/b.o (a job)
//                                   g++ TMP/0/a.o TMP/1/b.o libcu2cpp_runtime.a ... -o app (the
//                                   end)
#ifndef CU2CPP_CU2CC_PLAN_H
#define CU2CPP_CU2CC_PLAN_H

#include "options.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace cu2cpp::cu2cc {

/// Installation tells where the parts of cu2cpp are and what the machine has.
struct Installation {
  std::string translator;                    ///< the cu2cpp executable
  std::string headers;                       ///< directory of our cuda_runtime.h
  std::string runtime;                       ///< libcu2cpp_runtime.a
  std::vector<std::string> runtimeLibraries; ///< what the runtime itself needs: -lboost_context ...
  std::string toolkit;                      ///< what looks like a CUDA Toolkit to other build tools
  std::string cublas;                       ///< libcu2cpp_cublas.a; empty where it was not built
  std::vector<std::string> cublasLibraries; ///< the CBLAS under it: -lopenblas
  std::vector<std::string>
      hostCompiler; ///< g++ or clang++, possibly with words before it (ccache g++)
  /// What compiles translated code where the user named no compiler; empty: the host compiler.
  std::vector<std::string> kernelCompiler;
  /// Flags that load passes of our own into a compiler of kernels.
  std::function<std::vector<std::string>(const std::vector<std::string>&)> passesFor;
  /// Flags that let a compilation of translated code take our headers as they were read before.
  std::function<std::vector<std::string>(const std::vector<std::string>&)> headersRead;
  std::function<bool(const std::string&)> exists; ///< whether a file or directory is there
  std::function<bool(const std::string&)> isDirectory;
  /// Whether a C++ file was made by cu2cpp.
  std::function<bool(const std::string&)> isTranslated;
  /// Whether it still begins with what headersRead is about, as cu2cpp has written it.
  std::function<bool(const std::string&)> beginsWithHeaders;
};

struct Command {
  std::vector<std::string> words;
  bool translates =
      false; ///< runs cu2cpp, whose exit code 1 means "done, but with unsupported parts"
  bool mayBreakDown = false; ///< if it fails, it is tried once more without g++'s vectorisers
};

/// Job is a chain of commands; each needs the one before. Jobs do not depend on each other.
using Job = std::vector<Command>;

struct Plan {
  std::vector<std::string> directories; ///< to be made first
  std::vector<Job> jobs;
  Job end;                              ///< after all jobs: link, archive, run
  std::string textModule;               ///< a module that becomes text in the end; empty: none
  std::vector<std::string> loopRecords; ///< of the vectoriser, to be explained after success
  std::vector<std::string> warnings;
  std::vector<std::string> notes; ///< said after success
};

/// makePlan() plans with temporary files under workDirectory. On failure the result is empty and
/// error says why.
std::optional<Plan> makePlan(const Options& options, const Installation& installation,
                             const std::string& workDirectory, std::string& error);

/// compilationStart() is what each compilation of translated code begins with: the compiler and its
/// flags, without the user's directories and macros.
std::vector<std::string> compilationStart(const Options& options, const Installation& installation);

} // namespace cu2cpp::cu2cc

#endif
