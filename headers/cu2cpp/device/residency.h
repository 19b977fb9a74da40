// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks that run at the same time: those of a cluster, and all blocks of a cooperative launch.
// Each has an OS thread of its own, so that they can wait for each other and reach each other's
// shared memory.
//
// CUDA C++ Programming Guide, 'Thread Block Clusters', 'Distributed Shared Memory', 'Grid
// Synchronization'.
#ifndef CU2CPP_DEVICE_RESIDENCY_H
#define CU2CPP_DEVICE_RESIDENCY_H

#include <cu2cpp/attributes.h>
#include <cu2cpp/block.h>

namespace cu2cpp {
namespace detail {

enum class Together { grid, cluster };

/// ClusterPlace is where the running block is in its cluster; a block of a launch without clusters
/// is a cluster by itself.
struct ClusterPlace {
  ::dim3 dim{1, 1, 1};     // of the cluster, in blocks
  ::dim3 gridDim{1, 1, 1}; // of the grid, in clusters
  ::uint3 index{0, 0, 0};  // of the cluster in the grid
  ::uint3 block{0, 0, 0};  // of the block in the cluster
  bool specified = false;

  unsigned rank() const { return block.x + dim.x * (block.y + dim.y * block.z); }
  unsigned size() const { return dim.x * dim.y * dim.z; }
};
ClusterPlace clusterPlace() noexcept;

/// isCooperative() says whether all blocks of the grid are there together.
bool isCooperative() noexcept;

/// syncTogether() is a barrier of all threads of the grid or cluster. arriveTogether() and
/// awaitTogether() are its two halves; a thread must not arrive twice without waiting.
void syncTogether(Together whom, const char* name);
void arriveTogether(Together whom, const char* name);
void awaitTogether(Together whom, const char* name);

/// mapShared() is the address of the same shared variable in another block of the cluster;
/// rankOfShared() is the block whose shared memory holds the address, or the running block's.
void* mapShared(const void* address, unsigned rank);
unsigned rankOfShared(const void* address) noexcept;

/// What kind of memory an address of the running block lies in.
bool isSharedAddress(const void* address) noexcept;
bool isClusterSharedAddress(const void* address) noexcept;
bool isLocalAddress(const void* address) noexcept;
bool isConstantAddress(const void* address) noexcept;
/// constantVariable() makes a `__constant__` variable known as such.
bool constantVariable(const void* address, std::size_t bytes) noexcept;

} // namespace detail

/// constantVariable() is what the definition of a `__constant__` variable becomes besides the
/// variable, where a file asks for kinds of memory.
template <class Type> bool constantVariable(const Type& variable) noexcept {
  return detail::constantVariable(__builtin_addressof(variable), sizeof(Type));
}

/// inCluster() stands at the head of a kernel that has `__cluster_dims__`: `if (!inCluster(2, 1,
/// 1)) return;`. True in a block that runs in such a cluster; otherwise it has the whole cluster
/// run, and the caller has nothing left to do.
bool inCluster(unsigned x, unsigned y = 1, unsigned z = 1);

} // namespace cu2cpp

#endif
