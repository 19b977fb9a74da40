// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cooperative groups: the block, tiles of a warp, coalesced lanes, clusters and the grid.
//
// CUDA C++ Programming Guide, 'Cooperative Groups'.
#ifndef CU2CPP_COOPERATIVE_GROUPS_H
#define CU2CPP_COOPERATIVE_GROUPS_H

#include <cu2cpp/device_functions.h>
#include <cuda_runtime.h>

#include <cu2cpp/device/group.h>
#include <cu2cpp/device/group_cluster.h>
#include <cu2cpp/device/group_coalesced.h>
#include <cu2cpp/device/group_tile.h>
#ifndef CU2CPP_PARSE
#include <cu2cpp/device/together_groups.h>
#endif

#endif
