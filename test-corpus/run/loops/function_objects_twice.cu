// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that are given a larger function object, which threads inside of a box and those at its
// edge call: with branches and returns, with one that calls itself, one that is never to be
// inlined, and one that the host calls, too.
#include <cstdio>

template <class T, int N> struct Array {
  T v[N];
  __host__ __device__ constexpr T& operator[](int i) { return v[i]; }
  __host__ __device__ constexpr const T& operator[](int i) const { return v[i]; }
};
struct Direction {
  int dx, dy, opposite;
};
__host__ __device__ constexpr Array<Direction, 5> directions() {
  return {{{0, 0, 0}, {1, 0, 3}, {0, 1, 4}, {-1, 0, 1}, {0, -1, 2}}};
}

struct Stream {
  const int* from;
  int* to;
  const unsigned char* wall;
  int nx, ny;
  __host__ __device__ int at(int q, int x, int y) const { return (q * ny + y) * nx + x; }
  __host__ __device__ void operator()(int x, int y) const {
    constexpr auto dir = directions();
    Array<int, 5> f;
#pragma unroll
    for (int q = 0; q < 5; ++q) {
      int xs = x - dir[q].dx, ys = y - dir[q].dy;
      xs = xs < 0 ? nx - 1 : (xs >= nx ? 0 : xs);
      ys = ys < 0 ? ny - 1 : (ys >= ny ? 0 : ys);
      f[q] = from[at(q, xs, ys)];
    }
    if (wall[at(0, x, y)]) {
#pragma unroll
      for (int q = 0; q < 5; ++q) to[at(q, x, y)] = f[dir[q].opposite];
      return;
    }
    int sum = 0;
    for (int q = 0; q < 5; ++q) sum += f[q];
#pragma unroll
    for (int q = 0; q < 5; ++q) to[at(q, x, y)] = f[q] + (sum - 5 * f[q]) / 8;
  }
};

struct Depth {
  int* to;
  int nx;
  __device__ int depth(int n) const { return n <= 1 ? 0 : 1 + depth(n % 2 ? 3 * n + 1 : n / 2); }
  __device__ void operator()(int x, int y) const { to[y * nx + x] = depth(y * nx + x + 1); }
};

struct Apart {
  int* to;
  int nx;
  __device__ __noinline__ void operator()(int x, int y) const {
    if (x == y)
      return;
    to[y * nx + x] = x * 10 + y;
  }
};

template <class Body> __global__ void forEachCell(int nx, int ny, Body body) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < nx && y < ny)
    body(x, y);
}

int main() {
  const int nx = 45, ny = 19, cells = nx * ny;
  const dim3 block(32, 4), grid((nx + 31) / 32, (ny + 3) / 4);
  int *a, *b, *c;
  unsigned char* wall;
  cudaMallocManaged(&a, 5 * cells * sizeof(int));
  cudaMallocManaged(&b, 5 * cells * sizeof(int));
  cudaMallocManaged(&c, 5 * cells * sizeof(int));
  cudaMallocManaged(&wall, cells);
  for (int i = 0; i < 5 * cells; ++i)
    a[i] = i * 31 % 1000;
  for (int i = 0; i < cells; ++i)
    wall[i] = i % 7 == 3 || i / nx == 0;
  for (int step = 0; step < 3; ++step) {
    forEachCell<<<grid, block>>>(nx, ny, Stream{a, b, wall, nx, ny});
    cudaDeviceSynchronize();
    const Stream host{a, c, wall, nx, ny};
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) host(x, y);
    int different = 0;
    unsigned sum = 0;
    for (int i = 0; i < 5 * cells; ++i) {
      different += b[i] != c[i];
      sum = sum * 31 + unsigned(b[i]);
    }
    printf("step %d: %u, %d differ\n", step, sum, different);
    int* swap = a;
    a = b;
    b = swap;
  }
  forEachCell<<<grid, block>>>(nx, ny, Depth{a, nx});
  cudaDeviceSynchronize();
  printf("%d %d %d %d\n", a[0], a[26], a[96], a[cells - 1]);
  for (int i = 0; i < cells; ++i)
    a[i] = -1;
  forEachCell<<<grid, block>>>(nx, ny, Apart{a, nx});
  cudaDeviceSynchronize();
  printf("%d %d %d %d\n", a[0], a[1], a[nx], a[cells - 1]);
}
