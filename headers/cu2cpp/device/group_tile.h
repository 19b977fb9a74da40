// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cooperative_groups: thread_block_tile (a power of two of consecutive threads) and
// tiled_partition().
//
// CUDA C++ Programming Guide, 'Thread Block Tile', 'tiled_partition'.
#ifndef CU2CPP_DEVICE_GROUP_TILE_H
#define CU2CPP_DEVICE_GROUP_TILE_H

#include <type_traits>

#include <cu2cpp/attributes.h>
#include <cu2cpp/device/group.h>
#include <cu2cpp/device/group_coalesced.h>
#include <cu2cpp/device/group_wide_tile.h>
#include <cu2cpp/device/warp.h>

namespace cooperative_groups {

template <unsigned Size, class ParentT = void> class thread_block_tile;

/// narrow_tile is what a tile within one warp can do.
template <unsigned Size> class narrow_tile : public thread_group {
public:
  CU2CPP_SYNC(tile) CU2CPP_BARRIER void sync() const {
    cu2cpp::detail::LaneCall call;
    cu2cpp::detail::joinWarp(mask_, cu2cpp::detail::resolveNothing, call,
                             "thread_block_tile::sync()");
  }
  static constexpr unsigned num_threads() { return Size; }
  static constexpr unsigned size() { return Size; }
  CU2CPP_THREAD unsigned thread_rank() const { return cu2cpp::detail::laneId() % Size; }
  unsigned meta_group_size() const { return metaSize_; }
  unsigned meta_group_rank() const { return metaRank_; }

  template <class Type> CU2CPP_SYNC(tile) CU2CPP_TOGETHER Type shfl(Type value, int rank) const {
    return shuffle<cu2cpp::detail::Shuffle::index>(value, unsigned(rank),
                                                   "thread_block_tile::shfl()");
  }
  template <class Type>
  CU2CPP_SYNC(tile)
  CU2CPP_TOGETHER Type shfl_up(Type value, unsigned delta) const {
    return shuffle<cu2cpp::detail::Shuffle::up>(value, delta, "thread_block_tile::shfl_up()");
  }
  template <class Type>
  CU2CPP_SYNC(tile)
  CU2CPP_TOGETHER Type shfl_down(Type value, unsigned delta) const {
    return shuffle<cu2cpp::detail::Shuffle::down>(value, delta, "thread_block_tile::shfl_down()");
  }
  template <class Type>
  CU2CPP_SYNC(tile)
  CU2CPP_TOGETHER Type shfl_xor(Type value, unsigned lanes) const {
    return shuffle<cu2cpp::detail::Shuffle::exclusiveOr>(value, lanes,
                                                         "thread_block_tile::shfl_xor()");
  }
  CU2CPP_SYNC(tile) CU2CPP_TOGETHER int any(int predicate) const {
    return cu2cpp::detail::ballot(mask_, predicate, "thread_block_tile::any()").votes != 0;
  }
  CU2CPP_SYNC(tile) CU2CPP_TOGETHER int all(int predicate) const {
    const auto b = cu2cpp::detail::ballot(mask_, predicate, "thread_block_tile::all()");
    return b.votes == b.lanes;
  }
  CU2CPP_SYNC(tile) CU2CPP_TOGETHER unsigned ballot(int predicate) const {
    return cu2cpp::detail::ballot(mask_, predicate, "thread_block_tile::ballot()").votes >> first();
  }
  template <class Type> CU2CPP_SYNC(tile) CU2CPP_TOGETHER unsigned match_any(Type value) const {
    return cu2cpp::detail::matchAny(mask_, value) >> first();
  }
  template <class Type>
  CU2CPP_SYNC(tile)
  CU2CPP_TOGETHER unsigned match_all(Type value, int& predicate) const {
    return cu2cpp::detail::matchAll(mask_, value, &predicate) >> first();
  }

protected:
  narrow_tile(unsigned mask, unsigned metaRank, unsigned metaSize)
      : thread_group(mask), metaRank_(metaRank), metaSize_(metaSize) {}

private:
  template <cu2cpp::detail::Shuffle mode, class Type>
  Type shuffle(const Type& value, unsigned argument, const char* name) const {
    using namespace cu2cpp::detail;
    Type result = value;
    LaneCall call{&value, &result, argument, Size};
    joinWarp(mask_, resolveShuffle<Type, mode>, call, name);
    return result;
  }
  unsigned first() const { return unsigned(__builtin_ctz(mask_)); }

  unsigned metaRank_, metaSize_; // which tile of its parent this is, of how many

  friend struct cu2cpp::detail::GroupAccess;
};

/// thread_block_tile<Size, void> is a tile that has forgotten what it is part of; every other one
/// is one of these too.
template <unsigned Size>
class thread_block_tile<Size, void>
    : public std::conditional_t<(Size > 32), wide_tile<Size>, narrow_tile<Size>> {
  static_assert(Size >= 1 && Size <= 1024 && (Size & (Size - 1)) == 0,
                "the size of a tile is a power of two up to 1024");

protected:
  using Base = std::conditional_t<(Size > 32), wide_tile<Size>, narrow_tile<Size>>;
  using Base::Base;
  thread_block_tile(unsigned mask, unsigned metaRank, unsigned metaSize)
      : Base(mask, metaRank, metaSize) {}

  friend struct cu2cpp::detail::GroupAccess;
};

template <unsigned Size, class ParentT>
class thread_block_tile : public thread_block_tile<Size, void> {
  friend struct cu2cpp::detail::GroupAccess;
  thread_block_tile(unsigned mask, unsigned metaRank, unsigned metaSize)
      : thread_block_tile<Size, void>(mask, metaRank, metaSize) {}

