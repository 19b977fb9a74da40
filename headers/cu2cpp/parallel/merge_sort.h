// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stable sort over pieces (pieces.h): runs are sorted by themselves, then merged in rounds. In
// each round every piece of the output finds by itself where its input begins, so that all pieces
// work to the last round.
#ifndef CU2CPP_PARALLEL_MERGE_SORT_H
#define CU2CPP_PARALLEL_MERGE_SORT_H

#include <algorithm>
#include <cstddef>
#include <new>
#include <utility>

#include <cu2cpp/parallel/pieces.h>

namespace cu2cpp {
namespace parallel {

/// splitAt() is how many of the first `count` elements of the merged sequence come from `a`; equal
/// elements of `a` come first.
template <class Type, class Less>
inline std::size_t splitAt(const Type* a, std::size_t sizeA, const Type* b, std::size_t sizeB,
                           std::size_t count, Less& less) {
  std::size_t low = count > sizeB ? count - sizeB : 0, high = std::min(count, sizeA);
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (less(b[count - middle - 1], a[middle]))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/// mergePiece() writes the elements [begin, end) of the round that merges runs of `width`.
template <class Type, class Less>
inline void mergePiece(const Type* from, Type* to, std::size_t size, std::size_t width,
                       std::size_t begin, std::size_t end, Less& less) {
  while (begin < end) {
    const std::size_t first = begin / (2 * width) * (2 * width);
    const std::size_t middle = std::min(first + width, size);
    const std::size_t last = std::min(first + 2 * width, size);
    const std::size_t stop = std::min(end, last);
    const Type* a = from + first;
    const Type* b = from + middle;
    const std::size_t sizeA = middle - first, sizeB = last - middle;
    std::size_t i = splitAt(a, sizeA, b, sizeB, begin - first, less), j = begin - first - i;
    for (; begin < stop; ++begin)
      to[begin] = j >= sizeB || (i < sizeA && !less(b[j], a[i])) ? a[i++] : b[j++];
  }
}

/// addMergeSort() adds the steps that sort `data`, with `scratch` of the same size.
template <class Type, class Less>
inline void addMergeSort(Steps& steps, Type* data, Type* scratch, std::size_t size, Less less) {
  const Pieces pieces(size);
  if (pieces.count == 0)
    return;
  const std::size_t width = (size - 1) / pieces.count + 1;
  steps.each(Pieces(pieces.count, 1), [=](Piece run) mutable {
    std::stable_sort(data + std::min(run.index * width, size),
                     data + std::min((run.index + 1) * width, size), less);
  });
  Type *from = data, *to = scratch;
  for (std::size_t w = width; w < size; w *= 2, std::swap(from, to))
    steps.each(pieces, [=](Piece piece) mutable {
      mergePiece(from, to, size, w, piece.begin, piece.end, less);
    });
  if (from != data)
    steps.each(pieces, [=](Piece piece) {
      std::copy(from + piece.begin, from + piece.end, data + piece.begin);
    });
}

} // namespace parallel
} // namespace cu2cpp

#endif
