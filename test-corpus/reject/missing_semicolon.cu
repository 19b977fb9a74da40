// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A syntax error in a kernel is refused with the compiler's own message and place.
__global__ void k(int* x) {
  // EXPECT: expected ';' @+1
  *x = 1
}
int main() {
  k<<<1, 1>>>(nullptr);
}
