// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cub::DeviceHistogram: how many samples fall into each of several bins, given by evenly spaced or
// by any levels, for one or several interleaved channels.
//
// CUB documentation, 'DeviceHistogram'.
#ifndef CU2CPP_CUB_DEVICE_HISTOGRAM_CUH
#define CU2CPP_CUB_DEVICE_HISTOGRAM_CUH

#include <algorithm>
#include <array>
#include <vector>

#include <cub/detail/device.cuh>

namespace cub {
namespace detail {

/// The bin of a sample among evenly spaced levels; -1 outside.
template <class LevelT> struct EvenBins {
  int levels;
  LevelT lower, upper;
  template <class Type> int operator()(Type sample) const {
    using Common = std::common_type_t<LevelT, Type>;
    const Common value = static_cast<Common>(sample);
    if (value < static_cast<Common>(lower) || !(value < static_cast<Common>(upper)))
      return -1;
    const int bins = levels - 1;
    if constexpr (std::is_integral<Common>::value) {
      using Wide = unsigned long long;
      return int(Wide(value - Common(lower)) * Wide(bins) / Wide(Common(upper) - Common(lower)));
    } else {
      const Common scale = Common(bins) / Common(upper - lower);
      const int bin = int((value - Common(lower)) * scale);
      return bin < bins ? bin : bins - 1;
    }
  }
};
template <class LevelT> struct RangeBins {
  int levels;
  const LevelT* level;
  template <class Type> int operator()(Type sample) const {
    const LevelT value = static_cast<LevelT>(sample);
    const int bin = int(std::upper_bound(level, level + levels, value) - level) - 1;
    return bin < 0 || bin >= levels - 1 ? -1 : bin;
  }
};

/// countSamples() counts rows of pixels of Channels samples, of which the first Active count.
template <int Channels, int Active, class In, class CounterT, class Bins>
inline cudaError_t countSamples(void* temp, size_t& bytes, In samples,
                                std::array<CounterT*, Active> histogram,
                                std::array<Bins, Active> bins, long long columns, long long rows,
                                std::size_t strideBytes, cudaStream_t stream) {
  using Type = ValueOf<In>;
  std::size_t all = 0;
  for (const Bins& each : bins)
    all += std::size_t(each.levels > 1 ? each.levels - 1 : 0);
  CounterT* counts;
  if (const auto done = reserve(temp, bytes, counts, all * ::cu2cpp::parallel::Pieces::most))
    return *done;
  const std::size_t stride = strideBytes / sizeof(Type);
  const ::cu2cpp::parallel::Pieces pieces(std::size_t(columns) * std::size_t(rows));
  ::cu2cpp::parallel::Steps steps(stream);
  steps.each(pieces, [=](::cu2cpp::parallel::Piece piece) {
    CounterT* const mine = counts + all * piece.index;
    std::fill(mine, mine + all, CounterT());
    for (std::size_t i = piece.begin; i < piece.end; ++i) {
      const std::size_t row = i / std::size_t(columns), column = i % std::size_t(columns);
      const std::size_t at = row * stride + column * Channels;
      std::size_t first = 0;
      for (int c = 0; c < Active; ++c) {
        const int bin = bins[c](samples[std::ptrdiff_t(at) + c]);
        if (bin >= 0)
          mine[first + std::size_t(bin)] += 1;
        first += std::size_t(bins[c].levels - 1);
      }
    }
  });
  steps.once([=] {
    std::size_t first = 0;
    for (int c = 0; c < Active; ++c)
      for (int b = 0; b < bins[c].levels - 1; ++b, ++first) {
        CounterT total = CounterT();
        for (unsigned p = 0; p < pieces.count; ++p)
          total += counts[all * p + first];
        histogram[c][b] = total;
      }
  });
  return steps.error();
}

} // namespace detail

struct DeviceHistogram {
  template <class In, class CounterT, class LevelT, class OffsetT>
  static cudaError_t HistogramEven(void* d_temp_storage, size_t& temp_storage_bytes, In d_samples,
                                   CounterT* d_histogram, int num_levels, LevelT lower_level,
                                   LevelT upper_level, OffsetT num_samples, cudaStream_t stream = 0,
                                   bool = false) {
    return HistogramEven(d_temp_storage, temp_storage_bytes, d_samples, d_histogram, num_levels,
                         lower_level, upper_level, num_samples, OffsetT(1),
                         std::size_t(num_samples) * sizeof(detail::ValueOf<In>), stream);
  }
  template <class In, class CounterT, class LevelT, class OffsetT>
  static cudaError_t HistogramEven(void* d_temp_storage, size_t& temp_storage_bytes, In d_samples,
                                   CounterT* d_histogram, int num_levels, LevelT lower_level,
                                   LevelT upper_level, OffsetT num_row_samples, OffsetT num_rows,
                                   size_t row_stride_bytes, cudaStream_t stream = 0, bool = false) {
    using Bins = detail::EvenBins<LevelT>;
    return detail::countSamples<1, 1>(
        d_temp_storage, temp_storage_bytes, d_samples, std::array<CounterT*, 1>{d_histogram},
        std::array<Bins, 1>{Bins{num_levels, lower_level, upper_level}}, num_row_samples, num_rows,
        row_stride_bytes, stream);
  }
  template <class In, class CounterT, class LevelT, class OffsetT>
  static cudaError_t HistogramRange(void* d_temp_storage, size_t& temp_storage_bytes, In d_samples,
                                    CounterT* d_histogram, int num_levels, const LevelT* d_levels,
                                    OffsetT num_samples, cudaStream_t stream = 0, bool = false) {
    return HistogramRange(d_temp_storage, temp_storage_bytes, d_samples, d_histogram, num_levels,
                          d_levels, num_samples, OffsetT(1),
                          std::size_t(num_samples) * sizeof(detail::ValueOf<In>), stream);
  }
  template <class In, class CounterT, class LevelT, class OffsetT>
  static cudaError_t HistogramRange(void* d_temp_storage, size_t& temp_storage_bytes, In d_samples,
                                    CounterT* d_histogram, int num_levels, const LevelT* d_levels,
                                    OffsetT num_row_samples, OffsetT num_rows,
                                    size_t row_stride_bytes, cudaStream_t stream = 0,
                                    bool = false) {
    using Bins = detail::RangeBins<LevelT>;
    return detail::countSamples<1, 1>(d_temp_storage, temp_storage_bytes, d_samples,
                                      std::array<CounterT*, 1>{d_histogram},
                                      std::array<Bins, 1>{Bins{num_levels, d_levels}},
                                      num_row_samples, num_rows, row_stride_bytes, stream);
  }
  template <int NumChannels, int NumActiveChannels, class In, class CounterT, class LevelT,
            class OffsetT>
  static cudaError_t MultiHistogramEven(void* d_temp_storage, size_t& temp_storage_bytes,
                                        In d_samples, CounterT* d_histogram[NumActiveChannels],
                                        const int num_levels[NumActiveChannels],
                                        const LevelT lower_level[NumActiveChannels],
                                        const LevelT upper_level[NumActiveChannels],
                                        OffsetT num_pixels, cudaStream_t stream = 0, bool = false) {
    using Bins = detail::EvenBins<LevelT>;
    std::array<Bins, NumActiveChannels> bins;
    std::array<CounterT*, NumActiveChannels> histogram;
    for (int c = 0; c < NumActiveChannels; ++c) {
      bins[c] = Bins{num_levels[c], lower_level[c], upper_level[c]};
      histogram[c] = d_histogram[c];
    }
    return detail::countSamples<NumChannels, NumActiveChannels>(
        d_temp_storage, temp_storage_bytes, d_samples, histogram, bins, num_pixels, 1, 0, stream);
  }
  template <int NumChannels, int NumActiveChannels, class In, class CounterT, class LevelT,
            class OffsetT>
  static cudaError_t MultiHistogramRange(void* d_temp_storage, size_t& temp_storage_bytes,
                                         In d_samples, CounterT* d_histogram[NumActiveChannels],
                                         const int num_levels[NumActiveChannels],
                                         const LevelT* const d_levels[NumActiveChannels],
                                         OffsetT num_pixels, cudaStream_t stream = 0,
                                         bool = false) {
    using Bins = detail::RangeBins<LevelT>;
    std::array<Bins, NumActiveChannels> bins;
    std::array<CounterT*, NumActiveChannels> histogram;
    for (int c = 0; c < NumActiveChannels; ++c) {
      bins[c] = Bins{num_levels[c], d_levels[c]};
      histogram[c] = d_histogram[c];
    }
    return detail::countSamples<NumChannels, NumActiveChannels>(
        d_temp_storage, temp_storage_bytes, d_samples, histogram, bins, num_pixels, 1, 0, stream);
  }
};

} // namespace cub

#endif
