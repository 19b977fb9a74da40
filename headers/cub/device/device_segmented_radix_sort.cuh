// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both sorts of segments are one file.
#include <cub/device/device_segmented_sort.cuh>
