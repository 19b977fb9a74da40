// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a cu2cc command line asks for, as plain data. parse_options fills it from nvcc's option
// syntax; plan turns it into commands. No option spelling is known outside parse_options and
// option_table.
#ifndef CU2CPP_CU2CC_OPTIONS_H
#define CU2CPP_CU2CC_OPTIONS_H

#include <string>
#include <vector>

namespace cu2cpp::cu2cc {

/// Phase is the last step to run.
enum class Phase {
  Link,         ///< default: an executable, or a shared library with -shared
  Compile,      ///< -c, -dc, -dw
  Library,      ///< -lib: a static library
  DeviceLink,   ///< -dlink: nothing is left to link for a CPU, an empty object is written
  Module,       ///< -cubin, -fatbin, -ptx: a shared library for cuModuleLoad()
  Translate,    ///< -cuda: C++ source instead of an object
  Preprocess,   ///< -E
  Dependencies, ///< -M, -MM
  Help,
  Version,
  ListArchitectures,
};

enum class Language { Cuda, Cxx, C, Object };

struct Input {
  std::string path;
  Language language;
};

struct Options {
  Phase phase = Phase::Link;
  std::vector<Input> inputs;
  std::string output;          ///< -o
  std::string outputDirectory; ///< -odir

  // Preprocessor, in command-line order; each is a whole word or pair of words for the host
  // compiler.
  std::vector<std::string> includes;    ///< -Idir, -isystem dir
  std::vector<std::string> definitions; ///< -DNAME=value, -UNAME
  std::vector<std::string> preIncludes; ///< -include files

  bool dependencies = false;      ///< -MD, -MMD: write a dependency file while compiling
  bool systemDependencies = true; ///< false for -MM, -MMD
  bool phonyDependencies = false; ///< -MP
  std::string dependencyFile;     ///< -MF
  std::vector<std::string> dependencyTargets; ///< -MT

  std::string standard;     ///< as given; empty when not given
  std::string optimization; ///< "0" to "3", "s", "fast"; empty when not given
  bool debug = false;       ///< -g
  bool deviceDebug = false; ///< -G
  bool fastMath = false;
  bool contract = true; ///< -fmad
  bool relocatable = false;
  bool shared = false;
  std::vector<std::string>
      hostFlags; ///< -Xcompiler and what is passed through; for compiling and linking
  std::vector<std::string> linkerFlags; ///< -Xlinker, -L, in order
  std::vector<std::string> libraries;   ///< -l, without the prefix, in order
  std::string archiver = "ar";
  std::string hostCompiler; ///< -ccbin

  std::string moduleSuffix; ///< ".cubin", ".fatbin" or ".ptx"
  unsigned threads = 1;     ///< -t
  bool keep = false;
  std::string keepDirectory;
  std::string timeFile; ///< -time: how long each command took, as CSV; "-" is stdout
  bool verbose = false;
  bool dryRun = false;
  bool run = false; ///< -run: start the program after linking it
  std::vector<std::string> runArguments;

  std::string cudaVersion;           ///< --cuda-version, "12.4" when empty
  std::string form;                  ///< --cu2cpp-form
  std::string report;                ///< --cu2cpp-report
  bool lineDirectives = true;        ///< --cu2cpp-line-directives
  bool allowUnsupported = false;     ///< --cu2cpp-allow-unsupported
  bool explainVectorisation = false; ///< --cu2cpp-explain-vectorisation
  std::vector<std::string>
      warnings; ///< for the user: options that were understood but have no effect here
};

} // namespace cu2cpp::cu2cc

#endif
