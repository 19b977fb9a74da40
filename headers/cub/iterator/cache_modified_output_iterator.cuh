// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cache modifiers are one file.
#include <cub/thread/thread_load.cuh>
