// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Skipping far ahead in cuRAND's sequences by powers of the step: a 160 x 160 matrix of bits for
// XORWOW, two 3 x 3 matrices of residues for MRG32k3a.
#include <array>
#include <cstring>
#include <memory>
#include <vector>

#include <cu2cpp/device/random_distributions.h>

namespace cu2cpp::detail {
namespace {

/// BitMatrix maps five words to five words; row i is the image of bit i.
struct BitMatrix {
  std::array<std::array<unsigned, 5>, 160> row{};

  void apply(unsigned* v) const {
    std::array<unsigned, 5> result{};
    for (unsigned w = 0; w < 5; ++w)
      for (unsigned left = v[w]; left != 0; left &= left - 1) {
        const auto& image = row[32 * w + unsigned(__builtin_ctz(left))];
        for (unsigned k = 0; k < 5; ++k)
          result[k] ^= image[k];
      }
    std::memcpy(v, result.data(), sizeof result);
  }
};

BitMatrix xorwowStep() {
  BitMatrix step;
  for (unsigned i = 0; i < 160; ++i) {
    std::array<unsigned, 5> v{};
    v[i / 32] = 1u << (i % 32);
    const unsigned t = v[0] ^ (v[0] >> 2);
    step.row[i] = {v[1], v[2], v[3], v[4], (v[4] ^ (v[4] << 4)) ^ (t ^ (t << 1))};
  }
  return step;
}

/// xorwowPowers() is the step's powers 2^0, 2^1, ... 2^130, made once.
const std::vector<BitMatrix>& xorwowPowers() {
  static const std::vector<BitMatrix> powers = [] {
    std::vector<BitMatrix> all(131);
    all[0] = xorwowStep();
    for (std::size_t p = 1; p < all.size(); ++p)
      for (unsigned i = 0; i < 160; ++i) {
        all[p].row[i] = all[p - 1].row[i];
        all[p - 1].apply(all[p].row[i].data());
      }
    return all;
  }();
  return powers;
}

using Residues = std::array<std::array<unsigned long long, 3>, 3>;

Residues multiply(const Residues& a, const Residues& b, unsigned long long m) {
  Residues c{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k)
        c[i][j] = (c[i][j] + a[i][k] * b[k][j] % m) % m;
  return c;
}

void skipTriple(unsigned* s, const Residues& step, unsigned long long m, unsigned long long n,
                unsigned power) {
  Residues factor = step;
  for (unsigned p = 0; p < power; ++p)
    factor = multiply(factor, factor, m);
  std::array<unsigned long long, 3> v{s[0], s[1], s[2]};
  for (; n != 0; n >>= 1, factor = multiply(factor, factor, m))
    if (n & 1) {
      std::array<unsigned long long, 3> next{};
      for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
          next[i] = (next[i] + factor[i][k] * v[k] % m) % m;
      v = next;
    }
  for (int i = 0; i < 3; ++i)
    s[i] = unsigned(v[i]);
}

} // namespace

void skipXorwow(unsigned* v, unsigned long long n, unsigned power) noexcept {
  if (n == 0)
    return;
  const std::vector<BitMatrix>& powers = xorwowPowers();
  for (; n != 0; n &= n - 1)
    powers[power + unsigned(__builtin_ctzll(n))].apply(v);
}

void skipMrg(unsigned* s1, unsigned* s2, unsigned long long n, unsigned power) noexcept {
  if (n == 0)
    return;
  constexpr unsigned long long m1 = 4294967087ull, m2 = 4294944443ull;
  static const Residues a1{{{0, 1, 0}, {0, 0, 1}, {m1 - 810728, 1403580, 0}}};
  static const Residues a2{{{0, 1, 0}, {0, 0, 1}, {m2 - 1370589, 0, 527612}}};
  skipTriple(s1, a1, m1, n, power);
  skipTriple(s2, a2, m2, n, power);
}

} // namespace cu2cpp::detail
