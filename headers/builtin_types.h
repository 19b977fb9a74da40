// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The built-in types under the name by which old programs include them.
#ifndef CU2CPP_BUILTIN_TYPES_H
#define CU2CPP_BUILTIN_TYPES_H

#include <driver_types.h>

#endif
