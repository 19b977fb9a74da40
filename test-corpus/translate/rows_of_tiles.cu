// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In translations for compilers blocks that read through their tiles run with those that follow in the grid's row, where what
// they read and store goes on from block to block.
// ARGS: --line-directives

// CHECK: void sums(const float* __restrict__ in, float* __restrict__ out, int nx) {
// CHECK: cu2cpp::eachThread(cu2cpp::tileRow<16>(cuBlock, [&](const uint3 blockIdx) { return true; }),
__global__ void __launch_bounds__(128) sums(const float* __restrict__ in, float* __restrict__ out, int nx) {
  __shared__ float s[8][16];
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  s[threadIdx.y][threadIdx.x] = in[y * nx + x];
  __syncthreads();
  out[y * nx + x] = s[threadIdx.y][threadIdx.x] + s[7 - threadIdx.y][threadIdx.x];
}

// The block's first element is another in each block.
// CHECK: void firsts(const float* __restrict__ in, float* __restrict__ out, int nx) {
// CHECK: if (cuInGrid) { ; /* __syncthreads() */; cu2cpp::eachThread(cuBlock,
__global__ void __launch_bounds__(128) firsts(const float* __restrict__ in, float* __restrict__ out, int nx) {
  __shared__ float s[8][16];
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  s[threadIdx.y][threadIdx.x] = in[y * nx + x];
  __syncthreads();
  out[y * nx + x] = s[threadIdx.y][0] + s[7 - threadIdx.y][threadIdx.x];
}

int main() {
  sums<<<dim3(4, 4), dim3(16, 8)>>>(nullptr, nullptr, 64);
  firsts<<<dim3(4, 4), dim3(16, 8)>>>(nullptr, nullptr, 64);
}
