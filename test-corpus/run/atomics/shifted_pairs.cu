// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pairs of an image and the same one shifted, counted by tiles: where both lie inside is a range of
// each row, or of no row, also for places that wrap around.
#include <cstdio>

struct Pair {
  const unsigned char* image;
  int width, height, dx, dy;
};
constexpr int bins = 12, rows = 4;

__device__ int binOf(unsigned char v) { return v * bins >> 8; }

__global__ void joint(Pair p, int* counts) {
  __shared__ int sums[bins * bins];
  const int rank = threadIdx.y * blockDim.x + threadIdx.x;
  for (int i = rank; i < bins * bins; i += blockDim.x * blockDim.y)
    sums[i] = 0;
  __syncthreads();
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y0 = blockIdx.y * blockDim.y * rows + threadIdx.y;
  for (int r = 0; r < rows; ++r) {
    const int y = y0 + r * blockDim.y, mx = x + p.dx, my = y + p.dy;
    if (x < p.width && y < p.height && mx >= 0 && mx < p.width && my >= 0 && my < p.height)
      atomicAdd(&sums[binOf(p.image[y * p.width + x]) * bins + binOf(p.image[my * p.width + mx])],
                1);
  }
  __syncthreads();
  for (int i = rank; i < bins * bins; i += blockDim.x * blockDim.y)
    if (sums[i])
      atomicAdd(&counts[i], sums[i]);
}
// `x - low` of unsigned numbers is small only from `low` on.
__global__ void window(const unsigned char* image, unsigned n, unsigned low, unsigned size,
                       int* counts) {
  __shared__ int sums[bins];
  if (threadIdx.x < bins)
    sums[threadIdx.x] = 0;
  __syncthreads();
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x - low < size && x < n && 2 * x + 1 < 3 * low)
    atomicAdd(&sums[binOf(image[x])], int(x));
  __syncthreads();
  if (threadIdx.x < bins)
    atomicAdd(&counts[threadIdx.x], sums[threadIdx.x]);
}

int main() {
  const int width = 150, height = 61, n = width * height, all = bins * bins;
  unsigned char* image;
  int* counts;
  cudaMallocManaged(&image, n);
  cudaMallocManaged(&counts, all * sizeof(int));
  for (int i = 0; i < n; ++i)
    image[i] = static_cast<unsigned char>(i * 37 + i / 7 * 11);
  const int shifts[][2] = {{0, 0}, {5, -3}, {-40, 4}, {149, 60}, {-150, 0}, {0, 70}};
  for (auto& shift : shifts)
    for (int shape = 0; shape < 2; ++shape) {
      for (int i = 0; i < all; ++i)
        counts[i] = 0;
      const dim3 block = shape ? dim3(32, 8) : dim3(300, 2);
      const dim3 grid((width + block.x - 1) / block.x,
                      (height + block.y * rows - 1) / (block.y * rows));
      joint<<<grid, block>>>({image, width, height, shift[0], shift[1]}, counts);
      cudaDeviceSynchronize();
      long long sum = 0, weighted = 0;
      for (int i = 0; i < all; ++i) {
        sum += counts[i];
        weighted += counts[i] * (i + 1);
      }
      printf("%d %d: %lld %lld\n", shift[0], shift[1], sum, weighted);
    }
  for (unsigned low : {0u, 37u, 256u, 5000u}) {
    for (int i = 0; i < bins; ++i)
      counts[i] = 0;
    window<<<(n + 255) / 256, 256>>>(image, n, low, 3000, counts);
    cudaDeviceSynchronize();
    for (int i = 0; i < bins; ++i)
      printf("%d%c", counts[i], i == bins - 1 ? '\n' : ' ');
  }
}
