// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C++17 in device code: if constexpr, fold expressions, variadic templates, structured bindings, constexpr, enum class, unions.
#include <cstdio>

enum class Mode : unsigned char { Sum = 1, Product };
union Bits {
  float f;
  unsigned u;
};
constexpr int square(int x) { return x * x; }
struct Range {
  int lo, hi;
};

template <Mode M, class... T> __device__ int combine(T... values) {
  if constexpr (M == Mode::Sum)
    return (values + ... + 0);
  else
    return (values * ... * 1);
}

template <class... F> __global__ void sequence(int* out, F... f) {
  int v = threadIdx.x;
  ((v = f(v)), ...);
  out[threadIdx.x] = v;
}

template <Mode M> __global__ void k(int* out, Range r) {
  auto [lo, hi] = r;
  int v = 0;
  for (int i : {lo, hi, square(3)})
    v += i;
  Bits b;
  b.f = 1.0f + threadIdx.x;
  if (int id = threadIdx.x; id % 2)
    v += int(b.u >> 20);
  constexpr int table[] = {square(1), square(2), square(4)};
  static_assert(table[2] == 16, "");
  out[threadIdx.x] = v + combine<M>(int(threadIdx.x), 2, table[threadIdx.x % 3]);
}

struct AddTwo {
  __device__ int operator()(int x) const { return x + 2; }
};
struct Triple {
  __device__ int operator()(int x) const { return 3 * x; }
};

int main() {
  int* out;
  cudaMallocManaged(&out, 6 * sizeof(int));
  auto show = [&] {
    cudaDeviceSynchronize();
    for (int i = 0; i < 6; ++i)
      printf("%d ", out[i]);
    printf("\n");
  };
  k<Mode::Sum><<<1, 6>>>(out, {10, 20});
  show();
  k<Mode::Product><<<1, 6>>>(out, Range{1, 2});
  show();
  sequence<<<1, 6>>>(out, AddTwo{}, Triple{}, AddTwo{});
  show();
  return 0;
}
