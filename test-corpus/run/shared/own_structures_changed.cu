// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays of structures that each thread keeps while threads meet, whose elements functions and
// operators change as a whole.
#include <cstdio>

__device__ __forceinline__ void cmac(float2& c, const float2 a, const float2 b) {
  c.x += a.x * b.x;
  c.x -= a.y * b.y;
  c.y += a.x * b.y;
  c.y += a.y * b.x;
}
// Gives an element of two back.
__device__ void exchange(float2& a, float2& b) {
  const float2 kept = a;
  a = b;
  b = kept;
}
__device__ void addTo(float2& a, const float2& b) {
  a.x += b.x;
  a.y += b.y;
  a.x += b.x; // twice what it has become, if both are one
}
__device__ void addBy(float2* a, float x) { a->y += x; }

struct Complex {
  float re, im;
  __device__ Complex(float r = 0.0f, float i = 0.0f) : re(r), im(i) {}
  __device__ Complex& operator+=(const Complex& other) {
    re += other.re;
    im += other.im;
    return *this;
  }
  __device__ Complex* place() { return this; }
};
__device__ Complex operator*(const Complex& a, const Complex& b) {
  return Complex(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}
struct Pair {
  int a, b;
};
__device__ Pair& operator+=(Pair& p, int step) {
  p.a += step;
  p.b ^= p.a;
  return p;
}

constexpr int tile = 16, rows = 4;

__global__ void product(const float2* w, const float2* x, float2* out, int n) {
  __shared__ float2 ws[tile][tile + 1];
  __shared__ float2 xs[tile][tile];
  float2 acc[rows][2];
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < 2; ++j)
      acc[i][j] = make_float2(0.0f, 0.0f);
  for (int k = 0; k < n; k += tile) {
    ws[threadIdx.x][threadIdx.y] = w[threadIdx.y * n + k + threadIdx.x];
    xs[threadIdx.y][threadIdx.x] = x[(k + threadIdx.y) * tile + threadIdx.x];
    __syncthreads();
#pragma unroll
    for (int kk = 0; kk < tile; ++kk) {
      float2 a[rows];
#pragma unroll
      for (int i = 0; i < rows; ++i)
        a[i] = ws[kk][(threadIdx.y + i) % tile];
#pragma unroll
      for (int i = 0; i < rows; ++i)
        for (int j = 0; j < 2; ++j)
          cmac(acc[i][j], a[i], xs[kk][(threadIdx.x + j) % tile]);
    }
    __syncthreads();
  }
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < 2; ++j)
      out[((i * 2 + j) * tile + threadIdx.y) * tile + threadIdx.x] = acc[i][j];
}

__global__ void operators(const float2* in, float2* out) {
  __shared__ float2 s[64];
  const int t = threadIdx.x;
  Complex sums[3];
  Pair pairs[2];
  pairs[0] = Pair{t, 1};
  pairs[1] = Pair{2 * t, 3};
  for (int step = 0; step < 4; ++step) {
    s[t] = in[(t + step * 5) % 64];
    __syncthreads();
    for (int i = 0; i < 3; ++i) {
      const float2 v = s[(t + i) % 64];
      sums[i] += Complex(v.x, v.y) * Complex(0.5f, float(i));
      pairs[i & 1] += i + step;
    }
    if (t % 3 == 0)
      sums[1] += Complex(1.0f, 2.0f);
    else
      sums[2] += Complex(-1.0f, 0.25f);
    __syncthreads();
  }
  out[t] = make_float2(sums[0].re + sums[1].re * 2.0f, sums[1].im + sums[2].im);
  out[64 + t] = make_float2(sums[2].re + float(pairs[0].a), float(pairs[1].b + pairs[0].b));
}

// What is not a change of one element alone stays as it is.
__global__ void others(const float2* in, float2* out) {
  __shared__ float2 s[64];
  const int t = threadIdx.x;
  float2 v[4];
  Complex c[2];
  for (int i = 0; i < 4; ++i)
    v[i] = in[(t + i) % 64];
  s[t] = v[0];
  __syncthreads();
  exchange(v[0], v[1]);
  addTo(v[2], v[2]);
  addBy(&v[3], s[63 - t].x);
  c[0] += Complex(v[0].x, v[1].y);
  Complex* const place = c[1].place();
  place->re = v[2].x;
  __syncthreads();
  addTo(v[0], s[(t + 1) % 64]);
  out[t] = make_float2(v[0].x + v[1].y * 2.0f + c[0].re, v[2].x + v[3].y * 4.0f + c[0].im + c[1].re);
}

int main() {
  constexpr int n = 32, results = 8 * tile * tile;
  float2 *w, *x, *out;
  cudaMallocManaged(&w, tile * n * sizeof(float2));
  cudaMallocManaged(&x, tile * n * sizeof(float2));
  cudaMallocManaged(&out, results * sizeof(float2));
  for (int i = 0; i < tile * n; ++i) {
    w[i] = make_float2(float(i * 7 % 16) - 8.0f, float(i * 5 % 8) * 0.5f);
    x[i] = make_float2(float(i * 3 % 16) * 0.25f, float(i % 11) - 5.0f);
  }
  const auto print = [&](const char* name, int count) {
    cudaDeviceSynchronize();
    double re = 0.0, im = 0.0;
    for (int i = 0; i < count; ++i) {
      re += out[i].x * (i % 7 + 1);
      im += out[i].y * (i % 5 + 1);
    }
    printf("%s: %g %g, sums %.10g %.10g\n", name, out[0].x, out[count - 1].y, re, im);
  };
  product<<<1, dim3(tile, tile)>>>(w, x, out, n);
  print("product", results);
  operators<<<1, 64>>>(x, out);
  print("operators", 128);
  others<<<1, 64>>>(w, out);
  print("others", 64);
  cudaFree(w);
  cudaFree(x);
  cudaFree(out);
  return 0;
}
