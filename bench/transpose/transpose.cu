// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix transpose through a padded tile in shared memory, 32x8 threads for 32x32 elements.
#include "../device_vector.h"

const int TILE_DIM = 32;
const int BLOCK_ROWS = 8;

__global__ void transpose(float* odata, const float* idata, int width, int height) {
  __shared__ float tile[TILE_DIM][TILE_DIM + 1];
  int x = blockIdx.x * TILE_DIM + threadIdx.x;
  int y = blockIdx.y * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * TILE_DIM + threadIdx.x;
  y = blockIdx.x * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    odata[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

int main() {
  const int width = 2048, height = 3072;
  DeviceVector<float> in(uniforms(width * height, 1)), out(width * height);
  dim3 grid(width / TILE_DIM, height / TILE_DIM), block(TILE_DIM, BLOCK_ROWS);
  measure([&] {
    transpose<<<grid, block>>>(out, in, width, height);
    finish();
  });
  check(weightedSum(out.toHost()));
}
