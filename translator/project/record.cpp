// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "project/record.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

namespace fs = std::filesystem;

namespace cu2cpp {
namespace {

const char usage[] = "usage: cu2cpp record [-o compile_commands.json] -- make ...\n"
                     "Runs a build and writes down its compilations. Start from a clean tree: what "
                     "is not compiled is not seen.\n";

/// A tool on PATH, as a path; empty where there is none.
std::string findTool(const std::string& name) {
  std::istringstream places(std::getenv("PATH") ? std::getenv("PATH") : "");
  for (std::string place; std::getline(places, place, ':');) {
    const std::string path = (place.empty() ? "." : place) + "/" + name;
    if (access(path.c_str(), X_OK) == 0 && fs::is_regular_file(path))
      return fs::absolute(path).string();
  }
  return {};
}

std::string quoted(const std::string& word) {
  std::string out = "'";
  for (const char c : word)
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

void writeScript(const std::string& path, const std::string& program, const std::string& log,
                 const std::string& tool) {
  std::ofstream(path) << "#!/bin/sh\nexec " << quoted(program) << " record-call " << quoted(log)
                      << " " << quoted(tool) << " \"$@\"\n";
  fs::permissions(path, fs::perms::owner_all);
}

/// A directory that looks like a CUDA Toolkit, with the script as its nvcc.
void makeToolkit(const std::string& place, const std::string& nvccScript,
                 const std::string& realNvcc, const std::string& program) {
  const fs::path bin = fs::path(realNvcc).parent_path();
  fs::path real = bin.filename() == "bin" ? bin.parent_path() : fs::path();
  if (real.empty() || !fs::exists(real / "include" / "cuda_runtime.h"))
    real = fs::path(program).parent_path().parent_path() / "lib" / "cu2cpp" / "toolkit";
  std::error_code ignored;
  fs::create_directories(place + "/bin", ignored);
  fs::create_symlink(nvccScript, place + "/bin/nvcc", ignored);
  for (const char* part : {"include", "lib64", "lib"})
    if (fs::exists(real / part, ignored))
      fs::create_symlink(fs::weakly_canonical(real / part), fs::path(place) / part, ignored);
}

int runBuild(const std::vector<std::string>& command) {
  const pid_t process = fork();
  if (process == 0) {
    std::vector<char*> argv;
    for (const std::string& word : command)
      argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    execvp(argv[0], argv.data());
    std::fprintf(stderr, "cu2cpp: error: cannot start %s: %s\n", argv[0], std::strerror(errno));
    _exit(127);
  }
  int status = 0;
  while (process > 0 && waitpid(process, &status, 0) < 0 && errno == EINTR)
    ;
  return process < 0 ? 127 : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// The entries of the log, and those of an earlier recording for files that this one did not see.
nlohmann::json merged(const std::string& log, const std::string& output, std::size_t& recorded,
                      std::size_t& cuda) {
  nlohmann::json all = nlohmann::json::array();
  std::set<std::string> files, lines;
  std::ifstream in(log);
  for (std::string line; std::getline(in, line);) {
    const auto entry = nlohmann::json::parse(line, nullptr, false);
    if (entry.is_discarded() || !lines.insert(line).second)
      continue;
    const std::string file = entry["file"];
    files.insert(file);
    cuda += fs::path(file).extension() == ".cu";
    all.push_back(entry);
  }
  recorded = all.size();
  std::ifstream old(output);
  const auto before = nlohmann::json::parse(old, nullptr, false);
  if (before.is_array())
    for (const auto& entry : before)
      if (entry.is_object() && entry.contains("file") && !files.count(entry["file"]) &&
          fs::exists(entry["file"].get<std::string>()))
        all.push_back(entry);
  return all;
}

} // namespace

std::vector<std::string> sourcesIn(const std::vector<std::string>& arguments) {
  static const std::set<std::string> withValue = {
      "-o",    "-MF",   "-MT",      "-MQ",      "-I",         "-D",        "-U",      "-L",
      "-l",    "-x",    "-include", "-isystem", "-Xcompiler", "-Xlinker",  "-Xptxas", "-gencode",
      "-arch", "-code", "-ccbin",   "-odir",    "-iquote",    "-idirafter"};
  static const std::set<std::string> sources = {".cu", ".cpp", ".cc", ".cxx", ".c", ".C"};
  std::vector<std::string> found;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (withValue.count(arguments[i]))
      ++i;
    else if (arguments[i] == "-E" || arguments[i] == "-M" || arguments[i] == "-MM")
      return {}; // nothing is compiled
    else if (arguments[i][0] != '-' && sources.count(fs::path(arguments[i]).extension().string()))
      found.push_back(arguments[i]);
  }
  return found;
}

int recordCall(const std::vector<std::string>& arguments) {
  if (arguments.size() < 2)
    return 2;
  const std::vector<std::string> options(arguments.begin() + 2, arguments.end());
  // What nvcc itself starts is no compilation of the project's.
  if (!std::getenv("CU2CPP_RECORDED")) {
    std::vector<std::string> words(arguments.begin() + 1, arguments.end());
    const std::string here = fs::current_path().string();
    std::string lines;
    for (const std::string& source : sourcesIn(options)) {
      const nlohmann::json entry = {{"directory", here},
                                    {"file", (fs::path(here) / source).lexically_normal().string()},
                                    {"arguments", words}};
      lines += entry.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    }
    // One write, so that calls of a parallel make do not mix.
    const int log = lines.empty() ? -1 : open(arguments[0].c_str(), O_WRONLY | O_APPEND);
    if (log >= 0) {
      if (write(log, lines.data(), lines.size()) < 0)
        std::perror("cu2cpp record");
      close(log);
    }
    setenv("CU2CPP_RECORDED", "1", 1);
  }
  std::vector<char*> argv;
  for (std::size_t i = 1; i < arguments.size(); ++i)
    argv.push_back(const_cast<char*>(arguments[i].c_str()));
  argv.push_back(nullptr);
  execv(argv[0], argv.data());
  std::fprintf(stderr, "cu2cpp: error: cannot start %s: %s\n", argv[0], std::strerror(errno));
  return 127;
}

int record(const std::string& program, const std::vector<std::string>& arguments) {
  std::string output = "compile_commands.json";
  std::vector<std::string> command;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--") {
      command.assign(arguments.begin() + std::ptrdiff_t(i) + 1, arguments.end());
      break;
    }
    if (arguments[i] == "-o" && i + 1 < arguments.size()) {
      output = arguments[++i];
    } else {
      std::fputs(usage, arguments[i] == "--help" ? stdout : stderr);
      return arguments[i] == "--help" ? 0 : 2;
    }
  }
  if (command.empty()) {
    std::fputs(usage, stderr);
    return 2;
  }
  std::string place = (fs::temp_directory_path() / "cu2cpp-record-XXXXXX").string();
  if (!mkdtemp(place.data())) {
    std::perror("cu2cpp record");
    return 2;
  }
  const std::string log = place + "/log", bin = place + "/bin";
  std::ofstream(log).flush();
  fs::create_directory(bin);
  std::string nvcc = findTool("nvcc");
  const std::string ours = (fs::path(program).parent_path() / "cu2cc").string();
  if (nvcc.empty())
    nvcc = ours;
  writeScript(bin + "/nvcc", program, log, nvcc);
  writeScript(bin + "/cu2cc", program, log, ours);
  for (const char* name : {"gcc", "g++", "cc", "c++", "clang", "clang++"})
    if (const std::string tool = findTool(name); !tool.empty())
      writeScript(bin + "/" + name, program, log, tool);
  makeToolkit(place + "/toolkit", bin + "/nvcc", nvcc, program);
  setenv("PATH", (bin + ":" + (std::getenv("PATH") ? std::getenv("PATH") : "")).c_str(), 1);
  for (const char* variable : {"CUDA_PATH", "CUDA_HOME"})
    setenv(variable, (place + "/toolkit").c_str(), 0);

  setenv("CU2CPP_RECORD", log.c_str(), 1); // a cu2cc that is called by its path records itself

  const int code = runBuild(command);
  std::size_t recorded = 0, cuda = 0;
  const nlohmann::json all = merged(log, output, recorded, cuda);
  fs::remove_all(place);
  std::ofstream out(output);
  out << all.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
  if (!out.flush()) {
    std::fprintf(stderr, "cu2cpp: error: cannot write %s\n", output.c_str());
    return 2;
  }
  std::printf("%s: %zu compilations recorded, %zu of CUDA sources\n", output.c_str(), recorded,
              cuda);
  if (!cuda)
    std::fputs("cu2cpp: warning: no CUDA source was compiled. Is the tree clean? A makefile that "
               "names NVIDIA's nvcc by its path takes `make NVCC=nvcc`.\n",
               stderr);
  return code;
}

} // namespace cu2cpp
