// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ARGS: --line-directives
//
// Shared arrays that are a tile's borders become rows and columns of the tile.
__global__ void around(const float* in, float* out, int n) {
  __shared__ float tile[16][16];
  __shared__ float north[16], west[16], east[16];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int i = (blockIdx.y * 16 + ty) * n + blockIdx.x * 16 + tx;
  tile[ty][tx] = in[i] * 2.0f;
  if (ty == 0)
    north[tx] = in[i - n];
  if (tx == 0)
    west[ty] = in[i - 1];
  if (tx == 15)
    east[ty] = in[i + 1];
  __syncthreads();
  float n4 = tile[ty][tx] + (ty == 0 ? north[tx] : tile[ty - 1][tx]);
  if (tx > 0)
    n4 += tile[ty][tx - 1];
  else
    n4 += west[ty];
  n4 += tx < 15 ? tile[ty][tx + 1] : east[ty];
  out[i] = n4;
}
// CHECK: float tile[(16) + 1][(16) + 2];
// CHECK: tile[ty + 1][tx + 1] = in[
// CHECK: tile[0][tx + 1] = in[
// CHECK: tile[ty + 1][0] = in[
// CHECK: tile[ty + 1][17] = in[
// CHECK: float n4 = tile[ty + 1][tx + 1] + (tile[ty][tx + 1]);
// CHECK: n4 += tile[ty + 1][tx];
// CHECK: n4 += tile[ty + 1][tx + 2];

// Not where a border is read by itself,
__global__ void alone(const float* in, float* out) {
  __shared__ float alone[16][16];
  __shared__ float edge[16];
  const int tx = threadIdx.x, ty = threadIdx.y;
  alone[ty][tx] = in[ty * 16 + tx] * 2.0f;
  if (ty == 0)
    edge[tx] = in[tx];
  __syncthreads();
  out[ty * 16 + tx] = (ty == 0 ? edge[tx] : alone[ty - 1][tx]) + edge[ty];
}
// CHECK: float alone[16][16];
// CHECK: (ty == 0 ? edge[tx] : alone[ty - 1][tx])

// where threads may have no row of the tile,
__global__ void behind(const float* in, float* out) {
  __shared__ float behind[8][16];
  __shared__ float edge[16];
  const int tx = threadIdx.x, ty = threadIdx.y;
  if (ty < 8)
    behind[ty][tx] = in[ty * 16 + tx] * 2.0f;
  if (ty == 7)
    edge[tx] = in[tx];
  __syncthreads();
  out[ty * 16 + tx] = ty < 7 ? behind[ty + 1][tx] : edge[tx];
}
// CHECK: float behind[8][16];
// CHECK: ty < 7 ? behind[ty + 1][tx] : edge[tx]

// and where the tile is named as one row.
__global__ void flat(const float* in, float* out) {
  __shared__ float flat[16][16];
  __shared__ float edge[16];
  const int tx = threadIdx.x, ty = threadIdx.y;
  flat[0][ty * 16 + tx] = in[ty * 16 + tx] * 2.0f;
  if (ty == 0)
    edge[tx] = in[tx];
  __syncthreads();
  out[ty * 16 + tx] = ty == 0 ? edge[tx] : flat[ty - 1][tx];
}
// CHECK: float flat[16][16];
// CHECK: ty == 0 ? edge[tx] : flat[ty - 1][tx]

void run(float* a, float* b) {
  around<<<dim3(2, 2), dim3(16, 16)>>>(a, b, 32);
  alone<<<1, dim3(16, 16)>>>(a, b);
  behind<<<1, dim3(16, 16)>>>(a, b);
  flat<<<1, dim3(16, 16)>>>(a, b);
}
