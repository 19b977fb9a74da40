// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cooperative_groups::inclusive_scan() and exclusive_scan().
#ifndef CU2CPP_COOPERATIVE_GROUPS_SCAN_H
#define CU2CPP_COOPERATIVE_GROUPS_SCAN_H

#include <cooperative_groups.h>
#include <cu2cpp/device/group_reduce.h>

#endif
