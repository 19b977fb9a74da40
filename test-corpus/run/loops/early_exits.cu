// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that return at the top of a kernel, in front of loops and barriers: those that stay are a
// box of the block, or none; blocks of several sizes, the last ones in part beside the grid.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void march(const int* in, int* out, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || x >= nx - 1 || y < 1 || y >= ny - 1)
    return;
  const int plane = nx * ny;
  int idx = y * nx + x;
  int below = in[idx], current = in[idx + plane];
  for (int z = 1; z < nz - 1; ++z) {
    idx += plane;
    int above = in[idx + plane];
    out[idx] = 3 * current + in[idx - 1] - in[idx + 1] + 5 * in[idx - nx] + 7 * in[idx + nx] +
               11 * below + 13 * above;
    below = current;
    current = above;
  }
}
// a branch around all of it
__global__ void marchInBranch(const int* in, int* out, int nx, int ny, int nz) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const int plane = nx * ny;
  if (x >= 2 && x < nx - 1 && y < ny - 2) {
    int at = y * nx + x, before = in[at];
    for (int z = 1; z < nz; z++) {
      at += plane;
      const int here = in[at];
      out[at] = here * 9 - before + in[at - 2] + in[at + nx];
      before = here;
    }
  }
}
// block index used apart: rows of blocks, each with an index of its own
__global__ void marchByBlock(const int* in, int* out, int nx, int ny, int nz) {
  const int bx = blockIdx.x, tx = threadIdx.x;
  int x = bx * blockDim.x + tx;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx - 2)
    return;
  if (y >= ny || bx == 2)
    return;
  int idx = y * nx + x, last = bx;
  for (int z = 0; z < nz; ++z) {
    int value = in[idx];
    out[idx] = value * 3 + last;
    last = value;
    idx += nx * ny;
  }
}
// those that stay are no box
__global__ void marchHoles(const int* in, int* out, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny || (x * 7 + y * 3) % 5 == 0)
    return;
  int idx = y * nx + x, last = 0;
  for (int z = 0; z < nz; ++z) {
    int value = in[idx];
    out[idx] = value - 2 * last;
    last = value;
    idx += nx * ny;
  }
}
// leaves by data
__global__ void marchData(const int* in, int* out, int n, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) {
    return;
  }
  if (in[i] % 3 == 0)
    return;
  int last = in[i];
  for (int s = 0; s < steps; ++s) {
    last = last * 5 + in[i];
    out[s * n + i] = last;
  }
}
// barriers behind an exit, and another exit further down
__global__ void tiled(const int* in, int* out, int nx, int ny) {
  __shared__ int tile[8][33];
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny)
    return;
  tile[threadIdx.y][threadIdx.x] = in[y * nx + x];
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < 3; ++k) {
    const int other = threadIdx.x ^ (1 << k);
    const int ox = blockIdx.x * blockDim.x + other;
    if (ox < nx)
      sum += tile[threadIdx.y][other];
    __syncthreads();
    tile[threadIdx.y][threadIdx.x] += sum;
    __syncthreads();
  }
  if (sum % 2)
    return;
  __syncthreads();
  out[y * nx + x] = sum * 3 + tile[threadIdx.y][threadIdx.x];
}
// three dimensions
__global__ void cube(const int* in, int* out, int n, int steps) {
  int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y,
      z = blockIdx.z * 4 + threadIdx.z;
  if (x < 1 || y < 2 || z < 1 || x > n - 2 || y > n - 3 || z > n - 2)
    return;
  __shared__ int counts[4];
  int at = (z * n + y) * n + x;
  int v = in[at];
  if (threadIdx.x == 3 && threadIdx.y == 3)
    counts[threadIdx.z] = v;
  __syncthreads();
  for (int s = 0; s < steps; ++s) {
    v = v * 3 + in[at - 1] + in[at + n];
    __syncthreads();
  }
  out[at] = v;
}
static unsigned hashOf(const int* d, int n) {
  static int h[1 << 20];
  cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost);
  unsigned r = 2166136261u;
  for (int i = 0; i < n; ++i) {
    r ^= unsigned(h[i]);
    r *= 16777619u;
    r ^= r >> 13;
  }
  return r;
}
int main() {
  const int most = 1 << 20;
  int *in, *out;
  static int h[most];
  for (int i = 0; i < most; ++i)
    h[i] = int((i * 2654435761u) >> 12);
  cudaMalloc(&in, most * 4);
  cudaMalloc(&out, most * 4);
  cudaMemcpy(in, h, most * 4, cudaMemcpyHostToDevice);
  const auto report = [&](const char* name) {
    cudaDeviceSynchronize();
    std::printf("%s %08x %s\n", name, hashOf(out, most), cudaGetErrorString(cudaGetLastError()));
    cudaMemset(out, 0, most * 4);
  };
  cudaMemset(out, 0, most * 4);
  for (int nx : {5, 31, 33, 64, 100, 300}) {
    const int ny = nx / 2 + 3, nz = 6;
    const dim3 block(32, 8), grid((nx + 31) / 32, (ny + 7) / 8);
    march<<<grid, block>>>(in, out, nx, ny, nz);
    report("march");
    marchInBranch<<<grid, block>>>(in, out, nx, ny, nz);
    report("marchInBranch");
    marchByBlock<<<grid, block>>>(in, out, nx, ny, nz);
    report("marchByBlock");
    marchHoles<<<grid, block>>>(in, out, nx, ny, nz);
    report("marchHoles");
    marchData<<<(nx + 31) / 32, 32>>>(in, out, nx, nz);
    report("marchData");
    tiled<<<grid, block>>>(in, out, nx, ny);
    report("tiled");
  }
  march<<<dim3(9, 20), dim3(7, 3)>>>(in, out, 60, 55, 5);
  report("march of other blocks");
  march<<<dim3(3, 3), dim3(32, 32)>>>(in, out, 90, 91, 5);
  report("march of large blocks");
  tiled<<<dim3(5, 9), dim3(24, 4)>>>(in, out, 100, 33);
  report("tiled of other blocks");
  for (int n : {9, 16, 21}) {
    cube<<<dim3((n + 7) / 8, (n + 3) / 4, (n + 3) / 4), dim3(8, 4, 4)>>>(in, out, n, 4);
    report("cube");
  }
  return 0;
}
