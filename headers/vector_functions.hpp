// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Older code includes this name for the bodies of make_*().
#include <vector_functions.h>
