// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuProfilerStart() and its kin are declared with the rest of the driver API.
#ifndef CU2CPP_CUDA_PROFILER_H
#define CU2CPP_CUDA_PROFILER_H

#include <cuda.h>

#endif
