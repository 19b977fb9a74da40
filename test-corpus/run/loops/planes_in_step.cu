// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that march through a volume and keep values on the way: whole rows of blocks may go in step.
// Grids that end inside of a block, blocks that ask for their row, several planes of blocks, threads
// that leave in the middle of the plane, and grids of one row or one column.
#include <cstdio>
#include <cuda_runtime.h>

#define AT(x, y, z) (((z) * ny + (y)) * nx + (x))

__global__ void march(const int* in, int* out, int nx, int ny, int nz) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = threadIdx.y + blockDim.y * blockIdx.y;
  if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1)
    return;
  int below = in[AT(x, y, 0)], here = in[AT(x, y, 1)];
  for (int z = 1; z < nz - 1; ++z) {
    const int above = in[AT(x, y, z + 1)];
    out[AT(x, y, z)] = 2 * below - 5 * here + 3 * above + in[AT(x - 1, y, z)] +
                       7 * in[AT(x, y + 1, z)] + 11 * in[AT(x, y - 1, z)];
    below = here;
    here = above;
  }
}

// All threads stay; part of the volume for each z of the grid.
__global__ void sums(const int* in, int* out, int nx, int ny, int nz) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int first = blockIdx.z * nz;
  int sum = 0;
  for (int z = 0; z < nz; ++z) {
    sum = sum * 3 + in[AT(x, y, first + z)];
    out[AT(x, y, first + z)] = sum;
  }
}

// The row of a block tells, too: its threads are those of no other.
__global__ void ownRow(const int* in, int* out, int nx, int ny, int nz) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny)
    return;
  int last = blockIdx.y * 100;
  for (int z = 0; z < nz; ++z) {
    last = last - in[AT(x, y, z)] + threadIdx.y;
    out[AT(x, y, z)] = last;
  }
}

// Those that leave are a hole in the plane.
__global__ void aroundHole(const int* in, int* out, int nx, int ny, int nz) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny || (x > 20 && x < 25 && y > 5 && y < 9))
    return;
  int last = 1;
  for (int z = 0; z < nz; ++z) {
    last = last * 5 + in[AT(x, y, z)];
    out[AT(x, y, z)] = last;
  }
}

// Only some rows of the grid have any that stay.
__global__ void belt(const int* in, int* out, int nx, int ny, int nz) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y < ny / 3 || y >= ny / 2)
    return;
  int last = y;
  for (int z = nz - 1; z >= 0; --z) {
    last = last * 5 + in[AT(x, y, z)];
    out[AT(x, y, z)] = last;
  }
}

static unsigned next = 12345;

template <class Kernel>
static void run(const char* what, Kernel kernel, dim3 grid, dim3 block, int nx, int ny, int nz,
                int depth) {
  const int n = nx * ny * nz;
  int *in, *out;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  for (int i = 0; i < n; ++i) {
    next = next * 1103515245u + 12345u;
    in[i] = next >> 24;
    out[i] = -i;
  }
  kernel<<<grid, block>>>(in, out, nx, ny, depth);
  cudaDeviceSynchronize();
  unsigned long long sum = 0;
  for (int i = 0; i < n; ++i)
    sum = sum * 31 + static_cast<unsigned>(out[i]);
  printf("%s %dx%dx%d: %llu %d %d %s\n", what, nx, ny, nz, sum, out[n / 2], out[n - 1],
         cudaGetErrorString(cudaGetLastError()));
  cudaFree(in);
  cudaFree(out);
}

int main() {
  const dim3 block(32, 4);
  for (int ny : {3, 4, 21, 64, 90})
    for (int nx : {5, 33, 96, 130})
      run("march", march, dim3((nx + 31) / 32, (ny + 3) / 4), block, nx, ny, 7, 7);
  run("march, wide", march, dim3(40, 9), dim3(32, 8), 1270, 70, 5, 5);
  run("march, one row", march, dim3(3, 1), dim3(32, 8), 90, 8, 6, 6);
  run("march, one column", march, dim3(1, 30), dim3(8, 2), 8, 59, 6, 6);
  run("march, deep", march, dim3(2, 40), dim3(64, 1), 128, 40, 33, 33);
  run("sums", sums, dim3(2, 11, 3), block, 64, 44, 12, 4);
  run("sums", sums, dim3(1, 64, 2), dim3(16, 2), 16, 128, 6, 3);
  run("own row", ownRow, dim3(2, 12), block, 60, 45, 5, 5);
  run("around a hole", aroundHole, dim3(2, 12), block, 60, 45, 5, 5);
  run("belt", belt, dim3(3, 25), block, 90, 99, 5, 5);
}
