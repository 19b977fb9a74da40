// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The policies of the system.
#include <thrust/system/cuda/detail/policy.h>
