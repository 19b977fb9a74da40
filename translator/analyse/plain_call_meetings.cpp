// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that are written out (plain_calls.cpp): functions in which threads meet.
//
//   __device__ Stats blockReduce(Stats s) {         { __shared__ Stats part[8];
//     __shared__ Stats part[8];                       { ... s.sum += __shfl_down_sync(~0u, s.sum,
//     s = warpReduce(s);                    ->          d); ... }
//     ...                                             if (lane == 0) part[warp] = s;
//   }                                                 __syncthreads(); ... }
//   s = blockReduce(s);
//
// A group's version of such a function gets what all threads bring and gives back what each takes
// away, both put aside as a whole. Written out, all is the kernel's: structures that are reduced
// become their parts, and a value that is one for the block can be seen to be.
#include "analyse/plain_calls.h"

#include <algorithm>

#include "analyse/meeting_places.h"

namespace cu2cpp::calls {
namespace {

bool reaches(const FunctionFacts& from, const FunctionFacts& f, const Facts& facts,
             std::set<const FunctionFacts*>& seen) {
  return &from == &f ||
         (seen.insert(&from).second &&
          std::any_of(from.callees.begin(), from.callees.end(), [&](const auto* callee) {
            const FunctionFacts* known = facts.find(callee);
            return known && reaches(*known, f, facts, seen);
          }));
}

} // namespace

bool isKnown(const FunctionFacts& f, const Facts& facts, const clang::FunctionDecl* top,
             unsigned depth) {
  constexpr unsigned deepest = 6;
  return depth <= deepest && f.assembly.empty() && !f.indirectCalls && f.pollingLoops.empty() &&
         std::all_of(f.callees.begin(), f.callees.end(), [&](const clang::FunctionDecl* callee) {
           const FunctionFacts* known = facts.find(callee);
           return !known || (known->decl != top && isKnown(*known, facts, top, depth + 1));
         });
}

bool mayMeetElsewhere(const FunctionFacts& f, const Facts& facts) {
  return !meetingPlaces(f, facts).empty() && isKnown(f, facts, f.decl);
}

bool reachesOtherwise(const Caller& caller, const FunctionFacts& f) {
  const FunctionFacts* known = caller.facts.find(caller.body.function);
  return !known || known->indirectCalls ||
         std::any_of(known->callees.begin(), known->callees.end(), [&](const auto* callee) {
           const FunctionFacts* other = caller.facts.find(callee);
           std::set<const FunctionFacts*> seen;
           return other && other != &f && reaches(*other, f, caller.facts, seen);
         });
}

const clang::ParmVarDecl* returnedParameter(const CalledBody& contents) {
  const clang::Expr* value =
      contents.returns.size() == 1 ? (*contents.returns.begin())->getRetValue() : nullptr;
  const auto* parameter =
      value ? llvm::dyn_cast_or_null<clang::ParmVarDecl>(variableIn(value)) : nullptr;
  return parameter && !parameter->getType()->isReferenceType() ? parameter : nullptr;
}

bool isContinued(const Caller& caller, const CallSite& site, const clang::Expr* argument) {
  const clang::VarDecl* variable = variableIn(argument);
  const LocalVariable* local = variable ? caller.body.variables.find(variable) : nullptr;
  if (!local || local->pointed || variable != site.result || site.declares ||
      !variable->hasLocalStorage() || variable->getType()->isReferenceType() ||
      variable->getType().isVolatileQualified())
    return false;
  PlainVisitor names;
  names.TraverseStmt(const_cast<clang::CallExpr*>(site.call));
  return names.usesOf(variable) == 1;
}

} // namespace cu2cpp::calls
