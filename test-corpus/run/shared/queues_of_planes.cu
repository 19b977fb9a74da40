// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stencils that march through a padded volume with planes in small arrays, of a template whose
// parameter the arguments tell: `cell(w, x, y, z)` of a `Volume<R>`. The next plane is told by a
// stride that has a name, and threads outside take a place at the edge.
#include <cstdio>
#include <utility>

template <int R> struct Volume {
  int nx, ny, nz;
  int px, py;
  float weights[R + 1];
};
template <int R>
__device__ __forceinline__ size_t cell(const Volume<R>& v, int x, int y, int z) {
  return ((size_t)(z + R) * v.py + (y + R)) * v.px + (x + R);
}
// One that two volumes use, and one whose default is not what it is given.
template <class T, int N> __device__ T scaled(T value) { return T(value * N) / T(2); }
template <int R = 7> __device__ int radius(const Volume<R>& v) { return R * v.nx; }

template <int R, int BX, int BY>
__global__ void step(Volume<R> v, const float* __restrict__ now, const float* __restrict__ speed,
                     float* __restrict__ old) {
  __shared__ float plane[BY + 2 * R][BX + 2 * R];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * BX + tx, y = blockIdx.y * BY + ty;
  const bool active = x < v.nx && y < v.ny;
  const int xs = min(x, v.nx - 1), ys = min(y, v.ny - 1);
  const size_t stride = (size_t)v.px * v.py;
  float front[R], back[R], here;
#pragma unroll
  for (int i = 0; i < R; ++i)
    back[R - 1 - i] = now[cell(v, xs, ys, -R + i)];
  here = now[cell(v, xs, ys, 0)];
#pragma unroll
  for (int i = 0; i < R; ++i)
    front[i] = now[cell(v, xs, ys, 1 + i)];
  for (int z = 0; z < v.nz; ++z) {
    const size_t c = cell(v, xs, ys, z);
    __syncthreads();
    for (int j = ty; j < BY + 2 * R; j += BY)
      for (int i = tx; i < BX + 2 * R; i += BX) {
        int gx = min((int)(blockIdx.x * BX) + i - R, v.nx + R - 1);
        int gy = min((int)(blockIdx.y * BY) + j - R, v.ny + R - 1);
        plane[j][i] = now[cell(v, gx, gy, z)];
      }
    __syncthreads();
    float sum = 3.0f * v.weights[0] * here;
#pragma unroll
    for (int i = 1; i <= R; ++i)
      sum += v.weights[i] *
             (front[i - 1] + back[i - 1] + plane[ty + R][tx + R - i] + plane[ty + R][tx + R + i] +
              plane[ty + R - i][tx + R] + plane[ty + R + i][tx + R]);
    if (active)
      old[c] = 2.0f * here - old[c] + speed[c] * sum;
#pragma unroll
    for (int i = R - 1; i > 0; --i)
      back[i] = back[i - 1];
    back[0] = here;
    here = front[0];
#pragma unroll
    for (int i = 0; i < R - 1; ++i)
      front[i] = front[i + 1];
    if (z + 1 < v.nz)
      front[R - 1] = now[c + (R + 1) * stride];
  }
}
template <int R> __global__ void totals(Volume<R> v, const float* field, double* out) {
  const int x = threadIdx.x;
  double sum = 0;
  for (int z = 0; z < v.nz; ++z)
    for (int y = 0; y < v.ny; ++y)
      sum += field[cell(v, x, y, z)] * (1 + (y + z) % 5);
  out[x] = scaled<double, 3>(sum) + scaled<int, 5>(x) + radius(v);
}

template <int R> void run(int nx, int ny, int nz) {
  Volume<R> v{nx, ny, nz, nx + 2 * R + 3, ny + 2 * R, {}};
  for (int i = 0; i <= R; ++i)
    v.weights[i] = (i % 2 ? 0.25f : -0.125f) / (1 << i);
  const int all = v.px * v.py * (nz + 2 * R);
  float *now, *old, *speed;
  double* sums;
  cudaMallocManaged(&now, all * sizeof(float));
  cudaMallocManaged(&old, all * sizeof(float));
  cudaMallocManaged(&speed, all * sizeof(float));
  cudaMallocManaged(&sums, nx * sizeof(double));
  for (int i = 0; i < all; ++i) {
    now[i] = float(i * 37 % 64) / 64;
    old[i] = float(i * 11 % 32) / 32;
    speed[i] = float(i % 3) / 16;
  }
  for (int i = 0; i < 3; ++i) {
    step<R, 16, 4><<<dim3((nx + 15) / 16, (ny + 3) / 4), dim3(16, 4)>>>(v, now, speed, old);
    cudaDeviceSynchronize();
    std::swap(now, old);
  }
  totals<R><<<1, nx>>>(v, now, sums);
  cudaDeviceSynchronize();
  double sum = 0, weighted = 0;
  for (int i = 0; i < nx; ++i) {
    sum += sums[i];
    weighted += sums[i] * (1 + i % 7);
  }
  printf("%.6g %.6g\n", sum, weighted);
}

int main() {
  run<2>(37, 18, 9);
  run<2>(16, 4, 1);
}
