// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that a wall in memory ends, which is named by pointers, arrays and lists of values of the
// thread's own.
#include <cstdio>
#include <vector>

#include <cuda_runtime.h>

using Byte = unsigned char;

__global__ void byRow(const Byte* wall, const Byte* in, int* out, int w) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= w)
    return;
  const Byte* row = wall + blockIdx.y * w;
  if (row[x])
    return;
  out[blockIdx.y * w + x] = in[(x + 1) % w] + 2 * in[x];
}

__global__ void byList(const Byte* wall, const Byte* in, int* out, int w) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= w)
    return;
  const int kind{int(in[x])};
  if (wall[kind]) {
    out[x] = -1;
    return;
  }
  out[x] = in[(x + 1) % w] + 2 * in[x] + kind;
}

__global__ void byArray(const Byte* wall, const Byte* in, int* out, int w) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= w)
    return;
  const int shift[2] = {1, 2};
  if (wall[x + shift[1]] > 3) {
    out[x] = -1;
    return;
  }
  out[x] = in[(x + 1) % w] + 2 * in[x] + shift[0];
}

__global__ void byRows(const Byte* wall, const Byte* in, int* out, int w) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= w)
    return;
  const Byte(*rows)[64] = (const Byte(*)[64])wall;
  if (rows[blockIdx.y][x % 64]) {
    out[blockIdx.y * w + x] = -1;
    return;
  }
  out[blockIdx.y * w + x] = in[(x + 1) % w] + 2 * in[x];
}

int main() {
  const int w = 500, h = 3;
  std::vector<Byte> wall(w * h + 64), in(w);
  for (int i = 0; i < int(wall.size()); ++i)
    wall[i] = i / 37 % 3 == 0 ? i % 5 : i % 101 == 0;
  for (int i = 0; i < w; ++i)
    in[i] = Byte(i * 7 % 200);
  Byte *onWall, *onIn;
  int* onOut;
  cudaMalloc(&onWall, wall.size());
  cudaMalloc(&onIn, in.size());
  cudaMalloc(&onOut, w * h * sizeof(int));
  cudaMemcpy(onWall, wall.data(), wall.size(), cudaMemcpyHostToDevice);
  cudaMemcpy(onIn, in.data(), in.size(), cudaMemcpyHostToDevice);
  for (auto* kernel : {byRow, byList, byArray, byRows}) {
    cudaMemset(onOut, 0, w * h * sizeof(int));
    const bool isOfRows = kernel == byRow || kernel == byRows;
    kernel<<<dim3((w + 127) / 128, isOfRows ? h : 1), 128>>>(onWall, onIn, onOut, w);
    std::vector<int> out(w * h);
    cudaMemcpy(out.data(), onOut, w * h * sizeof(int), cudaMemcpyDeviceToHost);
    long long sum = 0;
    for (int i = 0; i < w * h; ++i)
      sum += (long long)out[i] * (1 + i % 7);
    printf("%lld %d %d %d\n", sum, out[1], out[w - 1], out[(h - 1) * w + 5]);
  }
}
