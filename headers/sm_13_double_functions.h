// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A name that older programs include; all of its functions are part of every translation.
#include <cuda_runtime.h>
