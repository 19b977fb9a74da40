// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Uses the header's kernels, with a value of its own for its own copy of the constant.
#include "kernels.cuh"

int first(int* p) {
  const int mine = 3;
  cudaMemcpyToSymbol(offset, &mine, sizeof mine);
  fill<int><<<1, 32>>>(p, 3);
  scale<<<1, 32>>>(p, 3);
  shift<<<1, 32>>>(p);
  shift<<<1, 32>>>(p);
  reverse<<<1, 32>>>(p);
  int n = 0;
  cudaMemcpyFromSymbol(&n, calls, sizeof n);
  return n;
}
