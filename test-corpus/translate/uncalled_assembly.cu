// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inline PTX that is not translated stops nothing where nothing calls it, as in headers that wrap instructions.
// EXIT: 0
struct Wrappers {
  // CHECK: /* CU2005: 'wgmma.fence.sync.aligned'
  // DIAG: CU2005 @+1
  static __device__ void fence() { asm volatile("wgmma.fence.sync.aligned;"); }

  // Near miss: translated, though nothing calls it.
  // CHECK: static void barrier() { __syncthreads(); }
  static __device__ void barrier() { asm volatile("bar.sync 0;"); }
};

template <class T>
// DIAG: CU2005 @+1
__device__ void fenceFor(T) { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }

__global__ void one(int* out) { *out = 1; }
