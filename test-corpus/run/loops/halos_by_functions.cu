// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles whose halos lie within bounds that functions of the user keep: as calls of min() and max(),
// as choices, with early returns, with a count in place of a bound; elements by their number in the
// tile, of which one is the quotient and the other what is left. Behind it threads return.
#include <cstdio>

#include <cuda_runtime.h>

__device__ __forceinline__ int byCalls(int v, int low, int high) { return min(max(v, low), high); }
__device__ int byChoice(int v, int low, int high) { return v < low ? low : v > high ? high : v; }
__device__ int byCount(int v, int count) { return max(0, min(v, count - 1)); }
__device__ int byReturns(int v, int count) {
  if (v < 0)
    return 0;
  if (count - 1 < v) {
    return count - 1;
  }
  return v;
}
// None of these keeps within bounds.
__device__ int wrapped(int v, int count) { return v < 0 ? count - 1 : v > count - 1 ? 0 : v; }
__device__ int mirrored(int v, int count) {
  return v < 0 ? -v : v > count - 1 ? count - 2 - (v - count) : v;
}

template <int kind> __device__ int place(int v, int count) {
  if (kind == 0)
    return byCalls(v, 0, count - 1);
  return byCount(v, count);
}

#define WIDTH 32
#define HEIGHT 8

__global__ void calls(const int* in, int* out, int columns, int rows) {
  __shared__ int tile[(HEIGHT + 2) * (WIDTH + 2)];
  const int left = blockIdx.x * WIDTH - 1, top = blockIdx.y * HEIGHT - 1;
  const int rank = threadIdx.y * WIDTH + threadIdx.x;
  for (int i = rank; i < (WIDTH + 2) * (HEIGHT + 2); i += WIDTH * HEIGHT) {
    const int y = i / (WIDTH + 2), x = i - y * (WIDTH + 2);
    tile[i] = in[byCalls(top + y, 0, rows - 1) * columns + byCalls(left + x, 0, columns - 1)];
  }
  __syncthreads();
  const int x = blockIdx.x * WIDTH + threadIdx.x, y = blockIdx.y * HEIGHT + threadIdx.y;
  if (x >= columns || y >= rows)
    return;
  const int* at = tile + (threadIdx.y + 1) * (WIDTH + 2) + threadIdx.x + 1;
  const int pitch = WIDTH + 2;
  out[y * columns + x] = 4 * at[0] + at[-1] - 2 * at[1] + 3 * at[-pitch] + at[pitch];
}

__global__ void choices(const int* in, int* out, int columns, int rows) {
  __shared__ int tile[HEIGHT + 4][WIDTH + 4];
  const int left = blockIdx.x * WIDTH - 2, top = blockIdx.y * HEIGHT - 2;
  for (int i = threadIdx.y * WIDTH + threadIdx.x; i < (WIDTH + 4) * (HEIGHT + 4);
       i += WIDTH * HEIGHT) {
    int y = i / (WIDTH + 4);
    int x = i - (WIDTH + 4) * y;
    tile[y][x] = in[byChoice(top + y, 0, rows - 1) * columns + byChoice(left + x, 0, columns - 1)];
  }
  __syncthreads();
  const int x = blockIdx.x * WIDTH + threadIdx.x, y = blockIdx.y * HEIGHT + threadIdx.y;
  if (x < columns && y < rows) {
    int sum = 0;
    for (int k = 0; k < 5; ++k)
      sum += (k + 1) * tile[threadIdx.y + 2][threadIdx.x + k] - tile[threadIdx.y + k][threadIdx.x + 2];
    out[y * columns + x] = sum;
  }
}

__global__ void rows(const int* in, int* out, int columns, int count, int kind) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= columns || y >= count)
    return;
  int sum = 0;
  if (kind == 0)
    sum = in[y * columns + byCount(x - 3, columns)] + in[y * columns + byCount(x + 3, columns)];
  else if (kind == 1)
    sum = in[y * columns + byReturns(x - 1, columns)] - in[y * columns + byReturns(x + 2, columns)];
  else if (kind == 2)
    sum = in[y * columns + wrapped(x - 1, columns)] + 2 * in[y * columns + wrapped(x + 1, columns)];
  else
    sum = in[y * columns + mirrored(x - 2, columns)] - in[y * columns + mirrored(x + 2, columns)];
  out[y * columns + x] = sum;
}

