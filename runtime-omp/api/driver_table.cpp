// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of the driver API by name.
#include "api/call.h"

void* cu2cpp::rt::driverFunction(const char*) { return nullptr; }
