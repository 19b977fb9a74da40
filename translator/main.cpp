// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cu2cpp: the command.
#include "options.h"
#include "pipeline.h"
#include "project/analyze_project.h"
#include "project/doctor.h"
#include "project/record.h"
#include "project/translate_project.h"

int main(int argc, char** argv) {
  const std::string word = argc > 1 ? argv[1] : "";
  if (word == "record-call")
    return cu2cpp::recordCall({argv + 2, argv + argc});
  if (word == "record")
    return cu2cpp::record(cu2cpp::programPath(argv[0]), {argv + 2, argv + argc});
  if (word == "doctor")
    return cu2cpp::doctor(cu2cpp::programPath(argv[0]));
  cu2cpp::Options options;
  if (const auto exitCode = cu2cpp::parseOptions(argc, argv, options))
    return *exitCode;
  if (options.analyzeOnly)
    return cu2cpp::analyzeProject(options);
  return options.isProject() ? cu2cpp::translateProject(options) : cu2cpp::translate(options);
}
