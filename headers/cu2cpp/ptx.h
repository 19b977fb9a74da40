// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What inline PTX becomes where CUDA has no function of its own for an instruction. Translated code
// includes this file if it had inline PTX; functions carry the instructions' names.
//
// PTX ISA, 'Instruction Set' and 'Special Registers'.
#ifndef CU2CPP_PTX_H
#define CU2CPP_PTX_H

#include <cu2cpp/device/ptx_barrier.h>
#include <cu2cpp/device/ptx_integer.h>
#include <cu2cpp/device/ptx_matrix.h>
#include <cu2cpp/device/ptx_memory.h>
#include <cu2cpp/device/ptx_narrow.h>
#include <cu2cpp/device/ptx_special.h>
#include <cu2cpp/device/ptx_video.h>

#endif
