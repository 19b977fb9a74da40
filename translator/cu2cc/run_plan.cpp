// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Processes are started without a shell: words stay words.
#include "run_plan.h"

#include "words.h"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

extern char** environ;

namespace cu2cpp::cu2cc {
namespace {

namespace fs = std::filesystem;

/// start() runs one command to its end. 127 when it cannot be started, 128 + signal when it was
/// killed, as in a shell. `quietly`: what it says is nobody's concern.
int start(const Command& command, bool quietly = false) {
  std::vector<char*> arguments;
  for (const std::string& word : command.words)
    arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  std::fflush(nullptr);
  pid_t child = 0;
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  if (quietly)
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  const int failed = posix_spawnp(&child, arguments[0], &files, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (failed) {
    std::fprintf(stderr, "cu2cc: error: cannot run '%s': %s\n", arguments[0],
                 std::strerror(failed));
    return 127;
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return 127;
  if (WIFSIGNALED(status)) {
    std::fprintf(stderr, "cu2cc: error: '%s' was ended by signal %d\n", arguments[0],
                 WTERMSIG(status));
    return 128 + WTERMSIG(status);
  }
  return WEXITSTATUS(status);
}

/// Times collects a line for each command; jobs run side by side.
class Times {
public:
  void add(const Command& command, std::chrono::steady_clock::duration took) {
    const std::string& program = command.words.front();
    const std::lock_guard<std::mutex> hold(mutex_);
    text_ += program.substr(program.rfind('/') + 1) + "," + command.words.back() + "," +
             std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(took).count()) +
             "\n";
  }
  bool write(const std::string& path) const {
    if (path == "-")
      return std::printf("command,last word,milliseconds\n%s", text_.c_str()) > 0;
    std::ofstream file(path);
    file << "command,last word,milliseconds\n" << text_;
    return file.good();
  }

private:
  std::mutex mutex_;
  std::string text_;
};

/// startAgain() tries a compilation once more without vectorisers.
bool startAgain(const Command& command, const Options& options) {
  Command again = command;
  again.words.push_back("-fno-tree-vectorize");
  if (options.verbose)
    std::fprintf(stderr, "#$ %s\n", joinForShell(again.words).c_str());
  if (start(again, true) != 0)
    return false;
  std::fprintf(stderr,
               "cu2cc: warning: '%s' failed, see above; without its vectorisers "
               "(-fno-tree-vectorize) it did not, and that is the result\n",
               command.words.front().c_str());
  return true;
}

int runJob(const Job& job, const Options& options, Times& times) {
  for (const Command& command : job) {
    if (options.verbose)
      std::fprintf(stderr, "#$ %s\n", joinForShell(command.words).c_str());
    const auto begin = std::chrono::steady_clock::now();
    int code = start(command);
    if (code == 1 && command.mayBreakDown && startAgain(command, options))
      code = 0;
    times.add(command, std::chrono::steady_clock::now() - begin);
    if (command.translates && code == 1) {
      if (options.allowUnsupported)
        continue;
      std::fprintf(stderr,
                   "cu2cc: error: '%s' uses what cu2cpp does not support, see above; "
                   "--cu2cpp-allow-unsupported compiles it anyway\n",
                   command.words[1].c_str());
    }
    if (code != 0)
      return code;
  }
  return 0;
}

// Only the signal handler needs it outside of WorkDirectory: the path of the directory to remove.
char interruptedPath[4096];

extern "C" void removeAndDie(int signal) {
  // In a forked child everything is allowed again; the children that were compiling get the same
  // signal from the terminal.
  if (interruptedPath[0]) {
    const pid_t child = fork();
    if (child == 0) {
      execlp("rm", "rm", "-rf", interruptedPath, static_cast<char*>(nullptr));
      _exit(127);
    }
    if (child > 0)
      waitpid(child, nullptr, 0);
  }
  std::signal(signal, SIG_DFL);
  raise(signal);
}

} // namespace

bool WorkDirectory::create(std::string& error) {
  const char* base = std::getenv("TMPDIR");
  std::string name = std::string(base && *base ? base : "/tmp") + "/cu2cc-XXXXXX";
  if (!mkdtemp(name.data())) {
    error = "cannot make a temporary directory '" + name + "': " + std::strerror(errno);
    return false;
  }
  path_ = name;
  if (path_.size() < sizeof interruptedPath) {
    std::strcpy(interruptedPath, path_.c_str());
    for (int signal : {SIGINT, SIGTERM, SIGHUP})
      std::signal(signal, removeAndDie);
  }
  return true;
}

WorkDirectory::~WorkDirectory() {
  if (path_.empty())
    return;
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  interruptedPath[0] = 0;
}

void printPlan(const Plan& plan) {
  for (const Job& job : plan.jobs)
    for (const Command& command : job)
      std::fprintf(stderr, "#$ %s\n", joinForShell(command.words).c_str());
  for (const Command& command : plan.end)
    std::fprintf(stderr, "#$ %s\n", joinForShell(command.words).c_str());
}

int runPlan(const Plan& plan, const Options& options) {
  for (const std::string& directory : plan.directories) {
    std::error_code failed;
    fs::create_directories(directory, failed);
    if (failed) {
      std::fprintf(stderr, "cu2cc: error: cannot make the directory '%s': %s\n", directory.c_str(),
                   failed.message().c_str());
      return 2;
    }
  }
  Times times;
  std::atomic<std::size_t> next{0};
  std::atomic<int> result{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < plan.jobs.size() && result == 0; i = next++)
      if (const int code = runJob(plan.jobs[i], options, times)) {
        int none = 0;
        result.compare_exchange_strong(none, code);
      }
  };
  std::vector<std::thread> helpers;
  for (unsigned i = 1; i < options.threads && i < plan.jobs.size(); ++i)
    helpers.emplace_back(work);
  work();
  for (std::thread& helper : helpers)
    helper.join();
  if (result == 0)
    result = runJob(plan.end, options, times);
  if (!options.timeFile.empty() && !times.write(options.timeFile)) {
    std::fprintf(stderr, "cu2cc: error: cannot write '%s'\n", options.timeFile.c_str());
    return 2;
  }
  return result;
}

} // namespace cu2cpp::cu2cc
