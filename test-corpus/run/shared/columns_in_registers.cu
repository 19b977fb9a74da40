// Threads that march through a volume and keep their column in an array of which one element is loaded in each step: loaded
// all but the first or the last before it, moved up or down, before the stencil or behind.
#include <cstdio>
#include <vector>

// The first is missing; it moves down before the load.
template <int R, int BX, int BY> __global__ void firstMissing(const float* __restrict__ in, float* __restrict__ out, int nx, int ny, int nz) {
  __shared__ float plane[BY + 2 * R][BX + 2 * R];
  const int x = blockIdx.x * BX + threadIdx.x + R, y = blockIdx.y * BY + threadIdx.y + R;
  const int tx = threadIdx.x + R, ty = threadIdx.y + R, stride = nx * ny;
  int at = y * nx + x;
  float column[2 * R + 1];
#pragma unroll
  for (int k = 0; k < 2 * R; ++k) column[k + 1] = in[at + k * stride];
  at += R * stride;
  for (int z = R; z < nz - R; ++z, at += stride) {
#pragma unroll
    for (int k = 0; k < 2 * R; ++k) column[k] = column[k + 1];
    column[2 * R] = in[at + R * stride];
    __syncthreads();
    plane[ty][tx] = column[R];
    if (threadIdx.x < R) {
      plane[ty][threadIdx.x] = in[at - R];
      plane[ty][tx + BX] = in[at + BX];
    }
    if (threadIdx.y < R) {
      plane[threadIdx.y][tx] = in[at - R * nx];
      plane[ty + BY][tx] = in[at + BY * nx];
    }
    __syncthreads();
    float sum = 3 * column[R];
#pragma unroll
    for (int k = 1; k <= R; ++k)
      sum += k * (column[R - k] + 2 * column[R + k] + 3 * plane[ty - k][tx] + 5 * plane[ty + k][tx] + 7 * plane[ty][tx - k] + 11 * plane[ty][tx + k]);
    out[at] = out[at] + sum;
  }
}

// The last is missing; it moves down behind the stencil.
template <int R> __global__ void lastMissing(const float* __restrict__ in, float* __restrict__ out, int nx, int ny, int nz) {
  __shared__ float plane[8][32 + 2];
  const int x = blockIdx.x * 32 + threadIdx.x + 1, y = blockIdx.y * 8 + threadIdx.y;
  const int stride = nx * ny;
  float column[2 * R + 1];
  for (int k = 0; k < 2 * R; ++k) column[k] = in[k * stride + y * nx + x];
  for (int z = R; z < nz - R; ++z) {
    column[2 * R] = in[(z + R) * stride + y * nx + x];
    plane[threadIdx.y][threadIdx.x + 1] = column[R];
    if (threadIdx.x == 0) plane[threadIdx.y][0] = in[z * stride + y * nx + x - 1];
    if (threadIdx.x == 31) plane[threadIdx.y][33] = in[z * stride + y * nx + x + 1];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k <= 2 * R; ++k) sum += (k + 1) * column[k];
    out[z * stride + y * nx + x] = sum + 100 * plane[threadIdx.y][threadIdx.x] + 1000 * plane[threadIdx.y][threadIdx.x + 2];
    __syncthreads();
    for (int k = 0; k < 2 * R; ++k) column[k] = column[k + 1];
  }
}

// The newest comes first: elements move up.
__global__ void newestFirst(const float* __restrict__ in, float* __restrict__ out, int nx, int ny, int nz) {
  __shared__ float plane[8][34];
  const int x = blockIdx.x * 32 + threadIdx.x + 1, y = blockIdx.y * 8 + threadIdx.y;
  const int stride = nx * ny, at = y * nx + x;
  float column[5];
  for (int k = 0; k < 4; ++k) column[k] = in[at + (3 - k) * stride];
  for (int z = 2; z < nz - 2; ++z) {
    for (int k = 4; k > 0; --k) column[k] = column[k - 1];
    column[0] = in[at + (z + 2) * stride];
    plane[threadIdx.y][threadIdx.x + 1] = column[2];
    if (threadIdx.x == 0) plane[threadIdx.y][0] = in[at + z * stride - 1];
    if (threadIdx.x == 31) plane[threadIdx.y][33] = in[at + z * stride + 1];
    __syncthreads();
    out[at + z * stride] = column[0] + 2 * column[1] + 3 * column[3] + 5 * column[4] + 7 * plane[threadIdx.y][threadIdx.x] + 11 * plane[threadIdx.y][threadIdx.x + 2];
    __syncthreads();
  }
}

