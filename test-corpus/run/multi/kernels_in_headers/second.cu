// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Uses the header's kernels, with a value of its own for its own copy of the constant.
#include "kernels.cuh"

int second(int* p) {
  const int mine = 7;
  cudaMemcpyToSymbol(offset, &mine, sizeof mine);
  fill<int><<<1, 32>>>(p, 7);
  scale<<<1, 32>>>(p, 7);
  shift<<<1, 32>>>(p);
  shift<<<1, 32>>>(p);
  reverse<<<1, 32>>>(p);
  int n = 0;
  cudaMemcpyFromSymbol(&n, calls, sizeof n);
  return n;
}
