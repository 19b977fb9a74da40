// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// printf() as kernels call it: it prints as the C library's does, but its result counts the
// arguments that the format takes, not the characters. Translated files include this before
// anything else of <stdio.h>: the name stays printf, and is bound to a function of the runtime that
// asks whether a kernel is running. Outside of kernels nothing changes.
//
// CUDA C++ Programming Guide, 'Formatted Output'.
#ifndef CU2CPP_DEVICE_PRINTF_H
#define CU2CPP_DEVICE_PRINTF_H

// Where somebody has read <stdio.h> before (a host file that includes a translated header), printf
// may be in use already and must stay what it is.
#if !defined(CU2CPP_PARSE) && !defined(_STDIO_H) && !defined(_STDIO_H_)
#include <limits.h>
#include <type_traits>
// glibc's checked printf is an inline function, which cannot be given another name.
#ifdef __USE_FORTIFY_LEVEL
#pragma push_macro("__USE_FORTIFY_LEVEL")
#undef __USE_FORTIFY_LEVEL
#define __USE_FORTIFY_LEVEL 0
#endif
#include <stdio.h>
#ifdef __USE_FORTIFY_LEVEL
#pragma pop_macro("__USE_FORTIFY_LEVEL")
#endif

extern "C" int printf(const char* __restrict format, ...) __asm__("cu2cppPrintf");

namespace cu2cpp {
namespace detail {
template <class Type> inline Type printed(Type x) { return x; }
/// A GPU's operations give NaNs without a sign in single precision (with one in double), x86's give
/// them one.
inline double printed(float x) {
  return __builtin_isnan(x) && __builtin_signbit(x) ? -double(x) : double(x);
}
} // namespace detail
} // namespace cu2cpp

/// printf() with a float among its arguments, before it becomes a double.
template <class... Args>
inline typename std::enable_if<(std::is_same<Args, float>::value || ...), int>::type
printf(const char* __restrict format, Args... args) {
  return ::printf(format, cu2cpp::detail::printed(args)...);
}
#endif

#endif
