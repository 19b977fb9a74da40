// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing is configured for this system.
#include <thrust/detail/config.h>
