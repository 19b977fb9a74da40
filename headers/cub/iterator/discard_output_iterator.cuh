// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Iterators without memory are one file.
#include <cub/iterator/counting_input_iterator.cuh>
