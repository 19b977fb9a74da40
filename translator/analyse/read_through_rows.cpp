// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles that are read through (read_through.cpp): the rows of a tile that is declared without any.
//
//   __shared__ float tile[(B + 2) * (B + 2)];
//   tile[(ty + 1) * (B + 2) + tx + 1]     is read as tile[ty + 1][tx + 1]
//
// One element has many such places; that each lies within its row is asked for, so that it has one.
#include "analyse/read_through.h"

#include <algorithm>

namespace cu2cpp::copies {
namespace {

/// Takes an index apart.
class Apart {
public:
  Apart(InsideGrid& inside, const std::vector<Sum>& strides, Known& known)
      : inside_(inside), strides_(strides), known_(known), out_(strides.size() + 1) {}

  bool add(const clang::Expr* e, const Sum& factor, bool minus, unsigned depth = 0) {
    constexpr unsigned deepest = 16;
    e = plainly(e);
    if (depth > deepest)
      return false;
    const auto before = out_;
    if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e)) {
      const bool takes = op->getOpcode() == clang::BO_Sub;
      if ((takes || op->getOpcode() == clang::BO_Add) &&
          add(op->getLHS(), factor, minus, depth + 1) &&
          add(op->getRHS(), factor, minus != takes, depth + 1))
        return true;
      out_ = before;
      if (op->getOpcode() == clang::BO_Mul)
        for (const bool left : {false, true}) {
          const auto times = steady(left ? op->getLHS() : op->getRHS());
          if (!times)
            continue;
          factors.push_back(*times);
          if (add(left ? op->getRHS() : op->getLHS(), factor * *times, minus, depth + 1))
            return true;
          out_ = before;
        }
    }
    return addTerm(e, factor, minus);
  }
  const TileIndices& indices() const { return out_; }

  std::vector<Sum> factors; ///< by which anything was multiplied
  std::vector<Sum> reached; ///< how far terms are from one to the next

private:
  std::optional<Sum> steady(const clang::Expr* e) {
    const auto sum = inside_.sumAsItIs(e, known_);
    return sum && !inside_.symbols().hasAtoms(*sum) && !inside_.symbols().isOfGrid(*sum)
               ? sum
               : std::nullopt;
  }
  bool addTerm(const clang::Expr* e, const Sum& factor, bool minus) {
    const auto is = [](const Sum& a, const Sum& b) { return (a - b).empty(); };
    const auto value = steady(e);
    if (!value)
      reached.push_back(factor);
    for (std::size_t i = 0; value && i < strides_.size(); ++i)
      if (is(*value * factor, strides_[i])) {
        out_[i].push_back({nullptr, minus});
        return true;
      }
    for (std::size_t i = 0; i <= strides_.size(); ++i)
      if (is(factor, i < strides_.size() ? strides_[i] : constantSum(1))) {
        out_[i].push_back({e, minus});
        return true;
      }
    return false;
  }

  InsideGrid& inside_;
  const std::vector<Sum>& strides_;
  Known& known_;
  TileIndices out_;
};

} // namespace

void findRows(InsideGrid& inside, Tile& tile, const clang::Expr* index, Known& known) {
  constexpr std::size_t mostDimensions = 3;
  Apart apart(inside, {}, known);
  apart.add(index, constantSum(1), false);
  const auto isIn = [](const std::vector<Sum>& all, const Sum& one) {
    return std::any_of(all.begin(), all.end(),
                       [&](const Sum& other) { return (other - one).empty(); });
  };
  std::vector<Sum> strides;
  for (const Sum& stride : apart.reached)
    if (asConstant(stride) != 1 && !isIn(strides, stride))
      strides.push_back(stride);
  if (strides.empty() || strides.size() + 1 > mostDimensions)
    return;
  // How long a row is in rows of the next kind.
  const auto lengthOf = [&](const Sum& whole, const Sum& part) -> std::optional<Sum> {
    const auto a = asConstant(whole), b = asConstant(part);
    if (a && b)
      return *b > 0 && *a > *b && *a % *b == 0 ? std::optional(constantSum(*a / *b)) : std::nullopt;
    for (const Sum& factor : apart.factors)
      if ((part * factor - whole).empty())
        return factor;
    return std::nullopt;
  };
  if (strides.size() == 2 && !lengthOf(strides[0], strides[1]))
    std::swap(strides[0], strides[1]);
  std::vector<Sum> lengths;
  for (std::size_t i = 0; i < strides.size(); ++i) {
    const auto length =
        lengthOf(strides[i], i + 1 < strides.size() ? strides[i + 1] : constantSum(1));
    if (!length)
      return;
    lengths.push_back(*length);
  }
  const auto whole = asConstant(strides.front());
  std::vector<unsigned long long> sizes{
      whole && tile.sizes[0] ? tile.sizes[0] / static_cast<unsigned long long>(*whole) : 0};
  for (const Sum& length : lengths) {
    const auto value = asConstant(length);
    sizes.push_back(value ? static_cast<unsigned long long>(*value) : 0);
  }
  tile.sizes = sizes;
  tile.strides = strides;
  tile.lengths = lengths;
}

std::optional<TileIndices> indicesOf(InsideGrid& inside, const Tile& tile,
                                     const ArrayElement& element, Known& known) {
  TileIndices out;
  if (tile.strides.empty()) {
    for (const clang::Expr* index : element.indices)
      out.push_back({{index, false}});
    return out.size() == tile.sizes.size() ? std::optional(out) : std::nullopt;
  }
  if (element.indices.size() != 1)
    return std::nullopt;
  Apart apart(inside, tile.strides, known);
  if (!apart.add(element.indices[0], constantSum(1), false))
    return std::nullopt;
  return apart.indices();
}

std::optional<std::vector<Sum>> placeIn(InsideGrid& inside, const Tile& tile,
                                        const TileIndices& indices, Known& known) {
  std::vector<Sum> out;
  for (const auto& terms : indices) {
    Sum sum;
    for (const IndexTerm& term : terms) {
      const auto value = term.e ? inside.sumOf(term.e, known) : std::optional(constantSum(1));
      if (!value || inside.symbols().isOfGrid(*value))
        return std::nullopt;
      sum = term.minus ? sum - *value : sum + *value;
    }
    out.push_back(sum);
  }
  for (std::size_t i = 0; i < tile.lengths.size(); ++i)
    if (!inside.demand(out[i + 1], known) ||
        !inside.demand(tile.lengths[i] - out[i + 1] - constantSum(1), known))
      return std::nullopt;
  return out;
}

} // namespace cu2cpp::copies