template <int kind>
__global__ void ofTemplate(const int* in, int* out, int columns, int rows) {
  __shared__ int line[WIDTH + 2];
  const int y = blockIdx.y, left = blockIdx.x * WIDTH - 1;
  for (int i = threadIdx.x; i < WIDTH + 2; i += WIDTH)
    line[i] = in[y * columns + place<kind>(left + i, columns)];
  __syncthreads();
  const int x = blockIdx.x * WIDTH + threadIdx.x;
  if (x >= columns)
    return;
  const int centre = 1;
  out[y * columns + x] =
      line[threadIdx.x + centre] * 5 - line[threadIdx.x] + line[threadIdx.x + 2 * centre];
}

// Some have returned before the tile is loaded.
__global__ void fewer(const int* in, int* out, int columns, int rows) {
  __shared__ int tile[(HEIGHT + 2) * (WIDTH + 2)];
  const int x = blockIdx.x * WIDTH + threadIdx.x, y = blockIdx.y * HEIGHT + threadIdx.y;
  if (x >= columns)
    return;
  const int wide = min(WIDTH, columns - int(blockIdx.x) * WIDTH);
  for (int i = threadIdx.y * wide + threadIdx.x; i < (wide + 2) * (HEIGHT + 2);
       i += wide * HEIGHT) {
    const int r = i / (wide + 2), c = i - r * (wide + 2);
    tile[r * (WIDTH + 2) + c] =
        in[byCount(int(blockIdx.y) * HEIGHT - 1 + r, rows) * columns +
           byCount(int(blockIdx.x) * WIDTH - 1 + c, columns)];
  }
  __syncthreads();
  const int pitch = WIDTH + 2;
  const int* at = tile + (threadIdx.y + 1) * pitch + threadIdx.x + 1;
  if (y < rows)
    out[y * columns + x] = at[0] - at[pitch] + 2 * at[-pitch] + 7 * at[1];
}

static void print(const char* name, const int* out, int count) {
  unsigned hash = 2166136261u;
  for (int i = 0; i < count; ++i)
    hash = (hash ^ unsigned(out[i])) * 16777619u;
  printf("%s: %u %d %d\n", name, hash, out[0], out[count - 1]);
}

int main() {
  const int columns = 107, count = 45, all = columns * count;
  int *in, *out;
  cudaMallocManaged(&in, all * sizeof(int));
  cudaMallocManaged(&out, all * sizeof(int));
  for (int i = 0; i < all; ++i)
    in[i] = (i * 7919 + 13) % 1009;
  const dim3 block(WIDTH, HEIGHT);
  const dim3 grid((columns + WIDTH - 1) / WIDTH, (count + HEIGHT - 1) / HEIGHT);

  calls<<<grid, block>>>(in, out, columns, count);
  cudaDeviceSynchronize();
  print("calls", out, all);
  choices<<<grid, block>>>(in, out, columns, count);
  cudaDeviceSynchronize();
  print("choices", out, all);
  for (int kind = 0; kind < 4; ++kind) {
    rows<<<grid, block>>>(in, out, columns, count, kind);
    cudaDeviceSynchronize();
    print("rows", out, all);
  }
  ofTemplate<0><<<dim3(grid.x, count), WIDTH>>>(in, out, columns, count);
  cudaDeviceSynchronize();
  print("template by calls", out, all);
  ofTemplate<1><<<dim3(grid.x, count), WIDTH>>>(in, out, columns, count);
  cudaDeviceSynchronize();
  print("template by count", out, all);
  fewer<<<grid, block>>>(in, out, columns, count);
  cudaDeviceSynchronize();
  print("fewer", out, all);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
