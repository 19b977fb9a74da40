// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The per-thread default stream: a program compiled with CUDA_API_PER_THREAD_DEFAULT_STREAM (nvcc's
// `--default-stream per-thread`) means the calling thread's own stream by stream 0. It holds for
// the whole program, not only for the files that were compiled so.
//
// CUDA C++ Programming Guide, 'Default Stream'.
#ifndef CU2CPP_API_DEFAULT_STREAM_H
#define CU2CPP_API_DEFAULT_STREAM_H

namespace cu2cpp {
namespace detail {

/// usePerThreadDefaultStream() makes stream 0 the calling thread's own from now on; returns true.
bool usePerThreadDefaultStream() noexcept;

#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
[[maybe_unused]] static const bool perThreadDefaultStream = usePerThreadDefaultStream();
#endif

} // namespace detail
} // namespace cu2cpp

#endif
