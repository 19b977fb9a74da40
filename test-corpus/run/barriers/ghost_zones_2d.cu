// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stencil whose blocks compute several steps of a tile that shrinks, as programs for heat write it:
// conditions in macros, places kept within bounds by variables that are set twice, and a flag that
// says from one region to the next, and behind the loop, whether the thread has computed.
#include <cstdio>
#include <cstdlib>

#define SIDE 16
#define BETWEEN(x, low, high) ((x) >= (low) && (x) <= (high))
#define OUTSIDE(x, low, high) ((x) < (low) | (x) > (high))

__global__ void heat(int steps, const float* power, const float* from, float* to, int columns,
                     int rows, int border, float rate) {
  __shared__ float now[SIDE][SIDE];
  __shared__ float added[SIDE][SIDE];
  __shared__ float next[SIDE][SIDE];
  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int inner = SIDE - steps * 2;
  int firstY = inner * blockIdx.y - border;
  int firstX = inner * blockIdx.x - border;
  int lastY = firstY + SIDE - 1;
  int lastX = firstX + SIDE - 1;
  int y = firstY + ty, x = firstX + tx;
  int index = columns * y + x;
  if (BETWEEN(y, 0, rows - 1) && BETWEEN(x, 0, columns - 1)) {
    now[ty][tx] = from[index];
    added[ty][tx] = power[index];
  }
  __syncthreads();
  int lowY = firstY < 0 ? -firstY : 0;
  int highY = lastY > rows - 1 ? SIDE - 1 - (lastY - rows + 1) : SIDE - 1;
  int lowX = firstX < 0 ? -firstX : 0;
  int highX = lastX > columns - 1 ? SIDE - 1 - (lastX - columns + 1) : SIDE - 1;
  int N = ty - 1;
  int S = ty + 1;
  int W = tx - 1;
  int E = tx + 1;
  N = (N < lowY) ? lowY : N;
  S = (S > highY) ? highY : S;
  W = (W < lowX) ? lowX : W;
  E = (E > highX) ? highX : E;
  bool computed;
  for (int i = 0; i < steps; i++) {
    computed = false;
    if (BETWEEN(tx, i + 1, SIDE - i - 2) && BETWEEN(ty, i + 1, SIDE - i - 2) &&
        BETWEEN(tx, lowX, highX) && BETWEEN(ty, lowY, highY)) {
      computed = true;
      next[ty][tx] = now[ty][tx] + rate * (added[ty][tx] + now[S][tx] + now[N][tx] + now[ty][E] +
                                           now[ty][W] - 4.0f * now[ty][tx]);
    }
    __syncthreads();
    if (i == steps - 1)
      break;
    if (computed)
      now[ty][tx] = next[ty][tx];
    __syncthreads();
  }
  if (computed)
    to[index] = next[ty][tx];
}

// One row, an else branch for the flag, and a flag that is set again in the same round.
__global__ void cheapest(int steps, const int* wall, const int* from, int* to, int* marks,
                         int columns) {
  __shared__ int now[64];
  __shared__ int next[64];
  int tx = threadIdx.x;
  int first = (64 - steps * 2) * blockIdx.x - steps;
  int x = first + tx;
  int low = first < 0 ? -first : 0;
  int high = first + 63 > columns - 1 ? 63 - (first + 63 - columns + 1) : 63;
  int west = max(tx - 1, low), east = min(tx + 1, high);
  bool valid = BETWEEN(tx, low, high);
  now[tx] = valid ? from[x] : 0;
  __syncthreads();
  bool computed = false, kept = false;
  int times = 0;
  for (int i = 0; i < steps; ++i) {
    computed = false;
    if (tx >= i + 1 && tx <= 62 - i && valid) {
      computed = true;
      next[tx] = min(min(now[west], now[tx]), now[east]) + wall[columns * i + x];
    }
    __syncthreads();
    if (computed) {
      now[tx] = next[tx];
    } else {
      ++times;
    }
    kept = false;
    if (tx > 3 * i) {
      kept = true;
      times += 2;
    }
    if (kept && times > 3)
      kept = false;
    __syncthreads();
    if (kept)
      times += 100;
    if (OUTSIDE(tx, 2, 60 - i))
      times += 1000;
    __syncthreads();
  }
  if (computed)
    to[x] = next[tx];
  atomicAdd(&marks[tx], times + kept);
}

int main() {
  const int columns = 75, rows = 53, steps = 3;
  float *power, *from, *to;
  cudaMallocManaged(&power, columns * rows * sizeof(float));
  cudaMallocManaged(&from, columns * rows * sizeof(float));
  cudaMallocManaged(&to, columns * rows * sizeof(float));
  unsigned state = 7;
  for (int i = 0; i < columns * rows; ++i) {
    state = state * 1664525u + 1013904223u;
    from[i] = float(state >> 24) / 8;
    power[i] = float(state >> 20 & 15) / 4;
    to[i] = -1;
  }
  for (int count = 1; count <= steps; ++count) {
    const int inner = SIDE - 2 * count;
    const dim3 grid((columns + inner - 1) / inner, (rows + inner - 1) / inner);
    heat<<<grid, dim3(SIDE, SIDE)>>>(count, power, from, to, columns, rows, count, 0.125f);
    cudaDeviceSynchronize();
    double sum = 0, weighted = 0;
    for (int i = 0; i < columns * rows; ++i) {
      sum += to[i];
      weighted += double(to[i]) * (i % 17);
    }
    printf("%d steps: %.3f %.3f, corners %.4f %.4f %.4f\n", count, sum, weighted, to[0],
           to[columns - 1], to[columns * rows - 1]);
  }

  const int width = 500, depth = 5;
  int *wall, *before, *after, *marks;
  cudaMallocManaged(&wall, width * depth * sizeof(int));
  cudaMallocManaged(&before, width * sizeof(int));
  cudaMallocManaged(&after, width * sizeof(int));
  cudaMallocManaged(&marks, 64 * sizeof(int));
  for (int i = 0; i < width * depth; ++i) {
    state = state * 1664525u + 1013904223u;
    wall[i] = state >> 28;
  }
  for (int i = 0; i < width; ++i)
    before[i] = i * 7 % 23;
  for (int i = 0; i < 64; ++i)
    marks[i] = 0;
  const int inner = 64 - 2 * depth;
  cheapest<<<(width + inner - 1) / inner, 64>>>(depth, wall, before, after, marks, width);
  cudaDeviceSynchronize();
  unsigned hash = 1;
  for (int i = 0; i < width; ++i)
    hash = hash * 31 + unsigned(after[i]);
  for (int i = 0; i < 64; ++i)
    hash = hash * 31 + unsigned(marks[i]);
  printf("paths %u, first %d, last %d, marks %d %d %d\n", hash, after[0], after[width - 1], marks[0],
         marks[5], marks[63]);
  return 0;
}
