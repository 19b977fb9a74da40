// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches without barriers in which the whole block changes what steers its barriers: periodic
// neighbours of a cell, beside some in which threads differ.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int cells = 4, threads = 32;

// Pairs within reach, by linked cells.
__global__ void forces(const float4* pos, const int* start, float4* out, float reach) {
  __shared__ float4 tile[threads];
  const int cx = blockIdx.x, cy = blockIdx.y, cell = cy * cells + cx;
  const int i = start[cell] + threadIdx.x;
  const bool active = i < start[cell + 1];
  float4 p = active ? pos[i] : make_float4(0, 0, 0, 0);
  float fx = 0, fy = 0, e = 0;
  for (int n = 0; n < 9; ++n) {
    int x = cx + n % 3 - 1, y = cy + n / 3 - 1;
    float sx = 0, sy = 0;
    if (x < 0) {
      x += cells;
      sx = -cells;
    } else if (x >= cells) {
      x -= cells;
      sx = cells;
    }
    if (y < 0) {
      y += cells;
      sy = -cells;
    } else if (y >= cells) {
      y -= cells;
      sy = cells;
    }
    const int from = start[y * cells + x], to = start[y * cells + x + 1];
    for (int first = from; first < to; first += threads) {
      __syncthreads();
      if (first + int(threadIdx.x) < to) {
        float4 q = pos[first + threadIdx.x];
        q.x += sx;
        q.y += sy;
        tile[threadIdx.x] = q;
      }
      __syncthreads();
      const int count = min(threads, to - first);
      if (active)
        for (int k = 0; k < count; ++k) {
          const float4 q = tile[k];
          const float dx = p.x - q.x, dy = p.y - q.y, r2 = dx * dx + dy * dy;
          if (r2 < reach && first + k != i) {
            fx += dx * q.w;
            fy += dy * q.w;
            e += q.z;
          }
        }
    }
  }
  if (active)
    out[i] = make_float4(fx, fy, e, p.w);
}
// Steps that the block changes, threads change, or both.
__global__ void steps(int* out, const int* in, int n, int way) {
  __shared__ int s[threads];
  const int t = threadIdx.x;
  int sum = 0, width = 1, mine = t, last = n, turns = 0;
  for (int k = 0; k < last; k += width) {
    s[t] = in[(k + t) % n] + mine;
    __syncthreads();
    sum += s[(t + width) % threads];
    __syncthreads();
    if (way == 0)
      width = 1 + k % 3;
    else if (way == 1) {
      if (k > n / 2)
        last = n - 5;
      width = 2;
    } else
      turns += width++;
    if (turns > 6) { // a thread's own beside the block's
      mine += t;
      turns -= 4;
    }
    if (t & 1)
      mine ^= k;
  }
  if (n > 20) {
    int j = 0;
    for (j = 0; j < width; ++j)
      sum += j;
  }
  out[blockIdx.x * threads + t] = sum + 100 * width + 1000 * turns + mine;
}
// The same by the block alone.
__global__ void evenSteps(int* out, const int* in, int n, int way) {
  __shared__ int s[threads];
  const int t = threadIdx.x;
  int sum = 0, width = 1, last = n, turns = 0;
  for (int k = 0; k < last; k += width) {
    s[t] = in[(k + t) % n] + turns;
    __syncthreads();
    sum += s[(t + width) % threads];
    __syncthreads();
    if (way == 0)
      width = 1 + k % 3;
    else if (way == 1) {
      if (k > n / 2)
        last = n - 5;
      width = 2;
    } else {
      turns += width;
      ++width;
    }
    if (turns > 6)
      turns -= 4;
  }
  out[blockIdx.x * threads + t] = sum + 100 * width + 1000 * turns + last;
}

int main() {
  constexpr int bodies = 320, all = cells * cells;
  float4 *pos, *out;
  int *start, *in, *results;
  cudaMallocManaged(&pos, bodies * sizeof(float4));
  cudaMallocManaged(&out, bodies * sizeof(float4));
  cudaMallocManaged(&start, (all + 1) * sizeof(int));
  cudaMallocManaged(&in, 64 * sizeof(int));
  cudaMallocManaged(&results, 2 * threads * sizeof(int));
  for (int c = 0; c <= all; ++c)
    start[c] = c * 20 - (c % 3) * (c < all ? 4 : 0);
  for (int c = 0; c < all; ++c)
    for (int i = start[c]; i < start[c + 1]; ++i)
      pos[i] = make_float4(float(c % cells) + float(i * 7 % 16) / 16,
                           float(c / cells) + float(i * 5 % 16) / 16, float(i % 5),
                           0.25f * float(i % 3 + 1));
  for (int i = 0; i < 64; ++i)
    in[i] = i * 13 % 31;
  forces<<<dim3(cells, cells), threads>>>(pos, start, out, 0.75f);
  cudaDeviceSynchronize();
  double x = 0, y = 0, e = 0;
  for (int i = 0; i < start[all]; ++i) {
    x += out[i].x * (i + 1);
    y += out[i].y * (i + 1);
    e += out[i].z * (i + 1);
  }
  printf("%.3f %.3f %.0f\n", x, y, e);
  for (int way = 0; way < 3; ++way)
    for (int n : {7, 40}) {
      for (const auto kernel : {steps, evenSteps}) {
        kernel<<<2, threads>>>(results, in, n, way);
        cudaDeviceSynchronize();
        long long sum = 0;
        for (int i = 0; i < 2 * threads; ++i)
          sum += (long long)results[i] * (i + 1);
        printf("way %d, %d: %lld\n", way, n, sum);
      }
    }
}
