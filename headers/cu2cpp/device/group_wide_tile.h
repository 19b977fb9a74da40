// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cooperative_groups: tiles of several warps (64 to 1024 threads).
//
// CUDA C++ Programming Guide, 'Thread Block Tile' (tiles larger than 32 and block_tile_memory).
#ifndef CU2CPP_DEVICE_GROUP_WIDE_TILE_H
#define CU2CPP_DEVICE_GROUP_WIDE_TILE_H

#include <cu2cpp/attributes.h>
#include <cu2cpp/block.h>
#include <cu2cpp/device/group.h>
#include <cu2cpp/device/lane_call.h>

namespace cu2cpp {
namespace detail {

/// tilePosition() is where a tile of this size lies: its lanes in the warp or, across warps, its
/// first rank.
template <unsigned Size> unsigned tilePosition(unsigned rank) {
  if constexpr (Size > 32)
    return rank / Size * Size;
  else
    return (0xffffffffu >> (32 - Size)) << (rank % 32 / Size * Size);
}

/// TileShuffle is a thread's part in a shuffle: its value, the rank it wants, what it gets.
template <class Type> struct TileShuffle {
  const Type* value;
  unsigned rank;
  Type* result;
};
template <class Type> void resolveTileShuffle(const TileGroup& group) {
  for (unsigned i = 0; i < group.count; ++i)
    if (group.operand[i]) {
      auto& mine = *static_cast<TileShuffle<Type>*>(group.operand[i]);
      if (const void* other = group.operand[mine.rank])
        *mine.result = *static_cast<const TileShuffle<Type>*>(other)->value;
      else
        __builtin_memset(mine.result, 0, sizeof(Type));
    }
}

/// TileVote is a thread's predicate and, afterwards, how many took part and how many said yes.
struct TileVote {
  bool predicate;
  unsigned threads, votes;
};
inline void resolveTileVote(const TileGroup& group) {
  unsigned threads = 0, votes = 0;
  for (unsigned i = 0; i < group.count; ++i)
    if (const auto* vote = static_cast<const TileVote*>(group.operand[i])) {
      ++threads;
      votes += vote->predicate;
    }
  for (unsigned i = 0; i < group.count; ++i)
    if (auto* vote = static_cast<TileVote*>(group.operand[i])) {
      vote->threads = threads;
      vote->votes = votes;
    }
}

} // namespace detail
} // namespace cu2cpp

namespace cooperative_groups {

/// block_tile_memory is the scratch memory that GPUs need for wide tiles; here nothing is kept in
/// it.
template <unsigned MaxBlockSize = 1024> struct block_tile_memory {
  char unused;
};
template <unsigned MaxBlockSize>
CU2CPP_PURE inline thread_block this_thread_block(block_tile_memory<MaxBlockSize>&) {
  return this_thread_block();
}

/// wide_tile is what a tile of several warps can do.
template <unsigned Size> class wide_tile {
public:
  CU2CPP_SYNC(block) CU2CPP_BARRIER void sync() const { vote(true, "thread_block_tile::sync()"); }
  static constexpr unsigned num_threads() { return Size; }
  static constexpr unsigned size() { return Size; }
  CU2CPP_THREAD unsigned thread_rank() const { return cu2cpp::thisThread().rank() % Size; }
  unsigned meta_group_size() const { return metaSize_; }
  unsigned meta_group_rank() const { return metaRank_; }

  template <class Type> CU2CPP_SYNC(tile) Type shfl(Type value, int rank) const {
    Type result = value;
    cu2cpp::detail::TileShuffle<Type> mine{&value, unsigned(rank) % Size, &result};
    cu2cpp::detail::joinTile(first_, Size, cu2cpp::detail::resolveTileShuffle<Type>, &mine,
                             "thread_block_tile::shfl()");
    return result;
  }
  CU2CPP_SYNC(tile) int any(int predicate) const {
    return vote(predicate != 0, "thread_block_tile::any()").votes != 0;
  }
  CU2CPP_SYNC(tile) int all(int predicate) const {
    const auto v = vote(predicate != 0, "thread_block_tile::all()");
    return v.votes == v.threads;
  }

protected:
  wide_tile(unsigned first, unsigned metaRank, unsigned metaSize)
      : first_(first), metaRank_(metaRank), metaSize_(metaSize) {}

private:
  cu2cpp::detail::TileVote vote(bool predicate, const char* name) const {
    cu2cpp::detail::TileVote mine{predicate, 0, 0};
    cu2cpp::detail::joinTile(first_, Size, cu2cpp::detail::resolveTileVote, &mine, name);
    return mine;
  }

  unsigned first_;
  unsigned metaRank_, metaSize_;

  friend struct cu2cpp::detail::GroupAccess;
};

} // namespace cooperative_groups

#endif
