// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stable radix sort over pieces (pieces.h), eight bits a pass: each piece counts its digits, the
// counts become positions, and each piece moves its items there.
#ifndef CU2CPP_PARALLEL_RADIX_SORT_H
#define CU2CPP_PARALLEL_RADIX_SORT_H

#include <cstddef>

#include <cu2cpp/parallel/pieces.h>

namespace cu2cpp {
namespace parallel {

struct RadixSort {
  static constexpr int bitsPerPass = 8;
  static constexpr unsigned digits = 1u << bitsPerPass;
  /// How many counters a sort needs.
  static constexpr std::size_t counters = std::size_t(Pieces::most) * digits;
  static int passes(int begin, int end) {
    return end <= begin ? 0 : (end - begin + bitsPerPass - 1) / bitsPerPass;
  }
};

/// addRadixPass() moves items by digit(i), which is below RadixSort::digits, with move(i, to).
template <class Digit, class Move>
inline void addRadixPass(Steps& steps, std::size_t size, std::size_t* counts, Digit digit,
                         Move move) {
  const Pieces pieces(size);
  steps.each(pieces, [=](Piece piece) {
    std::size_t* const mine = counts + std::size_t(piece.index) * RadixSort::digits;
    for (unsigned d = 0; d < RadixSort::digits; ++d)
      mine[d] = 0;
    for (std::size_t i = piece.begin; i < piece.end; ++i)
      ++mine[digit(i)];
  });
  steps.once([=] {
    std::size_t at = 0;
    for (unsigned d = 0; d < RadixSort::digits; ++d)
      for (unsigned p = 0; p < pieces.count; ++p) {
        std::size_t& place = counts[std::size_t(p) * RadixSort::digits + d];
        const std::size_t count = place;
        place = at;
        at += count;
      }
  });
  steps.each(pieces, [=](Piece piece) mutable {
    std::size_t* const mine = counts + std::size_t(piece.index) * RadixSort::digits;
    for (std::size_t i = piece.begin; i < piece.end; ++i)
      move(i, mine[digit(i)]++);
  });
}

} // namespace parallel
} // namespace cu2cpp

#endif
