// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each OS thread is running: nothing until block_loop.cpp sets it.
#include <cu2cpp/block.h>

namespace cu2cpp::detail {

__thread Context context = {};

} // namespace cu2cpp::detail
