// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcc's command line -> Options. No file is opened and nothing is run here.
#ifndef CU2CPP_CU2CC_PARSE_OPTIONS_H
#define CU2CPP_CU2CC_PARSE_OPTIONS_H

#include "options.h"

#include <optional>

namespace cu2cpp::cu2cc {

/// parseOptions() reads the words after the program's name, response files already expanded. On
/// failure the result is empty and error is one sentence for the user.
std::optional<Options> parseOptions(const std::vector<std::string>& words, std::string& error);

} // namespace cu2cpp::cu2cc

#endif
