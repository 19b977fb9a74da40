// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work on many files at once, each in a process of its own: a crash costs one file, and the memory
// of a parse goes back to the system with its process.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace cu2cpp {

/// What a process gave back.
struct Outcome {
  std::string bytes;
  std::string crash; ///< why it ended early; empty where it did not
};

/// runParallel() runs work(0) ... work(count - 1), `jobs` at a time, and hands each result to
/// done() in this process, in the order in which they end.
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
