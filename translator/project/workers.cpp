// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "project/workers.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <vector>

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace cu2cpp {
namespace {

struct Worker {
  std::size_t item;
  pid_t process;
  int pipe;
  std::string bytes;
};

void writeAll(int descriptor, const std::string& bytes) {
  std::size_t at = 0;
  while (at < bytes.size()) {
    const ssize_t n = write(descriptor, bytes.data() + at, bytes.size() - at);
    if (n < 0 && errno != EINTR)
      return;
    at += n > 0 ? static_cast<std::size_t>(n) : 0;
  }
}

std::string howItEnded(int status) {
  if (WIFSIGNALED(status))
    return std::string("signal ") + strsignal(WTERMSIG(status));
  return "exit code " + std::to_string(WEXITSTATUS(status));
}

bool stopsOnSignal = false;
volatile std::sig_atomic_t stopWanted = 0;

/// Ends what still runs.
void abandon(std::vector<Worker>& running) {
  for (const Worker& worker : running)
    kill(worker.process, SIGKILL);
  for (const Worker& worker : running) {
    close(worker.pipe);
    while (waitpid(worker.process, nullptr, 0) < 0 && errno == EINTR)
      ;
  }
  running.clear();
}

/// Starts a process; the result's pipe is -1 where none could be started.
Worker start(std::size_t item, const std::function<std::string(std::size_t)>& work) {
  int ends[2];
  std::fflush(nullptr);
  if (pipe(ends) != 0)
    return {item, -1, -1, {}};
  const pid_t process = fork();
  if (process == 0) {
    if (stopsOnSignal) // which a terminal sends to all: the parent decides
      signal(SIGINT, SIG_IGN);
    close(ends[0]);
    writeAll(ends[1], work(item));
    close(ends[1]);
    _exit(0);
  }
  close(ends[1]);
  if (process < 0)
    close(ends[0]);
  return {item, process, process < 0 ? -1 : ends[0], {}};
}

} // namespace

StopOnSignal::StopOnSignal() {
  stopsOnSignal = true;
  stopWanted = 0;
  struct sigaction stop = {};
  stop.sa_handler = [](int) { stopWanted = 1; };
  sigaction(SIGINT, &stop, &interrupt_);
  sigaction(SIGTERM, &stop, &terminate_);
}

StopOnSignal::~StopOnSignal() {
  sigaction(SIGINT, &interrupt_, nullptr);
  sigaction(SIGTERM, &terminate_, nullptr);
  stopsOnSignal = false;
}

void runParallel(std::size_t count, unsigned jobs,
                 const std::function<std::string(std::size_t)>& work,
                 const std::function<void(std::size_t, Outcome)>& done) {
  std::vector<Worker> running;
  std::size_t next = 0;
  while (next < count || !running.empty()) {
    if (stopWanted) {
      stopWanted = 0;
      return abandon(running);
    }
    while (next < count && running.size() < (jobs ? jobs : 1)) {
      Worker worker = start(next, work);
      if (worker.pipe < 0) {
        if (!running.empty())
          break; // later, when others have ended
        done(next, {{}, std::strerror(errno)});
      } else {
        running.push_back(std::move(worker));
      }
      ++next;
    }
    std::vector<pollfd> waiting;
    for (const Worker& w : running)
      waiting.push_back({w.pipe, POLLIN, 0});
    if (waiting.empty() || poll(waiting.data(), waiting.size(), -1) < 0)
      continue;
    for (std::size_t i = running.size(); i-- > 0;) {
      if (!waiting[i].revents)
        continue;
      char buffer[65536];
      const ssize_t n = read(running[i].pipe, buffer, sizeof buffer);
      if (n > 0) {
        running[i].bytes.append(buffer, static_cast<std::size_t>(n));
        continue;
      }
      if (n < 0 && errno == EINTR)
        continue;
      close(running[i].pipe);
      int status = 0;
      while (waitpid(running[i].process, &status, 0) < 0 && errno == EINTR)
        ;
      Outcome outcome{std::move(running[i].bytes), {}};
      if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        outcome.crash = howItEnded(status);
      const std::size_t item = running[i].item;
      running.erase(running.begin() + std::ptrdiff_t(i));
      done(item, std::move(outcome));
    }
  }
}

Progress::Progress(std::size_t total, bool quiet)
    : total_(total), shown_(!quiet && total > 1 && isatty(STDERR_FILENO)) {}

void Progress::step(const std::string& name) {
  ++done_;
  if (!shown_)
    return;
  const std::size_t width = 24, filled = width * done_ / total_;
  const std::string bar = std::string(filled, '#') + std::string(width - filled, ' ');
  std::fprintf(stderr, "\r\033[K[%s] %zu/%zu %.60s", bar.c_str(), done_, total_, name.c_str());
}

void Progress::clear() {
  if (shown_)
    std::fprintf(stderr, "\r\033[K");
}

} // namespace cu2cpp
