// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a Plan's commands, and owns the directory of temporary files.
#ifndef CU2CPP_CU2CC_RUN_PLAN_H
#define CU2CPP_CU2CC_RUN_PLAN_H

#include "plan.h"

namespace cu2cpp::cu2cc {

/// WorkDirectory is a fresh directory under TMPDIR that goes away with everything in it, also when
/// the program is interrupted.
class WorkDirectory {
public:
  /// create() returns false and sets error when no directory can be made.
  bool create(std::string& error);
  ~WorkDirectory();
  const std::string& path() const { return path_; }

private:
  std::string path_;
};

/// printPlan() shows the commands as nvcc -dryrun does.
void printPlan(const Plan& plan);

/// runPlan() returns the exit code of the first command that failed, or 0. Up to options.threads
/// jobs run at a time.
int runPlan(const Plan& plan, const Options& options);

} // namespace cu2cpp::cu2cc

#endif
