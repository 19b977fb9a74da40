// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime API under the name by which Thrust includes it.
#include <cuda_runtime_api.h>
