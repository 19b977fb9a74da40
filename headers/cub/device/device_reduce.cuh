// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cub::DeviceReduce and cub::DeviceSegmentedReduce: totals of arrays, of segments, of runs of equal
// keys.
//
// CUB documentation, 'DeviceReduce', 'DeviceSegmentedReduce'.
#ifndef CU2CPP_CUB_DEVICE_REDUCE_CUH
#define CU2CPP_CUB_DEVICE_REDUCE_CUH

#include <limits>

#include <cu2cpp/parallel/reduce_scan.h>
#include <cub/detail/device.cuh>
#include <cub/detail/device_runs.cuh>
#include <cub/iterator/arg_index_input_iterator.cuh>
#include <cub/thread/thread_operators.cuh>

namespace cub {
namespace detail {

template <class T, class In, class Out, class Op>
inline cudaError_t reduceInto(void* temp, size_t& bytes, In in, Out out, long long size, Op op,
                              T start, cudaStream_t stream) {
  T* totals;
  if (const auto done = reserve(temp, bytes, totals, ::cu2cpp::parallel::Pieces::most))
    return *done;
  ::cu2cpp::parallel::Steps steps(stream);
  ::cu2cpp::parallel::addReduce(steps, in, std::size_t(size), start, op, totals,
                                [out](const T& total) mutable { *out = total; });
  return steps.error();
}

/// Each segment by itself, starting with `start`.
template <class T, class In, class Out, class Begins, class Ends, class Op>
inline cudaError_t reduceSegments(void* temp, size_t& bytes, In in, Out out, long long segments,
                                  Begins begins, Ends ends, Op op, T start, cudaStream_t stream) {
  char* nothing;
  if (const auto done = reserve(temp, bytes, nothing, 1))
    return *done;
  return ::cu2cpp::parallel::enqueuePieces(
      stream, ::cu2cpp::parallel::Pieces(std::size_t(segments), 16),
      [=](::cu2cpp::parallel::Piece piece) mutable {
        for (std::size_t s = piece.begin; s < piece.end; ++s) {
          const std::ptrdiff_t begin = begins[std::ptrdiff_t(s)], end = ends[std::ptrdiff_t(s)];
          T total = start;
          In at = in;
          at += begin;
          for (std::ptrdiff_t i = begin; i < end; ++i, ++at)
            total = op(total, *at);
          out[std::ptrdiff_t(s)] = total;
        }
      });
}

} // namespace detail

struct DeviceReduce {
  template <class In, class Out, class ReductionOp, class T, class N>
  static cudaError_t Reduce(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                            N num_items, ReductionOp reduction_op, T init, cudaStream_t stream = 0,
                            bool = false) {
    return detail::reduceInto<T>(d_temp_storage, temp_storage_bytes, d_in, d_out, num_items,
                                 reduction_op, init, stream);
  }
  template <class In, class Out, class N>
  static cudaError_t Sum(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                         N num_items, cudaStream_t stream = 0, bool = false) {
    using T = detail::ResultOf<Out, In>;
    return detail::reduceInto<T>(d_temp_storage, temp_storage_bytes, d_in, d_out, num_items,
                                 cub::Sum(), T{}, stream);
  }
  template <class In, class Out, class N>
  static cudaError_t Min(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                         N num_items, cudaStream_t stream = 0, bool = false) {
    using T = detail::ValueOf<In>;
    return detail::reduceInto<T>(d_temp_storage, temp_storage_bytes, d_in, d_out, num_items,
                                 cub::Min(), Traits<T>::Max(), stream);
  }
  template <class In, class Out, class N>
  static cudaError_t Max(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                         N num_items, cudaStream_t stream = 0, bool = false) {
    using T = detail::ValueOf<In>;
    return detail::reduceInto<T>(d_temp_storage, temp_storage_bytes, d_in, d_out, num_items,
                                 cub::Max(), Traits<T>::Lowest(), stream);
  }
  template <class In, class Out, class N>
  static cudaError_t ArgMin(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                            N num_items, cudaStream_t stream = 0, bool = false) {
    return extreme(d_temp_storage, temp_storage_bytes, d_in, d_out, num_items, cub::ArgMin(),
                   Traits<detail::ValueOf<In>>::Max(), stream);
  }
  template <class In, class Out, class N>
  static cudaError_t ArgMax(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                            N num_items, cudaStream_t stream = 0, bool = false) {
    return extreme(d_temp_storage, temp_storage_bytes, d_in, d_out, num_items, cub::ArgMax(),
                   Traits<detail::ValueOf<In>>::Lowest(), stream);
  }
  template <class In, class Out, class ReductionOp, class TransformOp, class T, class N>
  static cudaError_t TransformReduce(void* d_temp_storage, size_t& temp_storage_bytes, In d_in,
                                     Out d_out, N num_items, ReductionOp reduction_op,
                                     TransformOp transform_op, T init, cudaStream_t stream = 0) {
    return detail::reduceInto<T>(d_temp_storage, temp_storage_bytes,
                                 TransformInputIterator<T, TransformOp, In>(d_in, transform_op),
                                 d_out, num_items, reduction_op, init, stream);
  }
  /// One total for each run of equal keys.
  template <class Keys, class UniqueOut, class Values, class Aggregates, class NumRuns,
            class ReductionOp, class N>
  static cudaError_t ReduceByKey(void* d_temp_storage, size_t& temp_storage_bytes, Keys d_keys_in,
                                 UniqueOut d_unique_out, Values d_values_in,
                                 Aggregates d_aggregates_out, NumRuns d_num_runs_out,
                                 ReductionOp reduction_op, N num_items, cudaStream_t stream = 0,
                                 bool = false) {
    using T = detail::ValueOf<Values>;
    detail::Runs runs;
    if (const auto done = runs.reserve(d_temp_storage, temp_storage_bytes, num_items))
      return *done;
    ::cu2cpp::parallel::Steps steps(stream);
    runs.find(steps, d_keys_in, Equality());
    runs.each(steps, [=](std::size_t run, std::size_t begin, std::size_t end) mutable {
      d_unique_out[std::ptrdiff_t(run)] = d_keys_in[std::ptrdiff_t(begin)];
      d_aggregates_out[std::ptrdiff_t(run)] =
          ::cu2cpp::parallel::combine<T>(d_values_in, begin, end, reduction_op);
    });
    runs.count(steps, d_num_runs_out);
    return steps.error();
  }

private:
  // The result's own pair type decides about the index's width.
  template <class In, class Out, class Op, class T>
  static cudaError_t extreme(void* temp, size_t& bytes, In in, Out out, long long size, Op op,
                             T limit, cudaStream_t stream) {
    using Pair = KeyValuePair<int, T>;
    return detail::reduceInto<Pair>(temp, bytes, ArgIndexInputIterator<In, int, T>(in), out, size,
                                    op, Pair(size == 0 ? 1 : 0x7fffffff, limit), stream);
  }
};

struct DeviceSegmentedReduce {
  template <class In, class Out, class Begins, class Ends, class ReductionOp, class T>
  static cudaError_t Reduce(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                            int num_segments, Begins d_begin_offsets, Ends d_end_offsets,
                            ReductionOp reduction_op, T initial_value, cudaStream_t stream = 0,
                            bool = false) {
    return detail::reduceSegments<T>(d_temp_storage, temp_storage_bytes, d_in, d_out, num_segments,
                                     d_begin_offsets, d_end_offsets, reduction_op, initial_value,
                                     stream);
  }
  template <class In, class Out, class Begins, class Ends>
  static cudaError_t Sum(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                         int num_segments, Begins d_begin_offsets, Ends d_end_offsets,
                         cudaStream_t stream = 0, bool = false) {
    using T = detail::ResultOf<Out, In>;
    return detail::reduceSegments<T>(d_temp_storage, temp_storage_bytes, d_in, d_out, num_segments,
                                     d_begin_offsets, d_end_offsets, cub::Sum(), T{}, stream);
  }
  template <class In, class Out, class Begins, class Ends>
  static cudaError_t Min(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                         int num_segments, Begins d_begin_offsets, Ends d_end_offsets,
                         cudaStream_t stream = 0, bool = false) {
    using T = detail::ValueOf<In>;
    return detail::reduceSegments<T>(d_temp_storage, temp_storage_bytes, d_in, d_out, num_segments,
                                     d_begin_offsets, d_end_offsets, cub::Min(), Traits<T>::Max(),
                                     stream);
  }
  template <class In, class Out, class Begins, class Ends>
  static cudaError_t Max(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                         int num_segments, Begins d_begin_offsets, Ends d_end_offsets,
                         cudaStream_t stream = 0, bool = false) {
    using T = detail::ValueOf<In>;
    return detail::reduceSegments<T>(d_temp_storage, temp_storage_bytes, d_in, d_out, num_segments,
                                     d_begin_offsets, d_end_offsets, cub::Max(),
                                     Traits<T>::Lowest(), stream);
  }
  template <class In, class Out, class Begins, class Ends>
  static cudaError_t ArgMin(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                            int num_segments, Begins d_begin_offsets, Ends d_end_offsets,
                            cudaStream_t stream = 0, bool = false) {
    return extremes(d_temp_storage, temp_storage_bytes, d_in, d_out, num_segments, d_begin_offsets,
                    d_end_offsets, cub::ArgMin(), Traits<detail::ValueOf<In>>::Max(), stream);
  }
  template <class In, class Out, class Begins, class Ends>
  static cudaError_t ArgMax(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                            int num_segments, Begins d_begin_offsets, Ends d_end_offsets,
                            cudaStream_t stream = 0, bool = false) {
    return extremes(d_temp_storage, temp_storage_bytes, d_in, d_out, num_segments, d_begin_offsets,
                    d_end_offsets, cub::ArgMax(), Traits<detail::ValueOf<In>>::Lowest(), stream);
  }

private:
  // Keys count from the segment's begin; an empty segment has key 1 and the limit.
  template <class In, class Out, class Begins, class Ends, class Op, class T>
  static cudaError_t extremes(void* temp, size_t& bytes, In in, Out out, int segments,
                              Begins begins, Ends ends, Op op, T limit, cudaStream_t stream) {
    char* nothing;
    if (const auto done = detail::reserve(temp, bytes, nothing, 1))
      return *done;
    using Pair = KeyValuePair<int, T>;
    return ::cu2cpp::parallel::enqueuePieces(
        stream, ::cu2cpp::parallel::Pieces(std::size_t(segments), 16),
        [=](::cu2cpp::parallel::Piece piece) mutable {
          for (std::size_t s = piece.begin; s < piece.end; ++s) {
            const std::ptrdiff_t begin = begins[std::ptrdiff_t(s)], end = ends[std::ptrdiff_t(s)];
            Pair best(1, limit);
            for (std::ptrdiff_t i = begin; i < end; ++i) {
              const Pair next(int(i - begin), T(in[i]));
              best = i == begin ? next : op(best, next);
            }
            out[std::ptrdiff_t(s)] = best;
          }
        });
  }
};

} // namespace cub

#endif
