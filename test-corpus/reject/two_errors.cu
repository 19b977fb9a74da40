// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every error is reported, not the first alone.
__global__ void k(int* x) {
  // EXPECT: undeclared identifier 'first' @+1
  *x = first;
}
int main() {
  // EXPECT: undeclared identifier 'second' @+1
  k<<<second, 1>>>(nullptr);
}
