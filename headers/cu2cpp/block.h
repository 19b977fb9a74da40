// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The running block and thread as translated code sees them: thisBlock(), thisThread(), the loops
// over a block's threads (one template for each execution form) and shared memory.
//
// CUDA C++ Programming Guide, 'Thread Hierarchy' and 'Shared Memory'.
#ifndef CU2CPP_BLOCK_H
#define CU2CPP_BLOCK_H

#include <cstddef>
#include <type_traits>
#include <utility>

#include <cu2cpp/attributes.h>
#include <vector_types.h>

namespace cu2cpp {

/// Block is one block of a running grid. It lives on the OS thread that runs the block, from before
/// the kernel is called for it until after the kernel has returned; a block never moves to another
/// OS thread.
struct Block {
  ::uint3 blockIdx{};
  ::dim3 blockDim{};
  ::dim3 gridDim{};
  void* dynamicShared = nullptr;      ///< the block's dynamic shared memory, 1024-byte aligned
  std::size_t dynamicSharedBytes = 0; ///< as given in the launch
  void* staticShared =
      nullptr; ///< arena for shared variables that are not locals of the kernel, see shared()

  /// How many blocks behind this one, in its row of the grid, the OS thread is to run next; and how
  /// many of them the kernel has run along (block_row.h).
  unsigned following = 0;
  mutable unsigned taken = 0;
  /// How many whole rows of blocks are to run behind this one's, if it is the first of its own.
  unsigned followingRows = 0;
  /// How many rows of blocks the kernel would like to run along with its own.
  mutable unsigned wantedRows = 0;

  unsigned threadCount() const { return blockDim.x * blockDim.y * blockDim.z; }
  unsigned warpCount() const { return (threadCount() + 31) / 32; }
};

/// Thread is one thread of a block. Device functions that need built-in variables take one as their
/// first parameter.
struct Thread {
  ::uint3 threadIdx{};
  const Block* block = nullptr;
  /// rank() again, set by eachThread() and eachThreadPublished() only: it costs nothing there. (As
  /// wide as an address: a sum of a narrower type may wrap around, for all that compilers know, and
  /// what threads keep would not lie side by side.)
  std::size_t index = 0;

