// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages as NVRTC writes them, for programs that read them.
#include "driver/nvrtc_program.h"

#include <cctype>
#include <sstream>

namespace {

// `name:12:34: error: ...` as `name(12): error: ...`; empty for lines of other kinds.
std::string placedMessage(const std::string& line, const std::string& kind) {
  const std::size_t end = line.find(": " + kind + ": ");
  if (end == std::string::npos)
    return "";
  std::size_t at = end;
  const auto digitsBefore = [&](std::size_t from) {
    while (from > 0 && std::isdigit(static_cast<unsigned char>(line[from - 1])))
      --from;
    return from;
  };
  const std::size_t column = digitsBefore(at);
  if (column == at || column == 0 || line[column - 1] != ':')
    return "";
  at = column - 1;
  const std::size_t row = digitsBefore(at);
  if (row == at || row == 0 || line[row - 1] != ':')
    return "";
  return line.substr(0, row - 1) + "(" + line.substr(row, at - row) + ")" + line.substr(end);
}

} // namespace

std::string cu2cpp::rt::inNvrtcStyle(const std::string& messages, const std::string& program) {
  std::istringstream lines(messages);
  std::string result;
  int errors = 0;
  for (std::string line; std::getline(lines, line);) {
    for (const char* kind : {"error", "fatal error", "warning", "note"})
      if (const std::string placed = placedMessage(line, kind); !placed.empty()) {
        line = placed;
        errors += std::string(kind).find("error") != std::string::npos;
        break;
      }
    result += line + "\n";
  }
  if (errors > 0)
    result += std::to_string(errors) + (errors == 1 ? " error" : " errors") +
              " detected in the compilation of \"" + program + "\".\n";
  return result;
}
