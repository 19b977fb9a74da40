// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that count up from a number and pass over some steps with `continue`: by conditions of the
// thread and of the block, several in one loop, in loops inside of loops, with bounds that each
// thread reads, and with places that may only be loaded where the step is not passed over.
#include <cstdio>
#include <cstdlib>

constexpr int cap = 32, rows = 4, cells = 9;

__global__ void forces(const int* count, const float4* at, float4* out) {
  __shared__ float4 tile[rows][cap];
  const int cell = blockIdx.x, i = threadIdx.x, row = threadIdx.y;
  const int own = count[cell];
  float4 me = make_float4(0, 0, 0, 0);
  if (i < own)
    me = at[cell * cap + i];
  float x = 0, y = 0, energy = 0;
  for (int first = 0; first < cells; first += rows) {
    const int other = first + row;
    int n = 0, self = 0;
    if (other < cells) {
      n = count[other];
      self = other == cell;
      if (i < n)
        tile[row][i] = at[other * cap + i];
    }
    __syncthreads();
    if (i < own) {
      for (int j = 0; j < n; j++) {
        if (self && j == i) continue;
        const float4 you = tile[row][j];
        const float dx = me.x - you.x, dy = me.y - you.y;
        const float r2 = dx * dx + dy * dy;
        if (r2 < 16) {
          x += dx * 0.25f;
          y += dy * 0.25f;
          energy += r2 * 0.125f;
        }
      }
    }
    __syncthreads();
  }
  out[(cell * rows + row) * cap + i] = make_float4(x, y, energy, me.w);
}

// The array is there only for some steps: elsewhere the pointer is null.
__global__ void present(const int* const* lists, const int* sizes, int n, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int j = 0; j < n; ++j) {
    if (sizes[j] <= i % 8) continue;
    if (j == 3) {
      continue;
    }
    sum = sum * 3 + lists[j][0] + i;
    for (int k = 0; k < sizes[j]; ++k) {
      if ((k ^ i) & 1) continue;
      sum += lists[j][k];
    }
  }
  out[i] = sum;
}

// All threads alike, and a step of which the head changes nothing else.
__global__ void pairs(const float* x, int n, int skip, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  int taken = 0;
  for (int j = 0; j < n; j++) {
    if (j == skip || j == i) continue;
    const float d = x[i] - x[j];
    if (d < 0) continue;
    ++taken;
    sum += d;
  }
  out[i] = sum + 1000 * taken;
}

int main() {
  int* count;
  float4 *at, *out;
  cudaMallocManaged(&count, cells * sizeof(int));
  cudaMallocManaged(&at, cells * cap * sizeof(float4));
  cudaMallocManaged(&out, cells * rows * cap * sizeof(float4));
  for (int c = 0; c < cells; ++c) {
    count[c] = c == 4 ? 0 : 20 + c;
    for (int i = 0; i < cap; ++i)
      at[c * cap + i] = make_float4(float((i * 7 + c * 3) % 16), float((i * 5 + c) % 16), 0, float(i));
  }
  forces<<<cells, dim3(cap, rows)>>>(count, at, out);
  cudaDeviceSynchronize();
  for (int c = 0; c < cells; ++c) {
    float x = 0, y = 0, energy = 0, w = 0;
    for (int i = 0; i < rows * cap; ++i) {
      const float4 f = out[c * rows * cap + i];
      x += f.x * float(1 + i % 5);
      y += f.y * float(1 + i % 3);
      energy += f.z;
      w += f.w;
    }
    printf("cell %d: %g %g %g %g\n", c, x, y, energy, w);
  }

  const int lists = 6, threads = 64;
  int **list, *sizes, *sums;
  cudaMallocManaged(&list, lists * sizeof(int*));
  cudaMallocManaged(&sizes, lists * sizeof(int));
  cudaMallocManaged(&sums, threads * sizeof(int));
  for (int j = 0; j < lists; ++j) {
    sizes[j] = j == 1 ? 0 : 2 * j + 1;
    list[j] = nullptr;
    if (sizes[j])
      cudaMallocManaged(&list[j], sizes[j] * sizeof(int));
    for (int k = 0; k < sizes[j]; ++k)
      list[j][k] = 10 * j + k;
  }
  present<<<2, 32>>>(list, sizes, lists, sums);
  cudaDeviceSynchronize();
  for (int i = 0; i < threads; i += 5)
    printf("%d ", sums[i]);
  printf("\n");

  float *x, *far;
  cudaMallocManaged(&x, threads * sizeof(float));
  cudaMallocManaged(&far, threads * sizeof(float));
  for (int i = 0; i < threads; ++i)
    x[i] = float(i * 37 % 64);
  for (int n : {0, 1, 63, 64}) {
    pairs<<<2, 32>>>(x, n, 5, far);
    cudaDeviceSynchronize();
    printf("%g %g %g\n", far[0], far[17], far[63]);
  }
}
