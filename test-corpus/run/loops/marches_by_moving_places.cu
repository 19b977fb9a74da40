// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Marches through a volume whose first planes are loaded by a place that moves on from plane to
// plane, in loops up and down, with flags for threads beyond the edges; places that are put
// together in several statements.
#include <cstdio>
#include <utility>

#define RADIUS 3
#define TILE_X 32
#define TILE_Y 8

__constant__ float weights[RADIUS + 1];

__global__ void march(float* out, const float* in, const int nx, const int ny, const int nz) {
  bool reads = true;
  bool writes = true;
  __shared__ float tile[TILE_Y + 2 * RADIUS][TILE_X + 2 * RADIUS];
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const int strideY = nx + 2 * RADIUS, strideZ = strideY * (ny + 2 * RADIUS);
  int from = 0, to = 0;
  from += RADIUS * strideY + RADIUS;
  from += y * strideY + x;
  float front[RADIUS] = {}, behind[RADIUS] = {};
  float here = 0.0f;
  const int tx = threadIdx.x + RADIUS, ty = threadIdx.y + RADIUS;
  if ((x >= nx + RADIUS) || (y >= ny + RADIUS))
    reads = false;
  if (x >= nx || y >= ny)
    writes = false;
  for (int i = RADIUS - 2; i >= 0; i--) {
    if (reads)
      behind[i] = in[from];
    from += strideZ;
  }
  if (reads)
    here = in[from];
  to = from;
  from += strideZ;
  for (int i = 0; i < RADIUS; i++) {
    if (reads)
      front[i] = in[from];
    from += strideZ;
  }
#pragma unroll 4
  for (int z = 0; z < nz; z++) {
    for (int i = RADIUS - 1; i > 0; i--)
      behind[i] = behind[i - 1];
    behind[0] = here;
    here = front[0];
#pragma unroll
    for (int i = 0; i < RADIUS - 1; i++)
      front[i] = front[i + 1];
    if (reads)
      front[RADIUS - 1] = in[from];
    from += strideZ;
    to += strideZ;
    __syncthreads();
    if (threadIdx.y < RADIUS && reads) {
      tile[threadIdx.y][tx] = in[to - RADIUS * strideY];
      if (y + TILE_Y < ny + RADIUS)
        tile[threadIdx.y + TILE_Y + RADIUS][tx] = in[to + TILE_Y * strideY];
    }
    if (threadIdx.x < RADIUS && reads) {
      tile[ty][threadIdx.x] = in[to - RADIUS];
      if (x + TILE_X < nx + RADIUS)
        tile[ty][threadIdx.x + TILE_X + RADIUS] = in[to + TILE_X];
    }
    if (reads)
      tile[ty][tx] = here;
    __syncthreads();
    if (writes) {
      float value = weights[0] * here;
#pragma unroll
      for (int i = 1; i <= RADIUS; i++)
        value += weights[i] * (front[i - 1] + behind[i - 1] + tile[ty - i][tx] + tile[ty + i][tx] +
                               tile[ty][tx - i] + tile[ty][tx + i]);
      out[to] = value;
    }
  }
}

// The place moves by other amounts, and something else is loaded by it, too.
__global__ void columns(float* out, const float* in, int width, int height) {
  __shared__ float row[64];
  int at = 0;
  at += blockIdx.x * 64;
  at += threadIdx.x;
  int start = at;
  float sum = 0;
  for (int k = 0; k < 4; ++k) {
    sum += in[at];
    at += width;
  }
  int other = at - 2 * width;
  for (int k = 4; k < height; ++k) {
    row[threadIdx.x] = in[at] - in[other];
    __syncthreads();
    sum += row[63 - threadIdx.x];
    __syncthreads();
    at += width;
    other += width;
  }
  out[start] = sum;
}

int main() {
  const int sizes[][3] = {{32, 16, 8}, {37, 13, 5}, {70, 9, 4}};
  const float w[RADIUS + 1] = {0.5f, 0.25f, 0.125f, 0.0625f};
  cudaMemcpyToSymbol(weights, w, sizeof w);
  for (const auto& s : sizes) {
    const int nx = s[0], ny = s[1], nz = s[2];
    const int n = (nx + 2 * RADIUS) * (ny + 2 * RADIUS) * (nz + 2 * RADIUS);
    float *a, *b;
    cudaMallocManaged(&a, n * sizeof(float));
    cudaMallocManaged(&b, n * sizeof(float));
    for (int i = 0; i < n; ++i)
      a[i] = b[i] = float(i * 29 % 128) / 64;
    const dim3 block(TILE_X, TILE_Y), grid((nx + TILE_X - 1) / TILE_X, (ny + TILE_Y - 1) / TILE_Y);
    for (int step = 0; step < 2; ++step) {
      march<<<grid, block>>>(b, a, nx, ny, nz);
      cudaDeviceSynchronize();
      std::swap(a, b);
    }
    double sum = 0;
    for (int i = 0; i < n; ++i)
      sum += double(a[i]) * (i % 11);
    std::printf("%d x %d x %d: %.3f\n", nx, ny, nz, sum);
    if (nx == 37) {
      columns<<<3, 64>>>(b, a, 200, 12);
      cudaDeviceSynchronize();
      sum = 0;
      for (int i = 0; i < 192; ++i)
        sum += b[i] * (i % 7);
      std::printf("columns %.3f\n", sum);
    }
    cudaFree(a);
    cudaFree(b);
  }
}
