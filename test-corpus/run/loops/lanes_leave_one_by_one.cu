// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that each thread leaves when it likes, and that only compute: for blocks with rows of any
// width, after returns, inside other loops, as while, do and for, with values that functions change
// through references.
#include <cstdio>
#include <cuda_runtime.h>

__device__ void advance(unsigned& state) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
}

// Steps until an odd number reaches one.
__global__ void steps(int* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  long long n = y * width + x + 1;
  int count = 0;
  while (n != 1 && count < 300) {
    n = (n & 1) ? 3 * n + 1 : n >> 1;
    ++count;
  }
  out[y * width + x] = count;
}

__global__ void escape(int* out, int width, int limit) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int row = y * width;
  float a = 0.0f, b = 0.0f;
  int n = 0;
  do {
    const float t = a * 0.5f + x;
    b = b + 0.25f * y;
    a = t;
    n += 1 + (b > 4.0f);
  } while (a + b < 2.0f * limit && n < limit);
  if (x < width)
    out[row + x] = n + (int)a;
}

// Random walks: their generators are alive from round to round.
__global__ void walks(int* out, int n, int rounds) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned state = 17u + 7919u * t;
  int place = 0, longest = 0;
  for (int r = 0; r < rounds; ++r) {
    advance(state);
    int left = state & 15;
    for (int k = 0; k < left; k += 1 + (place & 1)) {
      place += (left ^ k) - 3;
      left -= place > 20;
      longest = longest > place ? longest : place;
    }
  }
  if (t < n)
    out[t] = place * 100 + longest;
}

// A warp that is told apart by the rank of its threads is no part of a row.
__global__ void ranks(int* out, int limit) {
  const int rank = threadIdx.y * blockDim.x + threadIdx.x;
  const int warp = rank / 32;
  int sum = warp, k = 0;
  while (sum + k * k < limit + rank) {
    sum += k ^ warp;
    k += 1 + (rank & 1);
  }
  out[rank] = sum * 10 + warp;
}

static void print(const char* what, const int* values, int n) {
  long long sum = 0;
  for (int i = 0; i < n; ++i)
    sum += static_cast<long long>(values[i]) * (i % 17 + 1);
  printf("%s: %lld, %d %d\n", what, sum, values[n / 2], values[n - 1]);
}

int main() {
  const int width = 75, height = 33, n = 4096;
  int* out;
  cudaMallocManaged(&out, n * sizeof(int));
  const auto finish = [&](const char* what, int count) {
    if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess)
      printf("failed\n");
    print(what, out, count);
    for (int i = 0; i < n; ++i)
      out[i] = -1;
  };
  const dim3 blocks[] = {dim3(16, 16), dim3(20, 3), dim3(8, 8),  dim3(32, 2),
                         dim3(40, 5),  dim3(1, 7),  dim3(64, 4), dim3(3, 2, 2)};
  for (const dim3& block : blocks) {
    const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    steps<<<grid, block>>>(out, width, height);
    finish("steps", width * height);
  }
  escape<<<dim3(5, 4), dim3(16, 8)>>>(out, 80, 60);
  finish("escape, 16 x 8", 80 * 32);
  escape<<<dim3(4, 16), dim3(24, 2)>>>(out, 90, 60);
  finish("escape, 24 x 2", 90 * 32);
  walks<<<5, 100>>>(out, 490, 40);
  finish("walks", 490);
  ranks<<<1, dim3(12, 9)>>>(out, 900);
  finish("ranks", 108);
  return 0;
}
