// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that are launched here with one block size each. The other file has other sizes.
#include <cooperative_groups.h>

__device__ int warpSum(int value) {
  for (int offset = 16; offset > 0; offset /= 2)
    value += __shfl_down_sync(0xffffffff, value, offset);
  return value;
}

// Sums of warps; the last one may have fewer lanes.
__global__ void sumsOfWarps(const int* in, int* out, int n) {
  const unsigned rank = threadIdx.x + blockDim.x * threadIdx.y;
  const unsigned threads = blockDim.x * blockDim.y;
  const unsigned lane = rank % 32, lanes = threads - (rank - lane) < 32 ? threads - (rank - lane) : 32;
  const unsigned mask = lanes == 32 ? 0xffffffffu : (1u << lanes) - 1;
  int sum = 0;
  for (int i = rank; i < n; i += threads)
    sum += in[i];
  const unsigned odd = __ballot_sync(mask, sum & 1);
  if (lanes == 32)
    sum = warpSum(sum);
  else
    for (unsigned offset = 16; offset > 0; offset /= 2) {
      const int other = __shfl_down_sync(mask, sum, offset);
      if (lane + offset < lanes)
        sum += other;
    }
  if (lane == 0)
    out[blockIdx.x * 64 + rank / 32] = sum + int(__popc(odd));
}

// A tree over all threads; threads that the tree leaves out have returned.
__global__ void tree(const int* in, int* out, int n) {
  extern __shared__ int s[];
  const int tid = threadIdx.x;
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + tid; i < n; i += gridDim.x * blockDim.x)
    sum += in[i];
  s[tid] = sum;
  __syncthreads();
  for (int width = blockDim.x; width > 1;) {
    const int half = (width + 1) / 2;
    if (tid < width - half)
      s[tid] += s[tid + half];
    __syncthreads();
    width = half;
  }
  if (tid == 0)
    out[blockIdx.x] = s[0];
}

// Rows and columns under conditions.
__global__ void borders(const int* in, int* out, int width, int height) {
  __shared__ int tile[34][34];
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  tile[threadIdx.y + 1][threadIdx.x + 1] = x < width && y < height ? in[y * width + x] : 0;
  if (threadIdx.x == 0)
    tile[threadIdx.y + 1][0] = x > 0 && y < height ? in[y * width + x - 1] : 1;
  if (threadIdx.y == 0)
    tile[0][threadIdx.x + 1] = y > 0 && x < width ? in[(y - 1) * width + x] : 2;
  __syncthreads();
  if (x < width && y < height)
    out[y * width + x] = tile[threadIdx.y + 1][threadIdx.x + 1] * 3 + tile[threadIdx.y + 1][threadIdx.x] +
                         tile[threadIdx.y][threadIdx.x + 1] * 2;
}

// What threads keep across barriers, a vote of the block, and an early return.
__global__ void kept(const int* in, int* out, int n) {
  __shared__ int left[1024];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int mine = i < n ? in[i] : -1;
  left[threadIdx.x] = mine;
  const int many = __syncthreads_count(mine > 40);
  if (i >= n)
    return;
  const int next = left[(threadIdx.x + 1) % blockDim.x];
  __syncthreads();
  left[threadIdx.x] = next > mine ? next : mine;
  __syncthreads();
  out[i] = left[blockDim.x - 1 - threadIdx.x] + many;
}

void launchUsual(const int* in, int* out, int n) {
  sumsOfWarps<<<2, 128>>>(in, out, n);
  tree<<<3, 256, 256 * sizeof(int)>>>(in, out + 200, n);
  borders<<<dim3(2, 2), dim3(16, 16)>>>(in, out + 300, 29, 31);
  kept<<<4, 64>>>(in, out + 1300, 256);
}
