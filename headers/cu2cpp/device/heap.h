// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// malloc(), calloc() and free() of device code, which take from a heap with a limit
// (cudaLimitMallocHeapSize). Translated kernels and device functions name these; in functions of
// both sides they are the C library's when the host calls.
//
// CUDA C++ Programming Guide, 'Dynamic Global Memory Allocation and Operations'.
#ifndef CU2CPP_DEVICE_HEAP_H
#define CU2CPP_DEVICE_HEAP_H

#include <stddef.h>

namespace cu2cpp {
namespace deviceHeap {

/// Null where the heap has no room; like a GPU's, memory is aligned to 16 bytes.
void* malloc(size_t bytes) noexcept;
void* calloc(size_t count, size_t bytes) noexcept;
void free(void* memory) noexcept;

} // namespace deviceHeap
} // namespace cu2cpp

#endif
