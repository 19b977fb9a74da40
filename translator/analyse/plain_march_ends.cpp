// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that march (plain_marches.cpp): what is known behind the loop. What a step begins with
// the one behind the last would begin with, too, and the place is as far as all steps have moved
// it:
//
//   for (int z = 1; z < nz - 1; ++z) {               for (int z = 1; z < nz - 1; ++z)
//     p += plane; ...; above = in[p + plane];          ...
//   }                                          ->    out[(steps + 1) * plane + ...] =
//   out[p + plane] = above;                            in[(steps + 1) * plane + ...];
//
// where the steps are `(nz - 2 > 0 ? nz - 2 : 0)`.
#include <iterator>

#include "analyse/plain_march.h"

namespace cu2cpp::marches {

std::optional<Sum> March::stepsTaken(const Sum& most) {
  const Sum count = most + constantSum(1);
  if (symbols_.hasAtoms(count))
    return std::nullopt;
  if (neverNegative(count))
    return count;
  const std::string text = symbols_.print(count);
  Symbol symbol;
  symbol.text = "(" + text + " > 0 ? " + text + " : 0)";
  symbol.ofGrid = true;
  const unsigned number = symbols_.add("steps " + text, symbol);
  counted_[number] = count;
  return symbolSum(number);
}

State March::behindSteps(const State& begin, const State& end, const Needs& known) {
  const auto steps = stepsTaken(symbols_[*step_].bounds.most);
  const auto forgetMoved = [&](auto& places) {
    for (auto at = places.begin(); at != places.end();)
      at = isMoved(at->first) ? places.erase(at) : std::next(at);
  };
  State out = begin;
  out.rows.clear();
  out.tiles.clear();
  out.values.clear();
  out.integers.erase(counter_);
  forgetMoved(out.clamped);
  // What moves where a step begins (beginOf()) does not behind the last one.
  if (!steps || begin_) {
    forgetMoved(out.integers);
    return out;
  }
  for (auto& [variable, place] : out.integers)
    place = replaced(place, *step_, *steps);
  for (const auto& [kept, head] : begin.values) {
    const auto last = end.values.find(kept);
    if (last == end.values.end() || !head.isKnown() || !kept_.count(kept.first))
      continue;
    // Without a step it is what was kept before the loop, and else what the last one has left.
    Value value = changed(head, [&](const Sum& sum) { return replaced(sum, *step_, *steps); });
    for (const Sum& need : last->second.needs)
      if (!follows(need, known))
        add(value.needs, {replaced(need, *step_, *steps - constantSum(1))});
    out.values[kept] = value;
  }
  return out;
}

} // namespace cu2cpp::marches
