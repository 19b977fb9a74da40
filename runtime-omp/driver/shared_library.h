// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What libcuda.so.1 asks of the runtime in the program.
#ifndef CU2CPP_DRIVER_SHARED_LIBRARY_H
#define CU2CPP_DRIVER_SHARED_LIBRARY_H

/// cu2cppDriverFunction() is the address of a function of the driver API, null for what is none.
/// Programs export it.
using DriverLookup = void*(const char* name);
extern "C" DriverLookup cu2cppDriverFunction;

#endif
