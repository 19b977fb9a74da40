// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// WarpMergeSort stands with BlockMergeSort.
#include <cub/block/block_merge_sort.cuh>
