// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each Meaning of the option table does to Options.
#include "parse_options.h"

#include "option_table.h"
#include "words.h"

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <thread>

namespace cu2cpp::cu2cc {
namespace {

bool isOneOf(const std::string& text, std::initializer_list<const char*> list) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

bool endsWith(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// isObject() is true for what only the linker reads, also under -x: objects, archives, shared
/// libraries (libx.so.1.2).
bool isObject(const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  return endsWith(name, ".o") || endsWith(name, ".a") || endsWith(name, ".obj") ||
         endsWith(name, ".so") || name.find(".so.") != std::string::npos;
}

std::optional<Language> languageOfFile(const std::string& path) {
  for (const char* end : {".cu", ".cup", ".ptx"})
    if (endsWith(path, end))
      return Language::Cuda;
  for (const char* end : {".cpp", ".cc", ".cxx", ".c++", ".C", ".cp", ".CPP", ".ii"})
    if (endsWith(path, end))
      return Language::Cxx;
  for (const char* end : {".c", ".i"})
    if (endsWith(path, end))
      return Language::C;
  if (isObject(path))
    return Language::Object;
  return std::nullopt;
}

/// plainQuotes() is a macro's text without the backslashes that makefiles put before quotes for
/// nvcc's inner shell.
std::string plainQuotes(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (!(text[i] == '\\' && i + 1 < text.size() && text[i + 1] == '"'))
      result += text[i];
  return result;
}

class Parser {
public:
  explicit Parser(const std::vector<std::string>& words) : words_(words) {}

  std::optional<Options> parse(std::string& error) {
    bool good = true;
    for (next_ = 0; good && next_ < words_.size();) {
      const std::string& word = words_[next_++];
      good = word.size() > 1 && word[0] == '-' ? readOption(word) : readInput(word);
    }
    good = good && finish();
    error = error_;
    if (!good)
      return std::nullopt;
    return options_;
  }

private:
  bool fail(const std::string& message) {
    error_ = message;
    return false;
  }

  bool readInput(const std::string& path) {
    if (path.empty())
      return fail("an input file's name is empty");
    options_.inputs.push_back({path, Language::Object}); // the language is settled by finish()
    return true;
  }

  bool readOption(const std::string& word) {
    std::string value;
    bool hasValue = false;
    const OptionRow* row = findOption(word, value, hasValue);
    // `-m` takes 64 only; every other -m... is the host compiler's.
    if (row && row->meaning == Meaning::Allow32 && hasValue && value != "64" && value != "32")
      row = nullptr;
    if (!row) {
      // nvcc knows no -f, -m or -W options of host compilers; taking them saves a porter the
      // -Xcompiler.
      if (word.rfind("--", 0) != 0 && isOneOf(word.substr(0, 2), {"-f", "-m", "-W", "-g"})) {
        options_.hostFlags.push_back(word);
        return true;
      }
      if (asked(Meaning::ForwardUnknown)) {
        options_.hostFlags.push_back(word);
        return true;
      }
      if (asked(Meaning::ForwardUnknownToLinker)) {
        options_.linkerFlags.push_back(word);
        return true;
      }
      return fail("unknown option '" + word + "'");
    }
    const bool wantsValue = row->value == Value::Separate || row->value == Value::Joined;
    if (wantsValue && !hasValue) {
      if (row->meaning == Meaning::Optimize) { // a bare -O, as host compilers have it
        const bool number = next_ < words_.size() && words_[next_].size() == 1 &&
                            words_[next_][0] >= '0' && words_[next_][0] <= '3';
        value = number ? words_[next_++] : "1";
      } else if (next_ == words_.size())
        return fail("option '" + word + "' needs a value");
      else
        value = words_[next_++];
    }
    // `-o=file`, `-I=dir`: nvcc takes the sign after one-letter options as well.
    if (row->value == Value::Joined && hasValue && !value.empty() && value[0] == '=')
      value.erase(0, 1);
    return apply(row->meaning, word, value, hasValue);
  }

  /// asked() looks at the whole command line: an option may stand behind what it is about.
  bool asked(Meaning meaning) const {
    return std::any_of(words_.begin(), words_.end(), [&](const std::string& word) {
      std::string value;
      bool hasValue = false;
      const OptionRow* row =
          word.size() > 1 && word[0] == '-' ? findOption(word, value, hasValue) : nullptr;
      return row && row->meaning == meaning;
    });
  }

  bool setPhase(Phase phase) {
    options_.phase = phase;
    return true;
  }

  bool setFlag(bool& flag, const std::string& word, const std::string& value) {
    if (!isOneOf(value, {"true", "false", "on", "off", "1", "0"}))
      return fail("option '" + word + "' takes true or false, not '" + value + "'");
    flag = isOneOf(value, {"true", "on", "1"});
    return true;
  }

  bool append(std::vector<std::string>& list, const std::string& prefix, const std::string& value) {
    for (const std::string& part : splitList(value))
      list.push_back(prefix + part);
    return true;
  }

  bool apply(Meaning meaning, const std::string& word, const std::string& value, bool hasValue);
  bool setStandard(const std::string& value);
  bool setLanguage(const std::string& value);
  bool finish();

  const std::vector<std::string>& words_;
  std::size_t next_ = 0;
  std::optional<Language> language_;
  Options options_;
  std::string error_;
};

bool Parser::setStandard(const std::string& value) {
  if (!isOneOf(value, {"c++98", "c++03", "c++0x", "c++11", "c++14", "c++1y", "c++17", "c++1z",
                       "c++20", "c++2a", "c++23", "gnu++98", "gnu++03", "gnu++11", "gnu++14",
                       "gnu++17", "gnu++20", "gnu++23"}))
    return fail("'" + value + "' is not a language standard that cu2cc knows");
  options_.standard = value;
  return true;
}

bool Parser::setLanguage(const std::string& value) {
  if (value == "cu")
    language_ = Language::Cuda;
  else if (value == "c++")
    language_ = Language::Cxx;
  else if (value == "c")
    language_ = Language::C;
  else
    return fail("'-x " + value + "' is not possible; the languages are cu, c++ and c");
  return true;
}

bool Parser::apply(Meaning meaning, const std::string& word, const std::string& value,
                   bool hasValue) {
  Options& o = options_;
  switch (meaning) {
  case Meaning::Ignored:
  case Meaning::ForwardUnknown:
  case Meaning::ForwardUnknownToLinker:
    return true;
  case Meaning::NoDevice:
    return fail("'" + word +
                "' asks for GPU code, which cu2cc does not make; it compiles for the CPU only");
  case Meaning::Module:
    o.moduleSuffix = "." + word.substr(word.find_first_not_of('-'));
    o.relocatable = true; // variables are looked up by name too
    return setPhase(Phase::Module);
  case Meaning::Allow32:
    return value == "64" || fail("'" + word + "': only 64-bit programs are possible");
  case Meaning::Compile:
    return setPhase(Phase::Compile);
  case Meaning::CompileRelocatable:
    o.relocatable = true;
    return setPhase(Phase::Compile);
  case Meaning::CompileWhole:
    o.relocatable = false;
    return setPhase(Phase::Compile);
  case Meaning::DeviceLink:
    return setPhase(Phase::DeviceLink);
  case Meaning::LinkPhase:
    return setPhase(Phase::Link);
  case Meaning::Library:
    return setPhase(Phase::Library);
  case Meaning::Translate:
    return setPhase(Phase::Translate);
  case Meaning::Preprocess:
    return setPhase(Phase::Preprocess);
  case Meaning::Dependencies:
  case Meaning::UserDependencies:
    o.systemDependencies = meaning == Meaning::Dependencies;
    return setPhase(Phase::Dependencies);
  case Meaning::WriteDependencies:
  case Meaning::WriteUserDependencies:
    o.dependencies = true;
    o.systemDependencies = meaning == Meaning::WriteDependencies;
    return true;
  case Meaning::DependencyFile:
    o.dependencyFile = value;
    return true;
  case Meaning::PhonyDependencies:
    return o.phonyDependencies = true;
  case Meaning::DependencyTarget:
    o.dependencyTargets.push_back(value);
    return true;
  case Meaning::Output:
    o.output = value;
    return true;
  case Meaning::OutputDirectory:
    o.outputDirectory = value;
    return true;
  case Meaning::PreInclude:
    return append(o.preIncludes, "", value);
  case Meaning::Define:
    return append(o.definitions, "-D", plainQuotes(value));
  case Meaning::Undefine:
    return append(o.definitions, "-U", value);
  case Meaning::Include:
    return append(o.includes, "-I", value);
  case Meaning::SystemInclude:
    return append(o.includes, "-isystem", value);
  case Meaning::LinkLibrary:
    return append(o.libraries, "", value);
  case Meaning::LibraryPath:
    return append(o.linkerFlags, "-L", value);
  case Meaning::HostCompiler:
    o.hostCompiler = value;
    return true;
  case Meaning::Archiver:
    o.archiver = value;
    return true;
  case Meaning::Standard:
    return setStandard(value);
  case Meaning::Optimize:
    if (!isOneOf(value, {"0", "1", "2", "3", "s", "g", "fast"}))
      return fail("'" + word + "': the optimisation levels are -O0 to -O3");
    o.optimization = value;
    return true;
  case Meaning::Debug:
    return o.debug = true;
  case Meaning::DeviceDebug:
    return o.deviceDebug = true;
  case Meaning::FastMath:
    return o.fastMath = true;
  case Meaning::Contract:
    return setFlag(o.contract, word, value);
  case Meaning::Relocatable:
    return setFlag(o.relocatable, word, value);
  case Meaning::Shared:
    return o.shared = true;
  case Meaning::LanguageOf:
    return setLanguage(value);
  case Meaning::HostOptions:
    for (const std::string& flag : splitHostOptions(value))
      o.hostFlags.push_back(flag);
    return true;
  case Meaning::LinkerOptions:
    for (const std::string& flag : splitHostOptions(value)) {
      if (flag.rfind("-Wl,", 0) != 0)
        o.linkerFlags.push_back("-Xlinker");
      o.linkerFlags.push_back(flag);
    }
    return true;
  case Meaning::HostFlag:
    o.hostFlags.push_back(word.rfind("--", 0) == 0 ? word.substr(1) : word);
    if (o.hostFlags.back() == "-profile")
      o.hostFlags.back() = "-pg";
    return true;
  case Meaning::HostFlagValue: {
    const std::string name = word.substr(0, word.find('='));
    o.hostFlags.push_back((name.rfind("--", 0) == 0 ? name.substr(1) : name) + "=" + value);
    return true;
  }
  case Meaning::NoWarnings:
    o.hostFlags.push_back("-w");
    return true;
  case Meaning::NoExceptions:
    o.hostFlags.push_back("-fno-exceptions");
    return true;
  case Meaning::Werror: {
    // nvcc's kinds are warnings of NVIDIA's own front end; without one it is the host compiler's
    // -Werror.
    const auto isKind = [](const std::string& text) {
      return isOneOf(text, {"all-warnings", "cross-execution-space-call", "reorder",
                            "default-stream-launch", "missing-launch-bounds",
                            "ext-lambda-captures-this", "deprecated-declarations"});
    };
    if (hasValue)
      isKind(splitList(value)[0]) ? void() : o.hostFlags.push_back("-Werror=" + value);
    else if (next_ < words_.size() && isKind(splitList(words_[next_])[0]))
      ++next_;
    else
      o.hostFlags.push_back("-Werror");
    return true;
  }
  case Meaning::DefaultStream:
    if (value == "per-thread")
      o.definitions.push_back("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
    else if (value != "legacy" && value != "null")
      return fail("'--default-stream " + value + "' is not possible; it is legacy or per-thread");
    return true;
  case Meaning::Threads:
    if (value.empty() || value.find_first_not_of("0123456789") != std::string::npos ||
        value.size() > 4)
      return fail(hasValue && word[1] != '-' ? "unknown option '" + word + "'"
                                             : "'" + word + "' takes a number of threads");
    o.threads = static_cast<unsigned>(std::atoi(value.c_str()));
    if (o.threads == 0) // nvcc: as many as there are CPUs
      o.threads = std::max(1u, std::thread::hardware_concurrency());
    return true;
  case Meaning::Keep:
    return o.keep = true;
  case Meaning::KeepDirectory:
    o.keep = true;
    o.keepDirectory = value;
    return true;
  case Meaning::TimeFile:
    o.timeFile = value;
    return true;
  case Meaning::Verbose:
    return o.verbose = true;
  case Meaning::DryRun:
    return o.dryRun = true;
  case Meaning::Run:
    return o.run = true;
  case Meaning::RunArguments:
    return append(o.runArguments, "", value);
  case Meaning::Help:
    return setPhase(Phase::Help);
  case Meaning::Version:
    return setPhase(Phase::Version);
  case Meaning::ListArchitectures:
    return setPhase(Phase::ListArchitectures);
  case Meaning::CudaVersion: {
    char* end = nullptr;
    const long major = std::strtol(value.c_str(), &end, 10);
    if (end == value.c_str() || *end != '.' || major < 9 || major > 99 || end[1] < '0' ||
        end[1] > '9' || end[2] != 0)
      return fail("'" + word + "' takes a CUDA version such as 12.4, not '" + value + "'");
    o.cudaVersion = value;
    return true;
  }
  case Meaning::Form:
    o.form = value;
    return true;
  case Meaning::Report:
    o.report = value;
    return true;
  case Meaning::LineDirectives:
    return setFlag(o.lineDirectives, word, value);
  case Meaning::AllowUnsupported:
    return o.allowUnsupported = true;
  case Meaning::ExplainVectorisation:
    return o.explainVectorisation = true;
  }
  return fail("unknown option '" + word + "'");
}

bool Parser::finish() {
  Options& o = options_;
  if (o.phase == Phase::Help || o.phase == Phase::Version || o.phase == Phase::ListArchitectures)
    return true;
  if (o.inputs.empty())
    return fail("no input files; use option --help for more information");
  std::size_t sources = 0;
  for (Input& input : o.inputs) {
    if (isObject(input.path))
      input.language = Language::Object;
    else if (language_)
      input.language = *language_;
    else if (const std::optional<Language> language = languageOfFile(input.path))
      input.language = *language;
    else
      return fail("'" + input.path +
                  "': the kind of file is unknown; -x cu, -x c++ or -x c tells it");
    sources += input.language != Language::Object;
  }
  const bool perFile = o.phase == Phase::Compile || o.phase == Phase::Translate ||
                       o.phase == Phase::Preprocess || o.phase == Phase::Dependencies;
  if (perFile && !o.output.empty() && sources > 1)
    return fail("-o names one file, but there are " + std::to_string(sources) +
                " inputs to compile; leave -o out or compile them one by one");
  if (o.run && o.phase != Phase::Link)
    return fail("-run needs a program, and this command makes none");
  if (o.dependencies && !o.dependencyFile.empty() && sources > 1)
    return fail("-MF names one file, but there are " + std::to_string(sources) + " inputs");
  return true;
}

} // namespace

std::optional<Options> parseOptions(const std::vector<std::string>& words, std::string& error) {
  return Parser(words).parse(error);
}

} // namespace cu2cpp::cu2cc
