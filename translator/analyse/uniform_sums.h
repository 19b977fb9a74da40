// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers as sums of products of names: what a thread computes from its place (atoms), with what
// is one value for the block. Two are equal if their sums are.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cu2cpp {

/// Sum maps products of symbols (their numbers, ascending) to how often they are taken.
using Product = std::vector<unsigned>;
using Sum = std::map<Product, long long>;

Sum constantSum(long long value);
Sum symbolSum(unsigned symbol);
Sum operator+(const Sum& a, const Sum& b);
Sum operator*(const Sum& a, const Sum& b);
Sum operator*(const Sum& a, long long b);
inline Sum operator-(const Sum& a, const Sum& b) { return a + b * -1; }
/// asConstant() is a sum's value, if it names nothing.
std::optional<long long> asConstant(const Sum& sum);
/// subtracts() tells whether something is taken away in a sum: without a sign it may wrap around.
bool subtracts(const Sum& sum);

/// Bounds are the least and the greatest value of an atom.
struct Bounds {
  Sum least, most;
};

/// Symbol is what a sum may name.
struct Symbol {
  bool atom = false;   ///< differs between threads, or from step to step
  bool ofGrid = false; ///< says where the block lies, or how large the data is
  bool mayBeNegative = false;
  std::string text; ///< none of atoms
  Bounds bounds;    ///< of atoms
};

/// Symbols are the names in the sums of one kernel.
class Symbols {
public:
  unsigned add(const std::string& key, const Symbol& symbol);
  const Symbol& operator[](unsigned number) const { return all_[number]; }

  bool hasAtoms(const Sum& sum) const;
  bool isOfGrid(const Sum& sum) const;
  /// isNeverNegative() tells whether only what is not negative is added up.
  bool isNeverNegative(const Sum& sum) const;
  /// atomsOf() are the atoms in a sum.
  std::vector<unsigned> atomsOf(const Sum& sum) const;
  /// factorOf() is what a sum has of an atom: the rest of its products with it. None if one has it
  /// twice, or other atoms beside it.
  std::optional<Sum> factorOf(const Sum& sum, unsigned atom) const;
  /// extreme() is the least (or greatest) value of a sum for all values of its atoms. `given` are
  /// closer bounds. What has to be known not to be negative for it is added to `asked`.
  std::optional<Sum> extreme(Sum sum, bool greatest, const std::map<unsigned, Bounds>& given,
                             std::vector<Sum>& asked) const;
  /// print() writes a sum without atoms as an expression of long long.
  std::string print(const Sum& sum) const;

private:
  std::vector<Symbol> all_;
  std::map<std::string, unsigned> numbers_;
};

} // namespace cu2cpp
