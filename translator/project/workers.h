// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work on many files at once, each in a process of its own: a crash costs one file, and the memory
// of a parse goes back to the system with its process.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include <signal.h>

namespace cu2cpp {

/// What a process gave back.
struct Outcome {
  std::string bytes;
  std::string crash; ///< why it ended early; empty where it did not
};

/// StopOnSignal lets Ctrl-C and SIGTERM end the current runParallel() instead of the program, so
/// that what is there by then is not lost.
class StopOnSignal {
public:
  StopOnSignal();
  ~StopOnSignal();
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;

private:
  struct sigaction interrupt_, terminate_; ///< as they were
};

/// runParallel() runs work(0) ... work(count - 1), `jobs` at a time, and hands each result to
/// done() in this process, in the order in which they end. Work that StopOnSignal cuts off, and all
/// that comes after it, is not handed to done().
void runParallel(std::size_t count, unsigned jobs,
                 const std::function<std::string(std::size_t)>& work,
                 const std::function<void(std::size_t, Outcome)>& done);

/// Progress is a bar on the terminal; nothing where stderr is none or the run is quiet.
class Progress {
public:
  Progress(std::size_t total, bool quiet);
  ~Progress() { clear(); }
  void step(const std::string& name);
  void clear(); ///< makes room for other output

private:
  std::size_t total_, done_ = 0;
  bool shown_;
};

} // namespace cu2cpp
