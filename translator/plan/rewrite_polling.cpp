// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that wait for what other threads write give way to them in each round, and their kernel
// says at its head that its blocks may wait for each other:
//
//   while (*flag == 0)            while (*flag == 0)
//     ;                    ->       cu2cpp::pollTurn();
#include "plan/rewrites.h"

#include "clang/AST/Stmt.h"

namespace cu2cpp {

std::string waitingMark(const FunctionFacts& kernel) {
  return kernel.kernel && kernel.awaitsOthers ? "cu2cpp::blocksMayWait();" : "";
}

void rewritePolling(Plan& plan) {
  for (const auto& [place, function] : plan.facts.functions) {
    if (!plan.unit.isUser(function.decl->getLocation()))
      continue;
    for (const clang::Stmt* body : function.pollingLoops) {
      if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(body)) {
        if (const auto open = plan.text.endOf(block->getLBracLoc()))
          plan.edits.insert(*open, " cu2cpp::pollTurn();");
      } else if (const auto at = plan.text.positionOf(body->getBeginLoc())) {
        plan.edits.insert(*at, llvm::isa<clang::NullStmt>(body) ? "cu2cpp::pollTurn()"
                                                                : "if (cu2cpp::pollTurn(), true) ");
      }
    }
  }
}

} // namespace cu2cpp
