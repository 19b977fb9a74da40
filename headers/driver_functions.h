// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// make_cudaPitchedPtr, make_cudaExtent and make_cudaPos, in C and C++.
//
// CUDA Runtime API, 'Memory Management'.
#ifndef CU2CPP_DRIVER_FUNCTIONS_H
#define CU2CPP_DRIVER_FUNCTIONS_H
#define __DRIVER_FUNCTIONS_H__ /* NVIDIA's guard, which programs test */

#include <driver_types.h>

static inline struct cudaPitchedPtr make_cudaPitchedPtr(void* d, size_t p, size_t xsz, size_t ysz) {
  struct cudaPitchedPtr result;
  result.ptr = d;
  result.pitch = p;
  result.xsize = xsz;
  result.ysize = ysz;
  return result;
}

static inline struct cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
  struct cudaPos result;
  result.x = x;
  result.y = y;
  result.z = z;
  return result;
}

static inline struct cudaExtent make_cudaExtent(size_t w, size_t h, size_t d) {
  struct cudaExtent result;
  result.width = w;
  result.height = h;
  result.depth = d;
  return result;
}

#endif
