// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/module_compiler.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace files = std::filesystem;
extern char** environ;

// Where headers lay when the program was compiled: cu2cc is above them, wherever the installation
// was moved to.
extern "C" {
extern __attribute__((weak)) const char cu2cpp_nvrtc_header[];
extern __attribute__((weak)) const char cu2cpp_driver_header[];
}

namespace cu2cpp::rt {
namespace {

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

} // namespace

std::string textOf(const files::path& file) {
  std::ifstream in(file, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

void writeText(const files::path& file, const std::string& text) {
  files::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

std::string compilerCommand() {
  if (const char* chosen = std::getenv("CU2CPP_CU2CC"))
    return chosen;
  // <prefix>/lib/cu2cpp/include/nvrtc.h tells where an installation is now.
  for (const char* header : {cu2cpp_nvrtc_header, cu2cpp_driver_header})
    for (files::path folder = files::path(header ? header : "").parent_path();
         folder.is_absolute() && folder.has_relative_path(); folder = folder.parent_path())
      if (const files::path place = folder / "bin" / "cu2cc"; access(place.c_str(), X_OK) == 0)
        return place;
  for (const char* place : {CU2CPP_BUILD_CU2CC, CU2CPP_INSTALLED_CU2CC})
    if (access(place, X_OK) == 0)
      return place;
  return "cu2cc";
}

TemporaryFolder::TemporaryFolder() {
  std::string name = (files::temp_directory_path() / "cu2cpp-module-XXXXXX").string();
  if (mkdtemp(name.data()))
    path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty())
    files::remove_all(path_, ignored);
}

int runCompiler(const std::vector<std::string>& words, const files::path& output) {
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

CachedModule::CachedModule(const std::vector<std::string>& words, const std::string& text) {
  const files::path folder = cacheFolder();
  if (folder.empty())
    return;
  std::string key = text;
  for (const std::string& word : words)
    key += '\0' + word;
  // A compiler that has changed since makes other modules.
  std::error_code ignored;
  for (const files::path& program :
       {files::path(words[0]), files::path(words[0]).replace_filename("cu2cpp")})
    key += std::to_string(files::last_write_time(program, ignored).time_since_epoch().count());
  file_ = folder / (fingerprint(key) + ".module");
}

std::string CachedModule::find() const { return file_.empty() ? std::string() : textOf(file_); }

void CachedModule::keep(const std::string& module) const {
  std::error_code ignored;
  if (file_.empty())
    return;
  const files::path folder = file_.parent_path();
  if (!files::create_directories(folder, ignored) && !files::exists(folder, ignored))
    return;
  // Renamed into place, so that no other process sees a half of it.
  const files::path part = folder / (file_.filename().string() + std::to_string(getpid()));
  writeText(part, module);
  files::rename(part, file_, ignored);
}

namespace {

// `/tmp/x/module.ptx:12:1: error: PTX that is not translated: 'tex.2d' [CU1016] Make ...`
//   -> `ptxas application ptx input, line 12; error   : 'tex.2d'`
std::string inPtxasStyle(const std::string& messages, const std::string& file) {
  const std::string mark = "PTX that is not translated: ";
  const std::size_t what = messages.find(mark), place = messages.find(file + ":");
  if (what == std::string::npos || place == std::string::npos || place > what)
    return messages;
  const std::size_t text = what + mark.size();
  const std::string line = std::to_string(std::atoi(messages.c_str() + place + file.size() + 1));
  return "ptxas application ptx input, line " + line +
         "; error   : " + messages.substr(text, messages.find(" [CU", text) - text) +
         "\nptxas fatal   : Ptx assembly aborted due to errors\n";
}

} // namespace

Status compilePtx(const std::string& text, std::string& library, std::string& why) {
  std::vector<std::string> words = {compilerCommand(), "-cubin"};
  const CachedModule cached(words, text);
  library = cached.find();
  if (!library.empty())
    return Status::Ok;
  const TemporaryFolder work;
  if (work.path().empty()) {
    why = "no folder for temporary files";
    return Status::OutOfMemory;
  }
  const files::path source = work.path() / "module.ptx", module = work.path() / "module.cubin",
                    output = work.path() / "log";
  writeText(source, text);
  words.insert(words.end(), {"-o", module.string(), source.string()});
  const int status = runCompiler(words, output);
  if (status < 0 || status == 127) {
    why = "this is PTX, and cu2cc, which compiles it, can not be run: " + words[0];
    return Status::CompilerNotFound;
  }
  library = status == 0 ? textOf(module) : std::string();
  if (library.empty()) {
    why = inPtxasStyle(textOf(output), source.string());
    return Status::InvalidPtx;
  }
  cached.keep(library);
  return Status::Ok;
}

} // namespace cu2cpp::rt
