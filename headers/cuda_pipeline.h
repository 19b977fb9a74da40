// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies to shared memory in the style of C: __pipeline_memcpy_async() and its kin. A copy is done
// when it is asked for, so that waiting has nothing to do; threads still meet at __syncthreads().
//
// CUDA C++ Programming Guide, 'Pipeline Primitives Interface'.
#ifndef CU2CPP_CUDA_PIPELINE_H
#define CU2CPP_CUDA_PIPELINE_H

#include <cstddef>
#include <cstring>

#include <cuda_awbarrier.h>

/// Copies size - zfill bytes and fills the rest with zeros.
inline void __pipeline_memcpy_async(void* __restrict__ to, const void* __restrict__ from,
                                    std::size_t size, std::size_t zfill = 0) {
  std::memcpy(to, from, size - zfill);
  std::memset(static_cast<char*>(to) + (size - zfill), 0, zfill);
}
inline void __pipeline_commit() {}
inline void __pipeline_wait_prior(std::size_t) {}
/// The barrier expects one arrival more for the copies; they have arrived.
inline void __pipeline_arrive_on(__mbarrier_t*) {}

#endif
