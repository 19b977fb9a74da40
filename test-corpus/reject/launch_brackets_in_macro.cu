// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch whose brackets alone come from a macro cannot be edited there, as other uses of the macro could differ.
#define ONE_THREAD <<<1, 1>>>
__global__ void kernel(int* p) { *p = 1; }
void host(int* p) {
  // EXPECT: kernel launch [CU1006] @+1
  kernel ONE_THREAD (p);
}
