// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A piece of random work checks that all that it depends on has ended. The flags are plain
// variables on purpose: ThreadSanitizer then checks the runtime's own synchronisation.
#ifndef CU2CPP_TESTS_RANDOM_PIECE_H
#define CU2CPP_TESTS_RANDOM_PIECE_H

#include <array>
#include <atomic>

#include "runtime_test.h"

constexpr int mostLaunches = 3;      // of one graph
constexpr int setByBytes = 0x010101; // what cudaMemset(…, 1, 3) leaves

/// Run is one execution of a piece of work; `done` counts up to `whole`.
struct Run {
  int* done = nullptr;
  int whole = 1;
  std::vector<Run*> before;
  bool ended() const { return *done == whole; }
};
/// Piece is work with a run for each launch of the graph that it is in.
struct Piece {
  std::array<Run*, mostLaunches> runs{};
  int launch = 0;
};

inline std::atomic<int> violations{0};

inline void check(const Run& run) {
  for (const Run* other : run.before)
    if (!other->ended())
      ++violations;
}
inline void finish(Piece* piece) {
  Run& run = *piece->runs[std::size_t(piece->launch++)];
  check(run);
  *run.done = 1;
}
inline void finishOnHost(void* piece) { finish(static_cast<Piece*>(piece)); }
inline void finishInKernel(Piece* piece) { finish(piece); }
// The parent's own end says nothing: those that follow it wait for the child.
inline void finishInChild(Piece* piece) { cu2cpp::launch(finishInKernel, 1, 1)(piece); }
inline void finishInAllBlocks(Run* run) {
  check(*run);
  __atomic_fetch_add(run->done, 1, __ATOMIC_RELAXED);
}

#endif
