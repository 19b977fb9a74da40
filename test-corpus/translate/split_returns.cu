// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Returns in the split form: of single threads they are remembered, of the whole block they stay plain returns.
// FORM: single split
__global__ void single(int* out, unsigned n) {
  // CHECK: cu2cpp::Exited cuExitedThreads(cuBlock);
  // CHECK: cu2cpp::exitWhere(cuBlock, cuExitedThreads, [&](const uint3 threadIdx) {
  // CHECK: return (threadIdx.x >= n);
  // CHECK: if (cuExitedThreads.all()) return;
  // CHECK: cu2cpp::eachThreadStaying(cuBlock, cuExitedThreads, [&](const uint3 threadIdx) {
  if (threadIdx.x >= n)
    return;
  out[threadIdx.x] = 1;
  // CHECK: // __syncthreads();
  __syncthreads();
  // CHECK: cu2cpp::eachThreadStaying(
  // CHECK: out[threadIdx.x] += cuUniform1;
  out[threadIdx.x] += out[0];
}

// FORM: whole split
// CHECK: void whole(
__global__ void whole(int* out, int n) {
  // CHECK: if (n == 0 || blockIdx.x > 4) return;
  if (n == 0 || blockIdx.x > 4)
    return;
  // CHECK: cu2cpp::eachThread(
  out[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] += out[n];
}

// FORM: last split
// CHECK: void last(
__global__ void last(int* out, int n) {
  // CHECK: cu2cpp::eachThread(
  out[threadIdx.x] = 1;
  __syncthreads();
  // Nobody asks who has returned in the last region.
  // CHECK: return;
  if (out[threadIdx.x + n] == 0)
    return;
  out[threadIdx.x] += out[n];
}
