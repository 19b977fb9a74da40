// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Single elements and memory of the system are in element.h.
#include <thrust/system/cuda/detail/element.h>
