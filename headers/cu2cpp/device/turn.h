// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// giveTurn(): what atomics, fences and clocks call so that a thread that spins on memory lets the
// other threads of its block run. Fibers switch only where they say so; in all other forms the test
// of `turnsLeft` is all that is left of it.
#ifndef CU2CPP_DEVICE_TURN_H
#define CU2CPP_DEVICE_TURN_H

#include <cu2cpp/attributes.h>

namespace cu2cpp {
namespace detail {

/// turnsLeft is 0 unless this OS thread runs fibers; else the number of calls until the fiber must
/// give way.
extern __thread unsigned turnsLeft;
void takeTurn() noexcept;

/// onFibers() tells whether threads can wait for each other here. In all other forms the others
/// come before or after.
inline bool onFibers() noexcept { return turnsLeft != 0; }

inline void giveTurn() noexcept {
  if (__builtin_expect(turnsLeft != 0, 0))
    takeTurn();
}

} // namespace detail

/// pollTurn() is for loops that poll memory without any call: other threads of the block run, then
/// other OS threads.
void pollTurn() noexcept;

/// blocksMayWait() stands at the head of a kernel with such loops: blocks that wait for blocks
/// behind them get those to run too, on threads of their own, as a GPU has many blocks resident.
void blocksMayWait() noexcept;

} // namespace cu2cpp

#endif
