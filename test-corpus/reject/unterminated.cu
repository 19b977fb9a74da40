// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file ends inside a function.
// EXPECT: expected '}'
__global__ void k(int* x) {
  *x = 1;
