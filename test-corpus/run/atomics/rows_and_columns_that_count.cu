// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks that count pixels by rows and columns of the whole grid share the picture, whatever their
// sizes, and whether the grid is larger than it; and a near miss, where threads remember.
#include <cstdio>
#include <cstring>
#include <vector>

constexpr int bins = 64;

__global__ void rowsFirst(const uchar4* image, int width, int height, int pitch, unsigned* all) {
  __shared__ unsigned local[2 * bins];
  const int tid = threadIdx.y * blockDim.x + threadIdx.x;
  for (int i = tid; i < 2 * bins; i += blockDim.x * blockDim.y)
    local[i] = 0;
  __syncthreads();
  for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y) {
    const uchar4* row = image + (size_t)y * pitch;
    for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < width; x += gridDim.x * blockDim.x) {
      const uchar4 pixel = row[x];
      if (pixel.w == 0)
        continue;
      atomicAdd(&local[pixel.x % bins], 1u);
      atomicAdd(&local[bins + (pixel.x + y + x) % bins], pixel.z);
    }
  }
  __syncthreads();
  for (int i = tid; i < 2 * bins; i += blockDim.x * blockDim.y)
    if (local[i])
      atomicAdd(&all[i], local[i]);
}
// Of blocks of 16 x 8, and columns first.
__global__ void columnsFirst(const uchar4* image, int width, int height, int pitch, unsigned* all) {
  __shared__ unsigned local[128];
  local[threadIdx.y * 16 + threadIdx.x] = 0;
  __syncthreads();
  for (int x = blockIdx.x * 16 + threadIdx.x; x < width; x += gridDim.x * 16)
    for (int y = blockIdx.y * 8 + threadIdx.y; y < height; y += gridDim.y * 8)
      atomicAdd(&local[image[y * pitch + x].y % 128], 1u + x);
  __syncthreads();
  atomicAdd(&all[threadIdx.y * 16 + threadIdx.x], local[threadIdx.y * 16 + threadIdx.x]);
}
// How many a thread has seen in its row.
__global__ void counting(const uchar4* image, int width, int height, int pitch, unsigned* all) {
  __shared__ unsigned local[128];
  local[threadIdx.y * 16 + threadIdx.x] = 0;
  __syncthreads();
  for (int y = blockIdx.y * 8 + threadIdx.y; y < height; y += gridDim.y * 8) {
    int seen = 0;
    for (int x = blockIdx.x * 16 + threadIdx.x; x < width; x += gridDim.x * 16)
      atomicAdd(&local[(image[y * pitch + x].x + ++seen) % 128], 1u);
  }
  __syncthreads();
  atomicAdd(&all[threadIdx.y * 16 + threadIdx.x], local[threadIdx.y * 16 + threadIdx.x]);
}

int main() {
  const int height = 45, pitch = 80;
  std::vector<uchar4> image(pitch * height);
  unsigned state = 7;
  for (uchar4& pixel : image) {
    state = state * 1664525u + 1013904223u;
    pixel = make_uchar4(state >> 24, state >> 16, (state >> 10) & 7, state & 0x300 ? 255 : 0);
  }
  uchar4* in;
  unsigned* all;
  cudaMalloc(&in, image.size() * sizeof(uchar4));
  cudaMallocManaged(&all, 2 * bins * sizeof(unsigned));
  cudaMemcpy(in, image.data(), image.size() * sizeof(uchar4), cudaMemcpyHostToDevice);
  for (const int width : {0, 1, 33, 70})
    for (const dim3& grid : {dim3(2, 3), dim3(9, 1), dim3(1, 1), dim3(1, 7), dim3(3, 2, 2)})
      for (auto* kernel : {rowsFirst, columnsFirst, counting}) {
        memset(all, 0, 2 * bins * sizeof(unsigned));
        kernel<<<grid, dim3(16, 8)>>>(in, width, height, pitch, all);
        cudaDeviceSynchronize();
        unsigned long long sum = 0;
        for (int i = 0; i < 2 * bins; ++i)
          sum += all[i] * (unsigned long long)(1 + i * i % 61);
        printf("%d columns: %llu\n", width, sum);
      }
  return 0;
}
