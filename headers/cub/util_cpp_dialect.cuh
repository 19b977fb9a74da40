// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing is configured here; the names that programs use are in util_type.cuh.
#include <cub/util_type.cuh>
