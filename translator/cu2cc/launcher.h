// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `cu2cc --cu2cpp-launcher=COMPILER command...` runs a build system's command; where it compiles
// translated code, as cu2cc would compile it.
#ifndef CU2CPP_CU2CC_LAUNCHER_H
#define CU2CPP_CU2CC_LAUNCHER_H

#include "words.h"

#include <functional>

namespace cu2cpp::cu2cc {

/// launched() is the command to run for a build system's: COMPILER, one of its words, and the flags
/// behind it are changed where it compiles code made by cu2cpp. kernelCompiler (may be empty) takes
/// the place of a g++ whose flags it understands. passesFor() is Installation's.
Words launched(const Words& command, const std::string& compiler, const Words& kernelCompiler,
               const std::function<bool(const std::string&)>& isTranslated,
               const std::function<Words(const Words&)>& passesFor = {});

} // namespace cu2cpp::cu2cc

#endif
