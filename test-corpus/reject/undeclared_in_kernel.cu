// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An unknown name in device code.
__global__ void k(int* x) {
  // EXPECT: use of undeclared identifier 'nosuch' @+1
  x[threadIdx.x] = nosuch;
}
int main() {
  k<<<1, 1>>>(nullptr);
}
