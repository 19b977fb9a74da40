// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of matrices in which each thread adds up a tile of, say, 4 x 4 results: the loop over
// the products runs for a few neighbouring threads at a time, whose tiles stay in registers. A
// vector is a piece of a row of the result, and may belong to several threads.
#ifndef CU2CPP_THREAD_TILES_H
#define CU2CPP_THREAD_TILES_H

#include <cstddef>
#include <type_traits>
#include <utility>

#include <cu2cpp/block.h>

// A loop whose steps are written out would find its vectors across them, and sums of whole numbers
// would be taken across them without that.
#if defined(__clang__)
#define CU2CPP_STEP_BY_STEP _Pragma("clang loop unroll(disable) vectorize(disable)")
#elif defined(__GNUC__)
#define CU2CPP_STEP_BY_STEP _Pragma("GCC unroll 1")
#else
#define CU2CPP_STEP_BY_STEP
#endif

namespace cu2cpp {
namespace detail {

/// A power of two by which the places of threads in a row, and their remainders, can be divided.
template <unsigned size, unsigned long long... divisors> constexpr unsigned commonPart() {
  unsigned long long part = size & (0u - size);
  for (const unsigned long long by : {1ull * size, divisors...})
    while (by % part != 0)
      part /= 2;
  return unsigned(part);
}

/// The bytes of tiles that registers hold beside what is multiplied: 8 of the widest vectors.
#if defined(__AVX512F__)
constexpr std::size_t tileBytes = 512;
#else
constexpr std::size_t tileBytes = 256;
#endif

/// How many threads' tiles are in registers at once.
template <class Array, unsigned most> constexpr unsigned tilesAtOnce() {
  unsigned group = 1;
  while (group < most && 2 * group * sizeof(Array) <= tileBytes)
    group *= 2;
  return group;
}

/// How many elements of a thread's tile lie side by side in the result: `width`, if rows are whole
/// ones of it, or else the last dimension. With a width of 1 no two do.
template <class Array, unsigned long long width> constexpr std::size_t runOfTile() {
  using Row = std::remove_extent_t<Array>;
  if constexpr (width == 1) {
    return 1;
  } else if constexpr (std::is_array<Row>::value) {
    return runOfTile<Row, width>();
  } else {
    constexpr std::size_t all = std::extent<Array>::value;
    return all % (width > 0 ? width : all) == 0 && width > 0 ? width : all;
  }
}

/// RunOfTile is neighbouring elements of a thread's tile, read and stored as one where they fill a
/// vector: compilers would gather them one by one for the longer vectors of a row.
template <class Scalar, std::size_t run, class = void> class RunOfTile {
public:
  __attribute__((always_inline)) explicit RunOfTile(const Scalar* from) : from_(from) {}
  __attribute__((always_inline)) Scalar operator[](std::size_t i) const { return from_[i]; }
  __attribute__((always_inline)) void store(Scalar* to) const {
    CU2CPP_UNROLL_WHOLE for (std::size_t i = 0; i < run; ++i) to[i] = from_[i];
  }

private:
  const Scalar* from_;
};
#if defined(__GNUC__)
template <class Scalar, std::size_t run>
class RunOfTile<Scalar, run,
                std::enable_if_t<std::is_arithmetic<Scalar>::value &&
                                 (run * sizeof(Scalar) == 16 || run * sizeof(Scalar) == 32)>> {
public:
  __attribute__((always_inline)) explicit RunOfTile(const Scalar* from) {
    __builtin_memcpy(&all_, from, sizeof all_);
  }
  __attribute__((always_inline)) Scalar operator[](std::size_t i) const { return all_[i]; }
  __attribute__((always_inline)) void store(Scalar* to) const {
    __builtin_memcpy(to, &all_, sizeof all_);
  }

private:
  typedef Scalar All __attribute__((vector_size(run * sizeof(Scalar))));
  All all_;
};
#endif

/// TileElements is one thread's array, or a part of one, in a ThreadTiles.
template <class Array, std::size_t run, unsigned group> class TileElements {
public:
  using Scalar = std::remove_all_extents_t<Array>;
  using Element = std::remove_extent_t<Array>;
  __attribute__((always_inline)) TileElements(Scalar* first, std::size_t at)
      : first_(first), at_(at) {}
  template <class Index>
  __attribute__((always_inline)) decltype(auto) operator[](const Index index) const {
    const std::size_t at =
        at_ + static_cast<std::size_t>(index) * (sizeof(Element) / sizeof(Scalar));
    if constexpr (std::is_array<Element>::value)
      return TileElements<Element, run, group>(first_, at);
    else
      return (first_[at / run * (run * group) + at % run]);
  }

private:
  Scalar* first_;
  std::size_t at_;
};

} // namespace detail

/// ThreadTiles is the tiles of `group` neighbouring threads: in each row of elements theirs lie
/// side by side.
template <class Array, std::size_t run, unsigned group> class ThreadTiles {
public:
  using Scalar = std::remove_all_extents_t<Array>;
  static constexpr std::size_t elements = sizeof(Array) / sizeof(Scalar), size = group * elements;

  __attribute__((always_inline)) detail::TileElements<Array, run, group>
  operator[](const Thread& thread) {
    return {values_ + thread.index % group * run, 0};
  }
  /// From, and back to, the array of the group's first thread, behind which the others' lie.
  __attribute__((always_inline)) void load(const Scalar* from) {
    for (unsigned thread = 0; thread < group; ++thread)
      CU2CPP_UNROLL_WHOLE for (std::size_t i = 0; i < elements; i += run) {
        const detail::RunOfTile<Scalar, run> part(from + thread * elements + i);
        CU2CPP_UNROLL_WHOLE for (std::size_t k = 0; k < run; ++k) values_[place(thread, i + k)] =
            part[k];
      }
  }
  __attribute__((always_inline)) void store(Scalar* to) const {
    if constexpr (group == 1) {
      CU2CPP_UNROLL_WHOLE for (std::size_t i = 0; i < size; ++i) to[i] = values_[i];
    } else {
      // Compilers find the vectors by what is stored side by side: rows of the group.
      alignas(64) Scalar rows[size];
      CU2CPP_UNROLL_WHOLE for (std::size_t i = 0; i < size; ++i) rows[i] = values_[i];
#if defined(__GNUC__)
      asm volatile("" : : "r"(rows) : "memory");
#endif
      for (unsigned thread = 0; thread < group; ++thread)
        CU2CPP_UNROLL_WHOLE for (std::size_t i = 0; i < elements; i += run)
            detail::RunOfTile<Scalar, run>(rows + place(thread, i))
                .store(to + thread * elements + i);
    }
  }

  /// Where they lie as they do in registers.
  __attribute__((always_inline)) void loadGroup(const Scalar* from) {
    CU2CPP_UNROLL_WHOLE for (std::size_t i = 0; i < size; ++i) values_[i] = from[i];
  }
  __attribute__((always_inline)) void storeGroup(Scalar* to) const {
    CU2CPP_UNROLL_WHOLE for (std::size_t i = 0; i < size; ++i) to[i] = values_[i];
  }

private:
  static constexpr std::size_t place(unsigned thread, std::size_t i) {
    return i / run * (run * group) + thread * run + i % run;
  }
  Scalar values_[size];
};

/// TileThreads is the threads of one group.
template <unsigned group> class TileThreads {
public:
  TileThreads(const Block& block, ::uint3 first, unsigned index)
      : block_(block), first_(first), index_(index) {}
  template <class Body> __attribute__((always_inline)) void each(Body&& body) const {
    CU2CPP_UNROLL for (unsigned i = 0; i < group; ++i)
        body(Thread{::uint3{first_.x + i, first_.y, first_.z}, &block_, index_ + i});
  }

private:
  const Block& block_;
  const ::uint3 first_;
  const unsigned index_;
};

namespace detail {

template <unsigned long long width, unsigned group, class Array, class Kept, class Body>
__attribute__((always_inline)) inline void runTiles(const Block& block, Kept& kept, Body& body,
                                                    unsigned sizeX, unsigned rows) {
  const unsigned sizeY = block.blockDim.y;
  using Group = ThreadTiles<Array, runOfTile<Array, width>(), group>;
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned part = 0; part < sizeX / group; ++part) {
      const unsigned x = part * group, index = row * sizeX + x;
      Group tiles;
      auto* const values = reinterpret_cast<typename Group::Scalar*>(&kept.at(index));
      tiles.load(values);
      body(TileThreads<group>(block, ::uint3{x, row % sizeY, row / sizeY}, index), tiles);
      tiles.store(values);
    }
}

} // namespace detail

