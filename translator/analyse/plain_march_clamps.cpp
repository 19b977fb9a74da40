// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that march (plain_marches.cpp): places that are kept within an array, so that threads
// beyond its edge load something, too. Those that do not need that are told as if it was not there,
// with what has to be known for it:
//
//   int ii = i < nx ? i : nx - 1;     i, where nx - 1 - i is not negative
//   int jr = min(j + 16, ny - 1);     j + 16, where ny - 1 - (j + 16) is not negative
//   int at = jr * nx + ii;            (j + 16) * nx + i, where both hold, also if it moves on
#include <algorithm>

#include "analyse/clamp_functions.h"
#include "analyse/plain_march.h"

namespace cu2cpp::marches {

std::optional<Sum> March::clampedSum(const clang::Expr* e, const State& state, unsigned depth,
                                     Needs& limits) {
  const auto take = [&](const Sum& sum, const Needs& needs) {
    limits.insert(limits.end(), needs.begin(), needs.end());
    return sum;
  };
  // What differs from thread to thread is the place, and what does not is where it ends.
  const auto moves = [&](const std::optional<Sum>& sum) { return sum && symbols_.hasAtoms(*sum); };
  if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(e)) {
    Needs first, second, condition;
    const auto a = sumOf(choice->getTrueExpr(), state, depth, &first);
    const auto b = sumOf(choice->getFalseExpr(), state, depth, &second);
    if (!a || !b || moves(a) == moves(b) || !read(choice->getCond(), moves(a), state, condition))
      return std::nullopt;
    // `x < last ? x : last` is x for x = last, too.
    const Sum apart = moves(a) ? *b - *a : *a - *b;
    for (const Sum& end : {apart, apart * -1})
      if (condition.size() == 1 && (condition[0] + constantSum(1) - end).empty())
        condition[0] = end;
    take({}, condition);
    return moves(a) ? take(*a, first) : take(*b, second);
  }
  const auto* call = llvm::dyn_cast<clang::CallExpr>(e);
  const clang::FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
  if (!callee || !callee->getIdentifier() ||
      std::any_of(callee->param_begin(), callee->param_end(), [](const clang::ParmVarDecl* p) {
        // Without a sign what lies before the first place is a large one.
        return !p->getType().getNonReferenceType()->isSignedIntegerType();
      }))
    return std::nullopt;
  const auto argument = [&](unsigned i) { return call->getArg(i)->IgnoreImplicit(); };
  const auto need = [](const Sum& place, const Sum& bound, bool least) {
    return least ? place - bound : bound - place;
  };
  if (!body_.unit.isUser(callee->getLocation())) {
    const bool isMax = callee->getName() == "max";
    if (call->getNumArgs() != 2 || (!isMax && callee->getName() != "min"))
      return std::nullopt;
    for (const unsigned i : {0u, 1u}) {
      Needs own;
      const auto bound = sumOf(argument(1 - i), state, depth);
      const auto place = bound ? sumOf(argument(i), state, depth, &own) : std::nullopt;
      if (!place || moves(bound))
        continue;
      if (moves(*place) || !own.empty() || isPlaceOfSteps(argument(i), *place, *bound, state)) {
        if (!moves(*place) && !isMax)
          ends_.push_back(need(*place, *bound, isMax));
        own.push_back(need(*place, *bound, isMax));
        return take(*place, own);
      }
    }
    return std::nullopt;
  }
  const auto clamp = clampFunction(callee);
  if (!clamp || clamp->place >= call->getNumArgs())
    return std::nullopt;
  Needs own;
  const auto place = sumOf(argument(clamp->place), state, depth, &own);
  if (!moves(place))
    return std::nullopt;
  for (const ClampFunction::Bound& bound : clamp->bounds) {
    const bool given = bound.parameter >= 0;
    if (given && unsigned(bound.parameter) >= call->getNumArgs())
      return std::nullopt;
    const auto from = given ? sumOf(argument(unsigned(bound.parameter)), state, depth)
                            : std::optional<Sum>(Sum());
    if (!from || moves(from))
      return std::nullopt;
    const Sum limit = *from + constantSum(bound.number);
    own.push_back(bound.beyond ? need(*place, limit, bound.least) - constantSum(1)
                               : need(*place, limit, bound.least));
  }
  return take(*place, own);
}

} // namespace cu2cpp::marches
