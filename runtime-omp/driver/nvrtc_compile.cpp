// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compilation at run time by cu2cc, which is found through CU2CPP_CU2CC, above the headers that the
// program was compiled with, where this library was built or installed, or in the PATH. Modules are
// kept in a cache by content: $XDG_CACHE_HOME/cu2cpp, or what CU2CPP_CACHE names.
#include "driver/nvrtc_program.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/module.h"
#include "core/process.h"

namespace files = std::filesystem;
extern char** environ;

namespace {

using Program = _nvrtcProgram;

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
  // <prefix>/lib/cu2cpp/include/nvrtc.h tells where an installation is now.
  const files::path header = cu2cpp_nvrtc_header ? cu2cpp_nvrtc_header : "";
  for (files::path folder = header.parent_path();
       folder.is_absolute() && folder.has_relative_path(); folder = folder.parent_path())
    if (const files::path place = folder / "bin" / "cu2cc"; access(place.c_str(), X_OK) == 0)
      return place;
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

} // namespace

nvrtcResult cu2cpp::rt::compileProgram(Program& program, int count, const char* const* options) {
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
  std::string messages = textOf(output);
  // Messages name the program as its maker did.
  for (std::size_t at = 0; (at = messages.find(source.string(), at)) != std::string::npos;)
    messages.replace(at, source.string().size(), program.name);
  program.log += inNvrtcStyle(messages, program.name);
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
