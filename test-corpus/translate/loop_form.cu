// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel without collectives gets the loop form; names, parameters, comments and text of the body survive.
// FORM: saxpy loop
// CHECK: void saxpy(int n, float a, const float* __restrict__ x, float* __restrict__ y) {
// CHECK: cu2cpp::eachThread(
// CHECK: int i = blockIdx.x * blockDim.x + threadIdx.x; // the element
// CHECK: if (i < n)
// CHECK: y[i] = a * x[i] + y[i]; /* fused */
__global__ void saxpy(int n, float a, const float* __restrict__ x, float* __restrict__ y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;  // the element
  if (i < n)
    y[i] = a * x[i] + y[i]; /* fused */
}

// A host function with names like built-ins is left alone.
// CHECK: int host(int blockIdx_x, int threadIdx_x) { return blockIdx_x * 256 + threadIdx_x; }
int host(int blockIdx_x, int threadIdx_x) { return blockIdx_x * 256 + threadIdx_x; }
// CHECK-NOT: eachThreadOnFiber
// CHECK-NOT: __global__
