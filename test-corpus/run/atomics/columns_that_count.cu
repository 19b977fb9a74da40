// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads count the rows of their columns of a matrix: kernels that only count, where it does not
// matter which block counts what, and near misses, where a block's place can be told.
#include <cstdio>
#include <vector>

__global__ void twoChannels(const uchar2* in, int width, int height, int pitch, unsigned* all) {
  __shared__ unsigned own[2][64];
  const int tid = threadIdx.y * blockDim.x + threadIdx.x;
  for (int i = tid; i < 128; i += blockDim.x * blockDim.y)
    (&own[0][0])[i] = 0;
  __syncthreads();
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < width) {
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y) {
      const uchar2 p = in[y * pitch + x];
      atomicAdd(&own[0][p.x % 64], 1u);
      atomicAdd(&own[1][(p.x + p.y + y) % 64], unsigned(x));
    }
  }
  __syncthreads();
  for (int i = tid; i < 128; i += blockDim.x * blockDim.y) {
    const unsigned v = (&own[0][0])[i];
    if (v)
      atomicAdd(&all[i], v);
  }
}
// Blocks of 16 columns: of others some columns are counted twice.
__global__ void numbers(const uchar2* in, unsigned width, unsigned height, int pitch, int* all) {
  __shared__ int own[64];
  const unsigned rank = threadIdx.y * blockDim.x + threadIdx.x;
  for (unsigned i = rank; i < 64; i += blockDim.x * blockDim.y)
    own[i] = 0;
  __syncthreads();
  const unsigned x = blockIdx.x * 16 + threadIdx.x;
  if (x < width)
    for (unsigned y = blockIdx.y * 8 + threadIdx.y; y < height; y += gridDim.y * 8)
      atomicAdd(&own[in[y * pitch + x].y % 64], -2);
  __syncthreads();
  for (unsigned i = rank; i < 64; i += blockDim.x * blockDim.y)
    atomicAdd(&all[i], own[i]);
}
// Each row of blocks has a table of its own, and the last one says how far its columns went.
__global__ void byRows(const uchar2* in, int width, int height, int pitch, int* all) {
  __shared__ int own[32];
  const uint3 block = blockIdx;
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < 32 && threadIdx.y == 0)
    own[threadIdx.x] = 0;
  __syncthreads();
  if (x < width)
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y)
      atomicAdd(&own[in[y * pitch + x].x % 32], 1);
  __syncthreads();
  if (threadIdx.x < 32 && threadIdx.y == 0)
    atomicAdd(&all[(block.y * 32 + threadIdx.x) % 512], own[threadIdx.x]);
  if (x == width - 1 && threadIdx.y == 0)
    atomicAdd(&all[511], own[0]);
}
template <class Kernel> void run(const char* name, Kernel kernel, int width, int height) {
  const int pitch = 333;
  std::vector<uchar2> in(pitch * 500);
  for (int i = 0; i < pitch * 500; ++i)
    in[i] = make_uchar2(i * 2654435761u >> 24, i * 40503u >> 8);
  uchar2* data;
  unsigned all[512], *sums;
  cudaMalloc(&data, in.size() * sizeof(uchar2));
  cudaMalloc(&sums, sizeof all);
  cudaMemcpy(data, in.data(), in.size() * sizeof(uchar2), cudaMemcpyHostToDevice);
  cudaMemset(sums, 0, sizeof all);
  kernel(data, width, height, pitch, sums);
  cudaMemcpy(all, sums, sizeof all, cudaMemcpyDeviceToHost);
  unsigned sum = 0;
  for (int i = 0; i < 512; ++i)
    sum = sum * 31 + all[i];
  std::printf("%s %u %u %u\n", name, sum, all[1], all[511]);
  cudaFree(data);
  cudaFree(sums);
}
#define RUN(kernel, type, width, height, ...)                                                      \
  run(                                                                                             \
      #kernel,                                                                                     \
      [](const uchar2* in, int w, int h, int p, unsigned* all) {                                   \
        kernel<<<__VA_ARGS__>>>(in, w, h, p, (type*)all);                                          \
      },                                                                                           \
      width, height)
int main() {
  RUN(twoChannels, unsigned, 333, 500, dim3(11, 3), dim3(32, 8));
  RUN(twoChannels, unsigned, 333, 499, dim3(4, 70), dim3(32, 8));
  RUN(twoChannels, unsigned, 301, 77, dim3(30, 2), dim3(16, 4, 2));
  RUN(twoChannels, unsigned, 320, 500, dim3(3, 2, 3), dim3(128, 1));
  RUN(twoChannels, unsigned, 0, 500, dim3(5, 5), dim3(32, 8));
  RUN(twoChannels, unsigned, 100, -3, dim3(5, 5), dim3(32, 8));
  RUN(numbers, int, 333, 500, dim3(21, 4), dim3(16, 8));
  RUN(numbers, int, 180, 400, dim3(10, 4), dim3(32, 8));
  RUN(numbers, int, 170, 400, dim3(10, 4), dim3(16, 16));
  RUN(byRows, int, 333, 500, dim3(11, 4), dim3(32, 8));
  RUN(byRows, int, 330, 500, dim3(3, 40), dim3(128, 2));
}
