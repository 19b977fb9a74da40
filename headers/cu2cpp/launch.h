// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The contract between translated code and the runtime. cu2cpp inserts `#include <cu2cpp/launch.h>`
// as the first line of each translated file, and everything that translated code calls beyond
// CUDA's own names is declared here.
//
//   __global__ void scale(float* x, float a, int n) {      void scale(float* x, float a, int n) {
//     int i = blockIdx.x * blockDim.x + threadIdx.x;          const cu2cpp::Block& cuBlock =
//     cu2cpp::thisBlock(); if (i >= n) return;                              ->     const uint3
//     blockIdx = cuBlock.blockIdx; ... x[i] *= a; cu2cpp::eachThread(cuBlock, [&](const uint3
//     threadIdx) {
//   }                                                           ... the body, unchanged ...
//   scale<<<grid, 256>>>(x, 2.0f, n);                         }); }
//                                                           cu2cpp::launch(scale, grid,
//                                                           256)(x, 2.0f, n);
//
// A translated kernel keeps its name and its parameters. Calling it runs ONE block: the one that
// thisBlock() names.
#ifndef CU2CPP_LAUNCH_H
#define CU2CPP_LAUNCH_H

// nvcc defines both for every .cu file; user code tests them, so translated code must see them too.
#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#ifndef __NVCC__
#define __NVCC__ 1
#endif
// The parse sees the same values (translator/parse/cuda_invocation.cpp): both must take the same
// #if branches.
#ifndef __CUDACC_VER_MAJOR__
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 4
#endif
#ifndef __CUDACC_VER_BUILD__
#define __CUDACC_VER_BUILD__ 0
#endif
#ifndef __CUDACC_EXTENDED_LAMBDA__
#define __CUDACC_EXTENDED_LAMBDA__ 1
#endif
// What __CUDA_ARCH__ reads as in device code (the translator writes this name in its place).
#define CU2CPP_ARCH__ 900

// Host functions beside kernels, which cu2cc compiles with fused products and vectors of
// mathematical functions: neither is to change what they compute (see rewrite_host_arithmetic.cpp).
#if defined(__clang__)
#define CU2CPP_HOST_ARITHMETIC _Pragma("clang fp contract(off)")
#define CU2CPP_HOST_LOOP _Pragma("clang loop vectorize(disable)")
#else
#define CU2CPP_HOST_ARITHMETIC
#define CU2CPP_HOST_LOOP
#endif

// Before anything includes <stdio.h>.
#include <cu2cpp/device/printf.h>

#include <cuda_runtime.h>

#include <cu2cpp/block.h>
// A host file may have included <cuda_runtime.h> before a translated header, and without these.
#include <cu2cpp/device/heap.h>
#include <cu2cpp/device/together.h>
#include <cu2cpp/device_functions.h>
#include <cu2cpp/kernel_call.h>
#include <cu2cpp/split.h>

#endif
