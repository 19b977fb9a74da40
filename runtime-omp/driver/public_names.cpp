// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The public names of the driver API's functions: each goes on to the runtime's own. They are weak,
// so that a program may have functions and variables of these names itself.
//
// CUDA Driver API, 'Driver Entry Point Access'.

/// cu2cppPublicNames stands for all of them where the whole runtime is asked for.
extern "C" const char cu2cppPublicNames = 0;

#if defined(__x86_64__)
#define CU2CPP_GO_TO(name) "endbr64\n  jmp cu2cpp_" name "@PLT\n"
#elif defined(__aarch64__)
#define CU2CPP_GO_TO(name) "b cu2cpp_" name "\n"
#else
#error "how does one jump on this processor?"
#endif

#define CU2CPP_FUNCTION(name)                                                                      \
  __asm__(".text\n.weak " #name "\n.type " #name ",@function\n" #name                              \
          ":\n  " CU2CPP_GO_TO(#name) ".size " #name ",.-" #name "\n");
#include "driver/functions.def"
