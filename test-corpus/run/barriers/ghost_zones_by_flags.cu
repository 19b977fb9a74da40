// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several steps of a stencil on a tile with ghost zones: which threads compute in a step is said by
// a flag that is set from other flags, and what they keep over a barrier begins with a value that
// nobody asks for. In another kernel both are asked for.
#include <cstdio>

#define W 32
#define H 16
#define CHECK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { printf("%s\n", cudaGetErrorString(e_)); return 1; } } while (0)

template <bool Asked>
__global__ void steps(const float* in, float* out, int cols, int rows, int count) {
  __shared__ float t[H][W];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x0 = blockIdx.x * (W - 6) - 3, y0 = blockIdx.y * (H - 6) - 3;
  const int gx = x0 + tx, gy = y0 + ty;
  const bool inside = gx >= 0 && gx < cols && gy >= 0 && gy < rows;
  t[ty][tx] = inside ? in[gy * cols + gx] : 0.0f;
  __syncthreads();
  const int west = max(tx - 1, x0 < 0 ? -x0 : 0), east = min(tx + 1, min(cols - 1 - x0, W - 1));
  const int north = max(ty - 1, y0 < 0 ? -y0 : 0), south = min(ty + 1, min(rows - 1 - y0, H - 1));
  bool computed = false;
  float extra = 0;
  for (int i = 0; i < count; ++i) {
    float v = 0.25f;
    computed = inside && tx > i && tx < W - 1 - i && ty > i && ty < H - 1 - i;
    if (computed) {
      const float me = t[ty][tx];
      v = 0.5f * me + 0.125f * (t[north][tx] + t[south][tx] + t[ty][west] + t[ty][east]);
    }
    __syncthreads();
    if (computed)
      t[ty][tx] = v;
    if constexpr (Asked) // also of threads whose flag is not set
      extra += v;
    __syncthreads();
  }
  const bool core = tx >= 3 && tx < W - 3 && ty >= 3 && ty < H - 3;
  if constexpr (Asked)
    extra += inside && core && computed ? 1 : 0;
  if (inside && core)
    out[gy * cols + gx] = t[ty][tx] + extra;
}

int main() {
  const int cols = 123, rows = 77, n = cols * rows;
  float *in, *out;
  CHECK(cudaMallocManaged(&in, n * sizeof(float)));
  CHECK(cudaMallocManaged(&out, n * sizeof(float)));
  for (int i = 0; i < n; ++i)
    in[i] = float((i * 37 + i / 11) % 64);
  const dim3 block(W, H), grid((cols + W - 7) / (W - 6), (rows + H - 7) / (H - 6));
  for (int count = 1; count <= 3; ++count)
    for (int asked = 0; asked < 2; ++asked) {
      if (asked)
        steps<true><<<grid, block>>>(in, out, cols, rows, count);
      else
        steps<false><<<grid, block>>>(in, out, cols, rows, count);
      CHECK(cudaDeviceSynchronize());
      double sum = 0, edge = 0;
      for (int i = 0; i < n; ++i) {
        sum += out[i] * (1 + i % 7);
        if (i % cols == 0 || i < cols)
          edge += out[i] * (1 + i % 5);
      }
      printf("%d %d %.6f %.6f\n", count, asked, sum, edge);
    }
  return 0;
}
