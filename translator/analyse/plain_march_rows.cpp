// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that march (plain_marches.cpp): the rows of a tile that is declared as one row.
//
//   __shared__ float tile[(B + 2) * W];
//   tile[(ty + 1) * W + tx + 1]     is tile[ty + 1][tx + 1]
//   tile[t]                         is tile[t / W][t % W], if that says where `t` is
//
// One element has many such places. Each must lie within its row, for the blocks that run.
#include <algorithm>

#include "analyse/plain_march.h"

namespace cu2cpp::marches {

std::optional<std::vector<Sum>> March::indicesIn(const ArrayElement& element, const State& state) {
  std::vector<Sum> indices;
  for (const clang::Expr* index : element.indices) {
    const auto sum = sumOf(index, state);
    if (!sum || !Named(index).changed.empty())
      return std::nullopt;
    indices.push_back(*sum);
  }
  if (indices.size() != 1 || !tiles_.count(element.array))
    return indices;
  const auto known = widths_.find(element.array);
  const auto width = known == widths_.end() ? widthIn(indices[0]) : std::optional(known->second);
  if (!width)
    return indices;
  widths_[element.array] = *width;
  return rowAndColumn(indices[0], *width);
}

std::optional<Sum> March::widthIn(const Sum& index) {
  const auto atoms = symbols_.atomsOf(index);
  const auto names = [&](const Sum& atom) {
    return std::find(atoms.begin(), atoms.end(), atom.begin()->first[0]) != atoms.end();
  };
  for (const Quotient& quotient : quotients_)
    if (names(quotient.whole))
      return quotient.by;
  const Sum row = builtinSum(ThreadIdx, "threadIdx", "y");
  const auto width =
      names(row) ? symbols_.factorOf(index, row.begin()->first[0]) : std::optional<Sum>();
  return width && width->size() == 1 && asConstant(*width) != 1 ? width : std::nullopt;
}

std::optional<std::vector<Sum>> March::rowAndColumn(const Sum& index, const Sum& width) {
  if (width.size() != 1)
    return std::nullopt;
  Sum whole = index;
  std::vector<Sum> inRows; // columns that are remainders
  for (const Quotient& quotient : quotients_) {
    const unsigned atom = quotient.whole.begin()->first[0];
    if (names(whole, atom) && (quotient.by - width).empty()) {
      // Below 0 quotients and remainders are others.
      if (!neverNegative(quotient.whole - index))
        return std::nullopt;
      whole = replaced(whole, atom, quotient.part * width + quotient.rest);
      inRows.push_back(quotient.rest);
    }
  }
  const auto& [unit, size] = *width.begin();
  Sum row, column;
  for (const auto& [product, times] : whole) {
    if (!std::includes(product.begin(), product.end(), unit.begin(), unit.end())) {
      column[product] = times;
      continue;
    }
    Product left;
    std::set_difference(product.begin(), product.end(), unit.begin(), unit.end(),
                        std::back_inserter(left));
    long long count = times / size, rest = times % size;
    if (rest < 0) {
      --count;
      rest += size;
    }
    // Only numbers are divided; of names there are whole rows, or none.
    if (rest != 0 && !product.empty()) {
      count = 0;
      rest = times;
    }
    if (count != 0)
      row = row + Sum{{left, count}};
    if (rest != 0)
      column[product] = rest;
  }
  const auto within = [&](const Sum& sum) {
    if (neverNegative(sum))
      return true;
    std::vector<Sum> asked;
    const auto least = symbols_.extreme(sum, false, {}, asked);
    const bool ofBlock =
        least && asked.empty() && canBeginWith(*least) &&
        std::all_of(least->begin(), least->end(), [&](const auto& term) {
          return std::all_of(term.first.begin(), term.first.end(), [&](unsigned symbol) {
            return llvm::StringRef(symbols_[symbol].text).starts_with("blockDim.");
          });
        });
    if (ofBlock)
      add(sizes_, {*least});
    return ofBlock;
  };
  const bool isRest = std::any_of(inRows.begin(), inRows.end(),
                                  [&](const Sum& rest) { return (rest - column).empty(); });
  return isRest || (within(column) && within(width - constantSum(1) - column))
             ? std::optional(std::vector<Sum>{row, column})
             : std::nullopt;
}

} // namespace cu2cpp::marches
