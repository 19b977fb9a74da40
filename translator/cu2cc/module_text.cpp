// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Base64 (RFC 4648) in lines of 76.
#include "module_text.h"

#include <fstream>
#include <iterator>

namespace cu2cpp::cu2cc {

std::string moduleText(const std::string& bytes) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text =
      "// cu2cpp module: a shared library in base64, for cuModuleLoad() and its like\n";
  std::size_t column = 0;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](std::size_t n) {
      return i + n < bytes.size() ? unsigned(static_cast<unsigned char>(bytes[i + n])) : 0u;
    };
    const unsigned group = byte(0) << 16 | byte(1) << 8 | byte(2);
    for (unsigned n = 0; n < 4; ++n)
      text += i + n > bytes.size() ? '=' : digits[group >> (18 - 6 * n) & 63];
    if ((column += 4) == 76) {
      text += '\n';
      column = 0;
    }
  }
  return text + '\n';
}

bool writeAsText(const std::string& file) {
  std::string bytes;
  {
    std::ifstream in(file, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  }
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << moduleText(bytes);
  return bool(out.flush());
}

} // namespace cu2cpp::cu2cc
