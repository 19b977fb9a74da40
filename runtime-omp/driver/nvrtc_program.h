// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program of NVRTC and its compilation.
//
// NVRTC, 'User Interface'.
#ifndef CU2CPP_DRIVER_NVRTC_PROGRAM_H
#define CU2CPP_DRIVER_NVRTC_PROGRAM_H

#include <map>
#include <string>
#include <vector>

#define CU2CPP_NVRTC_ITSELF // programs say where their header lies, this library does not
#include <nvrtc.h>

struct _nvrtcProgram {
  std::string source, name;
  std::map<std::string, std::string> headers; // by the name under which they are included
  std::vector<std::string> expressions;
  std::map<std::string, std::string> lowered;
  std::string module, log;
  bool compiled = false;
};

namespace cu2cpp::rt {

/// compileProgram() fills the program's module, log and lowered names.
nvrtcResult compileProgram(_nvrtcProgram& program, int count, const char* const* options);

/// translateOptions() adds the words for cu2cc that mean what NVRTC's options say.
nvrtcResult translateOptions(int count, const char* const* options, std::vector<std::string>& words,
                             std::string& log);

/// inNvrtcStyle() is cu2cc's messages as NVRTC writes them: `name(12): error: ...`, with the number
/// of errors at the end.
std::string inNvrtcStyle(const std::string& messages, const std::string& program);

} // namespace cu2cpp::rt

#endif