// Two are missing, and one of them is filled by something else.
__global__ void twoMissing(const float* __restrict__ in, float* __restrict__ out, int nx, int ny, int nz) {
  __shared__ float plane[8][32];
  const int x = blockIdx.x * 32 + threadIdx.x + 1, y = blockIdx.y * 8 + threadIdx.y;
  const int stride = nx * ny, at = y * nx + x;
  float column[4];
  for (int k = 0; k < 2; ++k) column[k + 1] = in[at + k * stride];
  column[3] = 1;
  for (int z = 2; z < nz; ++z) {
    for (int k = 0; k < 3; ++k) column[k] = column[k + 1];
    column[3] = in[at + z * stride];
    plane[threadIdx.y][threadIdx.x] = column[3];
    __syncthreads();
    out[at + z * stride] = column[0] + 3 * column[1] + 5 * column[2] + 7 * plane[threadIdx.y][31 - threadIdx.x] + 9 * column[3];
    __syncthreads();
  }
}

// Every other element is loaded before the loop.
__global__ void gaps(const float* __restrict__ in, float* __restrict__ out, int nx, int ny, int nz) {
  __shared__ float plane[8][32];
  const int x = blockIdx.x * 32 + threadIdx.x + 1, y = blockIdx.y * 8 + threadIdx.y;
  const int stride = nx * ny, at = y * nx + x;
  float column[4];
  for (int k = 0; k < 4; ++k) column[k] = k;
  for (int k = 0; k < 2; ++k) column[2 * k] = in[at + k * stride];
  for (int z = 2; z < nz; ++z) {
    plane[threadIdx.y][threadIdx.x] = column[0];
    __syncthreads();
    out[at + z * stride] = column[0] + 3 * column[1] + 5 * column[2] + 7 * column[3] + 9 * plane[threadIdx.y][threadIdx.x ^ 1];
    __syncthreads();
    for (int k = 0; k < 3; ++k) column[k] = column[k + 1];
    column[3] = in[at + z * stride];
  }
}

int main() {
  constexpr int R = 2, BX = 32, BY = 8, nx = 64 + 2 * R, ny = 24 + 2 * R, nz = 11;
  const size_t n = size_t(nx) * ny * nz;
  std::vector<float> host(n);
  for (size_t i = 0; i < n; ++i) host[i] = float((i * 31 + i / 7) % 211);
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemcpy(in, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  const dim3 block(BX, BY), grid(2, 3);
  const auto print = [&](const char* name) {
    std::vector<float> result(n);
    cudaMemcpy(result.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
    long long sum = 0;
    for (size_t i = 0; i < n; ++i) sum += (long long)result[i] * (long long)(i % 13 + 1);
    printf("%s %lld %.0f\n", name, sum, result[size_t(nx) * ny * 5 + 7 * nx + 40]);
    cudaMemset(out, 0, n * sizeof(float));
  };
  cudaMemset(out, 0, n * sizeof(float));
  firstMissing<R, BX, BY><<<grid, block>>>(in, out, nx, ny, nz);
  print("first missing");
  firstMissing<1, 16, 4><<<dim3(4, 6), dim3(16, 4)>>>(in, out, nx, ny, nz);
  print("one beside");
  lastMissing<R><<<grid, block>>>(in, out, nx, ny, nz);
  print("last missing");
  lastMissing<1><<<grid, block>>>(in, out, nx, ny, 3);
  print("one plane");
  newestFirst<<<grid, block>>>(in, out, nx, ny, nz);
  print("newest first");
  newestFirst<<<grid, block>>>(in, out, nx, ny, 4);
  print("no plane");
  twoMissing<<<grid, block>>>(in, out, nx, ny, nz);
  print("two missing");
  gaps<<<grid, block>>>(in, out, nx, ny, nz);
  print("gaps");
  return 0;
}
