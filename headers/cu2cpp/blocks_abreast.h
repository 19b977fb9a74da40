// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that add up an array in a loop by the whole grid and join the sums of a block's threads
// behind it: the blocks that an OS thread runs take that loop's steps together. Each step of theirs
// is one stretch of memory then, which processors foresee, where a block on its own goes from page
// to page (sums of four arrays took 2.5 times as long). The first block runs the loop for those
// behind it, too, as many as the second cache has room for their threads' sums; these find their
// sums when they come to it. Each thread adds up in its own order.
//
// CUDA C++ Programming Guide, 'Thread Hierarchy': blocks are independent.
#ifndef CU2CPP_BLOCKS_ABREAST_H
#define CU2CPP_BLOCKS_ABREAST_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

#include <cu2cpp/rare_block.h>
#include <cu2cpp/split.h>

namespace cu2cpp {

/// Abreast is the blocks that an OS thread runs one after the other, and the sums to which one of
/// them has come for those behind it.
class Abreast {
public:
  static constexpr unsigned mostBlocks = 64;
  static constexpr std::size_t room = std::size_t(128) << 10;

  Abreast() = default;
  Abreast(const Abreast&) = delete;
  Abreast& operator=(const Abreast&) = delete;
  ~Abreast() { ::operator delete(values_, alignment); }

