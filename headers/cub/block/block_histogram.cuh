// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cub::BlockHistogram: how many of the block's items fall into each bin of an array in shared (or
// global) memory.
//
// CUB documentation, 'BlockHistogram'.
#ifndef CU2CPP_CUB_BLOCK_HISTOGRAM_CUH
#define CU2CPP_CUB_BLOCK_HISTOGRAM_CUH

#include <cub/detail/item_operand.cuh>

namespace cub {

enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };

namespace detail {

template <class Type, int Count, int Bins, class CounterT, bool initialises, bool counts>
struct HistogramOperand : Items<Type, Count> {
  CounterT* bins;
  static void resolve(const ::cu2cpp::detail::TileGroup& group) {
    bool first = true;
    ::cu2cpp::detail::eachOperand<HistogramOperand>(group, [&](unsigned, HistogramOperand& mine) {
      if (initialises && first)
        for (int b = 0; b < Bins; ++b)
          mine.bins[b] = CounterT();
      first = false;
      if (counts)
        for (int i = 0; i < Count; ++i)
          mine.bins[static_cast<unsigned>(mine.item[i])] += 1;
    });
  }
};

} // namespace detail

template <class Type, int BlockDimX, int ItemsPerThread, int Bins,
          BlockHistogramAlgorithm Algorithm = BLOCK_HISTO_SORT, int BlockDimY = 1,
          int BlockDimZ = 1, int LegacyPtxArch = 0>
class BlockHistogram : public detail::Collective {
public:
  using detail::Collective::Collective;

  template <class CounterT>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void InitHistogram(CounterT histogram[Bins]) {
    detail::HistogramOperand<Type, 1, Bins, CounterT, true, false> mine{};
    mine.bins = histogram;
    ::cu2cpp::detail::meetBlock(mine, "cub::BlockHistogram");
  }
  template <class CounterT>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void Histogram(Type (&items)[ItemsPerThread], CounterT histogram[Bins]) {
    count<true>(items, histogram);
  }
  /// Adds to what the bins hold.
  template <class CounterT>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void Composite(Type (&items)[ItemsPerThread], CounterT histogram[Bins]) {
    count<false>(items, histogram);
  }

private:
  template <bool initialises, class CounterT>
  static void count(Type (&items)[ItemsPerThread], CounterT* histogram) {
    detail::HistogramOperand<Type, ItemsPerThread, Bins, CounterT, initialises, true> mine;
    mine.load(items);
    mine.bins = histogram;
    ::cu2cpp::detail::meetBlock(mine, "cub::BlockHistogram");
  }
};

} // namespace cub

#endif
