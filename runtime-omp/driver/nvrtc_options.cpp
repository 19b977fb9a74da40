// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options of NVRTC.
//
// NVRTC, 'Supported Compile Options'.
#include "driver/nvrtc_program.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace {

// Options about GPU code, diagnostics and the speed of compilation.
bool hasNoMeaningHere(const std::string& option) {
  static const char* const names[] = {"gpu-architecture",
                                      "arch",
                                      "device-c",
                                      "dc",
                                      "device-w",
                                      "dw",
                                      "relocatable-device-code",
                                      "rdc",
                                      "extensible-whole-program",
                                      "ewp",
                                      "generate-line-info",
                                      "lineinfo",
                                      "dopt",
                                      "ptxas-options",
                                      "Xptxas",
                                      "maxrregcount",
                                      "ftz",
                                      "prec-sqrt",
                                      "prec-div",
                                      "extra-device-vectorization",
                                      "modify-stack-limit",
                                      "dlink-time-opt",
                                      "dlto",
                                      "gen-opt-lto",
                                      "optix-ir",
                                      "jump-table-density",
                                      "device-stack-protector",
                                      "no-cache",
                                      "frandom-seed",
                                      "no-source-include",
                                      "builtin-move-forward",
                                      "builtin-initializer-list",
                                      "pch",
                                      "create-pch",
                                      "use-pch",
                                      "pch-dir",
                                      "pch-verbose",
                                      "pch-messages",
                                      "instantiate-templates-in-pch",
                                      "disable-warnings",
                                      "w",
                                      "Wreorder",
                                      "warning-as-error",
                                      "Werror",
                                      "restrict",
                                      "device-as-default-execution-space",
                                      "default-device",
                                      "device-int128",
                                      "device-float128",
                                      "optimization-info",
                                      "opt-info",
                                      "display-error-number",
                                      "err-no",
                                      "no-display-error-number",
                                      "no-err-no",
                                      "diag-error",
                                      "diag-suppress",
                                      "diag-warn",
                                      "brief-diagnostics",
                                      "brief-diag",
                                      "time",
                                      "split-compile",
                                      "fdevice-syntax-only",
                                      "minimal",
                                      "version-ident",
                                      "fdevice-time-trace",
                                      "Ofast-compile",
                                      "Ofc",
                                      "ptx",
                                      "cubin"};
  std::string name = option.substr(option.find_first_not_of('-'));
  name.resize(std::min(name.find_first_of("= "), name.size()));
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

} // namespace

nvrtcResult cu2cpp::rt::translateOptions(int count, const char* const* options,
                                         std::vector<std::string>& words, std::string& log) {
  for (int i = 0; i < count; ++i) {
    std::string option = options[i];
    const auto startsWith = [&](const char* prefix) { return option.rfind(prefix, 0) == 0; };
    const auto value = [&](const char* longName, const char* shortName) {
      if (startsWith(longName)) {
        std::string rest = option.substr(std::strlen(longName));
        if (!rest.empty() && rest[0] == '=')
          rest.erase(0, 1);
        if (rest.empty() && i + 1 < count)
          rest = options[++i];
        words.push_back(shortName + rest);
        return true;
      }
      return false;
    };
    if (value("--include-path", "-I") || value("--define-macro", "-D") ||
        value("--undefine-macro", "-U") || value("-I", "-I") || value("-D", "-D") ||
        value("-U", "-U") || value("--std", "-std=") || value("-std", "-std="))
      continue;
    if (startsWith("--pre-include=")) {
      words.push_back("-include");
      words.push_back(option.substr(std::strlen("--pre-include=")));
    } else if (option == "--use_fast_math" || option == "-use_fast_math") {
      words.push_back("--use_fast_math");
    } else if (startsWith("--fmad") || startsWith("-fmad")) {
      words.push_back(option[1] == '-' ? option : "-" + option);
    } else if (option == "-G" || option == "--device-debug") {
      words.push_back("-G");
    } else if (option == "--gpu-architecture" || option == "-arch") {
      ++i;
    } else if (option.find_first_not_of('-') == 0 ||
               option.find_first_not_of('-') == std::string::npos || !hasNoMeaningHere(option)) {
      log = "nvrtc: error: unrecognized option '" + option + "'\n";
      return NVRTC_ERROR_INVALID_OPTION;
    }
  }
  return NVRTC_SUCCESS;
}
