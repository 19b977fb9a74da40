// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fixed point over the calls of one file.
#include "analyse/analyses.h"

#include "clang/AST/DeclCXX.h"

#include "analyse/marks.h"

namespace cu2cpp {
namespace {

/// Raises `target` to `source`'s scope; the name becomes the callee through which it is reached.
bool raise(Collective& target, const Collective& source, const std::string& name,
           clang::SourceLocation at) {
  if (source.scope <= target.scope)
    return false;
  target = {source.scope, name, at, nullptr, false};
  return true;
}

bool mayBeCalledIndirectly(const FunctionFacts& facts) {
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(facts.decl);
  return facts.device && !facts.kernel && (facts.addressTaken || (method && method->isVirtual()));
}

} // namespace

void propagateCalls(Facts& facts) {
  for (auto& [place, f] : facts.functions) {
    f.reached = f.own;
    f.publishesThread = f.readsThread;
  }
  bool changed = true;
  while (changed) {
    changed = false;
    for (auto& [place, f] : facts.functions) {
      const auto take = [&](const FunctionFacts& callee, const std::string& name,
                            clang::SourceLocation at) {
        changed |= raise(f.reached, callee.reached, name, at);
        if (!f.publishesThread && (callee.publishesThread || (callee.builtins & ThreadIdx))) {
          f.publishesThread = true;
          changed = true;
        }
      };
      for (std::size_t i = 0; i < f.callees.size(); ++i) {
        const clang::FunctionDecl* callee = f.callees[i];
        if (const FunctionFacts* known = facts.find(callee)) {
          if (!known->kernel)
            take(*known, callee->getNameAsString(), f.calleeAt[i]);
        } else if (hasMark(callee, "device") && !hasMark(callee, "host") &&
                   !callee->isPureVirtual()) {
          // Defined in another file (separate compilation): assume the worst.
          FunctionFacts unknown;
          unknown.reached = {Scope::Block, callee->getNameAsString(), f.calleeAt[i], nullptr,
                             false};
          unknown.publishesThread = true;
          take(unknown, callee->getNameAsString(), f.calleeAt[i]);
        }
      }
      if (f.indirectCalls && f.device)
        for (auto& [otherPlace, other] : facts.functions)
          if (mayBeCalledIndirectly(other))
            take(other, other.decl->getNameAsString(), f.decl->getLocation());
    }
  }
}

} // namespace cu2cpp