/// TilesInGroups keeps the block's tiles as groups of threads have them in registers, as long as it
/// lives: around a loop in which nothing but eachTile() reaches for them.
template <unsigned long long width, unsigned group, class Array, class Kept> class TilesInGroups {
public:
  TilesInGroups(const Block& block, Kept& kept) : kept_(kept), threads_(block.threadCount()) {
    reorder([](Group& tiles, typename Group::Scalar* values) {
      tiles.load(values);
      tiles.storeGroup(values);
    });
  }
  ~TilesInGroups() {
    reorder([](Group& tiles, typename Group::Scalar* values) {
      tiles.loadGroup(values);
      tiles.store(values);
    });
  }
  TilesInGroups(const TilesInGroups&) = delete;
  TilesInGroups& operator=(const TilesInGroups&) = delete;

  using Group = ThreadTiles<Array, detail::runOfTile<Array, width>(), group>;
  typename Group::Scalar* values(unsigned index) const {
    return reinterpret_cast<typename Group::Scalar*>(&kept_.at(index));
  }

private:
  template <class Reorder> void reorder(Reorder one) {
    if constexpr (group > 1)
      for (unsigned index = 0; index + group <= threads_; index += group) {
        Group tiles;
        one(tiles, values(index));
      }
  }
  Kept& kept_;
  const unsigned threads_;
};

