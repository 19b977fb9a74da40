// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cub::DeviceRunLengthEncode: runs of equal items and their lengths.
//
// CUB documentation, 'DeviceRunLengthEncode'.
#ifndef CU2CPP_CUB_DEVICE_RUN_LENGTH_ENCODE_CUH
#define CU2CPP_CUB_DEVICE_RUN_LENGTH_ENCODE_CUH

#include <cub/detail/device_runs.cuh>
#include <cub/thread/thread_operators.cuh>

namespace cub {

struct DeviceRunLengthEncode {
  template <class In, class UniqueOut, class LengthsOut, class NumRuns>
  static cudaError_t Encode(void* d_temp_storage, size_t& temp_storage_bytes, In d_in,
                            UniqueOut d_unique_out, LengthsOut d_counts_out, NumRuns d_num_runs_out,
                            int num_items, cudaStream_t stream = 0, bool = false) {
    detail::Runs runs;
    if (const auto done = runs.reserve(d_temp_storage, temp_storage_bytes, num_items))
      return *done;
    ::cu2cpp::parallel::Steps steps(stream);
    runs.find(steps, d_in, Equality());
    runs.each(steps, [=](std::size_t run, std::size_t begin, std::size_t end) mutable {
      d_unique_out[std::ptrdiff_t(run)] = d_in[std::ptrdiff_t(begin)];
      d_counts_out[std::ptrdiff_t(run)] = int(end - begin);
    });
    runs.count(steps, d_num_runs_out);
    return steps.error();
  }
  /// Runs of more than one item.
  template <class In, class OffsetsOut, class LengthsOut, class NumRuns>
  static cudaError_t NonTrivialRuns(void* d_temp_storage, size_t& temp_storage_bytes, In d_in,
                                    OffsetsOut d_offsets_out, LengthsOut d_lengths_out,
                                    NumRuns d_num_runs_out, int num_items, cudaStream_t stream = 0,
                                    bool = false) {
    detail::Runs runs;
    if (const auto done = runs.reserve(d_temp_storage, temp_storage_bytes, num_items))
      return *done;
    ::cu2cpp::parallel::Steps steps(stream);
    // A run's first item is followed by an equal one.
    runs.select(steps, [d_in, num_items](std::size_t at) {
      const std::ptrdiff_t i = std::ptrdiff_t(at);
      return (i == 0 || !(d_in[i - 1] == d_in[i])) && i + 1 < num_items && d_in[i] == d_in[i + 1];
    });
    runs.each(steps, [=](std::size_t run, std::size_t begin, std::size_t) mutable {
      std::ptrdiff_t end = std::ptrdiff_t(begin) + 1;
      while (end < num_items && d_in[end - 1] == d_in[end])
        ++end;
      d_offsets_out[std::ptrdiff_t(run)] = int(begin);
      d_lengths_out[std::ptrdiff_t(run)] = int(end - std::ptrdiff_t(begin));
    });
    runs.count(steps, d_num_runs_out);
    return steps.error();
  }
};

} // namespace cub

#endif
