// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work of the library functions that hosts call (CUB, Thrust) as work of a stream: n elements are
// divided into pieces, and the pieces are the blocks of a launch. So it runs in the stream's order,
// on the device's threads, and can be captured.
//
//   enqueuePieces(stream, n, [=](Piece piece) { for (i = piece.begin; i < piece.end; ++i) ... });
#ifndef CU2CPP_PARALLEL_PIECES_H
#define CU2CPP_PARALLEL_PIECES_H

#include <cstddef>
#include <memory>
#include <utility>

#include <cu2cpp/block.h>
#include <cu2cpp/kernel_call.h>

namespace cu2cpp {
namespace parallel {

/// Piece is the elements [begin, end) of the whole.
struct Piece {
  unsigned index = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Pieces is a division of `size` elements. It depends on their number only: sums of floating-point
/// numbers are the same on every machine.
struct Pieces {
  static constexpr std::size_t smallest = 2048;
  static constexpr unsigned most = 64;

  std::size_t size = 0;
  unsigned count = 0;

  Pieces() = default;
  explicit Pieces(std::size_t n, std::size_t least = smallest)
      : size(n), count(n == 0 ? 0
                              : unsigned((n - 1) / least + 1 < most ? (n - 1) / least + 1
                                                                    : std::size_t(most))) {}
  Piece operator[](unsigned i) const { return {i, start(i), start(i + 1)}; }

private:
  // The first size % count pieces have one element more.
  std::size_t start(unsigned i) const {
    const std::size_t each = size / count, more = size % count;
    return i * each + (i < more ? i : more);
  }
};

/// Each calls body(piece) as the one thread of a block of a launch: the user's functors may ask for
/// its place in the grid.
template <class Body> struct Each {
  Body body;
  Pieces pieces;
  void operator()() const {
    Body own = body; // a block may change its copy
    const Block& block = thisBlock();
    eachThreadPublished(block, [&](const Thread&) { own(pieces[block.blockIdx.x]); });
  }
};

/// enqueuePieces() queues body(piece) for all pieces on the stream and returns without waiting. In
/// kernels, which cannot queue work that they then wait for, it does the work at once.
template <class Body>
inline cudaError_t enqueuePieces(cudaStream_t stream, const Pieces& pieces, Body body) {
  if (pieces.count == 0)
    return cudaSuccess;
  if (onDevice()) {
    for (unsigned i = 0; i < pieces.count; ++i)
      body(pieces[i]);
    return cudaSuccess;
  }
  using Call = cu2cpp::detail::TypedCall<Each<Body>>;
  return cu2cpp::detail::enqueueLaunch(nullptr, {::dim3(pieces.count), ::dim3(1), 0, stream},
                                       new Call(Each<Body>{std::move(body), pieces}));
}

/// enqueueOnce() queues body() as one block.
template <class Body> inline cudaError_t enqueueOnce(cudaStream_t stream, Body body) {
  return enqueuePieces(stream, Pieces(1), [body](Piece) mutable { body(); });
}

/// finish() waits for the stream.
inline cudaError_t finish(cudaStream_t stream) {
  return onDevice() ? cudaSuccess : ::cudaStreamSynchronize(stream);
}

/// Several steps: each is queued only if those before it were.
class Steps {
public:
  explicit Steps(cudaStream_t stream) : stream_(stream) {}
  template <class Body> Steps& each(const Pieces& pieces, Body body) {
    if (error_ == cudaSuccess)
      error_ = enqueuePieces(stream_, pieces, std::move(body));
    return *this;
  }
  template <class Body> Steps& once(Body body) {
    if (error_ == cudaSuccess)
      error_ = enqueueOnce(stream_, std::move(body));
    return *this;
  }
  cudaError_t error() const { return error_; }
  cudaError_t wait() {
    if (error_ == cudaSuccess)
      error_ = finish(stream_);
    return error_;
  }

private:
  cudaStream_t stream_;
  cudaError_t error_ = cudaSuccess;
};

} // namespace parallel
} // namespace cu2cpp

#endif
