// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles with halos, filled with values that begin with a number and are set where the array has
// some: numbers of other types, with an else, under a macro's condition; and what only looks so.
#include <cstdio>

#define CHECK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { printf("%s\n", cudaGetErrorString(e_)); return 1; } } while (0)
#define WITHIN(v, n) ((v) >= 0 && (v) < (n))
constexpr int TILE = 16, RADIUS = 2, SIDE = TILE + 2 * RADIUS;
constexpr float EDGE = -3;

template <class T> __global__ void blur(const T* in, T* out, int w, int h, int how) {
  __shared__ T s[SIDE][SIDE];
  __shared__ short kept[SIDE][SIDE];
  const int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  const int x0 = blockIdx.x * TILE - RADIUS, y0 = blockIdx.y * TILE - RADIUS;
  for (int i = threadIdx.y * TILE + threadIdx.x; i < SIDE * SIDE; i += TILE * TILE) {
    const int lx = i % SIDE, ly = i / SIDE, gx = x0 + lx, gy = y0 + ly;
    if (how == 0) {
      T v = 0;
      if (gx >= 0 && gx < w && gy >= 0 && gy < h) v = in[gy * w + gx];
      s[ly][lx] = v;
    } else if (how == 1) {
      T v;
      if (WITHIN(gx, w) && WITHIN(gy, h)) {
        v = in[gy * w + gx];
      } else {
        v = EDGE;
      }
      s[ly][lx] = v;
    } else if (how == 2) {
      T v = 7;
      if (gx >= 0 && gx < w && gy >= 0 && gy < h) v = in[gy * w + gx] + v; // what it began with
      s[ly][lx] = v;
    } else {
      T v = -1;
      if (gx >= 0 && gx < w && gy >= 0 && gy < h) v = in[gy * w + gx];
      s[ly][lx] = v;
      v += 2; // it is asked for again
      s[ly][lx] += v;
    }
    short k = 5;
    if (gx > 0 && gy > 0) k = 100 * gx + gy; // a wider number
    kept[ly][lx] = k;
  }
  __syncthreads();
  if (x >= w || y >= h) return;
  const int lx = threadIdx.x + RADIUS, ly = threadIdx.y + RADIUS;
  T sum = 4 * s[ly][lx] - s[ly][lx - 2] + s[ly][lx + 2] - s[ly - 2][lx] + s[ly + 2][lx] + kept[ly - 1][lx + 1];
  out[y * w + x] = sum + s[ly][lx - 1] * 2 + s[ly - 1][lx] * 3;
}

template <class T> int run(int w, int h) {
  T *in, *out;
  CHECK(cudaMallocManaged(&in, w * h * sizeof(T)));
  CHECK(cudaMallocManaged(&out, w * h * sizeof(T)));
  for (int i = 0; i < w * h; ++i)
    in[i] = T(i * 37 % 101);
  for (int how = 0; how < 4; ++how) {
    blur<<<dim3((w + TILE - 1) / TILE, (h + TILE - 1) / TILE), dim3(TILE, TILE)>>>(in, out, w, h, how);
    CHECK(cudaDeviceSynchronize());
    double sum = 0;
    for (int i = 0; i < w * h; ++i)
      sum += double(out[i]) * (1 + i % 13);
    printf("%d x %d, %d: %.17g\n", w, h, how, sum);
  }
  return 0;
}

int main() {
  return run<float>(100, 70) || run<double>(64, 48) || run<int>(37, 19);
}
