// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuRAND's device functions: engines with NVIDIA's sequences, and distributions over them.
//
// cuRAND Library Programming Guide, 'Device API Overview'.
#ifndef CU2CPP_CURAND_KERNEL_H
#define CU2CPP_CURAND_KERNEL_H

#include <cu2cpp/device_functions.h>
#include <cuda_runtime.h>
#include <curand.h>

#include <cu2cpp/device/random_distributions.h>
#include <cu2cpp/device/random_engines.h>
#include <cu2cpp/device/random_sobol.h>

#endif
