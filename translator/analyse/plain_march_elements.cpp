// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that march (plain_marches.cpp): what an element of a tile is a copy of.
//
//   if (threadIdx.y < 4) {
//     tile[threadIdx.y][tx] = in[at - 4 * nx];           rows 0 to 3, of threads that are in them
//     tile[threadIdx.y + 20][tx] = in[at + 16 * nx];     rows 20 to 23
//   }
//   tile[ty][tx] = in[at];                               others
//
// Where threads beyond the edge follow the last row and column, what they fill the tile with is
// something else. If it is not known where an element is read that no such thread has filled it,
// the kernel asks whether any thread of the grid does that (plain_march_apart.cpp): none does if
// the volume is a multiple of the tile.
#include <algorithm>

#include "analyse/plain_march.h"

namespace cu2cpp::marches {

std::optional<Value> March::elementOfTile(const clang::VarDecl* array,
                                          const std::vector<Sum>& indices, const State& state,
                                          const Needs* known) {
  const auto found = state.tiles.find(array);
  if (found == state.tiles.end() || !found->second.ready)
    return std::nullopt;
  const std::vector<Write>& writes = found->second.writes;
  for (const Write& main : writes) {
    // How far it is in the array from one index to the next.
    std::vector<Sum> rows;
    for (std::size_t i = 0; i < main.element.size(); ++i)
      for (const unsigned atom : symbols_.atomsOf(main.element[i])) {
        const auto mine = symbols_.factorOf(main.element[i], atom);
        const auto whole = symbols_.factorOf(main.value.at, atom);
        if (mine && whole && asConstant(*mine) == 1 && rows.size() == i)
          rows.push_back(*whole);
      }
    if (rows.size() != main.element.size() || indices.size() != rows.size())
      continue;
    const auto offset = [&](const Write& write) {
      Sum out = write.value.at;
      for (std::size_t i = 0; i < rows.size(); ++i)
        out = out - rows[i] * write.element[i];
      return out;
    };
    Value out{main.value.array, offset(main), {}};
    if (symbols_.atomsOf(out.at) != stepAtoms(out.at))
      continue;
    for (std::size_t i = 0; i < rows.size(); ++i)
      out.at = out.at + rows[i] * indices[i];
    for (const Write& write : writes) {
      if (write.value.array != main.value.array || !(offset(write) - offset(main)).empty())
        return std::nullopt;
      if (isElsewhere(indices, write))
        continue;
      bool taken = false; // (as a number where what is written asks for something)
      for (const Sum& need : write.value.needs) {
        const auto here = ofReader(need, write, indices);
        if (known && (!here || !follows(*here, *known))) {
          if (isElsewhereInBlocks(indices, write))
            break;
          if (std::find(write.where.begin(), write.where.end(), need) != write.where.end() &&
              (taken || takeOtherwise(out, write, writes, indices, *known))) {
            taken = true;
            continue;
          }
          if (const auto least = leastInGrid(need, write)) {
            if (!settling_)
              add(sizes_, {*least});
            continue;
          }
        }
        if (!here)
          return std::nullopt;
        add(out.needs, {*here});
      }
    }
    return out;
  }
  return std::nullopt;
}

std::map<unsigned, Bounds> March::writers(const Write& write) const {
  std::map<unsigned, Bounds> out;
  for (const Sum& need : write.conditions)
    for (const unsigned atom : symbols_.atomsOf(need)) {
      const auto factor = symbols_.factorOf(need, atom);
      const auto times = factor ? asConstant(*factor) : std::nullopt;
      if (!times || (*times != 1 && *times != -1))
        continue;
      const Sum bound = *times == 1 ? symbolSum(atom) - need : need + symbolSum(atom);
      if (symbols_.hasAtoms(bound))
        continue;
      Bounds& bounds = out.insert({atom, symbols_[atom].bounds}).first->second;
      (*times == 1 ? bounds.least : bounds.most) = bound;
    }
  return out;
}

bool March::isElsewhere(const std::vector<Sum>& indices, const Write& write) const {
  const auto threads = writers(write);
  const Sum one = constantSum(1);
  for (std::size_t i = 0; i < indices.size(); ++i) {
    std::vector<Sum> asked;
    const auto first = symbols_.extreme(write.written[i], false, threads, asked);
    const auto last = symbols_.extreme(write.written[i], true, threads, asked);
    if (first && last && asked.empty() &&
        (neverNegative(indices[i] - *last - one) || neverNegative(*first - indices[i] - one)))
      return true;
  }
  return false;
}

std::optional<Sum> March::leastInGrid(const Sum& need, const Write& write) {
  std::vector<Sum> asked;
  auto least = symbols_.extreme(need, false, writers(write), asked);
  for (const char* part : {"x", "y", "z"}) {
    if (!least)
      return std::nullopt;
    const unsigned block = builtinSum(BlockIdx, "blockIdx", part).begin()->first[0];
    const auto factor = symbols_.factorOf(*least, block);
    if (!factor)
      return std::nullopt;
    const bool up = symbols_.isNeverNegative(*factor);
    if (!up && !symbols_.isNeverNegative(*factor * -1))
      return std::nullopt;
    least = replaced(*least, block,
                     up ? Sum() : builtinSum(GridDim, "gridDim", part) + constantSum(-1));
  }
  return asked.empty() && canBeginWith(*least) ? least : std::nullopt;
}

std::optional<Sum> March::ofReader(Sum need, const Write& write,
                                   const std::vector<Sum>& indices) const {
  std::map<unsigned, Sum> known;
  for (const unsigned atom : symbols_.atomsOf(need)) {
    if (atom == step_)
      continue;
    for (std::size_t i = 0; i < indices.size(); ++i)
      if (const Sum others = write.element[i] - symbolSum(atom); !symbols_.hasAtoms(others))
        known[atom] = indices[i] - others;
    if (!known.count(atom))
      return std::nullopt;
  }
  // All at once: the indices name the same atoms, of another thread.
  Sum out;
  for (const auto& [product, times] : need) {
    Sum term = constantSum(times);
    for (const unsigned s : product)
      term = term * (known.count(s) ? known.at(s) : symbolSum(s));
    out = out + term;
  }
  return out;
}

} // namespace cu2cpp::marches
