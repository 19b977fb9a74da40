// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cooperative_groups: coalesced_group (lanes of a warp that go together) and the partitions that
// make one. Ranks count the group's lanes from below; votes and matches are packed by rank.
//
// CUDA C++ Programming Guide, 'Coalesced Groups', 'labeled_partition', 'binary_partition'.
#ifndef CU2CPP_DEVICE_GROUP_COALESCED_H
#define CU2CPP_DEVICE_GROUP_COALESCED_H

#include <cu2cpp/attributes.h>
#include <cu2cpp/device/group.h>
#include <cu2cpp/device/warp.h>

namespace cu2cpp {
namespace detail {

/// packLanes() moves the bits of the group's lanes together.
inline unsigned packLanes(unsigned bits, unsigned mask) {
  unsigned packed = 0;
  for (unsigned rank = 0; mask != 0; mask &= mask - 1, ++rank)
    packed |= (bits >> __builtin_ctz(mask) & 1) << rank;
  return packed;
}

/// exchange() is a shuffle by lane, for values of any type that can be copied.
template <class Type>
inline Type exchange(unsigned mask, const Type& value, unsigned lane, const char* name) {
  Type result = value;
  LaneCall call{&value, &result, lane, 32};
  joinWarp(mask, resolveShuffle<Type, Shuffle::index>, call, name);
  return result;
}

} // namespace detail
} // namespace cu2cpp

namespace cooperative_groups {

class coalesced_group : public thread_group {
public:
  CU2CPP_SYNC(tile) CU2CPP_BARRIER void sync() const {
    cu2cpp::detail::LaneCall call;
    cu2cpp::detail::joinWarp(mask_, cu2cpp::detail::resolveNothing, call,
                             "coalesced_group::sync()");
  }
  unsigned num_threads() const { return unsigned(__builtin_popcount(mask_)); }
  unsigned size() const { return num_threads(); }
  CU2CPP_THREAD unsigned thread_rank() const {
    using namespace cu2cpp::detail;
    return unsigned(__builtin_popcount(mask_ & lanesBelow(laneId())));
  }
  unsigned meta_group_size() const { return metaSize_; }
  unsigned meta_group_rank() const { return metaRank_; }

  template <class Type> CU2CPP_SYNC(tile) CU2CPP_TOGETHER Type shfl(Type value, int rank) const {
    using namespace cu2cpp::detail;
    return exchange(mask_, value, nthLane(mask_, unsigned(rank) % size()),
                    "coalesced_group::shfl()");
  }
  template <class Type>
  CU2CPP_SYNC(tile)
  CU2CPP_TOGETHER Type shfl_up(Type value, unsigned delta) const {
    using namespace cu2cpp::detail;
    const unsigned rank = thread_rank();
    return exchange(mask_, value, nthLane(mask_, delta <= rank ? rank - delta : rank),
                    "coalesced_group::shfl_up()");
  }
  template <class Type>
  CU2CPP_SYNC(tile)
  CU2CPP_TOGETHER Type shfl_down(Type value, unsigned delta) const {
    using namespace cu2cpp::detail;
    const unsigned rank = thread_rank();
    return exchange(mask_, value, nthLane(mask_, delta < size() - rank ? rank + delta : rank),
                    "coalesced_group::shfl_down()");
  }
  CU2CPP_SYNC(tile) CU2CPP_TOGETHER int any(int predicate) const {
    return cu2cpp::detail::ballot(mask_, predicate, "coalesced_group::any()").votes != 0;
  }
  CU2CPP_SYNC(tile) CU2CPP_TOGETHER int all(int predicate) const {
    const auto b = cu2cpp::detail::ballot(mask_, predicate, "coalesced_group::all()");
    return b.votes == b.lanes;
  }
  CU2CPP_SYNC(tile) CU2CPP_TOGETHER unsigned ballot(int predicate) const {
    using namespace cu2cpp::detail;
    return packLanes(cu2cpp::detail::ballot(mask_, predicate, "coalesced_group::ballot()").votes,
                     mask_);
  }
  template <class Type> CU2CPP_SYNC(tile) CU2CPP_TOGETHER unsigned match_any(Type value) const {
    return cu2cpp::detail::packLanes(cu2cpp::detail::matchAny(mask_, value), mask_);
  }
  template <class Type>
  CU2CPP_SYNC(tile)
  CU2CPP_TOGETHER unsigned match_all(Type value, int& predicate) const {
    return cu2cpp::detail::packLanes(cu2cpp::detail::matchAll(mask_, value, &predicate), mask_);
  }

private:
  explicit coalesced_group(unsigned mask, unsigned metaRank = 0, unsigned metaSize = 1)
      : thread_group(mask), metaRank_(metaRank), metaSize_(metaSize) {}
  unsigned metaRank_, metaSize_;

  friend struct cu2cpp::detail::GroupAccess;
  friend coalesced_group coalesced_threads(const char* file, int line);
  template <class Group>
  friend coalesced_group binary_partition(const Group& group, bool predicate);
  template <class Group, class Label>
  friend coalesced_group labeled_partition(const Group& group, Label label);
};

/// coalesced_threads() is the lanes that are at this call together: see __activemask().
CU2CPP_SYNC(warp)
CU2CPP_TOGETHER inline coalesced_group coalesced_threads(const char* file = __builtin_FILE(),
                                                         int line = __builtin_LINE()) {
  return coalesced_group(
      cu2cpp::detail::ballotConverged(1, "coalesced_threads()", {file, line}).lanes);
}

/// tiled_partition() of lanes that go together is such a group, too.
CU2CPP_THREAD CU2CPP_PURE inline coalesced_group tiled_partition(const coalesced_group& parent,
                                                                 unsigned size) {
  using cu2cpp::detail::GroupAccess;
  cu2cpp::detail::checkTileSize(size);
  const unsigned rank = parent.thread_rank();
  return GroupAccess::make<coalesced_group>(
      cu2cpp::detail::tileOf(GroupAccess::mask(parent), rank, size), rank / size,
      (parent.size() + size - 1) / size);
}

/// binary_partition() splits a group by a predicate: the lanes for which it is false come first.
template <class Group>
CU2CPP_SYNC(tile)
CU2CPP_TOGETHER coalesced_group binary_partition(const Group& group, bool predicate) {
  using namespace cu2cpp::detail;
  const Ballot b = ballot(GroupAccess::mask(group), predicate, "binary_partition()");
  return coalesced_group(predicate ? b.votes : b.lanes & ~b.votes, predicate, 2);
}

/// labeled_partition() splits a group into the lanes of equal label, in the order of their first
/// lanes.
template <class Group, class Label>
CU2CPP_SYNC(tile)
CU2CPP_TOGETHER coalesced_group labeled_partition(const Group& group, Label label) {
  using namespace cu2cpp::detail;
  const unsigned mask = GroupAccess::mask(group);
  const unsigned same = matchAny(mask, label);
  // The first lane of each label votes.
  const bool first = laneId() == unsigned(__builtin_ctz(same));
  const unsigned leaders = ballot(mask, first, "labeled_partition()").votes;
  const unsigned before = leaders & lanesBelow(unsigned(__builtin_ctz(same)));
  return coalesced_group(same, unsigned(__builtin_popcount(before)),
                         unsigned(__builtin_popcount(leaders)));
}

} // namespace cooperative_groups

#endif
