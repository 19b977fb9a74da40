// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A string literal may stand against the name of a macro, as older formats of printf are written.
#include <cstdio>

#define NODE "<%d>"

__global__ void visit() { printf("at "NODE" of "NODE"\n", threadIdx.x, blockDim.x); }

int main() {
  visit<<<1, 1>>>();
  cudaDeviceSynchronize();
  std::printf("left "NODE"\n", 7);
}
