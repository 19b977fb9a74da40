// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Only kernels can be launched.
void plain(int* x) { *x = 1; }
int main() {
  int x;
  // EXPECT: non-global function @+1
  plain<<<1, 1>>>(&x);
}
