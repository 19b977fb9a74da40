// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all copy functions of the API come down to: a checked box of memory, queued on a stream.
//
// CUDA Runtime API, 'API synchronization behavior'.
#ifndef CU2CPP_API_COPYING_H
#define CU2CPP_API_COPYING_H

#include "api/call.h"

namespace cu2cpp::rt {

/// Mode says whether the API function that asks is a synchronous one.
enum class Mode { Sync, Async };

/// copyBox() checks the copy and queues it; returns when CUDA's rules let the function return.
Status copyBox(const std::shared_ptr<Stream>& stream, const Box& to, const Box& from,
               const Extent& extent, cudaMemcpyKind kind, Mode mode);

/// checkCopy() is the check of copyBox().
Status checkCopy(const Box& to, const Box& from, const Extent& extent, cudaMemcpyKind kind);

/// boxesOf() reads the parameters of a three-dimensional copy, arrays included.
Status boxesOf(const cudaMemcpy3DParms& params, Box& to, Box& from, Extent& extent);

/// fillBox() is copyBox() for the memset functions; the value fills elements of 1, 2 or 4 bytes.
Status fillBox(const std::shared_ptr<Stream>& stream, const Box& to, int value,
               const Extent& extent, Mode mode, unsigned elementBytes = 1);

} // namespace cu2cpp::rt

#endif