  /// of() is when the block of that number, of so many, runs.
  Abreast& of(unsigned block, unsigned blocks) {
    block_ = block;
    blocks_ = blocks;
    return *this;
  }
  /// begin() takes in the running block and some behind it, with so many bytes of sums each.
  unsigned begin(std::size_t bytes) {
    if (!values_)
      values_ = static_cast<unsigned char*>(::operator new(room, alignment));
    first_ = block_;
    const std::size_t most = room / bytes;
    count_ = blocks_ - block_;
    if (count_ > mostBlocks)
      count_ = mostBlocks;
    if (count_ > most)
      count_ = static_cast<unsigned>(most);
    return count_;
  }
  bool hasSums() const { return block_ - first_ < count_; }
  bool hasNext() const { return block_ + 1 < blocks_; }
  unsigned number() const { return block_ - first_; }
  unsigned count() const { return count_; }
  unsigned char* values() const { return values_; }

private:
  static constexpr std::align_val_t alignment{64};
  unsigned char* values_ = nullptr;
  unsigned block_ = 0, blocks_ = 1;
  unsigned first_ = 0, count_ = 0; ///< the blocks whose sums are there
};

namespace detail {

/// SumOfThread is what stands for a PerThread in the loop: the sum of the thread that runs.
template <unsigned number, class Element> struct SumOfThread {
  Element now;
  Element* all;
  Element& operator[](const Thread&) { return now; }
};

/// LinesAhead stands for the block where a few neighbouring threads' lines are fetched, those of
/// thread `first` and behind.
struct LinesAhead {
  static constexpr unsigned threads = 16;
  /// Without AVX-512: processors that have it were fast without.
#if defined(__AVX512F__)
  static constexpr bool areFetched = false;
#else
  static constexpr bool areFetched = true;
#endif
  std::size_t first;
};

} // namespace detail

/// prefetchRow() fetches these of an array, where a row begins at `index`, if a block reads several
/// `rows` side by side: the next block then leaves a gap behind what this one reads in a row, and
/// processors do not foresee that. (One row goes on in the next block. Fetches took a third of a
/// dot product's time.)
template <unsigned rows = 1, class Element, class Index, class Step, class End = int>
__attribute__((always_inline)) inline void
prefetchRow(const detail::LinesAhead& lines, const Element* array, Index index, Step, End = 0) {
  constexpr std::size_t line = 64;
  const auto from = reinterpret_cast<std::uintptr_t>(array) +
                    (static_cast<std::uintptr_t>(index) + lines.first) * sizeof(Element);
  for (std::size_t at = 0; at < lines.threads * sizeof(Element); at += line)
    __builtin_prefetch(reinterpret_cast<const void*>(from + at), 0, detail::secondCache);
}
template <class... Argument>
inline void prefetchRowOrNext(const detail::LinesAhead&, Argument&&...) {}

template <class Sequence, class... Element> class SumsAbreast;
/// SumsAbreast is the sums of the running block's threads, and of the blocks that run with it.
template <std::size_t... number, class... Element>
class SumsAbreast<std::index_sequence<number...>, Element...>
    : public detail::SumOfThread<number, Element>... {
  template <std::size_t n, class Type> using Sum = detail::SumOfThread<n, Type>;

public:
  SumsAbreast(Abreast& blocks, PerThread<Element>&... each)
      : Sum<number, Element>{{}, &each.at(0)}..., blocks(blocks) {}
  void load(std::size_t i) { ((Sum<number, Element>::now = Sum<number, Element>::all[i]), ...); }
  void store(std::size_t i) { ((Sum<number, Element>::all[i] = Sum<number, Element>::now), ...); }

  /// Whether sums of 4 bytes stand beside sums of 8.
  static constexpr bool ofTwoSizes =
      ((sizeof(Element) == 4) || ...) && ((sizeof(Element) == 8) || ...);
  /// How many bytes the sums of one block have, of so many threads.
  static constexpr std::size_t bytes(unsigned threads) { return (span<Element>(threads) + ...); }
  /// The sums of the running block's threads are given to all blocks.
  void takeIn(unsigned threads) const {
    for (unsigned block = 0; block < blocks.count(); ++block) {
      unsigned char* to = valuesOf(block, threads);
      ((std::memcpy(to, Sum<number, Element>::all, threads * sizeof(Element)),
        to += span<Element>(threads)),
       ...);
    }
  }
  /// The running block's threads get theirs.
  void takeOut(unsigned threads) const {
    const unsigned char* from = valuesOf(blocks.number(), threads);
    ((std::memcpy(Sum<number, Element>::all, from, threads * sizeof(Element)),
      from += span<Element>(threads)),
     ...);
  }
  /// Steps go on with the sums of that block.
  void turnTo(unsigned block, unsigned threads) {
    unsigned char* at = valuesOf(block, threads);
    ((Sum<number, Element>::all = reinterpret_cast<Element*>(at), at += span<Element>(threads)),
     ...);
  }
  Abreast& blocks;

private:
  /// Arrays that lie a page apart hinder each other, as those of PerThread would.
  template <class Type> static constexpr std::size_t span(unsigned threads) {
    constexpr std::size_t line = 64;
    return (threads * sizeof(Type) + line - 1) / line * line + detail::linesBetweenValues * line;
  }
  unsigned char* valuesOf(unsigned block, unsigned threads) const {
    return blocks.values() + block * bytes(threads);
  }
};

/// sumsAbreast() is the sums that a loop changes.
template <class... Element>
SumsAbreast<std::index_sequence_for<Element...>, Element...>
sumsAbreast(Abreast& blocks, PerThread<Element>&... each) {
  return {blocks, each...};
}
/// sumOf<0>() is the first of them.
template <unsigned number, class Element>
detail::SumOfThread<number, Element>& sumOf(detail::SumOfThread<number, Element>& sums) {
  return sums;
}

namespace detail {

/// eachSumOf() runs body(x) for threads whose sums are of two sizes, or of one.
template <bool ofTwoSizes, class Body>
__attribute__((always_inline)) inline void eachSumOf(std::size_t from, std::size_t to,
                                                     Body&& body) {
  if constexpr (ofTwoSizes) {
    // Compilers would take as many threads as fit with the larger ones.
    [[maybe_unused]] constexpr unsigned part = widestVector > 0 ? widestVector / 4 : 4;
    CU2CPP_EACH_NARROW_NEIGHBOUR
    for (std::size_t x = from; x < to; ++x)
      body(x);
  } else {
    CU2CPP_EACH_NEIGHBOUR
    for (std::size_t x = from; x < to; ++x)
      body(x);
  }
}

} // namespace detail

/// stepsAbreastInside() runs a loop whose steps are `by` apart: body(isInside, thread) for all
/// threads for which holds(thread), until there are none. `step` is where a step begins, begin()
/// where the loop does, for the block that blockIdx names; fetch(block) is called behind a step of
/// a block on its own, fetch(lines) for what the block behind this one loads in a step. isInside is
/// std::true_type in steps in which all threads of a row are in the range that bounds(first) tells.
template <unsigned long long bytes, class OneBlock, class Sums, class Step, class By, class Begin,
          class Fetch, class Holds, class Bounds, class Body>
__attribute__((always_inline)) inline void
stepsAbreastInside(const OneBlock& block, Sums& sums, ::uint3&, Step& step, By by, Begin&&, Fetch&&,
                   Holds&& holds, Bounds&&, Body&& body) {
  while (eachThreadRising(block, holds, [&](const Thread thread) __attribute__((always_inline)) {
    sums.load(thread.index);
    body(std::false_type(), thread);
    sums.store(thread.index);
  }))
    step += by;
}
template <unsigned long long bytes, unsigned SizeX, unsigned SizeY, unsigned SizeZ, class Sums,
          class Step, class By, class Begin, class Fetch, class Holds, class Bounds, class Body>
__attribute__((always_inline)) inline void
stepsAbreastInside(const SizedBlock<SizeX, SizeY, SizeZ, true>& block, Sums& sums,
                   ::uint3& blockIdx, Step& step, By by, Begin&& begin, Fetch&& fetch,
                   Holds&& holds, Bounds&& bounds, Body&& body) {
  constexpr unsigned threads = SizeX * SizeY * SizeZ, fewSteps = 8;
  constexpr bool inRow = SizeY * SizeZ == 1;
  if (sums.blocks.hasSums())
    return sums.takeOut(threads);
  const Thread first{::uint3{0, 0, 0}, &block, 0},
      last{::uint3{SizeX - 1, 0, 0}, &block, SizeX - 1};
  // Steps as long as the block go along a page, as processors foresee; so do those of which few
  // lines are read.
  constexpr unsigned long long fewLines = 16 * 64;
  bool apart = inRow && static_cast<unsigned long long>(by) > SizeX;
  unsigned count = 1;
  if (apart && sums.blocks.hasNext()) {
    const Step start = step;
    step += by * fewSteps;
    if (holds(first)) {
      count = sums.blocks.begin(sums.bytes(threads));
      sums.takeIn(threads);
    }
    step = start;
  }
  apart &= count > 1 || SizeX * bytes > fewLines;
  const auto areInside = [&] {
    return holds(last) && detail::rangeOfRow(bounds, 0, 0).holdsRow(SizeX);
  };
  const auto inside = [&](const Thread thread)
                          __attribute__((always_inline)) { body(std::true_type(), thread); };
  auto own = sums;
  Step next[Abreast::mostBlocks];
  bool isOver[Abreast::mostBlocks];
  const unsigned here = blockIdx.x;
  for (unsigned b = 0; b < count; ++b) {
    blockIdx.x = here + b;
    next[b] = begin();
    isOver[b] = false;
  }
  for (bool more = true; more;) {
    more = false;
    for (unsigned b = 0; b < count; ++b) {
      if (isOver[b])
        continue;
      blockIdx.x = here + b;
      if (count > 1)
        sums.turnTo(b, threads);
      step = next[b];
      Step steps[5];
      if (apart && detail::findFourSteps(step, by, areInside, steps)) {
        const auto runSteps = [&](std::size_t x) __attribute__((always_inline)) {
          sums.load(x);
          detail::runFourSteps(step, steps, inside,
                               Thread{::uint3{unsigned(x), 0, 0}, &block, unsigned(x)});
          sums.store(x);
        };
        constexpr unsigned few = detail::LinesAhead::threads;
        if constexpr (detail::LinesAhead::areFetched && SizeX % few == 0 &&
                      std::is_invocable<Fetch, detail::LinesAhead>::value) {
          // Each step reads a page of its own, of which a block alone goes along a part. What the
          // next block reads there is asked for bit by bit: many fetches at once would wait for
          // places, and this block's loads for them.
          const unsigned behind = b + 1 < count ? b + 1 : 0;
          const bool follows = count > 1 && !isOver[behind];
          for (std::size_t from = 0; from < SizeX; from += few) {
            if (follows) {
              step = next[behind];
              for (unsigned i = 0; i < 4; ++i) {
                fetch(detail::LinesAhead{from});
                step += by;
              }
            }
            detail::eachSumOf<Sums::ofTwoSizes>(from, from + few, runSteps);
          }
        } else {
          detail::eachSumOf<Sums::ofTwoSizes>(0, SizeX, runSteps);
        }
        step = steps[4];
        more = true;
      } else {
        isOver[b] = !eachThreadRisingInside(block, holds, bounds,
                                            [&](const auto isInside, const Thread thread)
                                                __attribute__((always_inline)) {
                                                  sums.load(thread.index);
                                                  body(isInside, thread);
                                                  sums.store(thread.index);
                                                });
        more |= !isOver[b];
        step += by;
      }
      next[b] = step;
      if (count == 1)
        fetch(block);
    }
  }
  blockIdx.x = here;
  if (count > 1)
    own.takeOut(threads);
}

/// stepsAbreast() is stepsAbreastInside() for bodies that ask for no range.
template <unsigned long long bytes, class OneBlock, class Sums, class Step, class By, class Begin,
          class Fetch, class Holds, class Body>
__attribute__((always_inline)) inline void
stepsAbreast(const OneBlock& block, Sums& sums, ::uint3& blockIdx, Step& step, By by, Begin&& begin,
             Fetch&& fetch, Holds&& holds, Body&& body) {
  stepsAbreastInside<bytes>(block, sums, blockIdx, step, by, begin, fetch, holds, Inside(),
                            [&](auto, const Thread thread)
                                __attribute__((always_inline)) { body(thread); });
}

/// runAbreast() runs body(abreast) for the running block and all that follow it. (Functions may ask
/// thisBlock() for its place.)
template <class Body> __attribute__((always_inline)) inline void runAbreast(Body&& body) {
  Block& block = const_cast<Block&>(thisBlock());
  const unsigned first = block.blockIdx.x, count = block.following + 1;
  Abreast abreast;
  for (unsigned b = 0; b < count; ++b) {
    block.blockIdx.x = first + b;
    body(abreast.of(b, count));
  }
  block.blockIdx.x = first;
  block.taken = count - 1;
}

} // namespace cu2cpp

#endif
