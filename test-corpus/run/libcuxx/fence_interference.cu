// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The programming guide's example of scopes: two threads of the device and one of the host hand a value on through
// atomics of device and of system scope.
#include <cassert>
#include <cstdio>
#include <cuda/atomic>

__managed__ int x = 0;
__device__ cuda::atomic<int, cuda::thread_scope_device> a(0);
__managed__ cuda::atomic<int, cuda::thread_scope_system> b(0);

__global__ void handOn(int* result) {
  if (blockIdx.x == 0) {
    x = 1;
    a = 1;
  } else {
    while (a != 1) {
    }
    assert(x == 1);
    *result = x + 41;
    b = 1;
  }
}

int main() {
  int* result;
  cudaMallocManaged(&result, sizeof *result);
  handOn<<<2, 1>>>(result);
  while (b != 1) {
  }
  assert(x == 1);
  printf("%d %d\n", x, *result);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
