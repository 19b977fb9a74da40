// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// <thrust/set_operations.h> alone declares thrust::device and thrust::host.
#include <thrust/set_operations.h>

#include <cstdio>

int main() {
  constexpr int n = 100;
  int *threes, *fives, *both;
  cudaMallocManaged(&threes, n * sizeof(int));
  cudaMallocManaged(&fives, n * sizeof(int));
  cudaMallocManaged(&both, n * sizeof(int));
  for (int i = 0; i < n; ++i) {
    threes[i] = 3 * i;
    fives[i] = 5 * i;
  }
  const int* end = thrust::set_intersection(thrust::device, threes, threes + n, fives, fives + n, both);
  std::printf("on the device %d, the last is %d\n", int(end - both), end[-1]);
  end = thrust::set_intersection(thrust::host, threes, threes + n, fives, fives + n, both);
  std::printf("on the host %d, the last is %d\n", int(end - both), end[-1]);
  cudaFree(threes);
  cudaFree(fives);
  cudaFree(both);
  return 0;
}
