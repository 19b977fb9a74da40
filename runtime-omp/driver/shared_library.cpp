// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libcuda.so.1, for programs that find the driver API by dlopen() and dlsym(). The runtime is part
// of a program that cu2cc has linked, and each function here goes on to that one, so that there is
// one state in the process. In a program of another making the library's own runtime does the work.
//
// CUDA Driver API, 'Initialization'.
#include <cuda.h>

#include <dlfcn.h>

#include "driver/shared_library.h"

// A variable for each function, and the function, which jumps to where that points.
#if defined(__x86_64__)
#define CU2CPP_GO_TO(name) "endbr64\n  jmp *cu2cppTo_" name "(%rip)\n"
#else
#define CU2CPP_GO_TO(name)                                                                         \
  "adrp x16, cu2cppTo_" name "\n  ldr x16, [x16, #:lo12:cu2cppTo_" name "]\n  br x16\n"
#endif
#define CU2CPP_FUNCTION(name)                                                                      \
  extern "C" {                                                                                     \
  __attribute__((visibility("hidden"), used)) void* cu2cppTo_##name = nullptr;                     \
  }                                                                                                \
  __asm__(".text\n.globl " #name "\n.type " #name ",@function\n" #name                             \
          ":\n  " CU2CPP_GO_TO(#name) ".size " #name ",.-" #name "\n");
#define CU2CPP_VERSION(name, number)                                                               \
  __asm__(".globl " #name "_v" #number "\n.set " #name "_v" #number ", " #name "\n");
#include "driver/functions.def"
#undef CU2CPP_FUNCTION

namespace {

using GetProcAddress = CUresult(const char*, void**, int, unsigned long long,
                                CUdriverProcAddressQueryResult*);
GetProcAddress* getProcAddress = nullptr;

/// The first version has one argument less.
CUresult getProcAddressFirst(const char* symbol, void** pfn, int cudaVersion,
                             unsigned long long flags) {
  return getProcAddress(symbol, pfn, cudaVersion, flags, nullptr);
}

/// The lookup of the runtime that is in the program, or this library's.
DriverLookup* chooseLookup() {
  void* const program = dlopen(nullptr, RTLD_NOW);
  void* const there = program ? dlsym(program, "cu2cppDriverFunction") : nullptr;
  if (there)
    return reinterpret_cast<DriverLookup*>(there);
  // Modules look for the runtime in the names that are open to all.
  Dl_info own{};
  if (dladdr(reinterpret_cast<void*>(&cu2cppDriverFunction), &own))
    dlopen(own.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
  return &cu2cppDriverFunction;
}

__attribute__((constructor)) void bindFunctions() {
  DriverLookup* const lookup = chooseLookup();
#define CU2CPP_FUNCTION(name) cu2cppTo_##name = lookup(#name);
#include "driver/functions.def"
#undef CU2CPP_FUNCTION
  getProcAddress = reinterpret_cast<GetProcAddress*>(cu2cppTo_cuGetProcAddress);
  cu2cppTo_cuGetProcAddress = reinterpret_cast<void*>(&getProcAddressFirst);
}

} // namespace

extern "C" CUresult cuGetProcAddress_v2(const char* symbol, void** pfn, int cudaVersion,
                                        unsigned long long flags,
                                        CUdriverProcAddressQueryResult* symbolStatus) {
  return getProcAddress(symbol, pfn, cudaVersion, flags, symbolStatus);
}
