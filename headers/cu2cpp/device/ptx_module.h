// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What translated modules of PTX use beside the instructions: parameters that are plain bytes, and
// the device runtime's functions as PTX calls them, with addresses as numbers.
//
// PTX Interoperability, 'System Calls'.
#ifndef CU2CPP_DEVICE_PTX_MODULE_H
#define CU2CPP_DEVICE_PTX_MODULE_H

#include <cstdio>
#include <cstring>
#include <string>

#include <cu2cpp/ptx.h>

namespace cu2cpp {
namespace ptx {

/// Bytes is a structure that is passed by value.
template <unsigned long long Size, unsigned Alignment> struct alignas(Alignment) Bytes {
  unsigned char bytes[Size];
};

/// vprintf() prints with arguments that lie one behind the other, each at a multiple of its size.
CU2CPP_THREAD inline unsigned vprintf(unsigned long long format, unsigned long long arguments) {
  unsigned count = 0;
  const auto next = [&](auto value) {
    arguments = (arguments + sizeof value - 1) / sizeof value * sizeof value;
    std::memcpy(&value, (const void*)arguments, sizeof value);
    arguments += sizeof value;
    ++count;
    return value;
  };
  std::string text;
  const auto add = [&](const std::string& piece, auto value) {
    const int size = std::snprintf(nullptr, 0, piece.c_str(), value);
    if (size <= 0)
      return;
    const std::size_t before = text.size();
    text.resize(before + std::size_t(size) + 1);
    std::snprintf(&text[before], std::size_t(size) + 1, piece.c_str(), value);
    text.pop_back();
  };
  const char* at = (const char*)format;
  while (*at) {
    if (*at != '%' || at[1] == '%') {
      text += *at;
      at += *at == '%' ? 2 : 1;
      continue;
    }
    std::string piece = "%";
    bool wide = false;
    for (++at; *at && std::strchr("-+ #0123456789.*hlLqjzt", *at); ++at) {
      if (*at == '*')
        piece += std::to_string(next(0));
      else
        piece += *at;
      wide |= std::strchr("lLqjzt", *at) != nullptr;
    }
    if (!*at)
      break;
    piece += *at;
    const char letter = *at++;
    if (std::strchr("eEfFgGaA", letter))
      add(piece, next(0.0));
    else if (letter == 's')
      add(piece, (const char*)next(0ull));
    else if (letter == 'p')
      add(piece, (const void*)next(0ull));
    else if (wide)
      add(piece, next(0ll));
    else
      add(piece, next(0));
  }
  printf("%s", text.c_str());
  return count;
}

CU2CPP_THREAD inline void __assertfail(unsigned long long message, unsigned long long file,
                                       unsigned line, unsigned long long function,
                                       unsigned long long) {
  __assert_fail((const char*)message, (const char*)file, line, (const char*)function);
}

} // namespace ptx
} // namespace cu2cpp

#endif
