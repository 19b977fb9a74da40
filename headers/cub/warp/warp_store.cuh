// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// WarpLoad and WarpStore are one file.
#include <cub/warp/warp_load.cuh>
