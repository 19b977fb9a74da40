// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of the host's API that kernels must not call; in host code they are what they were.
// EXIT: 1
__global__ void child(int* p) { *p = 1; }
// DIAG: CU2002 @+4
// CHECK: /* CU2002: 'cudaDeviceSynchronize' is not supported: a kernel cannot wait for the kernels that it launches */
__global__ void parent(int* p) {
  child<<<1, 1>>>(p);
  cudaDeviceSynchronize();
}
int main() { return cudaDeviceSynchronize(); }
