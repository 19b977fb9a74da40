// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The qualifiers (__host__, __align__ ...) under the name by which old programs include them.
#ifndef CU2CPP_HOST_DEFINES_H
#define CU2CPP_HOST_DEFINES_H

#include <cu2cpp/attributes.h>

#endif
