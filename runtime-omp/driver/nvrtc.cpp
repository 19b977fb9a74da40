// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compilation at run time by cu2cc, which is found through CU2CPP_CU2CC, beside what built this
// library, or in the PATH. Modules are kept in a cache by content: $XDG_CACHE_HOME/cu2cpp, or what
// CU2CPP_CACHE names.
//
// NVRTC, 'User Interface'.
#include <nvrtc.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cuda_runtime_api.h>

#include "core/module.h"
#include "core/process.h"

namespace files = std::filesystem;
extern char** environ;

struct _nvrtcProgram {
  std::string source, name;
  std::map<std::string, std::string> headers; // by the name under which they are included
  std::vector<std::string> expressions;
  std::map<std::string, std::string> lowered;
  std::string module, log;
  bool compiled = false;
};

namespace {

using Program = _nvrtcProgram;

cu2cpp::rt::HandleTable<Program>& programs() {
  static auto& theTable = *new cu2cpp::rt::HandleTable<Program>;
  return theTable;
}

template <class Body> nvrtcResult programCall(nvrtcProgram handle, Body body) noexcept {
  try {
    const std::shared_ptr<Program> program = programs().find(handle);
    return program ? body(*program) : NVRTC_ERROR_INVALID_PROGRAM;
  } catch (const std::bad_alloc&) {
    return NVRTC_ERROR_OUT_OF_MEMORY;
  } catch (...) {
    return NVRTC_ERROR_INTERNAL_ERROR;
  }
}

std::string textOf(const files::path& file) {
  std::ifstream in(file, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

void writeText(const files::path& file, const std::string& text) {
  files::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

// False for a name that would lead to a place outside of the program's folder. An absolute one is
// fine if the compiler will find the same text there by itself.
bool writeHeader(const files::path& folder, const std::string& name, const std::string& text) {
  const files::path file = (folder / name).lexically_normal(), parent = folder.parent_path();
  if (std::mismatch(parent.begin(), parent.end(), file.begin(), file.end()).first != parent.end())
    return textOf(file) == text && files::path(name).is_absolute();
  writeText(file, text);
  return true;
}

std::string compiler() {
  if (const char* chosen = std::getenv("CU2CPP_CU2CC"))
    return chosen;
  for (const char* place : {CU2CPP_BUILD_CU2CC, CU2CPP_INSTALLED_CU2CC})
    if (access(place, X_OK) == 0)
      return place;
  return "cu2cc";
}

/// TemporaryFolder goes with what is in it.
class TemporaryFolder {
public:
  TemporaryFolder() {
    std::string name = (files::temp_directory_path() / "cu2cpp-nvrtc-XXXXXX").string();
    if (mkdtemp(name.data()))
      path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty())
      files::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  const files::path& path() const { return path_; }

private:
  files::path path_;
};

// Runs a command with both outputs in a file; the exit status, or -1.
int run(const std::vector<std::string>& words, const files::path& output) {
  std::vector<char*> arguments;
  for (const std::string& word : words)
    arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t child = 0;
  const int error =
      posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  if (error != 0)
    return -1;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// FNV-1a, 128 bits as two of 64 with different starts: a name for content, not a secret.
std::string fingerprint(const std::string& text) {
  std::array<unsigned long long, 2> hash{0xcbf29ce484222325ull, 0x84222325cbf29ce4ull};
  for (const unsigned char c : text)
    for (unsigned long long& h : hash)
      h = (h ^ c) * 0x100000001b3ull;
  char name[33];
  std::snprintf(name, sizeof name, "%016llx%016llx", hash[0], hash[1] ^ text.size());
  return name;
}

files::path cacheFolder() {
  if (const char* chosen = std::getenv("CU2CPP_CACHE"))
    return chosen;
  if (const char* folder = std::getenv("XDG_CACHE_HOME"))
    return files::path(folder) / "cu2cpp";
  if (const char* home = std::getenv("HOME"))
    return files::path(home) / ".cache" / "cu2cpp";
  return {};
}

// Options about GPU code, diagnostics and the speed of compilation.
bool hasNoMeaningHere(const std::string& option) {
  static const char* const names[] = {"gpu-architecture",
                                      "arch",
                                      "device-c",
                                      "dc",
                                      "device-w",
                                      "dw",
                                      "relocatable-device-code",
                                      "rdc",
                                      "extensible-whole-program",
                                      "ewp",
                                      "generate-line-info",
                                      "lineinfo",
                                      "dopt",
                                      "ptxas-options",
                                      "Xptxas",
                                      "maxrregcount",
                                      "ftz",
                                      "prec-sqrt",
                                      "prec-div",
                                      "extra-device-vectorization",
                                      "modify-stack-limit",
                                      "dlink-time-opt",
                                      "dlto",
                                      "gen-opt-lto",
                                      "optix-ir",
                                      "jump-table-density",
                                      "device-stack-protector",
                                      "no-cache",
                                      "frandom-seed",
                                      "no-source-include",
                                      "builtin-move-forward",
                                      "builtin-initializer-list",
                                      "pch",
                                      "create-pch",
                                      "use-pch",
                                      "pch-dir",
                                      "pch-verbose",
                                      "pch-messages",
                                      "instantiate-templates-in-pch",
                                      "disable-warnings",
                                      "w",
                                      "Wreorder",
                                      "warning-as-error",
                                      "Werror",
                                      "restrict",
                                      "device-as-default-execution-space",
                                      "default-device",
                                      "device-int128",
                                      "device-float128",
                                      "optimization-info",
                                      "opt-info",
                                      "display-error-number",
                                      "err-no",
                                      "no-display-error-number",
                                      "no-err-no",
                                      "diag-error",
                                      "diag-suppress",
                                      "diag-warn",
                                      "brief-diagnostics",
                                      "brief-diag",
                                      "time",
                                      "split-compile",
                                      "fdevice-syntax-only",
                                      "minimal",
                                      "version-ident",
                                      "fdevice-time-trace",
                                      "Ofast-compile",
                                      "Ofc",
                                      "ptx",
                                      "cubin"};
  std::string name = option.substr(option.find_first_not_of('-'));
  name.resize(std::min(name.find_first_of("= "), name.size()));
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

// Options of NVRTC that cu2cc has too.
nvrtcResult translateOptions(int count, const char* const* options, std::vector<std::string>& words,
                             std::string& log) {
  for (int i = 0; i < count; ++i) {
    std::string option = options[i];
    const auto startsWith = [&](const char* prefix) { return option.rfind(prefix, 0) == 0; };
    const auto value = [&](const char* longName, const char* shortName) {
      if (startsWith(longName)) {
        std::string rest = option.substr(std::strlen(longName));
        if (!rest.empty() && rest[0] == '=')
          rest.erase(0, 1);
        if (rest.empty() && i + 1 < count)
          rest = options[++i];
        words.push_back(shortName + rest);
        return true;
      }
      return false;
    };
    if (value("--include-path", "-I") || value("--define-macro", "-D") ||
        value("--undefine-macro", "-U") || value("-I", "-I") || value("-D", "-D") ||
        value("-U", "-U") || value("--std", "-std=") || value("-std", "-std="))
      continue;
    if (startsWith("--pre-include=")) {
      words.push_back("-include");
      words.push_back(option.substr(std::strlen("--pre-include=")));
    } else if (option == "--use_fast_math" || option == "-use_fast_math") {
      words.push_back("--use_fast_math");
    } else if (startsWith("--fmad") || startsWith("-fmad")) {
      words.push_back(option[1] == '-' ? option : "-" + option);
    } else if (option == "-G" || option == "--device-debug") {
      words.push_back("-G");
    } else if (option == "--gpu-architecture" || option == "-arch") {
      ++i;
    } else if (option.find_first_not_of('-') == 0 ||
               option.find_first_not_of('-') == std::string::npos || !hasNoMeaningHere(option)) {
      log = "nvrtc: error: unrecognized option '" + option + "'\n";
      return NVRTC_ERROR_INVALID_OPTION;
    }
  }
  return NVRTC_SUCCESS;
}

// A variable for each name expression holds the address of the kernel or the variable, from which
// its name is read.
std::string sourceWithNames(const Program& program) {
  std::string text = program.source;
  for (std::size_t i = 0; i < program.expressions.size(); ++i) {
    std::string expression = program.expressions[i];
    if (expression.rfind('&', 0) == 0)
      expression.erase(0, 1);
    text += "\nextern \"C\" void* cu2cpp_name_" + std::to_string(i) + ";\nvoid* cu2cpp_name_" +
            std::to_string(i) + " = (void*)&(" + expression + ");\n";
  }
  return text;
}

bool findLoweredNames(Program& program) {
  if (program.expressions.empty())
    return true;
  std::shared_ptr<cu2cpp::rt::Module> module;
  std::string why;
  if (cu2cpp::rt::Module::loadImage(program.module.c_str(), module, why) !=
      cu2cpp::rt::Status::Ok) {
    program.log += why + "\n";
    return false;
  }
  for (std::size_t i = 0; i < program.expressions.size(); ++i) {
    const std::string name = module->nameBehind("cu2cpp_name_" + std::to_string(i));
    if (name.empty())
      return false;
    program.lowered[program.expressions[i]] = name;
  }
  return true;
}

// Whether all that is included with quotes came with the program.
bool includesOnlyGiven(const Program& program) {
  const std::string start = "#include \"";
  std::string all = program.source;
  for (const auto& entry : program.headers)
    all += "\n" + entry.second;
  for (std::size_t at = 0; (at = all.find(start, at)) != std::string::npos;) {
    at += start.size();
    if (!program.headers.count(all.substr(at, all.find('"', at) - at)))
      return false;
  }
  return true;
}

nvrtcResult compile(Program& program, int count, const char* const* options) {
  program.log.clear();
  program.module.clear();
  program.lowered.clear();
  program.compiled = false;
  std::vector<std::string> words = {compiler(), "-ptx", "--cu2cpp-allow-unsupported"};
  if (const nvrtcResult result = translateOptions(count, options, words, program.log);
      result != NVRTC_SUCCESS)
    return result;
  std::string key = sourceWithNames(program) + '\0' + program.name;
  for (const auto& [name, text] : program.headers)
    key += '\0' + name + '\0' + text;
  for (const std::string& word : words)
    key += '\0' + word;
  // A compiler that has changed since makes other modules.
  std::error_code ignored;
  key += std::to_string(files::last_write_time(words[0], ignored).time_since_epoch().count());
  // Headers that lie in folders may change without a trace in the key.
  const bool mayCache = includesOnlyGiven(program);
  const files::path folder = mayCache ? cacheFolder() : files::path();
  const files::path cached = folder.empty() ? folder : folder / (fingerprint(key) + ".module");
  if (!cached.empty() && files::exists(cached, ignored)) {
    program.module = textOf(cached);
    program.compiled = true;
    return findLoweredNames(program) ? NVRTC_SUCCESS : NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
  }

  const TemporaryFolder work;
  if (work.path().empty())
    return NVRTC_ERROR_INTERNAL_ERROR;
  std::string stem = files::path(program.name).filename().string();
  if (stem.size() < 4 || stem.substr(stem.size() - 3) != ".cu")
    stem += ".cu";
  const files::path source = work.path() / stem, module = work.path() / "module.ptx",
                    output = work.path() / "log";
  writeText(source, sourceWithNames(program));
  for (const auto& [name, text] : program.headers)
    if (!writeHeader(work.path() / "headers", name, text)) {
      program.log =
          "nvrtc: error: header '" + name + "' would lie outside of the program's folder\n";
      return NVRTC_ERROR_COMPILATION;
    }
  if (!program.headers.empty())
    words.push_back("-I" + (work.path() / "headers").string());
  // A program's own includes are looked for beside it, or where the process runs.
  words.push_back("-I" +
                  files::absolute(files::path(program.name), ignored).parent_path().string());
  words.insert(words.end(), {"-o", module.string(), source.string()});
  const int status = run(words, output);
  program.log += textOf(output);
  // Messages name the program as its maker did.
  for (std::size_t at = 0; (at = program.log.find(source.string(), at)) != std::string::npos;)
    program.log.replace(at, source.string().size(), program.name);
  if (status < 0)
    program.log += "nvrtc: error: can not run " + words[0] + "\n";
  if (status != 0 || !files::exists(module, ignored))
    return NVRTC_ERROR_COMPILATION;
  program.module = textOf(module);
  program.compiled = true;
  if (!cached.empty() &&
      files::create_directories(folder, ignored) | files::exists(folder, ignored)) {
    // Renamed into place, so that no other process sees a half of it.
    const files::path part = folder / (cached.filename().string() + std::to_string(getpid()));
    writeText(part, program.module);
    files::rename(part, cached, ignored);
  }
  return findLoweredNames(program) ? NVRTC_SUCCESS : NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}

nvrtcResult give(const std::string& text, bool terminated, char* out) {
  if (!out)
    return NVRTC_ERROR_INVALID_INPUT;
  std::memcpy(out, text.c_str(), text.size() + terminated);
  return NVRTC_SUCCESS;
}

} // namespace

extern "C" const char* nvrtcGetErrorString(nvrtcResult result) {
  static const char* const names[] = {"NVRTC_SUCCESS",
                                      "NVRTC_ERROR_OUT_OF_MEMORY",
                                      "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
                                      "NVRTC_ERROR_INVALID_INPUT",
                                      "NVRTC_ERROR_INVALID_PROGRAM",
                                      "NVRTC_ERROR_INVALID_OPTION",
                                      "NVRTC_ERROR_COMPILATION",
                                      "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
                                      "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
                                      "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
                                      "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
                                      "NVRTC_ERROR_INTERNAL_ERROR",
                                      "NVRTC_ERROR_TIME_FILE_WRITE_FAILED"};
  return unsigned(result) < std::size(names) ? names[result] : "NVRTC_ERROR unknown";
}

extern "C" nvrtcResult nvrtcVersion(int* major, int* minor) {
  if (!major || !minor)
    return NVRTC_ERROR_INVALID_INPUT;
  *major = CUDART_VERSION / 1000;
  *minor = CUDART_VERSION % 1000 / 10;
  return NVRTC_SUCCESS;
}

// One: the architecture that device code sees here.
extern "C" nvrtcResult nvrtcGetNumSupportedArchs(int* numArchs) {
  if (!numArchs)
    return NVRTC_ERROR_INVALID_INPUT;
  *numArchs = 1;
  return NVRTC_SUCCESS;
}
extern "C" nvrtcResult nvrtcGetSupportedArchs(int* supportedArchs) {
  if (!supportedArchs)
    return NVRTC_ERROR_INVALID_INPUT;
  *supportedArchs = 90;
  return NVRTC_SUCCESS;
}

extern "C" nvrtcResult nvrtcCreateProgram(nvrtcProgram* prog, const char* src, const char* name,
                                          int numHeaders, const char* const* headers,
                                          const char* const* includeNames) {
  if (!prog)
    return NVRTC_ERROR_INVALID_PROGRAM;
  if (!src || numHeaders < 0 || (numHeaders > 0 && (!headers || !includeNames)))
    return NVRTC_ERROR_INVALID_INPUT;
  for (int i = 0; i < numHeaders; ++i)
    if (!headers[i] || !includeNames[i])
      return NVRTC_ERROR_INVALID_INPUT;
  try {
    auto program = std::make_shared<Program>();
    program->source = src;
    program->name = name && *name ? name : "default_program";
    for (int i = 0; i < numHeaders; ++i)
      program->headers[includeNames[i]] = headers[i];
    *prog = program.get();
    programs().add(std::move(program));
    return NVRTC_SUCCESS;
  } catch (const std::bad_alloc&) {
    return NVRTC_ERROR_OUT_OF_MEMORY;
  }
}

extern "C" nvrtcResult nvrtcDestroyProgram(nvrtcProgram* prog) {
  if (!prog || !programs().remove(*prog))
    return NVRTC_ERROR_INVALID_PROGRAM;
  *prog = nullptr;
  return NVRTC_SUCCESS;
}

extern "C" nvrtcResult nvrtcCompileProgram(nvrtcProgram prog, int numOptions,
                                           const char* const* options) {
  return programCall(prog, [=](Program& program) {
    if (numOptions < 0 || (numOptions > 0 && !options))
      return NVRTC_ERROR_INVALID_INPUT;
    return compile(program, numOptions, options);
  });
}

extern "C" nvrtcResult nvrtcGetPTXSize(nvrtcProgram prog, size_t* ptxSizeRet) {
  return programCall(prog, [=](Program& program) {
    if (!ptxSizeRet)
      return NVRTC_ERROR_INVALID_INPUT;
    *ptxSizeRet = program.module.size() + 1;
    return NVRTC_SUCCESS;
  });
}
extern "C" nvrtcResult nvrtcGetPTX(nvrtcProgram prog, char* ptx) {
  return programCall(prog, [=](Program& program) {
    return program.compiled ? give(program.module, true, ptx) : NVRTC_ERROR_INVALID_PROGRAM;
  });
}
extern "C" nvrtcResult nvrtcGetCUBINSize(nvrtcProgram prog, size_t* cubinSizeRet) {
  return programCall(prog, [=](Program& program) {
    if (!cubinSizeRet || !program.compiled)
      return cubinSizeRet ? NVRTC_ERROR_INVALID_PROGRAM : NVRTC_ERROR_INVALID_INPUT;
    *cubinSizeRet = cu2cpp::rt::Module::binaryOf(program.module.c_str()).size();
    return NVRTC_SUCCESS;
  });
}
extern "C" nvrtcResult nvrtcGetCUBIN(nvrtcProgram prog, char* cubin) {
  return programCall(prog, [=](Program& program) {
    return program.compiled
               ? give(cu2cpp::rt::Module::binaryOf(program.module.c_str()), false, cubin)
               : NVRTC_ERROR_INVALID_PROGRAM;
  });
}
extern "C" nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram prog, size_t* logSizeRet) {
  return programCall(prog, [=](Program& program) {
    if (!logSizeRet)
      return NVRTC_ERROR_INVALID_INPUT;
    *logSizeRet = program.log.size() + 1;
    return NVRTC_SUCCESS;
  });
}
extern "C" nvrtcResult nvrtcGetProgramLog(nvrtcProgram prog, char* log) {
  return programCall(prog, [=](Program& program) { return give(program.log, true, log); });
}

extern "C" nvrtcResult nvrtcAddNameExpression(nvrtcProgram prog, const char* const name) {
  return programCall(prog, [=](Program& program) {
    if (!name)
      return NVRTC_ERROR_INVALID_INPUT;
    if (program.compiled)
      return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
    program.expressions.push_back(name);
    return NVRTC_SUCCESS;
  });
}
extern "C" nvrtcResult nvrtcGetLoweredName(nvrtcProgram prog, const char* const name,
                                           const char** lowered_name) {
  return programCall(prog, [=](Program& program) {
    if (!name || !lowered_name)
      return NVRTC_ERROR_INVALID_INPUT;
    if (!program.compiled)
      return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
    const auto found = program.lowered.find(name);
    if (found == program.lowered.end())
      return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
    *lowered_name = found->second.c_str();
    return NVRTC_SUCCESS;
  });
}
