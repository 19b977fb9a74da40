// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cooperative_groups: thread_group, thread_block and grid_group.
//
// CUDA C++ Programming Guide, 'Cooperative Groups', 'Group Types'.
#ifndef CU2CPP_DEVICE_GROUP_H
#define CU2CPP_DEVICE_GROUP_H

#include <cu2cpp/attributes.h>
#include <cu2cpp/block.h>
#include <cu2cpp/device/control.h>
#include <cu2cpp/device/residency.h>
#include <cu2cpp/device/sync.h>
#include <cu2cpp/device/warp.h>
#include <vector_types.h>

namespace cu2cpp {
namespace detail {

/// lanesBelow() is the bits of the lanes before this one.
inline unsigned lanesBelow(unsigned lane) { return (1u << lane) - 1; }

/// nthLane() is the lane of the n-th set bit; n must be less than their number.
inline unsigned nthLane(unsigned mask, unsigned n) {
  for (; n != 0; --n)
    mask &= mask - 1;
  return unsigned(__builtin_ctz(mask));
}

/// tileOf() is the lanes of the tile that the rank belongs to.
inline unsigned tileOf(unsigned mask, unsigned rank, unsigned size) {
  unsigned tile = 0;
  for (unsigned r = 0; mask != 0; mask &= mask - 1, ++r)
    if (r / size == rank / size)
      tile |= mask & -mask;
  return tile;
}

/// checkTileSize() ends the kernel where a size known at run time is none of a tile.
inline void checkTileSize(unsigned size) {
  if (size == 0 || size > 32 || (size & (size - 1)) != 0)
    __trap();
}

/// GroupAccess lets the library see a group's lanes.
struct GroupAccess {
  template <class Group> static unsigned mask(const Group& group) { return group.mask_; }
  template <class Group> static unsigned first(const Group& group) { return group.first_; }
  template <class Group>
  static Group make(unsigned mask, unsigned metaRank = 0, unsigned metaSize = 1) {
    return Group(mask, metaRank, metaSize);
  }
};

} // namespace detail
} // namespace cu2cpp

namespace cooperative_groups {

/// thread_group is any group of at most a block: the block itself (mask 0) or lanes of one warp.
class thread_group {
public:
  CU2CPP_SYNC(block) CU2CPP_BARRIER void sync() const {
    using namespace cu2cpp::detail;
    if (mask_ == 0) {
      syncBlock(false, "thread_group::sync()");
      return;
    }
    LaneCall call;
    joinWarp(mask_, resolveNothing, call, "thread_group::sync()");
  }
  CU2CPP_THREAD unsigned long long num_threads() const {
    return mask_ == 0 ? cu2cpp::thisBlock().threadCount() : unsigned(__builtin_popcount(mask_));
  }
  CU2CPP_THREAD unsigned long long size() const { return num_threads(); }
  CU2CPP_THREAD unsigned long long thread_rank() const {
    using namespace cu2cpp::detail;
    return mask_ == 0 ? cu2cpp::thisThread().rank()
                      : unsigned(__builtin_popcount(mask_ & lanesBelow(laneId())));
  }

protected:
  explicit thread_group(unsigned mask) : mask_(mask) {}
  unsigned mask_; // the lanes of the warp; 0 for the block

