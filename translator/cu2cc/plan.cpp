// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of words matters here: our headers come before the user's, so that a CUDA Toolkit on
// the machine cannot change the meaning of <cuda_runtime.h>; the user's compiler flags come after
// ours, so that the user's win.
#include "plan.h"

#include "compiler_flags.h"

#include <algorithm>

namespace cu2cpp::cu2cc {
namespace {

void add(Words& to, const Words& from) { to.insert(to.end(), from.begin(), from.end()); }

std::string directoryOf(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

bool isCuda(const Input& input) { return input.language == Language::Cuda; }

std::string stemOf(const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  const std::size_t dot = name.rfind('.');
  return dot == std::string::npos || dot == 0 ? name : name.substr(0, dot);
}

std::string withSuffix(const std::string& path, const std::string& suffix) {
  const std::size_t slash = path.rfind('/');
  const std::size_t dot = path.rfind('.');
  const bool has = dot != std::string::npos && (slash == std::string::npos || dot > slash + 1);
  return (has ? path.substr(0, dot) : path) + suffix;
}

/// isToolkitHeaderDirectory() finds NVIDIA's own headers: they would take the place of ours for
/// every name we lack.
bool isToolkitHeaderDirectory(const std::string& directory, const Installation& installation) {
  return installation.exists(directory + "/crt/host_config.h") &&
         installation.exists(directory + "/cuda_runtime_api.h");
}

class Planner {
public:
  Planner(const Options& options, const Installation& installation, const std::string& work)
      : o_(options), at_(installation), work_(work) {}

  std::optional<Plan> make(std::string& error);
  Words compileStart(Language language) const;

private:
  Words preprocessorFlags() const;
  Words userIncludes() const;
  Words translate(const Input& input, const std::string& output) const;
  Words compileTranslated(const Input& input, const std::string& source,
                          const std::string& object) const;
  Words compileHost(const Input& input, const std::string& object) const;
  Words listDependencies(const Input& input, const std::string& target, const std::string& file,
                         bool targetsGiven) const;
  bool mayBreakDown() const;
  Words preprocessTranslated(const Input& input, const std::string& source,
                             const std::string& result) const;
  Words preprocessedAs(const Input& input) const;
  void planSource(const Input& input, std::size_t index);
  void planEnd();
  const Words& compilerOf(Language language) const;
  Words link(const std::string& output) const;
  Words linkModule(const std::string& output) const;
  std::string moduleOutput() const;
  bool loadsModules() const;
  std::string reportFor(const Input& input) const;
  std::string standard(bool gnu) const;
  std::string besideOutput(const std::string& name) const;

  const Options& o_;
  const Installation& at_;
  const std::string& work_;
  Plan plan_;
  Words linkInputs_;
};

std::string Planner::besideOutput(const std::string& name) const {
  return o_.outputDirectory.empty() ? name : o_.outputDirectory + "/" + name;
}

/// Translated code and our headers are C++17; older standards in makefiles only said what nvcc
/// could do at the time.
std::string Planner::standard(bool gnu) const {
  for (const char* kept : {"c++20", "c++2a", "c++23", "gnu++20", "gnu++23"})
    if (o_.standard == kept)
      return "-std=" + o_.standard;
  const bool wasGnu = o_.standard.empty() ? gnu : o_.standard.rfind("gnu", 0) == 0;
  return wasGnu ? "-std=gnu++17" : "-std=c++17";
}

Words Planner::userIncludes() const {
  Words words;
  for (const std::string& flag : o_.includes) {
    const bool system = flag.rfind("-isystem", 0) == 0;
    const std::string directory = flag.substr(system ? 8 : 2);
    if (isToolkitHeaderDirectory(directory, at_))
      continue;
    if (system)
      add(words, {"-isystem", directory});
    else
      words.push_back(flag);
  }
  return words;
}

/// preprocessorFlags() is what translator and host compiler must agree on.
Words Planner::preprocessorFlags() const {
  Words words = userIncludes();
  add(words, o_.definitions);
  if (!o_.cudaVersion.empty()) {
    const std::string minor = o_.cudaVersion.substr(o_.cudaVersion.find('.') + 1);
    const std::string major = o_.cudaVersion.substr(0, o_.cudaVersion.find('.'));
    const std::string number = major + "0" + minor + "0";
    add(words, {"-DCUDART_VERSION=" + number, "-DCUDA_VERSION=" + number,
                "-D__CUDACC_VER_MAJOR__=" + major, "-D__CUDACC_VER_MINOR__=" + minor});
  }
  return words;
}

/// reportFor() gives each of several sources a report of its own.
std::string Planner::reportFor(const Input& input) const {
  if (std::count_if(o_.inputs.begin(), o_.inputs.end(), isCuda) < 2)
    return o_.report;
  return withSuffix(o_.report, "-" + stemOf(input.path) + ".json");
}

Words Planner::translate(const Input& input, const std::string& output) const {
  Words words = {at_.translator, input.path, "-o", output, "--absolute-includes", "--quiet"};
  if (o_.relocatable)
    words.push_back("--rdc");
  if (o_.phase == Phase::Module)
    words.push_back("--module");
  if (o_.lineDirectives)
    words.push_back("--line-directives");
  if (!o_.form.empty())
    words.push_back("--form=" + o_.form);
  if (!o_.report.empty())
    add(words, {"--report", reportFor(input)});
  words.push_back("--");
  // cu2cpp reads a program in the standard it was written in where that makes a difference.
  words.push_back(o_.standard.empty() ? standard(false) : "-std=" + o_.standard);
  // Products of half numbers are fused with sums by the translator; nvcc's -G keeps them apart.
  if (!o_.contract || o_.deviceDebug)
    words.push_back("-ffp-contract=off");
  add(words, preprocessorFlags());
  for (const std::string& file : o_.preIncludes)
    add(words, {"-include", file});
  // Of the host compiler's flags only those count that change what the preprocessor sees.
  for (std::size_t i = 0; i < o_.hostFlags.size(); ++i) {
    const std::string& flag = o_.hostFlags[i];
    const bool pair = flag == "-I" || flag == "-D" || flag == "-U" || flag == "-isystem" ||
                      flag == "-include" || flag == "-iquote" || flag == "-idirafter";
    if (pair && i + 1 < o_.hostFlags.size())
      add(words, {flag, o_.hostFlags[++i]});
    else if (flag.rfind("-I", 0) == 0 || flag.rfind("-D", 0) == 0 || flag.rfind("-U", 0) == 0 ||
             flag.rfind("-isystem", 0) == 0)
      words.push_back(flag);
    else if (flag == "-fopenmp")
      // The parse keeps the user's OpenMP pragmas as text; it only has to take the same #ifdef
      // branches.
      words.push_back("-D_OPENMP=201511");
  }
  return words;
}

/// compilerOf() is the host compiler for the user's C++ and, for translated code, the one that
/// makes the fastest kernels.
const Words& Planner::compilerOf(Language language) const {
  const bool kernels = language == Language::Cuda && !at_.kernelCompiler.empty() &&
                       std::all_of(o_.hostFlags.begin(), o_.hostFlags.end(), meansTheSameToAll);
  return kernels ? at_.kernelCompiler : at_.hostCompiler;
}

Words Planner::compileStart(Language language) const {
  Words words = compilerOf(language);
  const bool clang = isClang(words);
  if (language == Language::C)
    add(words, {"-x", "c"});
  else {
    words.push_back(standard(language == Language::Cxx));
    words.push_back("-Wno-register"); // C++17 took the keyword away, old CUDA code has it
  }
  // Without -fopenmp from the user only `omp simd` counts: nvcc ignores the other pragmas then, so
  // must we.
  words.push_back("-fopenmp-simd");
  if (!o_.optimization.empty()) {
    // nvcc's level is for host code alone, kernels are always optimised; g++ vectorises kernels
    // well from -O3.
    const bool kernels = language == Language::Cuda && o_.optimization == "2" && !o_.deviceDebug;
    words.push_back(kernels ? "-O3" : "-O" + o_.optimization);
  } else
    words.push_back(o_.deviceDebug ? "-O0" : "-O3");
  if (o_.debug || o_.deviceDebug)
    words.push_back("-g");
  add(words, codeFlags(o_, language, clang));
  if (clang && language == Language::Cuda && at_.passesFor)
    add(words, at_.passesFor(compilerOf(language)));
  if (clang && language != Language::C)
    words.push_back("-Wno-reserved-user-defined-literal"); // `"text"MACRO`, as gcc takes it
  words.push_back("-I" + at_.headers);
  return words;
}

Words Planner::compileTranslated(const Input& input, const std::string& source,
                                 const std::string& object) const {
  Words words = compileStart(Language::Cuda);
  add(words, {"-iquote", directoryOf(input.path)});
  add(words, preprocessorFlags());
  if (!o_.preIncludes.empty())
    add(words, {"-include", "cu2cpp/launch.h"});
  for (const std::string& file : o_.preIncludes)
    add(words, {"-include", file});
  add(words, o_.hostFlags);
  if (o_.phase == Phase::Module) {
    words.push_back("-fPIC");
    if (!isClang(compilerOf(Language::Cuda))) // two loads of a module have variables of their own
      words.push_back("-fno-gnu-unique");
  }
  if (source.rfind(work_ + "/", 0) == 0)
    // Debug information names no temporary directory: the same input gives the same object.
    words.push_back("-ffile-prefix-map=" + work_ + "=cu2cpp");
  if (at_.headersRead && isClang(compilerOf(Language::Cuda)))
    add(words, at_.headersRead(words));
  add(words, {"-c", source, "-o", object});
  return words;
}

/// mayBreakDown() tells whether kernels are compiled by g++, whose vectorisers do not get to the
/// end of some. (A warning that -Werror makes an error of is not to depend on them.)
bool Planner::mayBreakDown() const {
  return !isClang(compilerOf(Language::Cuda)) &&
         std::none_of(o_.hostFlags.begin(), o_.hostFlags.end(),
                      [](const std::string& flag) { return flag.rfind("-Werror", 0) == 0; });
}

/// preprocessTranslated() is for a file whose suffix tells compilers that nothing is left to be
/// included. Without options for this processor, which its compilation may not have.
Words Planner::preprocessTranslated(const Input& input, const std::string& source,
                                    const std::string& result) const {
  Words words = at_.hostCompiler;
  add(words, {standard(true), "-fopenmp", "-iquote", directoryOf(input.path)});
  add(words, preprocessorFlags());
  add(words, {"-I" + at_.headers});
  for (const std::string& file : o_.preIncludes)
    add(words, {"-include", file});
  add(words, {"-E", source, "-o", result});
  return words;
}

Words Planner::compileHost(const Input& input, const std::string& object) const {
  // What cu2cpp has made and the user has kept is compiled as if it were made anew.
  const bool kept = input.language == Language::Cxx && at_.isTranslated(input.path);
  Words words = compileStart(kept ? Language::Cuda : input.language);
  add(words, preprocessorFlags());
  for (const std::string& file : o_.preIncludes)
    add(words, {"-include", file});
  add(words, o_.hostFlags);
  if (kept && at_.headersRead && isClang(compilerOf(Language::Cuda)) && o_.preIncludes.empty() &&
      at_.beginsWithHeaders(input.path))
    add(words, at_.headersRead(words));
  if (input.language == Language::Cxx)
    add(words, {"-x", "c++"});
  add(words, {"-c", input.path, "-o", object});
  return words;
}

/// preprocessedAs() starts a command that only preprocesses the user's file. Kernel syntax does not
/// matter to it.
Words Planner::preprocessedAs(const Input& input) const {
  Words words = at_.hostCompiler;
  if (input.language == Language::C)
    add(words, {"-x", "c"});
  else
    add(words, {standard(input.language == Language::Cxx), "-x", "c++"});
  // As system headers, so that -MM and -MMD leave ours out as they leave out NVIDIA's.
  add(words, userIncludes());
  add(words, {"-isystem", at_.headers});
  add(words, o_.definitions);
  if (input.language == Language::Cuda)
    add(words, {"-D__CUDACC__", "-D__NVCC__", "-include", "cuda_runtime.h"});
  for (const std::string& file : o_.preIncludes)
    add(words, {"-include", file});
  add(words, o_.hostFlags);
  return words;
}

Words Planner::listDependencies(const Input& input, const std::string& target,
                                const std::string& file, bool targetsGiven) const {
  Words words = preprocessedAs(input);
  words.push_back(o_.systemDependencies ? "-M" : "-MM");
  if (o_.phonyDependencies)
    words.push_back("-MP");
  if (targetsGiven)
    for (const std::string& name : o_.dependencyTargets)
      add(words, {"-MT", name});
  else
    add(words, {"-MT", target});
  words.push_back(input.path);
  if (!file.empty())
    add(words, {"-o", file});
  return words;
}

void Planner::planSource(const Input& input, std::size_t index) {
  const std::string stem = stemOf(input.path);
  const std::string inWork = work_ + "/" + std::to_string(index);
  Job job;

  if (o_.phase == Phase::Preprocess) {
    Words words = preprocessedAs(input);
    add(words, {"-E", input.path});
    if (!o_.output.empty())
      add(words, {"-o", o_.output});
    plan_.jobs.push_back({{words}});
    return;
  }
  if (o_.phase == Phase::Dependencies) {
    const std::string file = !o_.output.empty() ? o_.output : o_.dependencyFile;
    plan_.jobs.push_back(
        {{listDependencies(input, stem + ".o", file, !o_.dependencyTargets.empty())}});
    return;
  }

  std::string object = inWork + "/" + stem + ".o";
  if (o_.phase == Phase::Compile)
    object = !o_.output.empty() ? o_.output : besideOutput(stem + ".o");
  else
    plan_.directories.push_back(inWork);

  if (o_.dependencies) {
    const std::string beside = withSuffix(o_.output.empty() ? besideOutput(stem) : o_.output, ".d");
    const std::string target = o_.output.empty() ? besideOutput(stem + ".o") : o_.output;
    const std::string file = o_.dependencyFile.empty() ? beside : o_.dependencyFile;
    job.push_back({listDependencies(input, target, file, !o_.dependencyTargets.empty())});
  }

  if (input.language == Language::Cuda) {
    // Translated headers are written beside the translated source, so each source has a directory
    // of its own.
    std::string directory = inWork;
    if (o_.keep) {
      // A directory of its own, since translated headers are written there too: never over the
      // user's files.
      directory = (o_.keepDirectory.empty() ? "." : o_.keepDirectory) + "/" + stem + ".cu2cpp";
      if (o_.inputs.size() > 1)
        directory += "." + std::to_string(index);
    }
    std::string source = directory + "/" + stem + ".cpp";
    // nvcc's own name. A `stem.cu.cpp` would make `make` take it for the source of `stem.cu`.
    const std::string result = o_.phase != Phase::Translate ? ""
                               : !o_.output.empty()         ? o_.output
                                                            : besideOutput(stem + ".cu.cpp.ii");
    const bool preprocessed = withSuffix(result, ".ii") == result;
    if (o_.phase == Phase::Translate && !preprocessed)
      source = result;
    else
      plan_.directories.push_back(directory);
    job.push_back({translate(input, source), true});
    if (preprocessed)
      job.push_back({preprocessTranslated(input, source, result)});
    if (o_.keep)
      plan_.notes.push_back("translated source: " + source);
    if (o_.phase != Phase::Translate)
      job.push_back({compileTranslated(input, source, object), false, mayBreakDown()});
    if (o_.explainVectorisation && o_.phase != Phase::Translate) {
      const std::string record = inWork + "/" + stem + ".loops.yaml";
      if (o_.keep)
        plan_.directories.push_back(inWork);
      add(job.back().words,
          {"-gline-tables-only", "-fsave-optimization-record=yaml",
           "-foptimization-record-passes=loop-vectorize", "-foptimization-record-file=" + record});
      plan_.loopRecords.push_back(record);
    }
  } else if (o_.phase != Phase::Translate)
    job.push_back({compileHost(input, object)});

  if (!job.empty())
    plan_.jobs.push_back(std::move(job));
  linkInputs_.push_back(object);
}

/// What NVIDIA's libraries are to cu2cpp: part of the runtime, or not there yet.
enum class LibraryKind { Users, Runtime, Cublas, Missing };
LibraryKind kindOf(const std::string& library) {
  std::string name = library;
  const std::string end = "_static";
  if (name.size() > end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0)
    name.resize(name.size() - end.size());
  for (const char* inside : {"cudart", "cuda", "cudadevrt", "curand", "nvToolsExt", "nvtx3interop",
                             "culibos", "nvrtc", "nvrtc-builtins"})
    if (name == inside)
      return LibraryKind::Runtime;
  if (name == "cublas" || name == "cublasLt")
    return LibraryKind::Cublas;
  for (const char* missing :
       {"cufft",     "cufftw", "cusolver", "cusolverMg", "cusparse",  "cudnn",  "nccl",    "nvml",
        "nvidia-ml", "npps",   "nppi",     "nppc",       "nppif",     "nppig",  "nppist",  "nppicc",
        "nppial",    "nppisu", "nvjpeg",   "cupti",      "nvJitLink", "cufile", "cutensor"})
    if (name == missing)
      return LibraryKind::Missing;
  return LibraryKind::Users;
}

/// loadsModules() is true for programs with the driver API, which may also be found by dlopen(): a
/// module calls the runtime that is in the program, of which nothing may be missing then.
bool Planner::loadsModules() const {
  return std::any_of(o_.libraries.begin(), o_.libraries.end(), [](const std::string& library) {
    return library == "cuda" || library == "nvrtc" || library == "nvrtc_static" || library == "dl";
  });
}

/// linkModule() leaves the runtime's functions open. A module's own names come first: the program
/// may have the same ones.
Words Planner::linkModule(const std::string& output) const {
  Words words = at_.hostCompiler;
  add(words, {"-shared", "-Wl,-Bsymbolic"});
  if (o_.debug || o_.deviceDebug)
    words.push_back("-g");
  add(words, o_.hostFlags);
  add(words, linkInputs_);
  add(words, {"-lm", "-o", output});
  return words;
}

Words Planner::link(const std::string& output) const {
  Words words = at_.hostCompiler;
  if (o_.shared)
    words.push_back("-shared");
  if (o_.debug || o_.deviceDebug)
    words.push_back("-g");
  if (o_.fastMath)
    words.push_back("-ffast-math");
  add(words, o_.hostFlags);
  const auto isStatic = [](const Words& flags) {
    return std::find(flags.begin(), flags.end(), "-static") != flags.end();
  };
  if (loadsModules() && !o_.shared)
    add(words, {"-rdynamic", "-Wl,--whole-archive", at_.runtime, "-Wl,--no-whole-archive"});
  if (!o_.shared && !isStatic(o_.hostFlags) && !isStatic(o_.linkerFlags))
    // dlopen("libcuda.so.1") finds cu2cpp's, whose functions are those of the runtime in here.
    add(words,
        {"-Wl,--undefined=cu2cppDriverFunction", "-Wl,--export-dynamic-symbol=cu2cppDriverFunction",
         "-Wl,-rpath," + directoryOf(at_.runtime) + "/driver"});
  words.push_back("-Wl,--start-group");
  add(words, linkInputs_);
  if (std::count(o_.libraries.begin(), o_.libraries.end(), "m") != 0)
    words.push_back(at_.runtime); // before the user's -lm, whose vector functions are less accurate
  for (const std::string& flag : o_.linkerFlags)
    // A CUDA Toolkit's library directory that is not there is no mistake of the user's any more.
    if (flag.rfind("-L", 0) != 0 || at_.exists(flag.substr(2)))
      words.push_back(flag);
  for (const std::string& library : o_.libraries)
    if (kindOf(library) == LibraryKind::Users)
      words.push_back("-l" + library);
  // cuBLAS is offered to every dynamic link, needed or not: it leaves no trace in programs that
  // don't call it.
  const bool asked =
      std::any_of(o_.libraries.begin(), o_.libraries.end(), [](const std::string& library) {
        return kindOf(library) == LibraryKind::Cublas;
      });
  const bool cublas =
      !at_.cublas.empty() && (asked || (!isStatic(o_.hostFlags) && !isStatic(o_.linkerFlags)));
  if (cublas)
    words.push_back(at_.cublas);
  words.push_back(at_.runtime);
  words.push_back("-Wl,--end-group");
  if (cublas) {
    words.push_back("-Wl,--push-state,--as-needed");
    add(words, at_.cublasLibraries);
    words.push_back("-Wl,--pop-state");
  }
  words.push_back("-fopenmp"); // the runtime's own threads
  add(words, at_.runtimeLibraries);
  add(words, {"-o", output});
  return words;
}

std::string Planner::moduleOutput() const {
  const std::string stem = o_.inputs.empty() ? "a" : stemOf(o_.inputs.front().path);
  return o_.output.empty() ? besideOutput(stem + o_.moduleSuffix) : o_.output;
}

void Planner::planEnd() {
  switch (o_.phase) {
  case Phase::Link: {
    const std::string output = o_.output.empty() ? besideOutput("a.out") : o_.output;
    plan_.end.push_back({link(output)});
    if (o_.run) {
      Words words = {output.find('/') == std::string::npos ? "./" + output : output};
      add(words, o_.runArguments);
      plan_.end.push_back({words});
    }
    break;
  }
  case Phase::Module:
    plan_.end.push_back({linkModule(moduleOutput())});
    if (o_.moduleSuffix == ".ptx")
      plan_.textModule = moduleOutput();
    break;
  case Phase::Library: {
    // A fresh archive each time; q keeps two members of the same name, r would drop one.
    const std::string output = o_.output.empty() ? besideOutput("a.a") : o_.output;
    plan_.end.push_back({{"rm", "-f", output}});
    Words words = {o_.archiver, "qcs", output};
    add(words, linkInputs_);
    plan_.end.push_back({words});
    break;
  }
  case Phase::DeviceLink: {
    Words words = at_.hostCompiler;
    add(words, o_.hostFlags);
    add(words, {"-x", "c++", "-c", "/dev/null", "-o",
                o_.output.empty() ? besideOutput("a_dlink.o") : o_.output});
    plan_.end.push_back({words});
    break;
  }
  default:
    break;
  }
}

std::optional<Plan> Planner::make(std::string& error) {
  plan_.warnings = o_.warnings;
  for (const std::string& library : o_.libraries)
    if (o_.phase == Phase::Link && (kindOf(library) == LibraryKind::Missing ||
                                    (kindOf(library) == LibraryKind::Cublas && at_.cublas.empty())))
      plan_.warnings.push_back("-l" + library +
                               " left out: cu2cpp does not provide this library yet");
  // What they mend in LLVM (backend/divisions_of_loops.cpp) would otherwise go wrong in silence.
  if (const Words& compiler = compilerOf(Language::Cuda);
      std::any_of(o_.inputs.begin(), o_.inputs.end(), isCuda) && isClang(compiler) &&
      at_.passesFor && at_.passesFor(compiler).empty() && o_.optimization != "0")
    plan_.warnings.push_back(compiler.back() +
                             " does not load cu2cpp's passes, without which clang may compile "
                             "divisions under conditions wrongly; use -ccbin g++, or the clang++ "
                             "of the LLVM that cu2cpp was built with (docs/troubleshooting.md)");
  const bool needsRuntime = o_.phase == Phase::Link;
  if (needsRuntime && !at_.exists(at_.runtime)) {
    error = "the runtime library is missing: " + at_.runtime + "; build the target cu2cpp_runtime";
    return std::nullopt;
  }
  for (const std::string& file : {o_.output, o_.dependencyFile}) {
    if (file.empty())
      continue;
    if (!at_.isDirectory(directoryOf(file)))
      error = "there is no directory '" + directoryOf(file) + "'";
    else if (at_.isDirectory(file))
      error = "it is a directory";
    for (const Input& input : o_.inputs)
      if (input.path == file)
        error = "it is an input";
    if (!error.empty()) {
      error = "cannot write '" + file + "': " + error;
      return std::nullopt;
    }
  }
  if (o_.explainVectorisation && !isClang(compilerOf(Language::Cuda))) {
    error = "only clang++ records what became of each loop: install it, or name it with -ccbin";
    return std::nullopt;
  }
  std::size_t index = 0;
  for (const Input& input : o_.inputs) {
    if (!at_.exists(input.path)) {
      error = "no such file: '" + input.path + "'";
      return std::nullopt;
    }
    if (input.language == Language::Object)
      linkInputs_.push_back(input.path);
    else if (o_.phase != Phase::DeviceLink)
      planSource(input, index);
    ++index;
  }
  planEnd();
  return std::move(plan_);
}

} // namespace

std::optional<Plan> makePlan(const Options& options, const Installation& installation,
                             const std::string& workDirectory, std::string& error) {
  return Planner(options, installation, workDirectory).make(error);
}

Words compilationStart(const Options& options, const Installation& installation) {
  return Planner(options, installation, "").compileStart(Language::Cuda);
}

} // namespace cu2cpp::cu2cc