/// tilesInGroups<...>() makes one for an eachTile<...>().
template <unsigned long long width, unsigned long long... divisors, class Kept>
TilesInGroups<width, 1, std::remove_reference_t<decltype(std::declval<Kept&>().at(0))>, Kept>
tilesInGroups(const Block& block, Kept& kept) {
  return {block, kept};
}
template <unsigned long long width, unsigned long long... divisors, unsigned SizeX, unsigned SizeY,
          unsigned SizeZ, class Kept,
          class Array = std::remove_reference_t<decltype(std::declval<Kept&>().at(0))>>
TilesInGroups<width, detail::tilesAtOnce<Array, detail::commonPart<SizeX, divisors...>()>(), Array,
              Kept>
tilesInGroups(const SizedBlock<SizeX, SizeY, SizeZ, true>& block, Kept& kept) {
  return {block, kept};
}

/// eachTile() runs body(threads, tiles) for groups of the block's threads, with their arrays
/// `kept`. eachTile<4, 16>() is for arrays of rows of 4 elements, and for bodies that divide places
/// in the block by 16; 0 rows of elements if the array's type tells them.
template <unsigned long long width, unsigned long long... divisors, class Kept, class Body>
__attribute__((always_inline)) inline void eachTile(const Block& block, Kept& kept, Body&& body) {
  const ::dim3 size = block.blockDim;
  using Array = std::remove_reference_t<decltype(kept.at(0))>;
  detail::runTiles<width, 1, Array>(block, kept, body, size.x, size.y * size.z);
}
template <unsigned long long width, unsigned long long... divisors, unsigned SizeX, unsigned SizeY,
          unsigned SizeZ, class Kept, class Body>
__attribute__((always_inline)) inline void
eachTile(const SizedBlock<SizeX, SizeY, SizeZ, true>& block, Kept& kept, Body&& body) {
  using Array = std::remove_reference_t<decltype(kept.at(0))>;
  constexpr unsigned group = detail::tilesAtOnce<Array, detail::commonPart<SizeX, divisors...>()>();
  detail::runTiles<width, group, Array>(block, kept, body, SizeX, SizeY * SizeZ);
}

/// eachTileInGroups() is eachTile() with tiles that lie as groups have them.
template <class OneBlock, unsigned long long width, unsigned group, class Array, class Kept,
          class Body>
__attribute__((always_inline)) inline void
eachTileInGroups(const OneBlock& block, const TilesInGroups<width, group, Array, Kept>& kept,
                 Body&& body) {
  const ::dim3 size = block.blockDim;
  for (unsigned row = 0; row < size.y * size.z; ++row)
    for (unsigned part = 0; part < size.x / group; ++part) {
      const unsigned x = part * group, index = row * size.x + x;
      typename TilesInGroups<width, group, Array, Kept>::Group tiles;
      auto* const values = kept.values(index);
      tiles.loadGroup(values);
      body(TileThreads<group>(block, ::uint3{x, row % size.y, row / size.y}, index), tiles);
      tiles.storeGroup(values);
    }
}

} // namespace cu2cpp

#endif
