// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A macro's brace that ends a kernel and other blocks too is not the kernel's to edit.
#define END }
// EXPECT: CU1006 @+1
__global__ void k(const int* in, int* out) {
  if (threadIdx.x < 5) {
    out[threadIdx.x] = in[threadIdx.x];
  END
END
int main() { return 0; }
