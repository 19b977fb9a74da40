// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cooperative_groups::reduce() and its operators.
#ifndef CU2CPP_COOPERATIVE_GROUPS_REDUCE_H
#define CU2CPP_COOPERATIVE_GROUPS_REDUCE_H

#include <cooperative_groups.h>
#include <cuda/atomic> // as NVIDIA's does: reduce_update_async() takes its atomics

#include <cu2cpp/device/group_reduce.h>

#endif
