// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of two and three dimensions: per-thread values, indices of all axes, exits of a whole row, a 3-D transpose.
#include <cstdio>

__global__ void rotate(const int* in, int* out) {
  __shared__ int s[4][3][5];
  const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  const int rank = x + blockDim.x * (y + blockDim.y * z);
  int mine = in[rank];
  s[z][y][x] = mine;
  __syncthreads();
  int next = s[(z + 1) % 4][(y + 1) % 3][(x + 1) % 5];
  __syncthreads();
  s[z][y][x] = next - mine;
  if (y == 2)
    return;
  __syncthreads();
  out[rank] = mine * 100 + s[3 - z][2 - y][4 - x] + (blockDim.x * blockDim.y * blockDim.z);
}

__global__ void transpose(const float* in, float* out, int n) {
  __shared__ float tile[8][9];
  int x = blockIdx.x * 8 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  if (x < n && y < n)
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
  __syncthreads();
  x = blockIdx.y * 8 + threadIdx.x;
  y = blockIdx.x * 8 + threadIdx.y;
  if (x < n && y < n)
    out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}

int main() {
  int *in, *out;
  float *a, *b;
  const int n = 29;
  cudaMallocManaged(&in, 60 * sizeof(int));
  cudaMallocManaged(&out, 60 * sizeof(int));
  cudaMallocManaged(&a, n * n * sizeof(float));
  cudaMallocManaged(&b, n * n * sizeof(float));
  for (int i = 0; i < 60; ++i)
    in[i] = i * i % 41, out[i] = -1;
  for (int i = 0; i < n * n; ++i)
    a[i] = i;
  rotate<<<1, dim3(5, 3, 4)>>>(in, out);
  transpose<<<dim3(4, 4), dim3(8, 8)>>>(a, b, n);
  cudaDeviceSynchronize();
  int bad = 0;
  const auto at = [](int z, int y, int x) { return x + 5 * (y + 3 * z); };
  for (int z = 0; z < 4; ++z)
    for (int y = 0; y < 3; ++y)
      for (int x = 0; x < 5; ++x) {
        const int oz = 3 - z, oy = 2 - y, ox = 4 - x;
        const int other = in[at((oz + 1) % 4, (oy + 1) % 3, (ox + 1) % 5)] - in[at(oz, oy, ox)];
        bad += out[at(z, y, x)] != (y == 2 ? -1 : in[at(z, y, x)] * 100 + other + 60);
      }
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x)
      bad += b[y * n + x] != a[x * n + y];
  printf("wrong: %d; %d %.0f\n", bad, out[0], b[1]);
  return bad != 0;
}
