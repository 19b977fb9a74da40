// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analyse/trivial_copies.h"

namespace cu2cpp {

bool isTrivialAssignment(const clang::FunctionDecl* function) {
  const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(function);
  return method && method->isTrivial() &&
         (method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator());
}

} // namespace cu2cpp
