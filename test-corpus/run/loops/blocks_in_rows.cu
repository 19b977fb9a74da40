// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that name their place in the grid only as blockIdx.x * blockDim.x + threadIdx.x, in all
// the ways that people write it: grids of one to three dimensions, blocks of many shapes, sizes that
// blocks do not divide, loops, early returns, wide indices, and kernels beside them that ask for
// the block or the thread alone.
#include <cstdio>

__global__ void plane(const int* in, int* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < width - 1 && y > 0 && y < height - 1) {
    int i = y * width + x;
    out[i] = in[i - 1] + 2 * in[i + 1] + 3 * in[i - width] + 5 * in[i + width] - in[i];
  }
}

__global__ void space(const int* in, int* out, int nx, int ny, int nz) {
  const unsigned x = threadIdx.x + blockDim.x * blockIdx.x;
  const unsigned y = threadIdx.y + blockDim.y * blockIdx.y;
  const unsigned z = threadIdx.z + blockIdx.z * blockDim.z;
  if (x >= nx || y >= ny || z >= nz)
    return;
  const int i = (z * ny + y) * nx + x;
  int sum = 0;
  for (int k = -1; k <= 1; ++k)
    if (z + k < nz)
      sum += (k + 2) * in[i + k * nx * ny];
  out[i] = sum;
}

__global__ void wide(const int* in, long long* out, long long n) {
  size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] * static_cast<long long>(i) + blockDim.x + gridDim.x;
}

__global__ void multiplied(int* out, int n) {
  int i = __mul24(blockIdx.x, blockDim.x) + threadIdx.x;
  if (i < n)
    out[i] += i * 3;
}

__global__ void gathered(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[(i * 7) % n] = in[n - 1 - i];
}

__global__ void apart(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = blockIdx.x % 2 ? i : -static_cast<int>(threadIdx.x);
}

__global__ void counted(int* out, unsigned* count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && out[i] % 3 == 0) {
    atomicAdd(count, 1u);
    atomicMax(count + 1, static_cast<unsigned>(i));
  }
}

static long weighted(const int* v, int n) {
  long sum = 0;
  for (int i = 0; i < n; ++i)
    sum += static_cast<long>(v[i]) * (i % 13 + 1);
  return sum;
}

int main() {
  constexpr int most = 70000;
  static int in[most], out[most];
  static long long far[most];
  for (int i = 0; i < most; ++i)
    in[i] = (i * 31) % 1009 - 400;
  int *dIn, *dOut;
  long long* dFar;
  unsigned* dCount;
  cudaMalloc(&dIn, sizeof in);
  cudaMalloc(&dOut, sizeof out);
  cudaMalloc(&dFar, sizeof far);
  cudaMalloc(&dCount, 2 * sizeof(unsigned));
  cudaMemcpy(dIn, in, sizeof in, cudaMemcpyHostToDevice);

  const dim3 flat[] = {dim3(8, 8), dim3(16, 16), dim3(32, 4), dim3(7, 3), dim3(1, 64), dim3(128)};
  for (const dim3& block : flat) {
    const int width = 203, height = 97;
    cudaMemset(dOut, 0, sizeof out);
    plane<<<dim3((width + block.x - 1) / block.x, (height + block.y - 1) / block.y), block>>>(
        dIn, dOut, width, height);
    cudaMemcpy(out, dOut, sizeof out, cudaMemcpyDeviceToHost);
    printf("plane %u x %u: %ld\n", block.x, block.y, weighted(out, width * height));
  }
  const dim3 solid[] = {dim3(8, 8, 8), dim3(4, 4, 4), dim3(32, 2, 3), dim3(5, 1, 7)};
  for (const dim3& block : solid) {
    const int nx = 45, ny = 21, nz = 33;
    cudaMemset(dOut, 0, sizeof out);
    space<<<dim3((nx + block.x - 1) / block.x, (ny + block.y - 1) / block.y,
                 (nz + block.z - 1) / block.z),
            block>>>(dIn + nx * ny, dOut, nx, ny, nz);
    cudaMemcpy(out, dOut, sizeof out, cudaMemcpyDeviceToHost);
    printf("space %u x %u x %u: %ld\n", block.x, block.y, block.z, weighted(out, nx * ny * nz));
  }
  for (const int size : {1, 32, 100, 256, 1000}) {
    const int n = 65000, grid = (n + size - 1) / size;
    cudaMemset(dOut, 0, sizeof out);
    wide<<<grid, size>>>(dIn, dFar, n);
    cudaMemcpy(far, dFar, n * sizeof(long long), cudaMemcpyDeviceToHost);
    long long sum = 0;
    for (int i = 0; i < n; ++i)
      sum += far[i] % 1000 * (i % 5 + 1);
    multiplied<<<grid, size>>>(dOut, n);
    multiplied<<<grid, size>>>(dOut, n - 17);
    cudaMemcpy(out, dOut, sizeof out, cudaMemcpyDeviceToHost);
    printf("row %d: %lld %ld", size, sum, weighted(out, n));
    gathered<<<grid, size>>>(dIn, dOut, n);
    cudaMemcpy(out, dOut, sizeof out, cudaMemcpyDeviceToHost);
    printf(" %ld", weighted(out, n));
    apart<<<grid, size>>>(dOut, n);
    cudaMemcpy(out, dOut, sizeof out, cudaMemcpyDeviceToHost);
    unsigned count[2] = {0, 0};
    cudaMemset(dCount, 0, sizeof count);
    counted<<<grid, size>>>(dOut, dCount, n);
    cudaMemcpy(count, dCount, sizeof count, cudaMemcpyDeviceToHost);
    printf(" %ld %u %u\n", weighted(out, n), count[0], count[1]);
  }
  cudaFree(dIn);
  cudaFree(dOut);
  cudaFree(dFar);
  cudaFree(dCount);
  return 0;
}
