// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cooperative_groups: cluster_group, the blocks of a cluster with their shared memory.
//
// CUDA C++ Programming Guide, 'Cluster Group', 'Distributed Shared Memory'.
#ifndef CU2CPP_DEVICE_GROUP_CLUSTER_H
#define CU2CPP_DEVICE_GROUP_CLUSTER_H

#include <cu2cpp/attributes.h>
#include <cu2cpp/device/group.h>
#include <cu2cpp/device/residency.h>

namespace cooperative_groups {

class cluster_group {
public:
  struct arrival_token {};
  CU2CPP_SYNC(cluster) static void sync() {
    cu2cpp::detail::syncTogether(cu2cpp::detail::Together::cluster, "cluster_group::sync()");
  }
  CU2CPP_SYNC(cluster) static arrival_token barrier_arrive() {
    cu2cpp::detail::arriveTogether(cu2cpp::detail::Together::cluster,
                                   "cluster_group::barrier_arrive()");
    return {};
  }
  CU2CPP_SYNC(cluster) static void barrier_wait() {
    cu2cpp::detail::awaitTogether(cu2cpp::detail::Together::cluster,
                                  "cluster_group::barrier_wait()");
  }
  CU2CPP_SYNC(cluster) static void barrier_wait(arrival_token&&) { barrier_wait(); }

  /// map_shared_rank() is the address of the same shared variable in the block of that rank.
  template <class Type>
  CU2CPP_FOREIGN_SHARED static Type* map_shared_rank(Type* address, int rank) {
    return static_cast<Type*>(cu2cpp::detail::mapShared(address, unsigned(rank)));
  }
  static unsigned query_shared_rank(const void* address) {
    return cu2cpp::detail::rankOfShared(address);
  }

  static ::dim3 block_index() { return place().block; }
  static unsigned block_rank() { return place().rank(); }
  static ::dim3 dim_blocks() { return place().dim; }
  static unsigned num_blocks() { return place().size(); }
  static ::dim3 dim_threads() {
    const ::dim3 c = place().dim, b = cu2cpp::thisBlock().blockDim;
    return {c.x * b.x, c.y * b.y, c.z * b.z};
  }
  static unsigned num_threads() { return num_blocks() * cu2cpp::thisBlock().threadCount(); }
  static unsigned size() { return num_threads(); }
  CU2CPP_THREAD static ::dim3 thread_index() {
    const ::uint3 b = place().block, t = cu2cpp::thisThread().threadIdx;
    const ::dim3 size = cu2cpp::thisBlock().blockDim;
    return {b.x * size.x + t.x, b.y * size.y + t.y, b.z * size.z + t.z};
  }
  CU2CPP_THREAD static unsigned thread_rank() {
    return block_rank() * cu2cpp::thisBlock().threadCount() + cu2cpp::thisThread().rank();
  }

private:
  static cu2cpp::detail::ClusterPlace place() { return cu2cpp::detail::clusterPlace(); }
  cluster_group() = default;
  friend cluster_group this_cluster();
};

CU2CPP_PURE inline cluster_group this_cluster() { return cluster_group(); }
CU2CPP_SYNC(cluster) inline void sync(const cluster_group&) { cluster_group::sync(); }

} // namespace cooperative_groups

#endif
