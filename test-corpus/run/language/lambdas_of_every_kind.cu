// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Extended lambdas: captured by value (scalars, structs, arrays, *this), passed through templates, composed, nested,
// with init captures' stand-ins, mutable, with barriers of the kernel around them.
// FLAGS: --extended-lambda
#include <cstdio>

template <class F> __global__ void forAll(int n, F f) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    f(i);
}
template <class F> void parallelFor(int n, F f) { forAll<<<(n + 31) / 32, 32>>>(n, f); }

template <class F, class G> __global__ void reduceWith(const int* in, int* out, int n, F combine, G map) {
  __shared__ int part[64];
  int v = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    v = combine(v, map(in[i]));
  part[threadIdx.x] = v;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      part[threadIdx.x] = combine(part[threadIdx.x], part[threadIdx.x + half]);
    __syncthreads();
  }
  if (threadIdx.x == 0)
    *out = part[0];
}

struct Polynomial {
  int c[3];
  __host__ __device__ int at(int x) const { return c[0] + x * (c[1] + x * c[2]); }
  void evaluate(int* out, int n) const {
    parallelFor(n, [=, *this] __device__(int i) { out[i] = at(i); });
  }
};

template <class T> struct Filler {
  T* data;
  void run(int n, T first) {
    T* const target = data;
    parallelFor(n, [=] __device__(int i) { target[i] = first + T(i) * T(2); });
  }
};

struct Adder {
  int by;
  __host__ __device__ int operator()(int x) const { return x + by; }
};
template <class F, class G> struct Composed {
  F f;
  G g;
  __host__ __device__ int operator()(int x) const { return f(g(x)); }
};
template <class F, class G> Composed<F, G> compose(F f, G g) { return {f, g}; }

__global__ void inner(int* out) {
  const int t = threadIdx.x;
  int calls = 0;
  auto count = [&] {
    ++calls;
    return calls;
  };
  auto generic = [](auto a, auto b) { return a * b; };
  auto keeps = [n = t * 10]() mutable { return ++n; };
  auto nested = [=](int x) {
    auto deeper = [=](int y) { return x * y + t; };
    return deeper(3) + deeper(4);
  };
  const int first = keeps();
  out[t] = count() + count() + generic(t, 3) + int(generic(1.5f, 2)) + first + keeps() + nested(2);
}

int main() {
  const int n = 100;
  int *a, *b;
  cudaMallocManaged(&a, n * sizeof *a);
  cudaMallocManaged(&b, n * sizeof *b);
  const int scale = 7;
  int3 shift{1, 2, 3};
  int table[4] = {10, 20, 30, 40};
  parallelFor(n, [=] __device__(int i) { a[i] = i * scale + shift.y + table[i % 4]; });
  cudaDeviceSynchronize();
  printf("%d %d %d\n", a[0], a[50], a[99]);

  Polynomial p{{1, 2, 3}};
  p.evaluate(b, n);
  cudaDeviceSynchronize();
  printf("%d %d\n", b[10], p.at(10));

  Filler<int>{b}.run(n, 5);
  auto both = compose(Adder{3}, [] __host__ __device__(int x) { return 2 * x; });
  parallelFor(n, [=] __device__(int i) { a[i] = both(b[i]); });
  cudaDeviceSynchronize();
  printf("%d %d %d\n", b[99], a[99], both(b[99]));

  reduceWith<<<1, 64>>>(
      a, b, n, [] __device__(int x, int y) { return x > y ? x : y; },
      [scale] __device__(int x) { return x % 100 * scale; });
  reduceWith<<<1, 64>>>(
      a, b + 1, n, [] __device__(int x, int y) { return x + y; }, [] __device__(int x) { return x & 15; });
  cudaDeviceSynchronize();
  printf("%d %d\n", b[0], b[1]);

  inner<<<1, 8>>>(a);
  cudaDeviceSynchronize();
  for (int i = 0; i < 8; ++i)
    printf("%d ", a[i]);
  printf("\n");
  return 0;
}
