// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device functions that are given small structures and give some back: operators, friends, methods, templates, functions
// declared before they are defined, named as arguments of templates or through pointers, called from both sides.
#include <cstdio>

struct Vec {
  float x, y, z;
  __host__ __device__ Vec operator*(float s) const { return {x * s, y * s, z * s}; }
  __host__ __device__ Vec cross(Vec o) const;
};
__host__ __device__ inline Vec Vec::cross(Vec o) const {
  return {y * o.z - z * o.y, z * o.x - x * o.z, x * o.y - y * o.x};
}
__host__ __device__ inline Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }

template <class T> struct Pair {
  T a, b;
  __host__ __device__ Pair turned() const;
  static __device__ Pair of(T a, T b) { return {a, b}; }
};
template <class T> __host__ __device__ Pair<T> Pair<T>::turned() const { return {b, -a}; }

class Complex {
public:
  __device__ Complex(float re, float im) : re(re), im(im) {}
  __device__ Complex operator*(const Complex& o) const {
    return Complex(re * o.re - im * o.im, re * o.im + im * o.re);
  }
  friend __device__ Complex operator-(Complex a, Complex b) { return Complex(a.re - b.re, a.im - b.im); }
  float re, im;
};

struct Best {
  float value;
  int place;
};
__device__ Best better(Best a, Best b);
__device__ Best better(Best a, Best b) {
  return b.value > a.value || (b.value == a.value && b.place < a.place) ? b : a;
}

__device__ float2 twice(float2 v) { return make_float2(2 * v.x, 2 * v.y); }
__device__ float2 swapped(float2 v) { return make_float2(v.y, v.x); }
__device__ float2 lowered(float2 v) { return make_float2(v.x - 1, v.y - 1); }
template <float2 (*change)(float2)> __device__ float2 changed(float2 v) { return change(v); }
template <class F> __device__ float2 applied(F f, float2 v) { return f(v); }
template <class T> __device__ T sum(T a, T b) { return a + b; }
__device__ __noinline__ float4 scaled(float s, float4 v) {
  return make_float4(s * v.x, s * v.y, s * v.z, s * v.w);
}

__global__ void strided(Vec* v, float2* w, Pair<float>* p, float4* q, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    v[i] = sum(v[i] * 2.0f, v[i].cross({1, 2, 3}));
    p[i] = Pair<float>::of(p[i].turned().b, 4).turned();
    w[i] = applied(lowered, changed<swapped>(twice(w[i])));
    Complex c(w[i].x, w[i].y);
    c = c * c - c;
    w[i] = make_float2(c.re, c.im);
    q[i] = scaled(0.5f, q[i]);
  }
}

__global__ void tail(float2* w, int n, float* out) {
  int i = n - 3 + blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i - n + 3] = w[i].x;
}

__global__ void largest(const float2* w, int n, Best* out) {
  __shared__ Best all[128];
  float2 (*const last)(float2) = lowered;
  Best mine = {-1e30f, -1};
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    mine = better(mine, {last(w[i]).x, i});
  all[threadIdx.x] = mine;
  __syncthreads();
  for (int s = 64; s > 0; s >>= 1) {
    if (threadIdx.x < s)
      all[threadIdx.x] = better(all[threadIdx.x], all[threadIdx.x + s]);
    __syncthreads();
  }
  if (threadIdx.x == 0)
    *out = all[0];
}

int main() {
  constexpr int n = 1003;
  Vec* v;
  float2* w;
  Pair<float>* p;
  float4* q;
  Best* best;
  float* ends;
  cudaMallocManaged(&v, n * sizeof *v);
  cudaMallocManaged(&w, n * sizeof *w);
  cudaMallocManaged(&p, n * sizeof *p);
  cudaMallocManaged(&q, n * sizeof *q);
  cudaMallocManaged(&best, sizeof *best);
  cudaMallocManaged(&ends, 3 * sizeof *ends);
  for (int i = 0; i < n; ++i) {
    v[i] = {float(i % 7), float(i % 5), float(i % 3)};
    w[i] = make_float2(i % 11, i % 13);
    p[i] = {float(i % 17), float(i % 19)};
    q[i] = make_float4(i, i + 1, i + 2, i + 3);
  }
  strided<<<3, 128>>>(v, w, p, q, n);
  tail<<<1, 32>>>(w, n, ends);
  largest<<<1, 128>>>(w, n, best);
  cudaDeviceSynchronize();
  double sums[11] = {};
  for (int i = 0; i < n; ++i) {
    const float all[] = {v[i].x, v[i].y, v[i].z, w[i].x, w[i].y, p[i].a, p[i].b, q[i].x, q[i].y, q[i].z, q[i].w};
    for (int k = 0; k < 11; ++k)
      sums[k] += all[k] * (1 + i % 4);
  }
  for (double sum : sums)
    printf("%.1f ", sum);
  const Vec onHost = (v[1] + v[2]).cross(v[3] * 2);
  printf("\n%g at %d, %g %g %g, %g %g %g\n", best->value, best->place, onHost.x, onHost.y, onHost.z, ends[0], ends[1],
         ends[2]);
}
