// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that take threadIdx.x for the row of a matrix and threadIdx.y for its column, so that neighbours in memory are
// those of a column of threads: with guards, early returns, several stores, a size that the kernel takes for known, beside
// kernels that tell their blocks apart.
#include <cstdio>

__global__ void stencil(const int* in, int* out, int w, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i > 0 && i < h - 1 && j > 0 && j < w - 1)
    out[i * w + j] = in[i * w + j - 1] + in[i * w + j + 1] + 3 * in[(i - 1) * w + j] + in[(i + 1) * w + j];
}
__global__ void returns(const int* in, int* out, int* more, int w, int h) {
  const int row = threadIdx.x + blockDim.x * blockIdx.x;
  const int column = threadIdx.y + blockDim.y * blockIdx.y;
  if (row >= h || column >= w) return;
  const int v = in[row * w + column];
  out[row * w + column] = v % 7 == 0 ? -v : v + row;
  if (v % 3 == 0) more[row * w + column] += v - column;
}
__global__ void known(const int* in, int* out, int w, int h) {
  const int row = blockIdx.x * 8 + threadIdx.x, column = blockIdx.y * 4 + threadIdx.y;
  if (row < h && column < w) out[row * w + column] += in[row * w + column] * 2 + 1;
}
__global__ void apart(const int* in, int* out, int w, int h) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < h && column < w) out[row * w + column] = in[row * w + column] * 16 + threadIdx.y + blockIdx.x * 5;
}
__global__ void apartByRow(const int* in, int* out, int w, int h) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < h && column < w) out[row * w + column] = in[row * w + column] * 16 + threadIdx.x + blockIdx.x * 5;
}
__global__ void layers(const int* in, int* out, int w, int h) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < h && column < w) out[(blockIdx.z * h + row) * w + column] = in[row * w + column] + int(threadIdx.z + blockIdx.z);
}

__global__ void layersOfThreads(const int* in, int* out, int w, int h) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < h && column < w) out[(threadIdx.z * h + row) * w + column] = in[row * w + column] + int(threadIdx.z) * 3;
}

static unsigned hashOf(const int* v, int n) {
  unsigned hash = 2166136261u;
  for (int i = 0; i < n; ++i) hash = (hash ^ unsigned(v[i])) * 16777619u;
  return hash;
}

int main() {
  constexpr int w = 91, h = 67, n = w * h;
  static int in[n], out[2 * n];
  for (int i = 0; i < n; ++i) in[i] = (i * 2654435761u) >> 20;
  int *dIn, *dOut;
  cudaMalloc(&dIn, sizeof in);
  cudaMalloc(&dOut, sizeof out);
  cudaMemcpy(dIn, in, sizeof in, cudaMemcpyHostToDevice);
  cudaMemset(dOut, 0, sizeof out);
  const auto show = [&](const char* name) {
    cudaMemcpy(out, dOut, sizeof out, cudaMemcpyDeviceToHost);
    printf("%s %08x %s\n", name, hashOf(out, 2 * n), cudaGetErrorString(cudaGetLastError()));
    cudaMemset(dOut, 0, sizeof out);
  };
  for (const dim3& block : {dim3(16, 16), dim3(8, 4), dim3(32, 8), dim3(1, 128), dim3(7, 3)}) {
    const dim3 grid((h + block.x - 1) / block.x, (w + block.y - 1) / block.y);
    printf("block %u %u\n", block.x, block.y);
    stencil<<<grid, block>>>(dIn, dOut, w, h);
    show("stencil");
    returns<<<grid, block>>>(dIn, dOut, dOut + n, w, h);
    show("returns");
    known<<<grid, block>>>(dIn, dOut, w, h);
    if (block.x <= 8 && block.y <= 4) show("known"); // others do some elements twice
    cudaMemset(dOut, 0, sizeof out);
    apart<<<grid, block>>>(dIn, dOut, w, h);
    show("apart");
    apartByRow<<<grid, block>>>(dIn, dOut, w, h);
    show("apart by row");
    layers<<<dim3(grid.x, grid.y, 2), block>>>(dIn, dOut, w, h);
    show("layers");
  }
  layersOfThreads<<<dim3((h + 3) / 4, (w + 7) / 8), dim3(4, 8, 2)>>>(dIn, dOut, w, h);
  show("layers of threads");
  cudaFree(dIn);
  cudaFree(dOut);
}
