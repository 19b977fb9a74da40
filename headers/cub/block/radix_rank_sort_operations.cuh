// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Not offered. This file stands in the way of an installed CUB's own, which wants a GPU.
#error "cu2cpp does not support <cub/block/radix_rank_sort_operations.cuh>"
