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

template <class T, int N, int BINS, class CounterT, bool initialises, bool counts>
struct HistogramOperand : Items<T, N> {
  CounterT* bins;
  static void resolve(const ::cu2cpp::detail::TileGroup& group) {
    bool first = true;
    ::cu2cpp::detail::eachOperand<HistogramOperand>(group, [&](unsigned, HistogramOperand& mine) {
      if (initialises && first)
        for (int b = 0; b < BINS; ++b)
          mine.bins[b] = CounterT();
      first = false;
      if (counts)
        for (int i = 0; i < N; ++i)
          mine.bins[static_cast<unsigned>(mine.item[i])] += 1;
    });
  }
};

} // namespace detail

template <class T, int BLOCK_DIM_X, int ITEMS_PER_THREAD, int BINS,
          BlockHistogramAlgorithm ALGORITHM = BLOCK_HISTO_SORT, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockHistogram : public detail::Collective {
public:
  using detail::Collective::Collective;

  template <class CounterT>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void InitHistogram(CounterT histogram[BINS]) {
    detail::HistogramOperand<T, 1, BINS, CounterT, true, false> mine{};
    mine.bins = histogram;
    ::cu2cpp::detail::meetBlock(mine, "cub::BlockHistogram");
  }
  template <class CounterT>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void Histogram(T (&items)[ITEMS_PER_THREAD], CounterT histogram[BINS]) {
    count<true>(items, histogram);
  }
  /// Adds to what the bins hold.
  template <class CounterT>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void Composite(T (&items)[ITEMS_PER_THREAD], CounterT histogram[BINS]) {
    count<false>(items, histogram);
  }

private:
  template <bool initialises, class CounterT>
  static void count(T (&items)[ITEMS_PER_THREAD], CounterT* histogram) {
    detail::HistogramOperand<T, ITEMS_PER_THREAD, BINS, CounterT, initialises, true> mine;
    mine.load(items);
    mine.bins = histogram;
    ::cu2cpp::detail::meetBlock(mine, "cub::BlockHistogram");
  }
};

} // namespace cub

#endif
