// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch whose argument does not convert to the kernel's parameter.
struct S {};
__global__ void k(int* x) { *x = 1; }
int main() {
  S s;
  // EXPECT: no viable conversion from 'S' to 'int *' @+1
  k<<<1, 1>>>(s);
}
