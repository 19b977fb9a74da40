// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one thread does with its own items is one file.
#include <cub/thread/thread_reduce.cuh>
