// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DeviceSegmentedReduce stands with DeviceReduce.
#include <cub/device/device_reduce.cuh>
