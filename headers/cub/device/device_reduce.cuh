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

template <class Type, class In, class Out, class Op>
inline cudaError_t reduceInto(void* temp, size_t& bytes, In in, Out out, long long size, Op op,
                              Type start, cudaStream_t stream) {
  Type* totals;
  if (const auto done = reserve(temp, bytes, totals, ::cu2cpp::parallel::Pieces::most))
    return *done;
  ::cu2cpp::parallel::Steps steps(stream);
  ::cu2cpp::parallel::addReduce(steps, in, std::size_t(size), start, op, totals,
                                [out](const Type& total) mutable { *out = total; });
  return steps.error();
}

/// Each segment by itself, starting with `start`.
template <class Type, class In, class Out, class Begins, class Ends, class Op>
inline cudaError_t reduceSegments(void* temp, size_t& bytes, In in, Out out, long long segments,
                                  Begins begins, Ends ends, Op op, Type start,
                                  cudaStream_t stream) {
  char* nothing;
  if (const auto done = reserve(temp, bytes, nothing, 1))
    return *done;
  return ::cu2cpp::parallel::enqueuePieces(
      stream, ::cu2cpp::parallel::Pieces(std::size_t(segments), 16),
      [=](::cu2cpp::parallel::Piece piece) mutable {
        for (std::size_t s = piece.begin; s < piece.end; ++s) {
          const std::ptrdiff_t begin = begins[std::ptrdiff_t(s)], end = ends[std::ptrdiff_t(s)];
          Type total = start;
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
  template <class In, class Out, class ReductionOp, class Type, class Count>
  static cudaError_t Reduce(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                            Count num_items, ReductionOp reduction_op, Type init,
                            cudaStream_t stream = 0, bool = false) {
    return detail::reduceInto<Type>(d_temp_storage, temp_storage_bytes, d_in, d_out, num_items,
                                    reduction_op, init, stream);
  }
  template <class In, class Out, class Count>
  static cudaError_t Sum(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                         Count num_items, cudaStream_t stream = 0, bool = false) {
    using Type = detail::ResultOf<Out, In>;
    return detail::reduceInto<Type>(d_temp_storage, temp_storage_bytes, d_in, d_out, num_items,
                                    cub::Sum(), Type{}, stream);
  }
  template <class In, class Out, class Count>
  static cudaError_t Min(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                         Count num_items, cudaStream_t stream = 0, bool = false) {
    using Type = detail::ValueOf<In>;
    return detail::reduceInto<Type>(d_temp_storage, temp_storage_bytes, d_in, d_out, num_items,
                                    cub::Min(), Traits<Type>::Max(), stream);
  }
  template <class In, class Out, class Count>
  static cudaError_t Max(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                         Count num_items, cudaStream_t stream = 0, bool = false) {
    using Type = detail::ValueOf<In>;
    return detail::reduceInto<Type>(d_temp_storage, temp_storage_bytes, d_in, d_out, num_items,
                                    cub::Max(), Traits<Type>::Lowest(), stream);
  }
  template <class In, class Out, class Count>
  static cudaError_t ArgMin(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                            Count num_items, cudaStream_t stream = 0, bool = false) {
    return extreme(d_temp_storage, temp_storage_bytes, d_in, d_out, num_items, cub::ArgMin(),
                   Traits<detail::ValueOf<In>>::Max(), stream);
  }
  template <class In, class Out, class Count>
  static cudaError_t ArgMax(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                            Count num_items, cudaStream_t stream = 0, bool = false) {
    return extreme(d_temp_storage, temp_storage_bytes, d_in, d_out, num_items, cub::ArgMax(),
                   Traits<detail::ValueOf<In>>::Lowest(), stream);
  }
  template <class In, class Out, class ReductionOp, class TransformOp, class Type, class Count>
  static cudaError_t TransformReduce(void* d_temp_storage, size_t& temp_storage_bytes, In d_in,
                                     Out d_out, Count num_items, ReductionOp reduction_op,
                                     TransformOp transform_op, Type init, cudaStream_t stream = 0) {
    return detail::reduceInto<Type>(
        d_temp_storage, temp_storage_bytes,
        TransformInputIterator<Type, TransformOp, In>(d_in, transform_op), d_out, num_items,
        reduction_op, init, stream);
  }
  /// One total for each run of equal keys.
  template <class Keys, class UniqueOut, class Values, class Aggregates, class NumRuns,
            class ReductionOp, class Count>
  static cudaError_t ReduceByKey(void* d_temp_storage, size_t& temp_storage_bytes, Keys d_keys_in,
                                 UniqueOut d_unique_out, Values d_values_in,
                                 Aggregates d_aggregates_out, NumRuns d_num_runs_out,
                                 ReductionOp reduction_op, Count num_items, cudaStream_t stream = 0,
                                 bool = false) {
    using Type = detail::ValueOf<Values>;
    detail::Runs runs;
    if (const auto done = runs.reserve(d_temp_storage, temp_storage_bytes, num_items))
      return *done;
    ::cu2cpp::parallel::Steps steps(stream);
    runs.find(steps, d_keys_in, Equality());
    runs.each(steps, [=](std::size_t run, std::size_t begin, std::size_t end) mutable {
      d_unique_out[std::ptrdiff_t(run)] = d_keys_in[std::ptrdiff_t(begin)];
      d_aggregates_out[std::ptrdiff_t(run)] =
          ::cu2cpp::parallel::combine<Type>(d_values_in, begin, end, reduction_op);
    });
    runs.count(steps, d_num_runs_out);
    return steps.error();
  }

private:
  // The result's own pair type decides about the index's width.
  template <class In, class Out, class Op, class Type>
  static cudaError_t extreme(void* temp, size_t& bytes, In in, Out out, long long size, Op op,
                             Type limit, cudaStream_t stream) {
    using Pair = KeyValuePair<int, Type>;
    return detail::reduceInto<Pair>(temp, bytes, ArgIndexInputIterator<In, int, Type>(in), out,
                                    size, op, Pair(size == 0 ? 1 : 0x7fffffff, limit), stream);
  }
};

struct DeviceSegmentedReduce {
  template <class In, class Out, class Begins, class Ends, class ReductionOp, class Type>
  static cudaError_t Reduce(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                            int num_segments, Begins d_begin_offsets, Ends d_end_offsets,
                            ReductionOp reduction_op, Type initial_value, cudaStream_t stream = 0,
                            bool = false) {
    return detail::reduceSegments<Type>(d_temp_storage, temp_storage_bytes, d_in, d_out,
                                        num_segments, d_begin_offsets, d_end_offsets, reduction_op,
                                        initial_value, stream);
  }
  template <class In, class Out, class Begins, class Ends>
  static cudaError_t Sum(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                         int num_segments, Begins d_begin_offsets, Ends d_end_offsets,
                         cudaStream_t stream = 0, bool = false) {
    using Type = detail::ResultOf<Out, In>;
    return detail::reduceSegments<Type>(d_temp_storage, temp_storage_bytes, d_in, d_out,
                                        num_segments, d_begin_offsets, d_end_offsets, cub::Sum(),
                                        Type{}, stream);
  }
  template <class In, class Out, class Begins, class Ends>
  static cudaError_t Min(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                         int num_segments, Begins d_begin_offsets, Ends d_end_offsets,
                         cudaStream_t stream = 0, bool = false) {
    using Type = detail::ValueOf<In>;
    return detail::reduceSegments<Type>(d_temp_storage, temp_storage_bytes, d_in, d_out,
                                        num_segments, d_begin_offsets, d_end_offsets, cub::Min(),
                                        Traits<Type>::Max(), stream);
  }
  template <class In, class Out, class Begins, class Ends>
  static cudaError_t Max(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                         int num_segments, Begins d_begin_offsets, Ends d_end_offsets,
                         cudaStream_t stream = 0, bool = false) {
    using Type = detail::ValueOf<In>;
    return detail::reduceSegments<Type>(d_temp_storage, temp_storage_bytes, d_in, d_out,
                                        num_segments, d_begin_offsets, d_end_offsets, cub::Max(),
                                        Traits<Type>::Lowest(), stream);
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
  template <class In, class Out, class Begins, class Ends, class Op, class Type>
  static cudaError_t extremes(void* temp, size_t& bytes, In in, Out out, int segments,
                              Begins begins, Ends ends, Op op, Type limit, cudaStream_t stream) {
    char* nothing;
    if (const auto done = detail::reserve(temp, bytes, nothing, 1))
      return *done;
    using Pair = KeyValuePair<int, Type>;
    return ::cu2cpp::parallel::enqueuePieces(
        stream, ::cu2cpp::parallel::Pieces(std::size_t(segments), 16),
        [=](::cu2cpp::parallel::Piece piece) mutable {
          for (std::size_t s = piece.begin; s < piece.end; ++s) {
            const std::ptrdiff_t begin = begins[std::ptrdiff_t(s)], end = ends[std::ptrdiff_t(s)];
            Pair best(1, limit);
            for (std::ptrdiff_t i = begin; i < end; ++i) {
              const Pair next(int(i - begin), Type(in[i]));
              best = i == begin ? next : op(best, next);
            }
            out[std::ptrdiff_t(s)] = best;
          }
        });
  }
};

} // namespace cub

#endif
