// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An error that appears in an instantiation only.
template <class T> __global__ void k(T* x) {
  // EXPECT: no member named 'missing' @+1
  x->missing();
}
struct S {};
int main() {
  k<<<1, 1>>>((S*)nullptr);
}
