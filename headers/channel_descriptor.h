// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kept for programs that include it by name. Textures and CUDA arrays are not there yet, so it
// declares nothing and a program that uses them gets its compiler's 'undeclared' error.
#ifndef CU2CPP_CHANNEL_DESCRIPTOR_H
#define CU2CPP_CHANNEL_DESCRIPTOR_H

#include <driver_types.h>

#endif
