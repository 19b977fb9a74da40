// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that each thread leaves when it likes in templates: of kernels, of device functions, with
// structures of a template's type, and with a structure that says where the picture lies.
#include <cstdio>

#include <cuda_runtime.h>

struct View {
  float left, top, step;
  int width, height, limit;
};

template <typename T> struct Point {
  T x, y;
  __device__ Point(T a, T b) : x(a), y(b) {}
  __device__ T size() const { return x * 0.5f + y; }
  __device__ Point operator+(const Point& other) const { return Point(x + other.x, y + other.y); }
  __device__ Point scaled(T by) const { return Point(x * by, y * by); }
};

template <typename T> __device__ int steps(T x, T y, int limit) {
  T a = x, b = y * T(0.5);
  int n = 0;
  for (; n < limit; ++n) {
    T c = a * T(1.25);
    if (c + b > T(300))
      break;
    a = c + b;
    b = b * T(1.0625);
  }
  return n;
}

template <typename T, int width>
__global__ void called(int* out, int columns, int rows, T scale) {
  int x = blockIdx.x * width + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < columns && y < rows)
    out[y * columns + x] = steps<T>(x * scale, y * scale, 50);
}

template <typename T> __global__ void within(int* out, View v, T start) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= v.width || y >= v.height)
    return;
  T a = start + x * v.step, b = start;
  T least = T(1e6);
  int n = 0;
  while (n < v.limit && a < T(1000)) {
    T next = a * T(1.125) + b;
    b = b + T(0.25) * y;
    a = next;
    least = b < least ? b : least;
    ++n;
  }
  out[y * v.width + x] = n * 100 + int(least);
}

// Integers: nothing runs past the exit.
template <typename T> __global__ void collatz(int* out, int count, T add) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  T n = i + 1;
  int k = 0;
  while (n != 1 && k < 200) {
    n = (n & 1) ? 3 * n + add : n >> 1;
    ++k;
  }
  out[i] = k;
}

__device__ int walk(float x, float y) {
  Point<float> step(0.75f, 0.125f), at(x, y);
  int i = 0;
  for (i = 0; i < 120; i++) {
    at = at.scaled(1.03125f) + step;
    if (at.size() > 90.0f)
      return i;
  }
  return i;
}

__global__ void points(int* out, View v) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < v.width && y < v.height)
    out[y * v.width + x] = walk(v.left + x * v.step, v.top + y * v.step);
}

struct Pair {
  float first, second;
};
__device__ Pair next(const Pair& at, const Pair& by) {
  return Pair{at.first * 1.25f, at.second + by.second * by.first};
}

__global__ void pairs(int* out, View v) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= v.width || y >= v.height)
    return;
  const Pair by{v.left + x * v.step, v.top + y * v.step};
  Pair at{1.0f, 0.0f};
  int n = 0;
  while (n < v.limit) {
    at = next(at, by);
    if (at.first + at.second > 200.0f)
      break;
    n++;
  }
  out[y * v.width + x] = n + int(at.second);
}

static void print(const char* name, const int* out, int count) {
  unsigned hash = 2166136261u;
  long sum = 0;
  for (int i = 0; i < count; ++i) {
    hash = (hash ^ unsigned(out[i])) * 16777619u;
    sum += out[i];
  }
  printf("%s: %ld, hash %u\n", name, sum, hash);
}

int main() {
  const View v{0.5f, 0.25f, 0.125f, 70, 45, 60};
  const int count = v.width * v.height;
  int* out;
  cudaMallocManaged(&out, count * sizeof(int));
  const dim3 block(32, 4), grid((v.width + 31) / 32, (v.height + 3) / 4);
  const dim3 small(16, 8), wide((v.width + 15) / 16, (v.height + 7) / 8);

  called<float, 32><<<grid, block>>>(out, v.width, v.height, 0.25f);
  cudaDeviceSynchronize();
  print("called float", out, count);
  called<double, 16><<<wide, small>>>(out, v.width, v.height, 0.125);
  cudaDeviceSynchronize();
  print("called double", out, count);
  within<float><<<wide, small>>>(out, v, 0.5f);
  cudaDeviceSynchronize();
  print("within float", out, count);
  within<double><<<grid, block>>>(out, v, 0.75);
  cudaDeviceSynchronize();
  print("within double", out, count);
  collatz<int><<<(count + 63) / 64, 64>>>(out, count, 1);
  cudaDeviceSynchronize();
  print("collatz int", out, count);
  collatz<long long><<<(count + 95) / 96, 96>>>(out, count, 1ll);
  cudaDeviceSynchronize();
  print("collatz long", out, count);
  points<<<wide, small>>>(out, v);
  cudaDeviceSynchronize();
  print("points", out, count);
  pairs<<<wide, small>>>(out, v);
  cudaDeviceSynchronize();
  print("pairs", out, count);
  cudaFree(out);
  return 0;
}
