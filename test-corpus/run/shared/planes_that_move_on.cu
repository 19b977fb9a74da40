// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles of planes through which threads march by moving their places on: what lies planes ahead is
// asked for early, also behind the last plane, and by steps that methods tell.
#include <cstdio>
#include <cuda_runtime.h>

#define BX 32
#define BY 8

struct Size {
  int nx, ny, nz;
  __host__ __device__ int row() const { return nx + 4; }
  __host__ __device__ int plane() const { return row() * (ny + 4); }
};

template <int R> __global__ void waves(const int* __restrict__ in, int* out, Size size) {
  __shared__ int tile[BY + 2 * R][BX + 2 * R];
  const int row = size.row(), plane = size.plane();
  const int tx = threadIdx.x + R, ty = threadIdx.y + R;
  int at = (blockIdx.y * BY + threadIdx.y + 2) * row + blockIdx.x * BX + threadIdx.x + 2 + R * plane;
  int behind[R], ahead[R], here = in[at];
  for (int r = 0; r < R; ++r) {
    behind[r] = in[at - (r + 1) * plane];
    ahead[r] = in[at + (r + 1) * plane];
  }
  for (int z = 0; z < size.nz; ++z) {
    __syncthreads();
    tile[ty][tx] = here;
    if (threadIdx.x < R) {
      tile[ty][threadIdx.x] = in[at - R];
      tile[ty][tx + BX] = in[at + BX];
    }
    if (threadIdx.y < R) {
      tile[threadIdx.y][tx] = in[at - R * row];
      tile[ty + BY][tx] = in[at + BY * row];
    }
    __syncthreads();
    int sum = 3 * here;
    for (int r = 1; r <= R; ++r)
      sum += r * (tile[ty][tx - r] + 2 * tile[ty][tx + r] + 3 * tile[ty - r][tx] +
                  5 * tile[ty + r][tx] + 7 * behind[r - 1] + 11 * ahead[r - 1]);
    out[at] += sum;
    for (int r = R - 1; r > 0; --r)
      behind[r] = behind[r - 1];
    behind[0] = here;
    here = ahead[0];
    for (int r = 0; r < R - 1; ++r)
      ahead[r] = ahead[r + 1];
    at += plane;
    if (z + 1 < size.nz)
      ahead[R - 1] = in[at + R * plane];
  }
}

// Threads outside of the plane take part in the barriers; the place moves back.
__global__ void downwards(const int* in, int* out, int nx, int ny, int nz) {
  __shared__ int line[BX + 1];
  const int x = blockIdx.x * BX + threadIdx.x, y = blockIdx.y;
  const int plane = nx * ny, step = -plane;
  int at = (nz - 1) * plane + y * nx + x;
  int last = 0;
  for (int z = nz; z > 0; --z) {
    line[threadIdx.x] = x < nx ? in[at] : 0;
    __syncthreads();
    if (x < nx) {
      last = last * 3 + line[threadIdx.x] - line[(threadIdx.x * 5) % BX];
      out[at] = last + (z > 1 ? in[at + step] : 9);
    }
    __syncthreads();
    at += step;
  }
}

static unsigned next = 99;

int main() {
  for (Size size : {Size{32, 8, 1}, Size{64, 24, 5}, Size{96, 16, 9}}) {
    const int planes = size.nz + 4, n = size.plane() * planes;
    int *in, *out;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(int));
    for (int i = 0; i < n; ++i) {
      next = next * 1103515245u + 12345u;
      in[i] = next >> 22;
      out[i] = i;
    }
    const dim3 grid(size.nx / BX, size.ny / BY), block(BX, BY);
    waves<1><<<grid, block>>>(in, out, size);
    waves<2><<<grid, block>>>(in, out, size);
    const int nx = size.nx - 5;
    downwards<<<dim3((nx + BX - 1) / BX, size.ny), BX>>>(in, out, nx, size.ny, size.nz);
    cudaDeviceSynchronize();
    unsigned long long sum = 0;
    for (int i = 0; i < n; ++i)
      sum = sum * 31 + static_cast<unsigned>(out[i]);
    printf("%d x %d x %d: %llu, %d, %s\n", size.nx, size.ny, size.nz, sum, out[n / 2],
           cudaGetErrorString(cudaGetLastError()));
    cudaFree(in);
    cudaFree(out);
  }
}