  template <unsigned TileSize>
  friend thread_block_tile<TileSize, thread_block> tiled_partition(const thread_block& parent);
  template <unsigned TileSize, unsigned Parameters, class Grand>
  friend thread_block_tile<TileSize, thread_block_tile<Parameters, Grand>>
  tiled_partition(const thread_block_tile<Parameters, Grand>& parent);
};

/// this_thread() is the calling thread as a group of its own.
CU2CPP_THREAD inline thread_block_tile<1, void> this_thread() {
  return cu2cpp::detail::GroupAccess::make<thread_block_tile<1, void>>(1u
                                                                       << cu2cpp::detail::laneId());
}

/// tiled_partition<Size>() is the tile of the parent that the calling thread belongs to.
template <unsigned Size>
CU2CPP_THREAD CU2CPP_PURE thread_block_tile<Size, thread_block>
tiled_partition(const thread_block& parent) {
  (void)parent;
  const unsigned rank = thread_block::thread_rank();
  return {cu2cpp::detail::tilePosition<Size>(rank), rank / Size,
          (thread_block::num_threads() + Size - 1) / Size};
}
template <unsigned Size, unsigned ParentSize, class GrandParent>
CU2CPP_THREAD CU2CPP_PURE thread_block_tile<Size, thread_block_tile<ParentSize, GrandParent>>
tiled_partition(const thread_block_tile<ParentSize, GrandParent>& parent) {
  static_assert(Size <= ParentSize, "a tile must fit into its parent");
  return {cu2cpp::detail::tilePosition<Size>(cu2cpp::thisThread().rank()),
          parent.thread_rank() / Size, ParentSize / Size};
}

} // namespace cooperative_groups

namespace cu2cpp {
/// tileInBlock<Size>() is tiled_partition<Size>() of the block, for the thread that is given.
template <unsigned Size>
CU2CPP_PURE cooperative_groups::thread_block_tile<Size, cooperative_groups::thread_block>
tileInBlock(const ::uint3& threadIdx, const ::dim3& blockDim) {
  static_assert(Size <= 32, "a tile within one warp");
  const unsigned rank = rankInBlock(threadIdx, blockDim);
  using Tile = cooperative_groups::thread_block_tile<Size, cooperative_groups::thread_block>;
  return detail::GroupAccess::make<Tile>(detail::tilePosition<Size>(rank), rank / Size,
                                         (threadsIn(blockDim) + Size - 1) / Size);
}
} // namespace cu2cpp

namespace cooperative_groups {

/// tiled_partition(parent, size) is the same with a size known at run time; sizes that are no power
/// of two up to 32 end the kernel, as on a GPU. The last tile may be smaller.
CU2CPP_THREAD CU2CPP_PURE inline thread_group tiled_partition(const thread_group& parent,
                                                              unsigned size) {
  using namespace cu2cpp::detail;
  checkTileSize(size);
  const unsigned rank = unsigned(parent.thread_rank());
  if (parent.mask_ != 0)
    return thread_group(tileOf(parent.mask_, rank, size));
  const unsigned first = rank / size * size, left = thread_block::num_threads() - first;
  return thread_group((0xffffffffu >> (32 - (left < size ? left : size))) << first % 32);
}

/// invoke_one() calls the function in one thread of the group; the _broadcast form gives all
/// threads its result.
template <class Group, class Function, class... Arguments>
CU2CPP_SYNC(tile)
void invoke_one(const Group& group, Function&& f, Arguments&&... arguments) {
  if (group.thread_rank() == 0)
    f(static_cast<Arguments&&>(arguments)...);
}
template <class Group, class Function, class... Arguments>
CU2CPP_SYNC(tile)
auto invoke_one_broadcast(const Group& group, Function&& f, Arguments&&... arguments) {
  using Result = decltype(f(static_cast<Arguments&&>(arguments)...));
  Result result{};
  if (group.thread_rank() == 0)
    result = f(static_cast<Arguments&&>(arguments)...);
  return group.shfl(result, 0);
}

} // namespace cooperative_groups

#endif
