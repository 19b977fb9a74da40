// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels return void.
// EXPECT: must have void return type @+1
__global__ int k(int* x) { return *x; }
int main() {
  k<<<1, 1>>>(nullptr);
}