  operator ::uint3() const { return threadIdx; }
  /// rank() is the linear index within the block (x fastest); warp = rank / 32, lane = rank % 32.
  unsigned rank() const {
    return threadIdx.x + block->blockDim.x * (threadIdx.y + block->blockDim.y * threadIdx.z);
  }
};

namespace detail {

struct OneByOne;

/// Context is what an OS thread is running right now. Fiber switches keep `thread` up to date.
struct Context {
  const Block* block;
  const Thread* thread;
  OneByOne* oneByOne; ///< what the lanes of a warp have brought that come one by one
};
// __thread and not thread_local: no initialisation wrapper on each access, and translated code
// reads it in hot places.
extern __thread Context context;

/// SharedSlot is the place of one shared variable in every block's static arena; offsets are handed
/// out at start-up.
class SharedSlot {
public:
  SharedSlot(std::size_t bytes, std::size_t alignment) noexcept;
  void* in(const Block& block) const noexcept {
    return static_cast<char*>(block.staticShared) + offset_;
  }

private:
  std::size_t offset_;
};

/// SharedVariable owns the slot of one `__shared__` variable; Tag (a lambda's type) tells variables
/// apart.
template <class Type, class Tag> struct SharedVariable {
  static inline const SharedSlot slot{sizeof(Type), alignof(Type)};
};

/// runOnFibers() runs call(body, thread) for each thread of the block on a fiber of its own and
/// returns when all have returned. kernel names the kernel in messages (stack overflow, deadlock).
void runOnFibers(const Block& block, void (*call)(void* body, const Thread& thread), void* body,
                 const char* kernel);

} // namespace detail

/// thisBlock() is the block that this OS thread runs. Only valid while a kernel runs.
inline const Block& thisBlock() noexcept { return *detail::context.block; }

/// onDevice() tells whether this OS thread is running a kernel: `__host__ __device__` functions
/// with two sides ask.
inline bool onDevice() noexcept { return detail::context.block != nullptr; }

/// thisThread() is the running thread, for functions that could not be given it as a parameter.
/// Only valid under eachThreadPublished() and eachThreadOnFiber().
inline const Thread& thisThread() noexcept { return *detail::context.thread; }

// The threads of a block may run in any order between two barriers, so a row of them may run as one
// vector. Compilers are told, since they would look for dependences between threads otherwise; what
// cannot be vectorised stays a loop.
#if defined(__clang__)
#define CU2CPP_EACH_LANE                                                                           \
  _Pragma("clang loop vectorize(assume_safety)") _Pragma("clang loop unroll(disable)")
// For short bodies.
#define CU2CPP_EACH_NEIGHBOUR _Pragma("clang loop vectorize(assume_safety)")
// The same for `part` threads at a time.
#define CU2CPP_EACH_NARROW_NEIGHBOUR                                                               \
  _Pragma("clang loop vectorize(assume_safety) vectorize_width(part)")
// Vectors that divide a part of 8, 16 or 32 threads (`vectors`: 1, 1 or 2 of the widest).
#define CU2CPP_EACH_PART                                                                           \
  _Pragma("clang loop vectorize(assume_safety) interleave_count(vectors) unroll(disable)")
// The same for bytes and the like, of which the widest vectors have more than a part's.
#define CU2CPP_EACH_NARROW_PART                                                                    \
  _Pragma("clang loop vectorize(assume_safety) vectorize_width(part)")                             \
      _Pragma("clang loop interleave_count(1) unroll(disable)")
// Vectors of which the last is not full: for ranges that are shorter than one. Only where masks are
// cheap: AVX2's stores under a mask take longer than what is left over from whole vectors.
#if defined(__AVX2__) && !defined(__AVX512F__)
#define CU2CPP_EACH_OF_RANGE                                                                       \
  _Pragma("clang loop vectorize(assume_safety) interleave_count(1) unroll(disable)")
#else
#define CU2CPP_EACH_OF_RANGE                                                                       \
  _Pragma("clang loop vectorize(assume_safety) vectorize_predicate(enable)")                       \
      _Pragma("clang loop interleave_count(1) unroll(disable)")
#endif
#define CU2CPP_ONE_BY_ONE_LOOP _Pragma("clang loop vectorize(disable)")
#define CU2CPP_WRITTEN_OUT_LOOP _Pragma("clang loop vectorize(disable) unroll(full)")
// Being told is no promise: some bodies cannot be vectorised.
#pragma clang diagnostic ignored "-Wpass-failed"
#elif defined(__GNUC__)
#define CU2CPP_EACH_LANE _Pragma("GCC ivdep")
#define CU2CPP_EACH_NEIGHBOUR CU2CPP_EACH_LANE
#define CU2CPP_EACH_NARROW_NEIGHBOUR CU2CPP_EACH_LANE
#define CU2CPP_EACH_PART CU2CPP_EACH_LANE
#define CU2CPP_EACH_NARROW_PART CU2CPP_EACH_LANE
#define CU2CPP_EACH_OF_RANGE CU2CPP_EACH_LANE
#define CU2CPP_ONE_BY_ONE_LOOP
#define CU2CPP_WRITTEN_OUT_LOOP _Pragma("GCC unroll 16")
#else
#define CU2CPP_EACH_LANE
#define CU2CPP_EACH_NEIGHBOUR
#define CU2CPP_EACH_NARROW_NEIGHBOUR
#define CU2CPP_EACH_PART
#define CU2CPP_EACH_NARROW_PART
#define CU2CPP_EACH_OF_RANGE
#define CU2CPP_ONE_BY_ONE_LOOP
#define CU2CPP_WRITTEN_OUT_LOOP
#endif

// For short loops over arrays of one thread, which live in registers once the loop is written out,
// and for those that the user wants unrolled: a loop over threads around them is vectorised then.
#if defined(__GNUC__)
#define CU2CPP_UNROLL _Pragma("GCC unroll 32")
#else
#define CU2CPP_UNROLL
#endif

// What is written out whatever its length, since registers have no numbers at run time.
#if defined(__GNUC__)
#define CU2CPP_UNROLL_WHOLE _Pragma("GCC unroll 256")
#else
#define CU2CPP_UNROLL_WHOLE
#endif

// One instruction in a loop that stays one: processors tell by it that lines of memory follow each
// other, and fetch on.
#if defined(__GNUC__)
#define CU2CPP_ROLLED _Pragma("GCC unroll 1")
#else
#define CU2CPP_ROLLED
#endif

// A body that stays a function of its own, because it is long and called for usual and for other
// sizes, makes no vectors.
#if defined(__clang__) && __clang_major__ >= 15
#define CU2CPP_IN_LOOP [[clang::always_inline]]
#else
#define CU2CPP_IN_LOOP
#endif

namespace detail {

// Loops over threads count in size_t, so that no compiler widens threadIdx.x: what programs compute
// with it, gathers and comparisons, stays as narrow as they wrote it. The number of a row's first
// thread is a product and no sum that grows: g++ then knows its range, and that numbers of threads
// are neighbours in memory.

/// The first `count` threads of each row. Always inlined: sizes that callers know are constants.
/// Functions that take a body call each other as little as can be: at each of them g++ optimises
/// all of the body once more.
template <class Body>
__attribute__((always_inline)) inline void runStarts(const Block& block, Body& body, unsigned count,
                                                     unsigned countX, unsigned countY,
                                                     unsigned countZ) {
  for (unsigned z = 0; z < countZ; ++z)
    for (unsigned y = 0; y < countY; ++y) {
      const unsigned row = (z * countY + y) * countX;
      CU2CPP_EACH_LANE
      for (std::size_t x = 0; x < count; ++x)
        CU2CPP_IN_LOOP body(Thread{::uint3{unsigned(x), y, z}, &block, row + unsigned(x)});
    }
}

/// How many of the integers 0 .. size - 1 are less than `bound`, an integer of any type.
template <class Bound> constexpr unsigned countBelow(Bound bound, unsigned size) {
  return bound <= 0 ? 0 : static_cast<unsigned long long>(bound) < size ? unsigned(bound) : size;
}

} // namespace detail

/// rankInBlock() is the number of a thread within its block, threadIdx.x fastest.
CU2CPP_PURE constexpr unsigned rankInBlock(const ::uint3& threadIdx, const ::dim3& blockDim) {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
/// inRow() is a place in memory, an integer of 32 bits that is `step` more from thread to thread of
/// a row: told from where the row's thread 0 would be, since such sums may wrap around for
/// compilers, though in no array two neighbours' places lie so far apart. Without a sign what is
/// less than 2^28 below 2^32 there counts as below 0: `threadIdx.x - 1`.
template <int step = 1, class Place>
CU2CPP_PURE constexpr std::ptrdiff_t inRow(Place place, unsigned threadIdxX) {
  static_assert(sizeof(Place) == 4, "an integer of 32 bits");
  constexpr unsigned below = 0xf0000000u;
  const unsigned first = static_cast<unsigned>(place) - unsigned(step) * threadIdxX;
  const bool isSigned = std::is_signed<Place>::value || first >= below;
  return (isSigned ? std::ptrdiff_t(static_cast<int>(first)) : std::ptrdiff_t(first)) +
         std::ptrdiff_t(step) * threadIdxX;
}
/// inRow() with a third argument is of the sum of two, of which the thread's number is in the
/// first: taken off there, it leaves no bits behind that compilers could not tell from those of the
/// second.
template <int step = 1, class Place, class Behind>
CU2CPP_PURE constexpr std::ptrdiff_t inRow(Place place, unsigned threadIdxX, Behind behind) {
  using Sum = decltype(place + behind);
  const Sum first = static_cast<Sum>(static_cast<unsigned>(place) - unsigned(step) * threadIdxX +
                                     static_cast<unsigned>(behind));
  return inRow<step>(first, 0) + std::ptrdiff_t(step) * threadIdxX;
}
/// threadsIn() is the number of threads of a block.
CU2CPP_PURE constexpr unsigned threadsIn(const ::dim3& blockDim) {
  return blockDim.x * blockDim.y * blockDim.z;
}
/// blockRank() is the number of a block within its grid, blockIdx.x fastest.
CU2CPP_PURE constexpr unsigned long long blockRank(const ::uint3& blockIdx, const ::dim3& gridDim) {
  return blockIdx.x + 1ull * gridDim.x * (blockIdx.y + 1ull * gridDim.y * blockIdx.z);
}
/// blocksIn() is the number of blocks of a grid.
CU2CPP_PURE constexpr unsigned long long blocksIn(const ::dim3& gridDim) {
  return 1ull * gridDim.x * gridDim.y * gridDim.z;
}

/// eachThread() is the `loop` form: runs body(thread) for all threads of the block, threadIdx.x
/// fastest.
template <class Body>
__attribute__((always_inline)) inline void eachThread(const Block& block, Body&& body) {
  const ::dim3 size = block.blockDim;
  detail::runStarts(block, body, size.x, size.x, size.y, size.z);
}

/// eachThreadBelow() is eachThread() for the threads whose threadIdx.x is less than `bound`.
template <class Bound, class Body>
__attribute__((always_inline)) inline void eachThreadBelow(const Block& block, Bound bound,
                                                           Body&& body) {
  const ::dim3 size = block.blockDim;
  detail::runStarts(block, body, detail::countBelow(bound, size.x), size.x, size.y, size.z);
}

/// SizedBlock is a block of a kernel that is launched with blocks of SizeX * SizeY * SizeZ threads
/// somewhere. Loops over the threads of such blocks have constant bounds, which makes short ones
/// several times faster; blocks of other sizes take other loops. Of a certain one the size is known
/// to be that.
template <unsigned SizeX, unsigned SizeY, unsigned SizeZ, bool certain = false>
struct SizedBlock : Block {
  bool asExpected() const {
    return blockDim.x == SizeX && blockDim.y == SizeY && blockDim.z == SizeZ;
  }
};
template <unsigned SizeX, unsigned SizeY, unsigned SizeZ>
struct SizedBlock<SizeX, SizeY, SizeZ, true> : Block {
  static constexpr ::dim3 blockDim{SizeX, SizeY, SizeZ};
  explicit SizedBlock(const Block& block) : Block(block) { Block::blockDim = blockDim; }
  static constexpr bool asExpected() { return true; }
  static constexpr unsigned threadCount() { return SizeX * SizeY * SizeZ; }
};

/// thisBlock<256>() is thisBlock() with the hint that blocks of 256 threads are usual.
template <unsigned SizeX, unsigned SizeY = 1, unsigned SizeZ = 1>
inline const SizedBlock<SizeX, SizeY, SizeZ>& thisBlock() noexcept {
  return static_cast<const SizedBlock<SizeX, SizeY, SizeZ>&>(thisBlock());
}

/// thisTurnedBlock() is thisBlock() with x and y exchanged, for kernels that name them so; with a
/// hint for its size, thisTurnedBlock<16, 32>() for blocks of 32 x 16 threads.
inline Block thisTurnedBlock() noexcept {
  const Block& block = thisBlock();
  Block turned;
  turned.blockIdx = ::uint3{block.blockIdx.y, block.blockIdx.x, block.blockIdx.z};
  turned.blockDim = ::dim3(block.blockDim.y, block.blockDim.x, block.blockDim.z);
  turned.gridDim = ::dim3(block.gridDim.y, block.gridDim.x, block.gridDim.z);
  return turned;
}
template <unsigned SizeX, unsigned SizeY = 1, unsigned SizeZ = 1>
inline SizedBlock<SizeX, SizeY, SizeZ> thisTurnedBlock() noexcept {
  return {thisTurnedBlock()};
}

template <unsigned SizeX, unsigned SizeY, unsigned SizeZ, bool certain, class Body>
__attribute__((always_inline)) inline void
eachThread(const SizedBlock<SizeX, SizeY, SizeZ, certain>& block, Body&& body) {
  // Of a single thread compilers would know the index, and what they compute from it themselves has
  // no fused products.
  if constexpr (!certain && SizeX * SizeY * SizeZ == 1)
    return eachThread(static_cast<const Block&>(block), body);
  if (block.asExpected())
    return detail::runStarts(block, body, SizeX, SizeX, SizeY, SizeZ);
  if constexpr (!certain)
    eachThread(static_cast<const Block&>(block), body);
}

namespace detail {
/// Whether a body takes no more of a thread than its index. (std::is_invocable is C++17, and host
/// code may be older.)
template <class Body>
auto takesIndex(int) -> decltype(std::declval<Body&>()(std::declval<::uint3>()), std::true_type());
template <class Body> std::false_type takesIndex(long);
} // namespace detail

template <unsigned SizeX, unsigned SizeY, unsigned SizeZ, bool certain, class Bound, class Body>
__attribute__((always_inline)) inline void
eachThreadBelow(const SizedBlock<SizeX, SizeY, SizeZ, certain>& block, Bound bound, Body&& body) {
  if constexpr (!certain)
    if (!block.asExpected())
      return eachThreadBelow(static_cast<const Block&>(block), bound, body);
  if constexpr (decltype(detail::takesIndex<Body>(0))::value) {
    detail::runStarts(block, body, detail::countBelow(bound, SizeX), SizeX, SizeY, SizeZ);
  } else {
    // So that what a thread keeps is known to lie beside its neighbour's, as in runParts(): the
    // bound of a loop does not tell. (Without that, diagonals of tiles stay what they are.)
    const auto run = [&](const Thread thread) __attribute__((always_inline)) {
#if defined(__clang__)
      __builtin_assume(thread.threadIdx.x < SizeX);
#endif
      body(thread);
    };
    detail::runStarts(block, run, detail::countBelow(bound, SizeX), SizeX, SizeY, SizeZ);
  }
}

namespace detail {

/// The loops of eachThreadByColumns(). Sizes are unsigned, or constants.
template <class Body, class SizeX, class SizeY, class SizeZ>
__attribute__((always_inline)) inline void runColumns(const Block& block, Body& body, SizeX sizeX,
                                                      SizeY sizeY, SizeZ sizeZ) {
  const unsigned countX = sizeX, countY = sizeY, countZ = sizeZ;
  for (unsigned z = 0; z < countZ; ++z)
    for (unsigned x = 0; x < countX; ++x) {
      CU2CPP_EACH_LANE
      for (std::size_t y = 0; y < countY; ++y)
        body(Thread{::uint3{x, unsigned(y), z}, &block, (z * countY + unsigned(y)) * countX + x});
    }
}

} // namespace detail

/// eachThreadByColumns() is eachThread() for threads that share nothing, threadIdx.y fastest: for
/// bodies that store to neighbours in memory along a column of the block.
template <class Body>
__attribute__((always_inline)) inline void eachThreadByColumns(const Block& block, Body&& body) {
  const ::dim3 size = block.blockDim;
  detail::runColumns(block, body, size.x, size.y, size.z);
}
template <unsigned SizeX, unsigned SizeY, unsigned SizeZ, bool certain, class Body>
__attribute__((always_inline)) inline void
eachThreadByColumns(const SizedBlock<SizeX, SizeY, SizeZ, certain>& block, Body&& body) {
  if (block.asExpected())
    return detail::runColumns(block, body, std::integral_constant<unsigned, SizeX>(),
                              std::integral_constant<unsigned, SizeY>(),
                              std::integral_constant<unsigned, SizeZ>());
  if constexpr (!certain)
    eachThreadByColumns(static_cast<const Block&>(block), body);
}

/// eachThreadEvery() runs body(isInside, thread) for the threads whose threadIdx.x is a multiple of
/// `step`, with std::true_type; if that is not positive for all, with std::false_type. No vectors:
/// neighbours in the loop are none in memory.
template <class Step, class Body>
__attribute__((always_inline)) inline void eachThreadEvery(const Block& block, Step step,
                                                           Body&& body) {
  // What is compared with a negative one may be unsigned.
  if (step <= 0)
    return eachThread(block, [&](const Thread thread) __attribute__((always_inline)) {
      body(std::false_type(), thread);
    });
  const ::dim3 size = block.blockDim;
  const unsigned by =
      static_cast<unsigned long long>(step) < size.x ? unsigned(step) : unsigned(size.x);
  unsigned row = 0;
  for (unsigned z = 0; z < size.z; ++z)
    for (unsigned y = 0; y < size.y; ++y, row += size.x) {
      CU2CPP_ONE_BY_ONE_LOOP
      for (unsigned x = 0; x < size.x; x += by)
        body(std::true_type(), Thread{::uint3{x, y, z}, &block, row + x});
    }
}

namespace detail {

/// The number of threads of a part of a row of `size`, such that the quotients of their places by
/// the divisors are one value and the remainders neighbours; of those small enough for one vector
/// neither holds. 0 if there is none.
template <unsigned size, unsigned long long... divisors> constexpr unsigned partOfRow() {
  // In parts shorter than the divisor compilers would not see that remainders are neighbours.
  unsigned part = size;
  for (const unsigned long long by : {divisors...}) {
    if (by == 0 || (by & (by - 1)) != 0)
      return 0;
    if (by >= 8 && by < part)
      part = unsigned(by);
  }
  if (part > 32 && ((part & (part - 1)) != 0 || size % part != 0))
    part = 32;
  return part >= 8 && (part & (part - 1)) == 0 && size % part == 0 ? part : 0;
}

} // namespace detail

/// eachThreadByParts<16>() is eachThread() for bodies that divide places in the block by 16: parts
/// of rows run together in which threads have one quotient and neighbours' remainders.
template <unsigned long long... divisors, class Body>
__attribute__((always_inline)) inline void eachThreadByParts(const Block& block, Body&& body) {
  eachThread(block, body);
}
template <unsigned long long... divisors, unsigned SizeX, unsigned SizeY, unsigned SizeZ,
          class Body>
__attribute__((always_inline)) inline void
eachThreadByParts(const SizedBlock<SizeX, SizeY, SizeZ, true>& block, Body&& body) {
  constexpr unsigned part = detail::partOfRow<SizeX, divisors...>();
  if constexpr (part == 0) {
    eachThread(block, body);
  } else {
    [[maybe_unused]] constexpr unsigned vectors = part >= 32 ? 2 : 1;
    for (unsigned row = 0; row < SizeY * SizeZ; ++row)
      for (unsigned number = 0; number < SizeX / part; ++number) {
        CU2CPP_EACH_PART
        for (std::size_t lane = 0; lane < part; ++lane) {
          // The mask tells compilers what the division will need to know.
          const unsigned x = number * part + (unsigned(lane) & (part - 1));
          CU2CPP_IN_LOOP body(
              Thread{::uint3{x, row % SizeY, row / SizeY}, &block, row * SizeX + x});
        }
      }
  }
}

namespace detail {

/// How many neighbouring threads are written out one behind the other: as many as the smallest of
/// the divisors says, so that their quotients are one value and their remainders constants.
template <unsigned size, unsigned long long... divisors> constexpr unsigned threadsInPiece() {
  constexpr unsigned most = 16;
  unsigned long long piece = sizeof...(divisors) > 0 ? most : 4;
  for (const unsigned long long by : {1ull * most, divisors...})
    if (by > 1 && by < piece)
      piece = by;
  return piece > 0 && (piece & (piece - 1)) == 0 && size % piece == 0 ? unsigned(piece) : 1;
}

} // namespace detail

/// eachThreadSingly() is eachThread() for bodies that move elements between places which are no
/// neighbours: their threads run one by one. It is given the divisors of eachThreadByParts().
template <unsigned long long... divisors, class Body>
__attribute__((always_inline)) inline void eachThreadSingly(const Block& block, Body&& body) {
  const ::dim3 size = block.blockDim;
  for (unsigned row = 0; row < size.y * size.z; ++row) {
    CU2CPP_ONE_BY_ONE_LOOP
    for (unsigned x = 0; x < size.x; ++x)
      body(Thread{::uint3{x, row % size.y, row / size.y}, &block, row * size.x + x});
  }
}
template <unsigned long long... divisors, unsigned SizeX, unsigned SizeY, unsigned SizeZ,
          class Body>
__attribute__((always_inline)) inline void
eachThreadSingly(const SizedBlock<SizeX, SizeY, SizeZ, true>& block, Body&& body) {
  constexpr unsigned piece = detail::threadsInPiece<SizeX, divisors...>();
  for (unsigned row = 0; row < SizeY * SizeZ; ++row) {
    CU2CPP_ONE_BY_ONE_LOOP
    for (unsigned number = 0; number < SizeX / piece; ++number) {
      CU2CPP_WRITTEN_OUT_LOOP
      for (unsigned lane = 0; lane < piece; ++lane) {
        const unsigned x = number * piece + (lane & (piece - 1));
        body(Thread{::uint3{x, row % SizeY, row / SizeY}, &block, row * SizeX + x});
      }
    }
  }
}

/// eachThreadAt() is eachThread() for the threads whose threadIdx.x is `index`.
template <class Index, class Body>
__attribute__((always_inline)) inline void eachThreadAt(const Block& block, Index index,
                                                        Body&& body) {
  const ::dim3 size = block.blockDim;
  if (index < 0 || static_cast<unsigned long long>(index) >= size.x)
    return;
  const unsigned x = unsigned(index);
  unsigned row = 0;
  for (unsigned z = 0; z < size.z; ++z)
    for (unsigned y = 0; y < size.y; ++y, row += size.x)
      body(Thread{::uint3{x, y, z}, &block, row + x});
}
template <unsigned SizeX, unsigned SizeY, unsigned SizeZ, class Index, class Body>
__attribute__((always_inline)) inline void
eachThreadAt(const SizedBlock<SizeX, SizeY, SizeZ, true>& block, Index index, Body&& body) {
  if (index < 0 || static_cast<unsigned long long>(index) >= SizeX)
    return;
  const unsigned x = unsigned(index);
  for (unsigned row = 0; row < SizeY * SizeZ; ++row)
    body(Thread{::uint3{x, row % SizeY, row / SizeY}, &block, row * SizeX + x});
}

namespace detail {

/// The loops of eachThreadInRow(). SizeX, SizeY and SizeZ are unsigned, or constants.
template <class Index, class Body, class SizeX, class SizeY, class SizeZ>
__attribute__((always_inline)) inline void runRowsAt(const Block& block, Index index, Body& body,
                                                     SizeX sizeX, SizeY sizeY, SizeZ sizeZ) {
  const unsigned countX = sizeX, countY = sizeY, countZ = sizeZ;
  if (index < 0 || static_cast<unsigned long long>(index) >= countY)
    return;
  const unsigned y = unsigned(index);
  for (unsigned z = 0; z < countZ; ++z) {
    const unsigned row = (z * countY + y) * countX;
    // Counts down: what edges of tiles ask for, threadIdx.x + 1, would else become the counter's
    // next value, which is then computed under conditions.
    CU2CPP_EACH_LANE
    for (std::size_t left = countX; left != 0; --left) {
      const std::size_t x = countX - left;
      body(Thread{::uint3{unsigned(x), y, z}, &block, row + unsigned(x)});
    }
  }
}

} // namespace detail

/// eachThreadInRow() is eachThread() for the threads whose threadIdx.y is `index`.
template <class Index, class Body>
__attribute__((always_inline)) inline void eachThreadInRow(const Block& block, Index index,
                                                           Body&& body) {
  const ::dim3 size = block.blockDim;
  detail::runRowsAt(block, index, body, size.x, size.y, size.z);
}
template <unsigned SizeX, unsigned SizeY, unsigned SizeZ, class Index, class Body>
__attribute__((always_inline)) inline void
eachThreadInRow(const SizedBlock<SizeX, SizeY, SizeZ, true>& block, Index index, Body&& body) {
  detail::runRowsAt(block, index, body, std::integral_constant<unsigned, SizeX>(),
                    std::integral_constant<unsigned, SizeY>(),
                    std::integral_constant<unsigned, SizeZ>());
}

namespace detail {

/// For how many threads of a row holds(thread) is true: for all up to the last of them. It does not
/// hold for the last of the row. No branch depends on it: where a loop's last step ends is another
/// place each time.
template <class Holds>
__attribute__((always_inline)) inline unsigned countRising(const Block& block, Holds& holds,
                                                           unsigned countX, unsigned y, unsigned z,
                                                           unsigned row) {
  unsigned count = 0, step = 1;
  while (step <= countX / 2)
    step *= 2;
  for (; step > 0; step /= 2) {
    const unsigned next = count + step, x = (next < countX ? next : countX) - 1;
    count += step * unsigned(bool(holds(Thread{::uint3{x, y, z}, &block, row + x})));
  }
  return count;
}

/// The loops of eachThreadRising(). SizeX, SizeY and SizeZ are unsigned, or constants.
template <class Holds, class Body, class SizeX, class SizeY, class SizeZ>
__attribute__((always_inline)) inline bool runRising(const Block& block, Holds& holds, Body& body,
                                                     SizeX sizeX, SizeY sizeY, SizeZ sizeZ) {
  const unsigned countX = sizeX, countY = sizeY, countZ = sizeZ;
  bool any = false;
  for (unsigned z = 0; z < countZ; ++z)
    for (unsigned y = 0; y < countY; ++y) {
      const unsigned row = (z * countY + y) * countX;
      unsigned count = countX;
      if (!holds(Thread{::uint3{countX - 1, y, z}, &block, row + countX - 1})) {
        // Behind a loop's last step there is one for no thread.
        if (!holds(Thread{::uint3{0, y, z}, &block, row}))
          continue;
        count = countRising(block, holds, countX, y, z, row);
      } else if (!std::is_same<SizeX, unsigned>::value) {
        any = true;
        CU2CPP_EACH_NEIGHBOUR
        for (std::size_t x = 0; x < countX; ++x)
          CU2CPP_IN_LOOP body(Thread{::uint3{unsigned(x), y, z}, &block, row + unsigned(x)});
        continue;
      }
      any |= count != 0;
      // Said once more for compilers: threads have elements of their own in what the block keeps.
      const unsigned some = count < countX ? count : countX;
      CU2CPP_EACH_NEIGHBOUR
      for (std::size_t x = 0; x < some; ++x)
        body(Thread{::uint3{unsigned(x), y, z}, &block, row + unsigned(x)});
    }
  return any;
}

} // namespace detail

/// eachThreadRising() runs body(thread) for all threads for which holds(thread), and tells whether
/// there are any. In each row of threads it must hold for all up to the last for which it does:
/// i < n, where i is one more in each thread.
template <class Holds, class Body>
__attribute__((always_inline)) inline bool eachThreadRising(const Block& block, Holds&& holds,
                                                            Body&& body) {
  const ::dim3 size = block.blockDim;
  return detail::runRising(block, holds, body, size.x, size.y, size.z);
}
template <unsigned SizeX, unsigned SizeY, unsigned SizeZ, bool certain, class Holds, class Body>
__attribute__((always_inline)) inline bool
eachThreadRising(const SizedBlock<SizeX, SizeY, SizeZ, certain>& block, Holds&& holds,
                 Body&& body) {
  if constexpr (!certain)
    if (!block.asExpected())
      return eachThreadRising(static_cast<const Block&>(block), holds, body);
  return detail::runRising(block, holds, body, std::integral_constant<unsigned, SizeX>(),
                           std::integral_constant<unsigned, SizeY>(),
                           std::integral_constant<unsigned, SizeZ>());
}

namespace detail {
/// Where the next four steps begin, and the one behind them. False if holds() does not in all four.
template <class Step, class By, class Holds>
__attribute__((always_inline)) inline bool findFourSteps(Step& step, By by, Holds&& holds,
                                                         Step (&steps)[5]) {
  bool all = true;
  steps[0] = step;
  for (unsigned i = 0; i < 4; ++i) {
    all &= holds();
    step += by;
    steps[i + 1] = step;
  }
  step = steps[0];
  return all;
}
/// These steps of one thread, one behind the other.
template <class Step, class Body>
__attribute__((always_inline)) inline void runFourSteps(Step& step, const Step (&steps)[5],
                                                        Body& body, const Thread& thread) {
  step = steps[0];
  body(thread);
  step = steps[1];
  body(thread);
  step = steps[2];
  body(thread);
  step = steps[3];
  body(thread);
}
} // namespace detail

/// eachThreadRisingInFours() is eachThreadRising() for what one step does in a loop whose steps are
/// `by` apart, in bodies that add up what they load, `bytes` in a step and thread: as often as all
/// threads have four steps, each runs these one behind the other, and `step` goes on by four. The
/// sums are in registers meanwhile, and four pages are read at once. (Processors foresee what is
/// read in a page, but not which page is next, unless few lines are read of each: sums of two
/// arrays took 1.4 to 1.8 times as long one step at a time.)
template <unsigned long long bytes, class OneBlock, class Step, class By, class Holds, class Body>
__attribute__((always_inline)) inline bool eachThreadRisingInFours(const OneBlock& block, Step&, By,
                                                                   Holds&& holds, Body&& body) {
  return eachThreadRising(block, holds, body);
}
template <unsigned long long bytes, unsigned SizeX, unsigned SizeY, unsigned SizeZ, class Step,
          class By, class Holds, class Body>
__attribute__((always_inline)) inline bool
eachThreadRisingInFours(const SizedBlock<SizeX, SizeY, SizeZ, true>& block, Step& step, By by,
                        Holds&& holds, Body&& body) {
  constexpr unsigned long long fewLines = 16 * 64;
  if constexpr (SizeY * SizeZ == 1 && SizeX * bytes > fewLines) {
    // Steps as long as the block go along a page, as processors foresee.
    while (static_cast<unsigned long long>(by) > SizeX) {
      Step steps[5];
      if (!detail::findFourSteps(
              step, by, [&] { return holds(Thread{::uint3{SizeX - 1, 0, 0}, &block, SizeX - 1}); },
              steps))
        break;
      CU2CPP_EACH_NEIGHBOUR
      for (std::size_t x = 0; x < SizeX; ++x)
        detail::runFourSteps(step, steps, body,
                             Thread{::uint3{unsigned(x), 0, 0}, &block, unsigned(x)});
      step = steps[4];
    }
  }
  return eachThreadRising(block, holds, body);
}

/// eachThreadPublished() is the `loop` form for bodies that reach functions which ask for
/// thisThread().
template <class Body> inline void eachThreadPublished(const Block& block, Body&& body) {
  Thread thread{{}, &block, 0};
  detail::context.thread = &thread;
  const ::dim3 size = block.blockDim;
  unsigned row = 0;
  for (unsigned z = 0; z < size.z; ++z)
    for (unsigned y = 0; y < size.y; ++y, row += size.x)
      for (unsigned x = 0; x < size.x; ++x) {
        thread.threadIdx = ::uint3{x, y, z};
        thread.index = row + x;
        body(static_cast<const Thread&>(thread));
      }
  detail::context.thread = nullptr;
}

/// eachThreadOnFiber() is the `fibers` form: each thread is a fiber, switched where it waits in a
/// collective.
template <class Body>
inline void eachThreadOnFiber(const Block& block, Body&& body,
                              const char* kernel = __builtin_FUNCTION()) {
  using Plain = typename std::remove_reference<Body>::type;
  detail::runOnFibers(
      block, [](void* b, const Thread& thread) { (*static_cast<Plain*>(b))(thread); },
      const_cast<void*>(static_cast<const void*>(&body)), kernel);
}

/// The bytes behind a block's dynamic shared memory that belong to nobody.
constexpr std::size_t dynamicSharedSlack = 64;

/// dynamicShared<Type>() is the running block's dynamic shared memory (`extern __shared__ Type
/// name[]`).
template <class Type> inline Type* dynamicShared() noexcept {
  return static_cast<Type*>(thisBlock().dynamicShared);
}

/// shared<Type>([]{}) is the running block's copy of one `__shared__` variable that could not
/// become a local variable of the kernel: those of device functions and of namespace scope.
template <class Type, class Tag> inline Type& shared(Tag) noexcept {
  return *static_cast<Type*>(detail::SharedVariable<Type, Tag>::slot.in(thisBlock()));
}

/// shared<Holder>() is the running block's copy of a `__shared__` variable of namespace scope,
/// wrapped in a struct.
template <class Holder> inline Holder& shared() noexcept {
  return *static_cast<Holder*>(detail::SharedVariable<Holder, Holder>::slot.in(thisBlock()));
}

} // namespace cu2cpp

#endif
