// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An unknown runtime function in host code: a misspelt name is never taken for something else.
__global__ void k(int* x) { *x = 1; }
int main() {
  int* x;
  // EXPECT: 'cudaMalloK' @+1
  cudaMalloK(&x, 4);
  k<<<1, 1>>>(x);
}
