// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Positions that a condition selects, in ascending order, found by pieces: where runs of equal
// items begin, which items are kept.
#ifndef CU2CPP_CUB_DETAIL_DEVICE_RUNS_CUH
#define CU2CPP_CUB_DETAIL_DEVICE_RUNS_CUH

#include <cub/detail/device.cuh>

namespace cub {
namespace detail {

/// Runs finds the positions at which select(i) holds. Their number is known to later steps only.
class Runs {
public:
  std::optional<cudaError_t> reserve(void* temp, size_t& bytes, long long size) {
    size_ = std::size_t(size);
    return reserveAll(temp, bytes, Part<long long>{&begin_, size_ + 1},
                      Part<std::size_t>{&before_, ::cu2cpp::parallel::Pieces::most + 1});
  }
  /// With more temporary memory for the caller.
  template <class Type>
  std::optional<cudaError_t> reserve(void* temp, size_t& bytes, long long size, Type*& more,
                                     std::size_t count) {
    size_ = std::size_t(size);
    return reserveAll(temp, bytes, Part<long long>{&begin_, size_ + 1},
                      Part<std::size_t>{&before_, ::cu2cpp::parallel::Pieces::most + 1},
                      Part<Type>{&more, count});
  }

  /// select() adds the steps that find the positions.
  template <class Select> void select(::cu2cpp::parallel::Steps& steps, Select select) {
    const ::cu2cpp::parallel::Pieces pieces(size_);
    std::size_t* const before = before_;
    long long* const begin = begin_;
    const std::size_t size = size_;
    steps.each(pieces, [=](::cu2cpp::parallel::Piece piece) mutable {
      std::size_t count = 0;
      for (std::size_t i = piece.begin; i < piece.end; ++i)
        count += select(i) ? 1 : 0;
      before[piece.index + 1] = count;
    });
    steps.once([=] {
      before[0] = 0;
      for (unsigned i = 0; i < pieces.count; ++i)
        before[i + 1] += before[i];
      before[::cu2cpp::parallel::Pieces::most] = before[pieces.count];
      begin[before[pieces.count]] = static_cast<long long>(size);
    });
    steps.each(pieces, [=](::cu2cpp::parallel::Piece piece) mutable {
      std::size_t at = before[piece.index];
      for (std::size_t i = piece.begin; i < piece.end; ++i)
        if (select(i))
          begin[at++] = static_cast<long long>(i);
    });
  }
  /// find() selects the beginnings of runs of equal items.
  template <class It, class Equal> void find(::cu2cpp::parallel::Steps& steps, It in, Equal equal) {
    select(steps, [in, equal](std::size_t i) mutable {
      return i == 0 || !equal(in[std::ptrdiff_t(i) - 1], in[std::ptrdiff_t(i)]);
    });
  }
  /// each() calls body(number, position, next position) for each position.
  template <class Body> void each(::cu2cpp::parallel::Steps& steps, Body body) const {
    const std::size_t* const before = before_;
    const long long* const begin = begin_;
    // The pieces are of all items; each takes its share of the positions.
    steps.each(::cu2cpp::parallel::Pieces(size_),
               [=, size = size_](::cu2cpp::parallel::Piece piece) mutable {
                 const std::size_t count = before[::cu2cpp::parallel::Pieces::most];
                 const ::cu2cpp::parallel::Pieces all(size);
                 const std::size_t from = count * piece.index / all.count;
                 const std::size_t to = count * (piece.index + 1) / all.count;
                 for (std::size_t i = from; i < to; ++i)
                   body(i, std::size_t(begin[i]), std::size_t(begin[i + 1]));
               });
  }
  /// count() gives the number of positions to *out.
  template <class Out> void count(::cu2cpp::parallel::Steps& steps, Out out) const {
    const std::size_t* const before = before_;
    steps.once([=]() mutable {
      *out = static_cast<std::decay_t<ResultOf<Out, const long long*>>>(
          before[::cu2cpp::parallel::Pieces::most]);
    });
  }

private:
  std::size_t size_ = 0;
  long long* begin_ = nullptr;    // positions, and the size behind the last
  std::size_t* before_ = nullptr; // how many stand before each piece; the total in the last
};

} // namespace detail
} // namespace cub

#endif
