// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// #error under a condition that holds for CUDA code.
#ifdef __CUDACC__
// EXPECT: needs another compiler @+1
#error needs another compiler
#endif
int main() {}
