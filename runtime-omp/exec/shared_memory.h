// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory behind a block's shared variables: one arena per OS thread, reused from block to
// block, since a block stays on its thread. Costs nothing for kernels without shared memory.
#ifndef CU2CPP_EXEC_SHARED_MEMORY_H
#define CU2CPP_EXEC_SHARED_MEMORY_H

#include <cstddef>

namespace cu2cpp::rt {

/// staticSharedBytes() is the size of all shared variables that have a slot in the static arena.
std::size_t staticSharedBytes() noexcept;

/// dynamicArena() and staticArena() are this thread's memory for the running block, at least that
/// large, 1024-byte aligned; null for 0 bytes or when there is no memory. A later call may move it.
void* dynamicArena(std::size_t bytes) noexcept;
void* staticArena(std::size_t bytes) noexcept;

} // namespace cu2cpp::rt

#endif
