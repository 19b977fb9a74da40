// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that march (plain_marches.cpp): queues of the planes around, where threads at an end of
// the volume load its last plane again.
//
//   for (int i = 0; i < 4; ++i)
//     q[i + 1] = in[at + plane * min(max(z0 - 2 + i, 0), nz - 1)];
//   for (int z = z0; z < min(z0 + 16, nz); ++z) {
//     for (int i = 0; i < 4; ++i) q[i] = q[i + 1];
//     q[4] = in[at + plane * min(z + 2, nz - 1)];
//
// Each element has to be within other bounds, so each is told by itself, step by step of such a
// loop.
#include <algorithm>

#include "analyse/clamp_functions.h"
#include "analyse/marks.h"
#include "analyse/plain_march.h"

namespace cu2cpp::marches {

bool March::copyOneByOne(const clang::ForStmt* loop, State& state, const Needs& conditions,
                         bool inLoop) {
  const auto head = headOfRow(loop, state);
  if (!head || !asConstant(head->from) || !asConstant(head->to))
    return false;
  const bool up = head->up;
  const long long first = asConstant(head->from).value_or(0);
  long long last = asConstant(head->to).value_or(0);
  if (head->asked == (up ? clang::BO_LT : clang::BO_GT))
    last += up ? -1 : 1;
  else if (head->asked != (up ? clang::BO_LE : clang::BO_GE))
    return false;
  constexpr long long most = 64;
  if ((up ? last - first : first - last) >= most)
    return false;
  std::vector<const clang::Stmt*> parts = {loop->getBody()};
  if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(loop->getBody()))
    parts.assign(list->body_begin(), list->body_end());
  for (long long i = first; up ? i <= last : i >= last; i += up ? 1 : -1) {
    state.integers[head->counter] = constantSum(i);
    for (const clang::Stmt* part : parts) {
      if (movesPlace(part)) {
        const auto moved = motion(llvm::cast<clang::Expr>(part), state);
        if (!moved || moved->first == head->counter)
          return false;
        *state.placeOf(moved->first) = moved->second;
      } else if (!copy(part, state, conditions, inLoop)) {
        return false;
      }
    }
  }
  state.integers.erase(head->counter);
  return true;
}

Sum March::inSteps(const Sum& need, const Sum& step) const {
  const bool end = std::any_of(ends_.begin(), ends_.end(),
                               [&](const Sum& known) { return (known - need).empty(); });
  return end ? need - step : need + step;
}

void March::learnEnds(const State& state, const Sum& step, Needs& known) {
  const clang::Expr* end = plainly(to_);
  if (const clang::VarDecl* variable = namedBy(end)) {
    const LocalVariable* local = body_.variables.find(variable);
    if (!local || local->modified || local->escapes || !variable->hasInit() ||
        llvm::isa<clang::ParmVarDecl>(variable))
      return;
    end = plainly(variable->getInit());
  }
  const auto* call = llvm::dyn_cast<clang::CallExpr>(end);
  const clang::FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
  if (!callee || !isMinOrMax(callee) || callee->getName() != "min" || call->getNumArgs() != 2)
    return;
  for (const clang::Expr* argument : call->arguments())
    if (const auto sum = argument->getType()->isSignedIntegerType()
                             ? sumOf(argument->IgnoreImplicit(), state)
                             : std::nullopt)
      known.push_back(*sum - first_ - step - constantSum(upTo_ ? 0 : 1));
}

bool March::isPlaceOfSteps(const clang::Expr* e, const Sum& sum, const Sum& bound,
                           const State& state) {
  if (!oneByOne_ || step_)
    return false;
  const auto from = sumOf(from_, state);
  const auto isNumber = [](const Sum& s) { return asConstant(s).has_value(); };
  if (!from)
    return false;
  if (isNumber(*from))
    return isNumber(sum) && (!isNumber(bound) || !Named(e).variables.empty());
  return isNumber(*from - sum) && !isNumber(*from - bound);
}

} // namespace cu2cpp::marches