  friend struct cu2cpp::detail::GroupAccess;
  friend thread_group tiled_partition(const thread_group& parent, unsigned size);
};

/// thread_block is all threads of the block. Where threadIdx answers all questions to it, it is not
/// used.
class [[maybe_unused]] thread_block : public thread_group {
public:
  CU2CPP_SYNC(block) CU2CPP_BARRIER static void sync() {
    cu2cpp::detail::syncBlock(false, "thread_block::sync()");
  }
  static unsigned num_threads() { return cu2cpp::thisBlock().threadCount(); }
  static unsigned size() { return num_threads(); }
  CU2CPP_THREAD static unsigned thread_rank() { return cu2cpp::thisThread().rank(); }
  static ::dim3 group_index() { return cu2cpp::thisBlock().blockIdx; }
  CU2CPP_THREAD static ::dim3 thread_index() { return cu2cpp::thisThread().threadIdx; }
  static ::dim3 group_dim() { return cu2cpp::thisBlock().blockDim; }
  static ::dim3 dim_threads() { return group_dim(); }
  struct arrival_token {};
  /// Arriving is put off until waiting: nobody can tell, unless a thread never waits.
  static arrival_token barrier_arrive() { return {}; }
  CU2CPP_SYNC(block) CU2CPP_BARRIER static void barrier_wait(arrival_token&&) {
    cu2cpp::detail::syncBlock(false, "thread_block::barrier_wait()");
  }

private:
  thread_block() : thread_group(0) {}
  friend thread_block this_thread_block();
};

CU2CPP_PURE inline thread_block this_thread_block() { return thread_block(); }

/// grid_group is all threads of the grid; they can meet in a cooperative launch.
class [[maybe_unused]] grid_group {
public:
  struct arrival_token {};
  CU2CPP_SYNC(grid) static void sync() {
    cu2cpp::detail::syncTogether(cu2cpp::detail::Together::grid, "grid_group::sync()");
  }
  CU2CPP_SYNC(grid) static arrival_token barrier_arrive() {
    cu2cpp::detail::arriveTogether(cu2cpp::detail::Together::grid, "grid_group::barrier_arrive()");
    return {};
  }
  CU2CPP_SYNC(grid) static void barrier_wait(arrival_token&&) {
    cu2cpp::detail::awaitTogether(cu2cpp::detail::Together::grid, "grid_group::barrier_wait()");
  }
  static bool is_valid() { return cu2cpp::detail::isCooperative(); }

  static unsigned long long num_clusters() {
    const ::dim3 n = dim_clusters();
    return 1ull * n.x * n.y * n.z;
  }
  static ::dim3 dim_clusters() { return cu2cpp::detail::clusterPlace().gridDim; }
  static ::dim3 cluster_index() { return cu2cpp::detail::clusterPlace().index; }
  static unsigned long long cluster_rank() {
    const cu2cpp::detail::ClusterPlace place = cu2cpp::detail::clusterPlace();
    return place.index.x +
           1ull * place.gridDim.x * (place.index.y + 1ull * place.gridDim.y * place.index.z);
  }
  static ::dim3 dim_threads() {
    const ::dim3 g = group_dim(), b = cu2cpp::thisBlock().blockDim;
    return {g.x * b.x, g.y * b.y, g.z * b.z};
  }
  static ::dim3 group_dim() { return cu2cpp::thisBlock().gridDim; }
  static ::dim3 dim_blocks() { return group_dim(); }
  static ::dim3 block_index() { return cu2cpp::thisBlock().blockIdx; }
  static unsigned long long num_blocks() {
    const ::dim3 grid = group_dim();
    return 1ull * grid.x * grid.y * grid.z;
  }
  static unsigned long long block_rank() {
    const ::dim3 grid = group_dim(), block = block_index();
    return block.x + 1ull * grid.x * (block.y + 1ull * grid.y * block.z);
  }
  static unsigned long long num_threads() {
    return num_blocks() * cu2cpp::thisBlock().threadCount();
  }
  static unsigned long long size() { return num_threads(); }
  CU2CPP_THREAD static unsigned long long thread_rank() {
    return block_rank() * cu2cpp::thisBlock().threadCount() + cu2cpp::thisThread().rank();
  }

private:
  grid_group() = default;
  friend grid_group this_grid();
};

CU2CPP_PURE inline grid_group this_grid() { return grid_group(); }

/// multi_grid_group is several devices' grids, which CUDA 13 has dropped.
class multi_grid_group;
CU2CPP_UNSUPPORTED("groups of several devices") multi_grid_group this_multi_grid();

/// The same as members, for code that is generic in the group.
CU2CPP_SYNC(block) CU2CPP_BARRIER inline void sync(const thread_block&) { thread_block::sync(); }
CU2CPP_SYNC(grid) inline void sync(const grid_group&) { grid_group::sync(); }
template <class Group> CU2CPP_SYNC(block) CU2CPP_BARRIER void sync(const Group& group) {
  group.sync();
}
template <class Group> CU2CPP_THREAD auto thread_rank(const Group& group) {
  return group.thread_rank();
}
template <class Group> CU2CPP_THREAD auto group_size(const Group& group) { return group.size(); }

} // namespace cooperative_groups

#endif
