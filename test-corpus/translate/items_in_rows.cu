// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread's few items that live through barriers lie in memory: the block goes along one row of them at a time, where it
// stores long rows. Short rows, and rows at a distance that is no number, stay with the thread.
// ARGS: --line-directives

__global__ void __launch_bounds__(256) longRows(const float* in, float* out) {
  __shared__ float sum;
  float v[4];
  // CHECK: for (int k = 0; k < 4; ++k) {
  // CHECK: cu2cpp::eachThread(cuBlock, [&](const cu2cpp::Thread cuThisThread) {
  // CHECK: const int i = k * 256 + threadIdx.x;
  for (int k = 0; k < 4; ++k) {
    const int i = k * 256 + threadIdx.x;
    v[k] = in[i];
    out[i] = v[k];
  }
  if (threadIdx.x == 7) sum = v[2];
  __syncthreads();
  const float first = sum;
  for (int k = 0; k < 4; ++k) out[k * 256 + threadIdx.x] += v[k] * first;
}

__global__ void __launch_bounds__(256) others(const float* in, float* out, int width) {
  __shared__ float sum;
  float v[4];
  // CHECK: CU2CPP_UNROLL for (int k = 0; k < 4; ++k) {
  for (int k = 0; k < 4; ++k) {
    const int i = k * width + threadIdx.x;
    v[k] = in[i];
    out[i] = v[k];
  }
  if (threadIdx.x == 7) sum = v[2];
  __syncthreads();
  const float first = sum;
  // CHECK: CU2CPP_UNROLL for (int k = 0; k < 4; ++k)
  for (int k = 0; k < 4; ++k) out[k * 128 + threadIdx.x] = v[k] * first;
}
