// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A static 2-D tile with a padded row, a static scalar and dynamic memory in one kernel; matrix transpose.
#include <cstdio>

const int TILE = 32, ROWS = 8;

__global__ void transpose(int* out, const int* in, int width, int height) {
  __shared__ int tile[TILE][TILE + 1];
  __shared__ int corner;
  extern __shared__ int extra[];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += ROWS)
    if (x < width && y + j < height)
      tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  if (threadIdx.x == 3 && threadIdx.y == 2)
    corner = in[blockIdx.y * TILE * width + blockIdx.x * TILE];
  extra[threadIdx.y * TILE + threadIdx.x] = x;
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += ROWS)
    if (x < height && y + j < width)
      out[(y + j) * height + x] =
          tile[threadIdx.x][threadIdx.y + j] * 2 - corner + extra[threadIdx.x] - extra[0];
}

int main() {
  const int width = 75, height = 50;
  int *in, *out;
  cudaMallocManaged(&in, width * height * sizeof(int));
  cudaMallocManaged(&out, width * height * sizeof(int));
  for (int i = 0; i < width * height; ++i)
    in[i] = i * 3;
  dim3 grid((width + TILE - 1) / TILE, (height + TILE - 1) / TILE), block(TILE, ROWS);
  transpose<<<grid, block, TILE * ROWS * sizeof(int)>>>(out, in, width, height);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      int corner = in[y / TILE * TILE * width + x / TILE * TILE];
      wrong += out[x * height + y] != in[y * width + x] * 2 - corner + y % TILE;
    }
  printf("%d %d wrong %d\n", out[1], out[width * height - 1], wrong);
  return wrong != 0;
}
