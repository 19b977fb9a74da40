// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What translated files call as printf() (cu2cpp/device/printf.h). The text goes to the same stdout
// as the host's and is written at once: it is there at the latest when the host has waited for the
// kernel, as CUDA promises.
//
// CUDA C++ Programming Guide, 'Formatted Output'.
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include <cu2cpp/block.h>

namespace {

/// argumentsOf() counts what a format takes: one for each conversion except %%, and one for each
/// `*`.
int argumentsOf(const char* format) {
  int count = 0;
  for (const char* at = std::strchr(format, '%'); at; at = std::strchr(at, '%')) {
    ++at;
    // Flags, width, precision and length, up to the letter of the conversion.
    for (; *at && std::strchr("-+ #0123456789.*hljztLq", *at); ++at)
      count += *at == '*';
    if (!*at)
      break;
    count += *at != '%';
    ++at;
  }
  return count;
}

} // namespace

extern "C" int cu2cppPrintf(const char* format, ...) {
  const bool inKernel = cu2cpp::onDevice();
  if (inKernel && !format)
    return -1;
  va_list arguments;
  va_start(arguments, format);
  const int written = std::vprintf(format, arguments);
  va_end(arguments);
  if (!inKernel)
    return written;
  return written < 0 ? -2 : argumentsOf(format);
}
