// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analyse/uniform_sums.h"

#include <algorithm>
#include <set>

namespace cu2cpp {

Sum constantSum(long long value) { return value ? Sum{{{}, value}} : Sum{}; }

Sum symbolSum(unsigned symbol) { return {{{symbol}, 1}}; }

Sum operator+(const Sum& a, const Sum& b) {
  Sum out = a;
  for (const auto& [product, times] : b)
    if ((out[product] += times) == 0)
      out.erase(product);
  return out;
}

Sum operator*(const Sum& a, const Sum& b) {
  Sum out;
  for (const auto& [left, times] : a)
    for (const auto& [right, again] : b) {
      Product product(left);
      product.insert(product.end(), right.begin(), right.end());
      std::sort(product.begin(), product.end());
      out = out + Sum{{product, times * again}};
    }
  return out;
}

Sum operator*(const Sum& a, long long b) { return a * constantSum(b); }

std::optional<long long> asConstant(const Sum& sum) {
  if (sum.empty())
    return 0;
  if (sum.size() == 1 && sum.begin()->first.empty())
    return sum.begin()->second;
  return std::nullopt;
}

bool subtracts(const Sum& sum) {
  return std::any_of(sum.begin(), sum.end(), [](const auto& term) { return term.second < 0; });
}

unsigned Symbols::add(const std::string& key, const Symbol& symbol) {
  const auto [found, isNew] = numbers_.insert({key, unsigned(all_.size())});
  if (isNew)
    all_.push_back(symbol);
  return found->second;
}

std::vector<unsigned> Symbols::atomsOf(const Sum& sum) const {
  std::set<unsigned> atoms;
  for (const auto& [product, times] : sum)
    for (const unsigned symbol : product)
      if (all_[symbol].atom)
        atoms.insert(symbol);
  return {atoms.begin(), atoms.end()};
}

bool Symbols::hasAtoms(const Sum& sum) const { return !atomsOf(sum).empty(); }

bool Symbols::isOfGrid(const Sum& sum) const {
  return std::any_of(sum.begin(), sum.end(), [&](const auto& term) {
    return std::any_of(term.first.begin(), term.first.end(),
                       [&](unsigned symbol) { return all_[symbol].ofGrid; });
  });
}

bool Symbols::isNeverNegative(const Sum& sum) const {
  return std::all_of(sum.begin(), sum.end(), [&](const auto& term) {
    return term.second >= 0 &&
           std::none_of(term.first.begin(), term.first.end(), [&](unsigned symbol) {
             return all_[symbol].mayBeNegative || all_[symbol].atom;
           });
  });
}

std::optional<Sum> Symbols::factorOf(const Sum& sum, unsigned atom) const {
  Sum out;
  for (const auto& [product, times] : sum) {
    if (std::find(product.begin(), product.end(), atom) == product.end())
      continue;
    Product rest;
    for (const unsigned symbol : product)
      if (symbol != atom)
        rest.push_back(symbol);
    if (rest.size() + 1 != product.size() ||
        std::any_of(rest.begin(), rest.end(), [&](unsigned s) { return all_[s].atom; }))
      return std::nullopt;
    out = out + Sum{{rest, times}};
  }
  return out;
}

std::optional<Sum> Symbols::extreme(Sum sum, bool greatest, const std::map<unsigned, Bounds>& given,
                                    std::vector<Sum>& asked) const {
  for (const unsigned atom : atomsOf(sum)) {
    const std::optional<Sum> factor = factorOf(sum, atom);
    if (!factor || factor->empty())
      return std::nullopt;
    const bool positive = factor->begin()->second > 0;
    for (const auto& [product, times] : *factor) {
      if ((times > 0) != positive)
        return std::nullopt;
      for (const unsigned symbol : product)
        if (all_[symbol].mayBeNegative)
          asked.push_back(symbolSum(symbol));
    }
    const auto closer = given.find(atom);
    const Bounds& bounds = closer == given.end() ? all_[atom].bounds : closer->second;
    sum = sum - *factor * symbolSum(atom) +
          *factor * (positive == greatest ? bounds.most : bounds.least);
  }
  return sum;
}

std::string Symbols::print(const Sum& sum) const {
  std::string out;
  for (const auto& [product, times] : sum) {
    const bool negative = times < 0;
    const unsigned long long size = negative ? 0ull - times : times;
    std::string term = product.empty() || size != 1 ? std::to_string(size) + "LL" : "";
    for (const unsigned symbol : product)
      term += (term.empty() ? "" : " * ") + ("(long long)" + all_[symbol].text);
    out += out.empty() ? (negative ? "-" : "") + term : (negative ? " - " : " + ") + term;
  }
  return out.empty() ? "0LL" : out;
}

} // namespace cu2cpp
