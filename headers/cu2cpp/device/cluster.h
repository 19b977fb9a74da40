// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clusters without cooperative groups: built-in functions for places, barriers and shared
// addresses; predicates and conversions of address spaces. All addresses are generic here, so a
// conversion gives the address itself.
//
// CUDA C++ Programming Guide, 'Thread Block Clusters', 'Address Space Predicate Functions',
// 'Address Space Conversion Functions'.
#ifndef CU2CPP_DEVICE_CLUSTER_H
#define CU2CPP_DEVICE_CLUSTER_H

#include <cstddef>

#include <cu2cpp/attributes.h>
#include <cu2cpp/device/residency.h>

inline dim3 __clusterDim() { return cu2cpp::detail::clusterPlace().dim; }
inline dim3 __clusterIdx() { return cu2cpp::detail::clusterPlace().index; }
inline dim3 __clusterGridDimInClusters() { return cu2cpp::detail::clusterPlace().gridDim; }
inline dim3 __clusterRelativeBlockIdx() { return cu2cpp::detail::clusterPlace().block; }
inline unsigned __clusterRelativeBlockRank() { return cu2cpp::detail::clusterPlace().rank(); }
inline unsigned __clusterSizeInBlocks() { return cu2cpp::detail::clusterPlace().size(); }
inline unsigned __clusterDimIsSpecified() { return cu2cpp::detail::clusterPlace().specified; }

CU2CPP_SYNC(cluster) inline void __cluster_barrier_arrive() {
  cu2cpp::detail::arriveTogether(cu2cpp::detail::Together::cluster, "__cluster_barrier_arrive()");
}
CU2CPP_SYNC(cluster) inline void __cluster_barrier_arrive_relaxed() { __cluster_barrier_arrive(); }
CU2CPP_SYNC(cluster) inline void __cluster_barrier_wait() {
  cu2cpp::detail::awaitTogether(cu2cpp::detail::Together::cluster, "__cluster_barrier_wait()");
}
inline unsigned __cluster_query_shared_rank(const void* address) {
  return cu2cpp::detail::rankOfShared(address);
}
CU2CPP_FOREIGN_SHARED inline void* __cluster_map_shared_rank(const void* address, unsigned rank) {
  return cu2cpp::detail::mapShared(address, rank);
}
CU2CPP_UNSUPPORTED("multicast to several blocks of a cluster")
uint2 __cluster_map_shared_multicast(const void* address, unsigned mask);

CU2CPP_THREAD CU2CPP_ADDRESS_SPACE inline unsigned __isShared(const void* p) {
  return cu2cpp::detail::isSharedAddress(p);
}
CU2CPP_THREAD CU2CPP_ADDRESS_SPACE inline unsigned __isCtaShared(const void* p) {
  return __isShared(p);
}
CU2CPP_THREAD CU2CPP_ADDRESS_SPACE inline unsigned __isClusterShared(const void* p) {
  return cu2cpp::detail::isClusterSharedAddress(p);
}
CU2CPP_THREAD CU2CPP_ADDRESS_SPACE inline unsigned __isLocal(const void* p) {
  return !cu2cpp::detail::isSharedAddress(p) && cu2cpp::detail::isLocalAddress(p);
}
CU2CPP_ADDRESS_SPACE inline unsigned __isConstant(const void* p) {
  return cu2cpp::detail::isConstantAddress(p);
}
CU2CPP_THREAD CU2CPP_ADDRESS_SPACE inline unsigned __isGlobal(const void* p) {
  return !cu2cpp::detail::isSharedAddress(p) && !cu2cpp::detail::isLocalAddress(p) &&
         !cu2cpp::detail::isConstantAddress(p);
}
CU2CPP_UNSUPPORTED("telling parameters from other memory") unsigned __isGridConstant(const void* p);

inline size_t __cvta_generic_to_global(const void* p) { return reinterpret_cast<size_t>(p); }
inline size_t __cvta_generic_to_shared(const void* p) { return reinterpret_cast<size_t>(p); }
inline size_t __cvta_generic_to_constant(const void* p) { return reinterpret_cast<size_t>(p); }
inline size_t __cvta_generic_to_local(const void* p) { return reinterpret_cast<size_t>(p); }
inline size_t __cvta_generic_to_grid_constant(const void* p) { return reinterpret_cast<size_t>(p); }
inline void* __cvta_global_to_generic(size_t p) { return reinterpret_cast<void*>(p); }
inline void* __cvta_shared_to_generic(size_t p) { return reinterpret_cast<void*>(p); }
inline void* __cvta_constant_to_generic(size_t p) { return reinterpret_cast<void*>(p); }
inline void* __cvta_local_to_generic(size_t p) { return reinterpret_cast<void*>(p); }
inline void* __cvta_grid_constant_to_generic(size_t p) { return reinterpret_cast<void*>(p); }

#endif
