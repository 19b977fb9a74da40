// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions and scans over pieces (pieces.h): each piece is combined by itself, the pieces' totals
// one after the other, and a scan then goes over each piece once more. `totals` is memory for one
// Type for each piece; it need not hold objects yet.
#ifndef CU2CPP_PARALLEL_REDUCE_SCAN_H
#define CU2CPP_PARALLEL_REDUCE_SCAN_H

#include <cstddef>
#include <new>

#include <cu2cpp/parallel/pieces.h>

namespace cu2cpp {
namespace parallel {

/// combine() is the total of the elements [begin, end), which are not none.
template <class Type, class In, class Op>
inline Type combine(In in, std::size_t begin, std::size_t end, Op& op) {
  in += std::ptrdiff_t(begin);
  Type total = static_cast<Type>(*in);
  for (std::size_t i = begin + 1; i < end; ++i) {
    ++in;
    total = op(total, *in);
  }
  return total;
}

/// addReduce() adds the steps that combine `size` elements, starting with `start`, and give the
/// result to done(total).
template <class Type, class In, class Op, class Done>
inline void addReduce(Steps& steps, In in, std::size_t size, Type start, Op op, Type* totals,
                      Done done) {
  const Pieces pieces(size);
  steps.each(pieces, [=](Piece piece) mutable {
    ::new (static_cast<void*>(totals + piece.index))
        Type(combine<Type>(in, piece.begin, piece.end, op));
  });
  steps.once([=]() mutable {
    Type total = start;
    for (unsigned i = 0; i < pieces.count; ++i) {
      total = op(total, totals[i]);
      totals[i].~Type();
    }
    done(total);
  });
}

/// addScan() adds the steps of a scan; an inclusive one without a start value begins with the first
/// element. The output may be the input.
template <bool inclusive, bool hasStart, class Type, class In, class Out, class Op>
inline void addScan(Steps& steps, In in, Out out, std::size_t size, Type start, Op op,
                    Type* totals) {
  static_assert(inclusive || hasStart, "an exclusive scan starts with a value");
  const Pieces pieces(size);
  if (pieces.count > 1)
    steps.each(pieces, [=](Piece piece) mutable {
      ::new (static_cast<void*>(totals + piece.index))
          Type(combine<Type>(in, piece.begin, piece.end, op));
    });
  // The total of a piece becomes that of all before it.
  if (pieces.count > 1)
    steps.once([=]() mutable {
      Type before = hasStart ? Type(op(start, totals[0])) : totals[0];
      for (unsigned i = 1; i < pieces.count; ++i) {
        Type own = totals[i];
        totals[i] = before;
        before = op(before, own);
      }
    });
  steps.each(pieces, [=](Piece piece) mutable {
    In from = in;
    Out to = out;
    from += std::ptrdiff_t(piece.begin);
    to += std::ptrdiff_t(piece.begin);
    Type before = piece.index == 0 ? start : totals[piece.index];
    std::size_t i = piece.begin;
    if (inclusive && !hasStart && piece.index == 0 && i < piece.end) {
      before = static_cast<Type>(*from);
      *to = before;
      ++from, ++to, ++i;
    }
    for (; i < piece.end; ++i, ++from, ++to) {
      Type next = op(before, *from);
      *to = inclusive ? next : before;
      before = next;
    }
    if (pieces.count > 1)
      totals[piece.index].~Type();
  });
}

} // namespace parallel
} // namespace cu2cpp

#endif
