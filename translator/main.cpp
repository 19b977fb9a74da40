// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cu2cpp: the command.
#include "options.h"
#include "pipeline.h"

int main(int argc, char** argv) {
  cu2cpp::Options options;
  if (const auto exitCode = cu2cpp::parseOptions(argc, argv, options))
    return *exitCode;
  return cu2cpp::translate(options);
}
