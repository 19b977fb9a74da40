// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUB's small helpers are one file.
#include <cub/util_device.cuh>
