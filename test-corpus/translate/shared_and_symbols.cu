// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared arrays become locals outside the thread loops, device and constant variables plain globals, qualifiers vanish.
// CHECK: int weights[4] = {1, 2, 3, 4};
__constant__ int weights[4] = {1, 2, 3, 4};
// CHECK: float total = 0;
__device__ float total = 0;

// CHECK: int twice(int x) { return 2 * x; }
__host__ __device__ int twice(int x) { return 2 * x; }

// CHECK: void k(int* out)
__global__ void k(int* out) {
  // CHECK: int tile[32][33];
  __shared__ int tile[32][33];
  tile[threadIdx.y][threadIdx.x] = weights[threadIdx.x % 4];
  // CHECK: __syncthreads();
  __syncthreads();
  out[threadIdx.x] = twice(tile[threadIdx.x][threadIdx.y]) + int(total);
}
// CHECK-NOT: __shared__
// CHECK-NOT: __constant__
// CHECK-NOT: __device__
// CHECK-NOT: __host__
