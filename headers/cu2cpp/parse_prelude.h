// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the translator's parse reads before the user's file. Only the parse includes it.
#ifndef CU2CPP_PARSE_PRELUDE_H
#define CU2CPP_PARSE_PRELUDE_H

#include <cu2cpp/attributes.h>
// What the dialect overlay writes in place of `extern __shared__`.
#define CU2_DYNSH_ __attribute__((annotate("cu2cpp.shared"), annotate("cu2cpp.dynamic_shared")))

// What it writes around launches in kernels, which clang takes in any other function.
#define CU2_BEGIN_ [&] {
#define CU2_END_                                                                                   \
  ;                                                                                                \
  }                                                                                                \
  ()

// clang declares one operator new for the host and one for the device by itself; <new> declares the
// host's. But std::exception must be of both sides like all that follows, or the classes that
// override what() would not.
#if __has_include(<bits/exception.h>)
#include <cstddef>
#pragma clang force_cuda_host_device begin
#include <bits/exception.h>
#if __has_include(<bits/move.h>)
#include <bits/move.h> // std::swap() and its kin, which cuda::std has too
#endif
#pragma clang force_cuda_host_device end
#endif
#include <new>

#include <exception>
__attribute__((device)) inline void* operator new(std::size_t, void* place) noexcept {
  return place;
}
__attribute__((device)) inline void* operator new[](std::size_t, void* place) noexcept {
  return place;
}

// From here on every function is parsed as callable from host and device: nvcc allows calls
// (constexpr functions, host functions from `__host__ __device__` templates) that clang's own rules
// refuse. Stays open to the end of the file on purpose.
#pragma clang force_cuda_host_device begin

#include <cuda_runtime.h>

#include <cu2cpp/reference_names.h>

#endif
