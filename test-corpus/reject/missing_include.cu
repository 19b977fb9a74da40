// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A header that does not exist.
// EXPECT: 'no_such_header.h' file not found @+1
#include "no_such_header.h"
__global__ void k(int* x) { *x = 1; }
int main() {
  k<<<1, 1>>>(nullptr);
}
