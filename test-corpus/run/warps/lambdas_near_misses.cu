// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lambdas in which threads meet, where their text would mean something else: variables that change
// meanwhile or have the same name, references, copies, macros, values within other values.
#include <cstdio>
#define FULL 0xffffffffu
#define STEP 1
namespace lib {
__device__ int bias(int v) { return v + 1000; }
constexpr int k = 7;
template <class F> __device__ void each(int n, F f) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    f(i + k - 7);
}
template <class F> __device__ int total(int n, F f) {
  int t = 0;
  for (int i = 0; i < n; ++i) {
    t += bias(f(i));
    __syncthreads();
  }
  return t;
}
template <class F> __device__ int pick(int a, const int& b, F f) {
  for (int i = 0; i < 2; ++i) {
    f(i);
    __syncwarp();
  }
  return a * 100 + b;
}
} // namespace lib
__device__ int bias(int v) { return v - 5; }
__device__ int sh(int v) { return __shfl_xor_sync(FULL, v, 1); }
__global__ void changesBound(const int* x, int* y, int n) {
  int k = 64, c = 0;
  lib::each(k, [&](int i) {
    if (i == int(threadIdx.x))
      k = 3;
    c += __shfl_sync(FULL, i, 0) + x[i];
  });
  y[threadIdx.x] = c + k;
}
__global__ void ownNames(const int* x, int* y, int n) {
  int k = 5, t = 2, bias = 9;
  int r = lib::total(3, [&](int i) {
    t += sh(x[i] + k);
    return t;
  });
  y[threadIdx.x] = r + t + k + bias;
}
__global__ void reads(const int* x, int* y, int n) {
  int m = x[threadIdx.x];
  auto f = [&](int v) {
    v += 3;
    int r = sh(v) + m;
    return r;
  };
  m = f(m);
  m = f(m) + m;
  int i = 1;
  m += f(i++) + i * 0;
  int a[4] = {1, 2, 3, 4};
  a[i] = f(a[i - 1]);
  y[threadIdx.x] = m + a[2] + i;
}
__global__ void refs(const int* x, int* y, int n) {
  int a = x[threadIdx.x], b = 3;
  auto g = [&](int p) { b += p; };
  auto f = [&](int q, const int& r) {
    g(q);
    int s = sh(q) + r;
    g(r);
    return s + q + r;
  };
  int v = f(b, b);
  v = v * 3 + f(a, b);
  y[threadIdx.x] = v + b * 7;
}
__global__ void byRef(const int* x, int* y, int n) {
  int a = 1, b = 2;
  int r = lib::pick(a, b, [&](int i) {
    a += 10;
    b += sh(i) + 1;
  });
  r += lib::pick(a + 1, b + 1, [&](int i) {
    a += 10;
    b += sh(i) + 1;
  });
  y[threadIdx.x] = r * 1000 + a * 10 + b;
}
__global__ void macros(const int* x, int* y, int n) {
  int acc = x[threadIdx.x];
  auto f = [&](int v) { return __shfl_xor_sync(FULL, v, STEP) + STEP; };
  acc = f(acc);
#undef STEP
#define STEP 4
  acc += f(acc);
  y[threadIdx.x] = acc;
}
struct Counter {
  int n;
  template <class F> __device__ void each(F f) const {
    for (int i = 0; i < n; ++i) {
      f(i);
      __syncthreads();
    }
  }
};
__global__ void objects(const int* x, int* y, int n) {
  Counter b{6};
  int c = 0;
  b.each([&](int i) {
    c += sh(i * threadIdx.x);
    if (i == 2)
      b.n = 5;
  });
  y[threadIdx.x] = c + b.n;
}
__global__ void nestedReturns(const int* x, int* y, int n) {
  auto outer = [&](int v) {
    auto inner = [&](int w) {
      if (w > 50)
        return w;
      return w * 2;
    };
    v = inner(v);
    if (n == 0)
      return -1;
    v += sh(inner(v));
    return v;
  };
  y[threadIdx.x] = outer(x[threadIdx.x]) + outer(3);
}
__global__ void copiesInLoop(const int* x, int* y, int n) {
  int t = 0;
  for (int i = 0; i < 4; ++i) {
    int k = i * 3;
    auto f = [=](int v) { return sh(v) + k + t; };
    k = 100;
    t += 2;
    t += f(i);
  }
  y[threadIdx.x] = t;
}
__global__ void divergent(const int* x, int* y, int n) {
  const int w = threadIdx.x / 32;
  int v = x[threadIdx.x];
  auto f = [&](int q) { return sh(q) * 2; };
  if (w == 1)
    v = f(v);
  else
    v += 1;
  for (int i = 0; i < w + 1; ++i)
    v += f(v) % 100;
  y[threadIdx.x] = w == 0 ? f(v) : v;
}
__global__ void shadows(const int* x, int* y, int n) {
  int i = 10, v = 1;
  auto f = [&](int p) {
    v += sh(p) + i;
    return v;
  };
  for (int i = 0; i < 3; ++i)
    v += f(i);
  {
    const int v = f(4);
    y[threadIdx.x] = v;
  }
  y[threadIdx.x] += v;
}
__global__ void commas(const int* x, int* y, int n) {
  int c = 0;
  auto f = [&](int p) { return c += 2, sh(p) + c; };
  int v = f(1), u = f(v);
  int w[2] = {f(2), f(3)};
  y[threadIdx.x] = v + u * 3 + w[0] * 5 + w[1] * 7 + c * 11;
}
__global__ void refReturn(const int* x, int* y, int n) {
  int a = 1;
  auto f = [&]() -> int& {
    a += sh(a);
    return a;
  };
  f() += 5;
  y[threadIdx.x] = a;
}

template <class K> void run(const char* name, K kernel, const int* x, int* y) {
  for (int i = 0; i < 64; ++i)
    y[i] = 0;
  kernel<<<1, 64>>>(x, y, 64);
  cudaDeviceSynchronize();
  long h = 0;
  for (int i = 0; i < 64; ++i)
    h = (h * 31 + y[i]) % 1000003;
  printf("%s %ld\n", name, h);
}

int main() {
  int *x, *y;
  cudaMallocManaged(&x, 4096);
  cudaMallocManaged(&y, 4096);
  for (int i = 0; i < 1024; ++i)
    x[i] = (i * 37) % 101;
  run("changesBound", changesBound, x, y);
  run("ownNames", ownNames, x, y);
  run("reads", reads, x, y);
  run("refs", refs, x, y);
  run("byRef", byRef, x, y);
  run("macros", macros, x, y);
  run("objects", objects, x, y);
  run("nestedReturns", nestedReturns, x, y);
  run("copiesInLoop", copiesInLoop, x, y);
  run("divergent", divergent, x, y);
  run("shadows", shadows, x, y);
  run("commas", commas, x, y);
  run("refReturn", refReturn, x, y);
  return 0;
}
