// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the split form keeps between regions of a block: PerThread<Element> holds a value for each
// thread, Exited remembers which threads have returned. lanes.h has the same for a warp.
#ifndef CU2CPP_SPLIT_H
#define CU2CPP_SPLIT_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

#include <cu2cpp/bit_runs.h>
#include <cu2cpp/block.h>
#include <cu2cpp/block_elements.h>
#include <cu2cpp/block_guarded.h>
#include <cu2cpp/block_layers.h>
#include <cu2cpp/block_of_rows.h>
#include <cu2cpp/block_ranges.h>
#include <cu2cpp/block_ranks.h>
#include <cu2cpp/block_row.h>
#include <cu2cpp/block_steps.h>
#include <cu2cpp/doubling_levels.h>
#include <cu2cpp/element_rows.h>
#include <cu2cpp/element_strips.h>
#include <cu2cpp/rare_block.h>
#include <cu2cpp/thread_rows.h>
#include <cu2cpp/thread_sums.h>
#include <cu2cpp/thread_tiles.h>
#include <cu2cpp/tile_row.h>
#include <cu2cpp/tree_levels.h>
#include <cu2cpp/turned_array.h>
#include <cu2cpp/updates.h>

namespace cu2cpp {

/// Type<unsigned int> is a type of several words as one name: `Type<unsigned int>{1}`.
template <class Element> using Type = Element;

struct Warp;
template <class Element> class PerLane;
unsigned firstThread(const Warp& warp);

namespace detail {

/// The largest block (CUDA C++ Programming Guide, 'Compute Capabilities').
constexpr unsigned maxThreadsPerBlock = 1024;
/// Values up to this size live on the stack, where the compiler knows that nothing else points to
/// them.
constexpr std::size_t largestStackValue = 32;
/// The lines of the cache between the values of one variable and those of the next: a power of two
/// apart they would displace each other, and loads would wait for stores into another one's.
constexpr std::size_t linesBetweenValues = 3;

} // namespace detail

/// PerThread<Element> is a local variable of a kernel that is alive across a barrier: one Element
/// for each thread of the block. As with the variable itself, an Element without a constructor
/// starts without a value.
template <class Element, bool onStack = (sizeof(Element) <= detail::largestStackValue)>
class PerThread;

template <class Element> class PerThread<Element, true> {
public:
  explicit PerThread(const Block&) {}
  /// Starts every thread's value as a copy of `value` (a parameter that the kernel changes).
  template <class ValueType> PerThread(const Block& block, const ValueType& value) {
    for (unsigned i = 0, n = block.threadCount(); i < n; ++i)
      new (&values_[i]) Element(value);
  }
  Element& operator[](const Thread& thread) { return values_[thread.index]; }
  const Element& operator[](const Thread& thread) const { return values_[thread.index]; }
  Element& at(unsigned index) { return values_[index]; }
  const Element& at(unsigned index) const { return values_[index]; }
  /// The values of one warp.
  PerLane<Element>& lanes(const Warp& warp) {
    return reinterpret_cast<PerLane<Element>&>(values_[firstThread(warp)]);
  }
  const PerLane<Element>& lanes(const Warp& warp) const {
    return reinterpret_cast<const PerLane<Element>&>(values_[firstThread(warp)]);
  }

private:
  // No constructor runs: translated code starts the values where the user's code does.
  union {
    alignas(64) Element
        values_[detail::maxThreadsPerBlock + detail::linesBetweenValues * 64 / sizeof(Element)];
  };

public:
  PerThread(const PerThread& other) {
    std::memcpy(static_cast<void*>(values_), other.values_, sizeof values_);
  }
  PerThread& operator=(const PerThread& other) {
    std::memcpy(static_cast<void*>(values_), other.values_, sizeof values_);
    return *this;
  }
  ~PerThread() {}
};

template <class Element> class PerThread<Element, false> {
public:
  explicit PerThread(const Block& block)
      : bytes_(block.warpCount() * 32 * sizeof(Element)),
        values_(static_cast<Element*>(::operator new(bytes_, alignment))) {}
  template <class ValueType>
  PerThread(const Block& block, const ValueType& value) : PerThread(block) {
    for (unsigned i = 0, n = block.threadCount(); i < n; ++i)
      new (&values_[i]) Element(value);
  }
  PerThread(const PerThread& other)
      : bytes_(other.bytes_), values_(static_cast<Element*>(::operator new(bytes_, alignment))) {
    std::memcpy(static_cast<void*>(values_), other.values_, bytes_);
  }
  PerThread& operator=(const PerThread&) = delete;
  ~PerThread() { ::operator delete(static_cast<void*>(values_), alignment); }
  Element& operator[](const Thread& thread) { return values_[thread.index]; }
  const Element& operator[](const Thread& thread) const { return values_[thread.index]; }
  Element& at(unsigned index) { return values_[index]; }
  const Element& at(unsigned index) const { return values_[index]; }
  PerLane<Element>& lanes(const Warp& warp) {
    return reinterpret_cast<PerLane<Element>&>(values_[firstThread(warp)]);
  }
  const PerLane<Element>& lanes(const Warp& warp) const {
    return reinterpret_cast<const PerLane<Element>&>(values_[firstThread(warp)]);
  }

private:
  static constexpr std::align_val_t alignment{alignof(Element) > 64 ? alignof(Element) : 64};
  std::size_t bytes_;
  Element* values_;
};

/// StayingBox is the box of a block's threads that have not exited; unknown if they are none.
struct StayingBox {
  bool isKnown;
  unsigned beginX, endX, beginY, endY, beginZ, endZ;
};

/// ExitedThreads remembers the threads, of up to `most`, that have returned: they take no part in
/// what follows.
template <unsigned most> class ExitedThreads {
public:
  constexpr ExitedThreads() {}
  explicit ExitedThreads(const Block& block) : threads_(block.threadCount()) {}
  ExitedThreads(const Block& block, const ExitedThreads& others) : ExitedThreads(others) {
    threads_ = block.threadCount();
  }
  template <class OneBlock>
  explicit ExitedThreads(const BlockRow<OneBlock>& blocks) : threads_(blocks.threadCount()) {}
  template <class OneBlock>
  explicit ExitedThreads(const KeptRow<OneBlock>& row) : threads_(row.threadCount()) {}
  ExitedThreads(const ExitedThreads& other) : threads_(other.threads_), count_(other.count_) {
    if (count_ != 0)
      std::memcpy(exited_, other.exited_, sizeof exited_);
  }
  void add(const Thread& thread) { add(thread.index); }
  void add(unsigned index) {
    flags()[index] = 1;
    ++count_;
  }
  bool has(const Thread& thread) const { return count_ != 0 && exited_[thread.index] != 0; }
  bool has(unsigned index) const { return count_ != 0 && exited_[index] != 0; }
  bool any() const { return count_ != 0; }
  bool all() const { return count_ == threads_; }

  /// flags() is 1 for each thread that has exited, 0 for others. Who sets some tells how many by
  /// added().
  int* flags() {
    if (count_ == 0)
      std::memset(exited_, 0, sizeof exited_);
    return exited_;
  }
  void added(unsigned count) { count_ += count; }
  /// The box of those that stay, in a block of sizeX * sizeY * sizeZ threads.
  const StayingBox& staying(unsigned sizeX, unsigned sizeY, unsigned sizeZ) {
    if (stayingFor_ != count_) {
      staying_ = findStaying(sizeX, sizeY, sizeZ);
      stayingFor_ = count_;
    }
    return staying_;
  }

private:
  __attribute__((noinline)) StayingBox findStaying(unsigned sizeX, unsigned sizeY,
                                                   unsigned sizeZ) const {
    if (count_ == 0)
      return {true, 0, sizeX, 0, sizeY, 0, sizeZ};
    if (count_ >= threads_)
      return {};
    // A box begins with the first thread and ends with the last.
    unsigned first = 0, last = threads_ - 1;
    while (exited_[first])
      ++first;
    while (exited_[last])
      --last;
    const StayingBox box{true,
                         first % sizeX,
                         last % sizeX + 1,
                         first / sizeX % sizeY,
                         last / sizeX % sizeY + 1,
                         first / sizeX / sizeY,
                         last / sizeX / sizeY + 1};
    if (box.beginX >= box.endX || box.beginY >= box.endY ||
        (box.endX - box.beginX) * (box.endY - box.beginY) * (box.endZ - box.beginZ) !=
            threads_ - count_)
      return {};
    int others = 0;
    for (unsigned z = box.beginZ; z < box.endZ; ++z)
      for (unsigned y = box.beginY; y < box.endY; ++y)
        for (unsigned x = box.beginX; x < box.endX; ++x)
          others |= exited_[(z * sizeY + y) * sizeX + x];
    return others ? StayingBox{} : box;
  }
  unsigned threads_ = 0;
  unsigned count_ = 0;
  // Not mutable: compilers would no longer know noneExited.
  unsigned stayingFor_ = ~0u; ///< with how many exited threads staying_ was found
  StayingBox staying_{};
  // As wide as the data beside it: loops with flags of another width vectorise badly. Without a
  // value until one exits.
  union {
    char none_ = 0;
    int exited_[most];
  };
};

/// Exited is for the threads of a block.
using Exited = ExitedThreads<detail::maxThreadsPerBlock>;

/// ExitedOfRow is for those of several blocks that run as one with a longer row.
using ExitedOfRow = ExitedThreads<KeptRow<Block>::mostThreads>;

/// noneExited is for kernels whose threads all stay to the end.
inline constexpr Exited noneExited{};

namespace detail {
[[noreturn]] void valuesDiffer(const char* group, const char* file, int line);
} // namespace detail

namespace detail {
/// Kept is what is kept of a Result for each thread: a Named type, if there is one.
template <class Named, class Result,
          class Plain = std::remove_cv_t<std::remove_reference_t<Result>>>
using Kept =
    std::conditional_t<!std::is_void_v<Named>, Named,
                       std::conditional_t<std::is_array_v<Plain>, Plain, std::decay_t<Result>>>;

/// construct() makes a value at a place that holds none yet.
template <class Type, class Value> inline void construct(Type& place, Value&& value) {
  if constexpr (std::is_array_v<Type>)
    std::memcpy(&place, &value, sizeof place);
  else
    new (&place) Type(std::forward<Value>(value));
}
} // namespace detail

/// perThread<Element>(block, exited, body) is what body(thread) gives for each thread that has not
/// exited; Element is the result's own type if none is named. (Of a function template that returns
/// `auto` clang++ copies the result.)
template <class Element = void, class Body,
          class Value =
              detail::Kept<Element, decltype(std::declval<Body&>()(std::declval<const Thread&>()))>>
inline PerThread<Value> perThread(const Block& block, const Exited& exited, Body&& body) {
  PerThread<Value> out(block);
  eachThread(block, [&](const Thread thread) {
    if (!exited.has(thread))
      detail::construct(out[thread], body(thread));
  });
  return out;
}
template <class Element = void, class Body,
          class Value =
              detail::Kept<Element, decltype(std::declval<Body&>()(std::declval<const Thread&>()))>>
inline PerThread<Value> perThreadPublished(const Block& block, const Exited& exited, Body&& body) {
  PerThread<Value> out(block);
  eachThreadPublished(block, [&](const Thread& thread) {
    if (!exited.has(thread))
      detail::construct(out[thread], body(thread));
  });
  return out;
}

/// anyStays() adds those threads to `outside` for which body(thread) does not hold; false if no
/// thread is left inside.
template <class Body> inline bool anyStays(const Block& block, Exited& outside, Body&& body) {
  const auto stays = perThread<bool>(block, outside, body);
  for (unsigned i = 0, n = block.threadCount(); i < n; ++i)
    if (!outside.has(i) && !stays.at(i))
      outside.add(i);
  return !outside.all();
}
template <class Body>
inline bool anyStaysPublished(const Block& block, Exited& outside, Body&& body) {
  const auto stays = perThreadPublished<bool>(block, outside, body);
  return anyStays(block, outside, [&](const Thread& thread) { return stays[thread]; });
}

/// divide() adds each thread that is in neither set to the one of the branch that it does not take.
template <class Body>
inline void divide(const Block& block, Exited& outsideThen, Exited& outsideElse, Body&& body) {
  const auto holds = perThread<bool>(block, outsideThen, body);
  for (unsigned i = 0, n = block.threadCount(); i < n; ++i)
    if (!outsideThen.has(i))
      (holds.at(i) ? outsideElse : outsideThen).add(i);
}
template <class Body>
inline void dividePublished(const Block& block, Exited& outsideThen, Exited& outsideElse,
                            Body&& body) {
  const auto holds = perThreadPublished<bool>(block, outsideThen, body);
  divide(block, outsideThen, outsideElse, [&](const Thread& thread) { return holds[thread]; });
}

/// sameInBlock(block, exited, body) is what body(thread) gives for every thread; the program stops
/// if they disagree.
template <class Body>
inline auto sameInBlock(const Block& block, const Exited& exited, Body&& body,
                        const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  const auto all = perThread(block, exited, body);
  unsigned first = 0;
  const unsigned count = block.threadCount();
  while (first + 1 < count && exited.has(first))
    ++first;
  for (unsigned i = first + 1; i < count; ++i)
    if (!exited.has(i) && !(all.at(i) == all.at(first)))
      detail::valuesDiffer("block", file, line);
  return all.at(first);
}
template <class Body>
inline auto sameInBlockPublished(const Block& block, const Exited& exited, Body&& body,
                                 const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  const auto all = perThreadPublished(block, exited, body);
  return sameInBlock(block, exited, [&](const Thread& thread) { return all[thread]; }, file, line);
}

namespace detail {

/// How near to the processor __builtin_prefetch() brings what is not needed soon.
constexpr int firstCache = 3, secondCache = 2;

} // namespace detail

/// prefetchRow() fetches what a row of threads will load from an array later: they come to `index`
/// in the next step, which goes `step` elements ahead, to `end` or (0) nobody knows where.
/// Processors do not foresee steps from page to page; of longer steps with long rows the blocks
/// before have fetched the neighbourhood. `rows` are fetched of this array in a step, and mostly
/// lie side by side. It comes into the second cache: until it is loaded a block passes by, or
/// several steps, and the first has no room for it (sums by a tree of shared memory took twice as
/// long).
template <unsigned rows = 1, class Element, class Index, class Step, class End = int>
__attribute__((always_inline)) inline void prefetchRow(const Block& block, const Element* array,
                                                       Index index, Step step, End end = 0) {
  constexpr std::uintptr_t line = 64, stepsAhead = 4, mostBytes = 4096, longestStep = 32768,
                           shortRow = 2048, mostOfBlock = std::uintptr_t(320) << 10;
  const std::uintptr_t width = block.blockDim.x * sizeof(Element);
  const std::uintptr_t distance = static_cast<std::uintptr_t>(step) * sizeof(Element);
  const std::uintptr_t all = static_cast<std::uintptr_t>(end) * sizeof(Element);
  if (distance <= width)
    return;
  std::uintptr_t ahead = static_cast<std::uintptr_t>(index) * sizeof(Element);
  // What the next block loads in this step lies behind what this one has just loaded, and stays in
  // the cache until then if it is not too much.
  if (all != 0 && all <= mostOfBlock * block.gridDim.x && block.blockIdx.x + 1 < block.gridDim.x)
    ahead += rows * width - distance;
  else if (distance > longestStep && width > shortRow)
    return;
  else
    ahead += stepsAhead * distance;
  // Behind the last step lies memory that may not be there: asking for it takes as long as a load.
  if (all != 0 && ahead >= all)
    return;
  const std::uintptr_t first = reinterpret_cast<std::uintptr_t>(array) + ahead;
  const auto fetch = [&](std::uintptr_t at) {
    __builtin_prefetch(reinterpret_cast<const void*>(first + at), 0, detail::secondCache);
  };
  // In a loop that stays one it is one instruction that goes along the row, which processors
  // follow.
  if (rows * width >= shortRow) {
    CU2CPP_ROLLED
    for (std::uintptr_t at = 0; at < width && at < mostBytes; at += line)
      fetch(at);
  } else {
    for (std::uintptr_t at = 0; at < width; at += line)
      fetch(at);
  }
}

/// prefetchRowOrNext() is prefetchRow() in a loop over rows, `rowStep` apart up to rowEnd: it goes
/// on at address(threadIdx, row), where the first thread begins in a later row.
template <class Element, class Index, class Step, class End, class Row, class RowStep, class RowEnd,
          class Address>
__attribute__((always_inline)) inline void
prefetchRowOrNext(const Block& block, const Element* array, Index index, Step step, End end,
                  const Row row, RowStep rowStep, RowEnd rowEnd, Address&& address) {
  constexpr long long line = 64, bytesAhead = 4096, leastSteps = 4, mostSteps = 16;
  const long long width = (long long)(block.blockDim.x * sizeof(Element)), by = (long long)(step);
  const long long first = address(::uint3{}, row) - array, all = (long long)(end)-first;
  if (by <= 0 || all <= 0 || rowStep <= 0)
    return;
  const long long steps = bytesAhead / width, ahead = steps < leastSteps  ? leastSteps
                                                      : steps > mostSteps ? mostSteps
                                                                          : steps;
  const long long stepsOfRow = (all - 1) / by + 1, later = ((long long)(index)-first) / by + ahead,
                  rows = later / stepsOfRow, next = (long long)(row) + rows * (long long)(rowStep);
  // Processors foresee what follows in a row; past the end of its type a row would seem to be one
  // again.
  if ((rows == 0 && by * (long long)(sizeof(Element)) <= width) ||
      (long long)(static_cast<Row>(next)) != next || !(static_cast<Row>(next) < rowEnd))
    return;
  const auto from = reinterpret_cast<std::uintptr_t>(address(::uint3{}, static_cast<Row>(next))) +
                    std::uintptr_t(later % stepsOfRow * by) * sizeof(Element);
  CU2CPP_ROLLED
  for (long long at = 0; at < width && at < bytesAhead; at += line)
    __builtin_prefetch(reinterpret_cast<const void*>(from + std::uintptr_t(at)), 0,
                       detail::secondCache);
}

/// prefetchRowOfNextBlock() fetches what the next block's threads will load in this step of a loop
/// over a row of an array, `at` elements behind its begin(blockIdx), of `end`: behind
/// its last step a block computes for a while and loads nothing.
template <class Index, class End, class Begin>
__attribute__((always_inline)) inline void prefetchRowOfNextBlock(const Block& block, Index at,
                                                                  End end, Begin&& begin) {
  using Element = std::remove_pointer_t<decltype(begin(::uint3{}))>;
  constexpr std::uintptr_t line = 64, longestRow = std::uintptr_t(64) << 10;
  const std::uintptr_t all = static_cast<std::uintptr_t>(end) * sizeof(Element);
  if (all > longestRow || block.blockIdx.x + 1 >= block.gridDim.x)
    return;
  const std::uintptr_t from = static_cast<std::uintptr_t>(at) * sizeof(Element),
                       step = block.blockDim.x * sizeof(Element),
                       to = from + step < all ? from + step : all;
  const auto first = reinterpret_cast<std::uintptr_t>(
      begin(::uint3{block.blockIdx.x + 1, block.blockIdx.y, block.blockIdx.z}));
  CU2CPP_ROLLED
  for (std::uintptr_t place = from; place < to; place += line)
    __builtin_prefetch(reinterpret_cast<const void*>(first + place), 0, detail::secondCache);
}

namespace detail {

/// Fetches stretches of an array into the first cache or the second one; those that follow each
/// other as one.
template <int cache, class Element, class... Index>
__attribute__((always_inline)) inline void fetchNextBlock(const Block& block, const Element* array,
                                                          const Index&... index) {
  constexpr std::uintptr_t line = 64, mostBytes = 4096;
  const ::uint3 next{block.blockIdx.x + 1, block.blockIdx.y, block.blockIdx.z};
  const std::uintptr_t width = block.blockDim.x * sizeof(Element);
  const std::uintptr_t stretch = width < mostBytes ? width : mostBytes;
  std::uintptr_t begin = 0, end = 0;
  const auto fetch = [&] {
    CU2CPP_ROLLED
    for (std::uintptr_t at = begin; at < end; at += line)
      __builtin_prefetch(reinterpret_cast<const void*>(at), 0, cache);
  };
  const auto add = [&](std::uintptr_t from) {
    if (from != end) {
      fetch();
      begin = from;
    }
    end = from + stretch;
  };
  (add(reinterpret_cast<std::uintptr_t>(array) +
       static_cast<std::uintptr_t>(index(next, ::uint3{})) * sizeof(Element)),
   ...);
  fetch();
}

} // namespace detail

/// prefetchNextBlock() fetches what the next block's first row of threads will load from an array,
/// or store to it, in one or several stretches: each index(blockIdx, threadIdx) is one more in each
/// thread. Between a block's loads and its stores lies work in shared memory, in which processors
/// look no further ahead; and where a block goes along several stretches at once, each ends and
/// begins elsewhere with each block, and they do not see that one continues the other. A loop that
/// is left as it is has one instruction for the whole way, which they follow: a dot product by a
/// tree of shared sums took 1.4 times as long without, and 1.3 times with the loop unrolled.
template <class Element, class... Index>
__attribute__((always_inline)) inline void
prefetchNextBlock(const Block& block, const Element* array, const Index&... index) {
  detail::fetchNextBlock<detail::firstCache>(block, array, index...);
}

/// prefetchNextBlockAfar() fetches it into the second cache only. A block without loops is done
/// before all of it has come, and what it loads itself would wait for a place in the first cache.
template <class Element, class... Index>
__attribute__((always_inline)) inline void
prefetchNextBlockAfar(const Block& block, const Element* array, const Index&... index) {
  detail::fetchNextBlock<detail::secondCache>(block, array, index...);
}

/// prefetchRowInTurn() fetches what the next block loads, where blocks take rows in turn: a row of
/// `elements` from place(threadIdx, row) on. It lies behind this block's, and stays in the cache
/// until then if a block's rows are not too much; or else it is this block's next row. Without
/// `loads` it is where this row is about to be stored. In the middle of a row's work there is time
/// for it: beside the loads of a row these would wait, too.
template <bool loads, class Row, class End, class Elements, class Place>
__attribute__((always_inline)) inline void prefetchRowInTurn(const Block& block, Row row, End end,
                                                             Elements elements, Place&& place) {
  using Element = std::remove_reference_t<decltype(*place(::uint3{}, row))>;
  constexpr std::uintptr_t line = 64, mostBytes = 4096, mostOfBlock = std::uintptr_t(320) << 10;
  const std::uintptr_t width = static_cast<std::uintptr_t>(elements) * sizeof(Element);
  Row at = row;
  if constexpr (loads) {
    const bool isOfNext = block.blockIdx.x + 1 < block.gridDim.x &&
                          static_cast<std::uintptr_t>(end) * width <= mostOfBlock * block.gridDim.x;
    at = static_cast<Row>(row + (isOfNext ? 1 : block.gridDim.x));
    if (!(at < end))
      return;
  }
  const std::uintptr_t first = reinterpret_cast<std::uintptr_t>(place(::uint3{}, at));
  CU2CPP_ROLLED
  for (std::uintptr_t behind = 0; behind < width && behind < mostBytes; behind += line)
    __builtin_prefetch(reinterpret_cast<const void*>(first + behind), loads ? 0 : 1);
}

/// prefetchRowsOfNextBlock() is that for all rows of the next block's threads, if they are short:
/// processors do not foresee the way from one to the next.
template <class Element, class Index>
__attribute__((always_inline)) inline void prefetchRowsOfNextBlock(const Block& block,
                                                                   Element* array, Index&& index) {
  constexpr std::uintptr_t line = 64, mostBytes = 512;
  constexpr unsigned mostRows = 64;
  const ::dim3 size = block.blockDim;
  const std::uintptr_t width = size.x * sizeof(Element);
  const bool ends = block.blockIdx.x + 1 == block.gridDim.x;
  const ::uint3 next{ends ? 0 : block.blockIdx.x + 1, block.blockIdx.y + (ends ? 1 : 0),
                     block.blockIdx.z};
  if (width > mostBytes || size.y * size.z > mostRows || size.y * size.z < 2)
    return;
  for (unsigned z = 0; z < size.z; ++z)
    for (unsigned y = 0; y < size.y; ++y) {
      const std::uintptr_t first =
          reinterpret_cast<std::uintptr_t>(array) +
          static_cast<std::uintptr_t>(index(next, ::uint3{0, y, z})) * sizeof(Element);
      // A row may begin in the middle of a line.
      for (std::uintptr_t at = 0; at < width + line - 1; at += line)
        __builtin_prefetch(reinterpret_cast<const void*>(first + (at < width ? at : width - 1)),
                           std::is_const<Element>::value ? 0 : 1, detail::secondCache);
    }
}

/// NextMatrix is what the next block loads into shared memory before a loop with barriers:
/// `elements` from place(blockIdx, threadIdx) on. Its lines are asked for piece by piece, in each
/// step of this block's loop, as processors wait for room when all are asked for at once.
class NextMatrix {
public:
  template <class Place, class Elements>
  __attribute__((always_inline)) NextMatrix(const Block& block, Place&& place, Elements elements) {
    constexpr unsigned long long mostBytes = 32768;
    const ::uint3 next{block.blockIdx.x + 1, block.blockIdx.y, block.blockIdx.z};
    if (next.x >= block.gridDim.x || elements <= 0)
      return;
    const auto* const first = place(next, ::uint3{});
    const unsigned long long bytes = static_cast<unsigned long long>(elements) * sizeof(*first);
    if (bytes > mostBytes)
      return;
    constexpr unsigned long long steps = 24;
    at_ = reinterpret_cast<std::uintptr_t>(first);
    end_ = at_ + bytes;
    step_ = (bytes / steps / line + 1) * line;
  }
  __attribute__((always_inline)) void fetchSome() {
    const std::uintptr_t to = end_ - at_ < step_ ? end_ : at_ + step_;
    CU2CPP_ROLLED
    for (; at_ < to; at_ += line)
      __builtin_prefetch(reinterpret_cast<const void*>(at_));
    at_ = at_ < end_ ? at_ : end_;
  }

private:
  static constexpr std::uintptr_t line = 64;
  std::uintptr_t at_ = 0, end_ = 0, step_ = 0;
};

/// stepsAhead() is how many steps ahead prefetchNextStep() fetches in a loop that counts: of blocks
/// of one row a step takes less time than memory.
template <class OneBlock> constexpr int stepsAhead(const OneBlock&) { return 1; }
template <unsigned SizeX> constexpr int stepsAhead(const SizedBlock<SizeX, 1, 1, true>&) {
  return 3;
}

/// prefetchNextStep() fetches what the rows of a block's threads will load from an array in the
/// next step of a loop around barriers, or store to it: index(threadIdx, next) is one more in each
/// thread of a row. Short rows, that is, between which processors do not foresee the way; with
/// those that are only read come the neighbours, for which halos ask.
template <class OneBlock, class Element, class Counter, class Index>
__attribute__((always_inline)) inline void prefetchNextStep(const OneBlock&, Element*, Counter,
                                                            Index&&) {}
template <unsigned SizeX, unsigned SizeY, unsigned SizeZ, class Element, class Counter, class Index>
__attribute__((always_inline)) inline void
prefetchNextStep(const SizedBlock<SizeX, SizeY, SizeZ, true>&, Element* array, Counter next,
                 Index&& index) {
  constexpr std::uintptr_t line = 64, width = SizeX * sizeof(Element);
  constexpr bool read = std::is_const<Element>::value;
  const auto fetch = [](std::uintptr_t at) {
    __builtin_prefetch(reinterpret_cast<const void*>(at), read ? 0 : 1);
  };
  if constexpr (width <= 1024 && SizeY * SizeZ <= 32)
    for (unsigned row = 0; row < SizeY * SizeZ; ++row) {
      const std::uintptr_t first =
          reinterpret_cast<std::uintptr_t>(array) +
          static_cast<std::uintptr_t>(index(::uint3{0, row % SizeY, row / SizeY}, next)) *
              sizeof(Element);
      for (std::uintptr_t at = 0; at < width; at += line)
        fetch(first + at);
      if (read) {
        fetch(first - sizeof(Element));
        fetch(first + width);
      }
    }
}

/// Counters are copies of a shared array of integers for a loop that only adds to it: neighbouring
/// threads add to different ones, so that no addition waits for the one before. Their sums go to
/// the array when they end.
template <class Element, std::size_t count> class Counters {
public:
  explicit Counters(Element (&array)[count]) : array_(array) {}
  ~Counters() {
    for (std::size_t i = 0; i < count; ++i)
      array_[i] = Element(Unsigned(array_[i]) + Unsigned(copies_[0][i]) + Unsigned(copies_[1][i]) +
                          Unsigned(copies_[2][i]) + Unsigned(copies_[3][i]));
  }
  Counters(const Counters&) = delete;
  Counters& operator=(const Counters&) = delete;
  /// add() adds value to an element; thread is threadIdx.x.
  template <class Index, class Value>
  __attribute__((always_inline)) void add(unsigned thread, Index index, Value value) {
    // As in blockUpdate() (device/atomics.h): two threads may count at one place.
    volatile Element& element = copies_[thread % 4][index];
    element = Element(Unsigned(element) + Unsigned(Element(value)));
  }

private:
  using Unsigned = std::make_unsigned_t<Element>;
  Element (&array_)[count];
  // Apart in a page: a load would wait for the addition to the same element of another copy.
  static constexpr std::size_t gap = 3 * 64 / sizeof(Element);
  Element copies_[4][count + gap] = {};
};
/// The same of a table of rows.
template <class Element, std::size_t columns, std::size_t rows>
class Counters<Element[columns], rows> : Counters<Element, rows * columns> {
  using All = Counters<Element, rows * columns>;

public:
  explicit Counters(Element (&array)[rows][columns])
      : All(reinterpret_cast<Element (&)[rows * columns]>(array)) {}
  template <class Row, class Column, class Value>
  __attribute__((always_inline)) void add(unsigned thread, Row row, Column column, Value value) {
    // In signed numbers: an index may be negative where it is added to a row's.
    All::add(thread, std::ptrdiff_t(row) * std::ptrdiff_t(columns) + std::ptrdiff_t(column), value);
  }
};

/// eachThreadRisingByFour() is eachThreadRising() for bodies that add to Counters: of four
/// neighbours written one behind the other each knows its copy when it is compiled. (A histogram of
/// three channels took 1.2 times as long with the loop as compilers leave it.)
template <class OneBlock, class Holds, class Body>
__attribute__((always_inline)) inline bool eachThreadRisingByFour(const OneBlock& block,
                                                                  Holds&& holds, Body&& body) {
  const ::dim3 size = block.blockDim;
  bool any = false;
  for (unsigned z = 0; z < size.z; ++z)
    for (unsigned y = 0; y < size.y; ++y) {
      const unsigned row = (z * size.y + y) * size.x;
      const auto thread = [&](unsigned x) __attribute__((always_inline)) {
        return Thread{::uint3{x, y, z}, &block, row + x};
      };
      const unsigned count =
          holds(thread(size.x - 1)) ? size.x : detail::countRising(block, holds, size.x, y, z, row);
      any |= count != 0;
      unsigned x = 0;
      CU2CPP_ROLLED
      for (; x + 4 <= count; x += 4) {
        body(thread(x));
        body(thread(x + 1));
        body(thread(x + 2));
        body(thread(x + 3));
      }
      CU2CPP_ROLLED
      for (; x < count; ++x)
        body(thread(x));
    }
  return any;
}

namespace detail {

/// inFours() runs item(i) for i < count, of four neighbours one behind the other.
template <class Item>
__attribute__((always_inline)) inline void inFours(unsigned count, Item&& item) {
  unsigned i = 0;
  CU2CPP_ROLLED
  for (; count - i >= 4; i += 4) {
    item(i);
    item(i + 1);
    item(i + 2);
    item(i + 3);
  }
  CU2CPP_ROLLED
  for (; i < count; ++i)
    item(i);
}

} // namespace detail

/// eachItemOfGrid() runs body(thread) for the items 0 .. end - 1 of a loop by the whole grid, as
/// long as holds(thread), where it does not matter which block takes which: the running block and
/// those that follow take the items of one stretch. Item i is `at` + threadIdx.x; threads of the
/// loop begin at `at`, the block's first, and go on by `step`.
template <class OneBlock, class Item, class Step, class End, class Holds, class Body>
__attribute__((always_inline)) inline void
eachItemOfGrid(const OneBlock& block, Item& at, Step step, End end, Holds&& holds, Body&& body) {
  const ::dim3 size = block.blockDim;
  const std::uint64_t blocks = block.gridDim.x, stride = blocks * size.x;
  using Compared = std::common_type_t<Item, End>;
  const Compared bound = static_cast<Compared>(end);
  const std::uint64_t all = bound > 0 ? static_cast<std::uint64_t>(bound) : 0;
  // Items that a loop's variable, or threadIdx.x, could not count; and blocks of another size than
  // the loop has in mind.
  const std::uint64_t most = std::numeric_limits<Item>::max() < ~0u
                                 ? std::uint64_t(std::numeric_limits<Item>::max())
                                 : ~0u;
  if (static_cast<std::uint64_t>(step) != stride || stride > most || all > most - stride ||
      static_cast<std::uint64_t>(at) != std::uint64_t(block.blockIdx.x) * size.x) {
    for (; eachThreadRisingByFour(block, holds, body); at += step)
      ;
    return;
  }
  const Block& running = thisBlock();
  const auto firstOf = [&](std::uint64_t number) {
    return unsigned(all / blocks * number + all % blocks * number / blocks);
  };
  const unsigned first = firstOf(block.blockIdx.x);
  const unsigned count = firstOf(std::uint64_t(block.blockIdx.x) + running.following + 1) - first;
  running.taken = running.following;
  at = static_cast<Item>(first);
  for (unsigned others = size.y * size.z, i = 0; i < others; ++i) {
    const unsigned y = i % size.y, z = i / size.y;
    const auto item = [&](unsigned x) __attribute__((always_inline)) {
      body(Thread{::uint3{x, y, z}, &block, x});
    };
    detail::inFours(count, item);
  }
}

} // namespace cu2cpp

#include <cu2cpp/block_staying.h>
#include <cu2cpp/kept_row_ranges.h>
#include <cu2cpp/block_turns.h>
#include <cu2cpp/blocks_abreast.h>
#include <cu2cpp/grid_places.h>
#include <cu2cpp/lanes.h>
#include <cu2cpp/row_strips.h>
#include <cu2cpp/short_rows.h>
#include <cu2cpp/skewed_copy.h>
#include <cu2cpp/turned_copy.h>
#include <cu2cpp/turned_elements.h>

#endif
