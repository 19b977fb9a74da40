// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C++20 in device code: concepts, requires clauses, abbreviated templates, lambdas with template parameters, designated
// initialisers, == by default, consteval, template parameters of class type.
// FLAGS: -std=c++20
#include <concepts>
#include <cstdio>

template <class T>
concept Number = std::is_arithmetic_v<T>;
template <class T>
concept HasScale = requires(T t, float x) {
  { t.scale(x) } -> std::convertible_to<float>;
};

struct Doubler {
  __device__ float scale(float x) const { return 2 * x; }
};
struct Plain {
  int tag;
};

template <Number T> __global__ void add(T* p, T by) { p[threadIdx.x] += by; }
template <class T>
  requires std::integral<T>
__device__ int kind(T) {
  return 1;
}
template <class T>
  requires std::floating_point<T>
__device__ int kind(T) {
  return 2;
}
__device__ auto largest(Number auto a, Number auto b) { return a > b ? a : b; }
template <class T> __device__ float use(const T& t, float x) {
  if constexpr (HasScale<T>)
    return t.scale(x);
  else
    return x + t.tag;
}

struct Version {
  int major, minor;
  __host__ __device__ constexpr bool operator==(const Version&) const = default;
};
consteval int cube(int x) { return x * x * x; }
struct Shape {
  int rows = 1, columns = 1;
};
template <Shape S> __device__ int cells() { return S.rows * S.columns; }

__global__ void mixed(float* out) {
  out[0] = kind(3) * 10 + kind(3.0);
  out[1] = largest(2, 7.5f);
  out[2] = use(Doubler{}, 4) + use(Plain{.tag = 10}, 1);
  const Version a{1, 2}, b{1, 3};
  out[3] = (a == Version{1, 2}) * 4 + (a == b) * 2 + (a != b);
  out[4] = cube(3);
  auto twice = []<class T>(T x) { return x + x; };
  out[5] = twice(3) + twice(0.25f);
  out[6] = cells<Shape{.rows = 3, .columns = 5}>();
  int sum = 0;
  for (int start = 1; int x : {1, 2, 3})
    sum += x * start;
  out[7] = sum;
}

int main() {
  float* f;
  cudaMallocManaged(&f, 64 * sizeof *f);
  for (int i = 0; i < 8; ++i)
    f[i] = float(i);
  add<<<1, 8>>>(f, 0.5f);
  cudaDeviceSynchronize();
  printf("%g %g\n", f[0], f[7]);
  mixed<<<1, 1>>>(f);
  cudaDeviceSynchronize();
  for (int i = 0; i < 8; ++i)
    printf("%g ", f[i]);
  printf("\n");
  return 0;
}
