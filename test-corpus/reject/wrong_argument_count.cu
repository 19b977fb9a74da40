// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch with too few arguments.
__global__ void k(int* x, int n) { *x = n; }
int main() {
  int* x = nullptr;
  // EXPECT: too few arguments to function call @+1
  k<<<1, 1>>>(x);
}
