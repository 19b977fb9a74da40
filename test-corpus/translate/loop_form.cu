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

// A static_assert in a loop is no reason for anything.
__global__ void sumOfRow(const int* data, int* sums, int n) {
  int sum = 0;
  // CHECK: for (int i = 0; i < n; ++i) {
  for (int i = 0; i < n; ++i) {
    // CHECK: static_assert(sizeof(int) == 4, "four bytes");
    static_assert(sizeof(int) == 4, "four bytes");
    sum += data[i];
  }
  sums[threadIdx.x] = sum;
}

// Stores along a column: the loop over it is the inner one.
// CHECK: cu2cpp::eachThreadByColumns(cuBlock, [&](const uint3 threadIdx) {
__global__ void turned(float* out, const float* in, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  out[x * n + y] = in[y * n + x];
}
