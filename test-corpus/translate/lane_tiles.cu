// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles of a warp in which alone threads meet run by themselves where that makes loops of their lanes one loop.
// FORM: byWidth split
__global__ void byWidth(const int* start, const float* a, float* out, int n) {
  // CHECK: cu2cpp::eachLaneTile<8>(cuBlock,
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 8, lane = threadIdx.x & 7;
  // CHECK: if (row >= n)
  if (row >= n)
    return;
  float sum = 0;
  // CHECK: cu2cpp::lanesWhereRising(cuWarp, cuLanes1,
  for (int j = start[row] + lane; j < start[row + 1]; j += 8)
    sum += a[j];
  for (int o = 4; o > 0; o /= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, o);
  // CHECK: cu2cpp::eachLaneBelow(cuWarp, cuLanes,
  if (lane == 0)
    out[row] = sum;
}

// Near miss: nothing is gained where all tiles of a warp go the same way.
// FORM: alike split
// CHECK: void alike(
__global__ void alike(const float* a, float* out) {
  // CHECK: cu2cpp::eachWarp(cuBlock,
  float v = a[blockIdx.x * blockDim.x + threadIdx.x];
  for (int o = 4; o > 0; o /= 2)
    v += __shfl_xor_sync(0xffffffffu, v, o, 8);
  out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}

// Near misses: what tiles exchange with each other, and what they tell each other in memory.
// FORM: exchange split
// CHECK: void exchange(
__global__ void exchange(const int* start, const float* a, float* out, int n) {
  // CHECK: cu2cpp::eachWarp(cuBlock,
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 8, lane = threadIdx.x & 7;
  if (row >= n)
    return;
  float sum = 0;
  for (int j = start[row] + lane; j < start[row + 1]; j += 8)
    sum += a[j];
  for (int o = 8; o > 0; o /= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, o);
  if (lane == 0)
    out[row] = sum;
}
// FORM: inMemory split
// CHECK: void inMemory(
__global__ void inMemory(const int* start, const float* a, float* out) {
  // CHECK: cu2cpp::eachWarp(cuBlock,
  __shared__ float sums[128];
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 8, lane = threadIdx.x & 7;
  float sum = 0;
  for (int j = start[row] + lane; j < start[row + 1]; j += 8)
    sum += a[j];
  sum += __shfl_xor_sync(0xffffffffu, sum, 4, 8);
  sums[threadIdx.x] = sum;
  __syncwarp();
  out[blockIdx.x * blockDim.x + threadIdx.x] = sums[threadIdx.x ^ 8];
}
