// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lambdas as a kernel's local functions: one expression or a few statements, structures in and out, conversions of
// arguments and results, copies of what changes later, constant parameters, variables that they change, values within
// other values, names of their own, templates, other lambdas.
#include <cstdio>

struct Complex {
  float re, im;
};
struct Vec {
  int x, y;
  __host__ __device__ Vec(int a, int b) : x(a), y(b) {}
  __host__ __device__ int kind() const { return 1; }
  __host__ __device__ int kind() { return 2; }
  __host__ __device__ Vec operator+(const Vec& o) const { return Vec(x + o.x, y + o.y); }
};
__device__ int which(const Complex&) { return 10; }
__device__ int which(Complex&) { return 20; }
__device__ int bump(int* at) { return *at += 3; }

__global__ void conversions(const int* x, int* y) {
  const int t = threadIdx.x;
  auto half = [](int v) { return v * 0.5f; };
  auto narrow = [](short v) { return v + 1; };
  auto byte = [](unsigned char v) -> int { return v * 2; };
  auto whole = [](float v) -> int { return v * 1.75f; };
  auto single = [](double v) -> float { return v / 3; };
  auto truth = [](bool v) { return v + v; };
  auto wraps = [](unsigned v) { return v - 1; };
  int s = int(half(x[t] + 0.9) * 4);
  s = s * 3 + narrow(x[t] * 40000);
  s = s * 3 + byte(x[t] * 77 + 300);
  s = s * 3 + whole(x[t] / 3.0);
  s = s * 3 + (single(x[t]) == x[t] / 3.0 ? 1 : 0);
  s = s * 3 + truth(x[t]) + (wraps(0) > 5 ? 1 : 0);
  y[t] = s;
}

__global__ void escape(const int* x, int* y) {
  const int t = threadIdx.x;
  Complex z{0.0f, 0.0f};
  const Complex c{x[t] * 0.0625f - 1.5f, t * 0.0625f - 1.0f};
  const auto norm = [](const Complex& v) { return v.re * v.re + v.im * v.im; };
  auto times = [](Complex a, Complex b) { return Complex{a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; };
  auto plus = [](Complex a, Complex b) -> Complex { return {a.re + b.re, a.im + b.im}; };
  int n = 0;
  while (n < 12 && norm(z) <= 4.0f) {
    z = plus(times(z, z), c);
    ++n;
  }
  y[t] = n * 8 + (norm(plus(z, c)) > 1.0f ? 1 : 0) + (times(z, c).re > 0 ? 2 : 0);
}

__global__ void severalStatements(const int* x, int* y) {
  const int t = threadIdx.x;
  int total = 0;
  auto mix = [](int a, int b) {
    a ^= b << 3;
    const int r = a * 31 + b;
    return r ^ (r >> 5);
  };
  auto clampTo = [&](int v, int most) -> int {
    if (v < 0)
      return 0;
    if (v > most)
      return most;
    return v;
  };
  auto sign = [](int v) {
    if (v < 0)
      return -1;
    else
      return v > 0 ? 1 : 0;
  };
  auto add = [&](int v) {
    if (v & 1)
      total += v;
    else
      total -= v / 2;
  };
  for (int i = 0; i < 5; ++i) {
    const int r = mix(x[(t + i) % 64], i);
    total = total * 2 + clampTo(r % 100, 60) + sign(r - 500) * mix(i, t);
    if (mix(total, i) % 3 == 0 && clampTo(total, 9) < 9)
      add(r);
    else
      add(i);
  }
  y[t] = total;
}

__global__ void copiesOfWhatChanges(const int* x, int* y) {
  const int t = threadIdx.x;
  int k = x[t], sum = 0;
  Complex c{1.0f, 2.0f};
  auto byCopy = [=](int v) { return v * k; };
  auto byName = [&](int v) { return v * k; };
  auto part = [=] { return c.re + c.im; };
  auto own = [k](int v) mutable {
    k += v;
    return k;
  };
  auto init = [m = k * 2](int v) { return v + m; };
  k += 100;
  c.re = 7.0f;
  sum += byCopy(3) + byName(5) + int(part()) + own(1) * 7;
  sum += own(2) * 11 + init(4);
  for (int i = 0; i < 3; ++i) {
    auto at = [=](int v) { return v * 10 + i + k; };
    k += 1;
    sum = sum * 3 + at(i);
  }
  y[t] = sum + k;
}

__global__ void changesWhatItNames(const int* x, int* y) {
  const int t = threadIdx.x;
  int k = x[t] & 7, calls = 0;
  auto next = [&] { return k++; };
  auto twice = [&](int v) {
    ++calls;
    return v * 2;
  };
  auto later = [&](int v) {
    const int w = bump(&k);
    return v * 100 + w;
  };
  auto sum = [&](int a, int b) { return a * 3 + b + calls; };
  int s = next();
  s += twice(next());
  s = s * 5 + later(k);
  s = s * 5 + twice(k) + calls * 0;
  s += k > 4 && twice(k) > 9 ? 1 : 2;
  s = s * 3 + sum(twice(1) * 0 + 4, k);
  const int before = k;
  const int r = twice(before);
  y[t] = s * 7 + r + k * 13 + calls;
}

__global__ void constants(const int* x, int* y) {
  const int t = threadIdx.x;
  Vec v(x[t], t);
  Complex c{1.0f, float(t)};
  auto kind = [](const Vec& o) { return o.kind(); };
  auto kindOfCopy = [](const Vec o) { return o.kind(); };
  auto kindHere = [=] { return v.kind(); };
  auto kindThere = [&] { return v.kind(); };
  auto overload = [](const Complex& o) { return which(o); };
  auto two = [&](const Vec& o) {
    v.x += 5;
    return o.x * 2 + o.kind();
  };
  auto shift = [](Vec a, int by) {
    a.x += by;
    return a + Vec(by, by);
  };
  int s = kind(v) + kindOfCopy(v) * 3 + kindHere() * 9 + kindThere() * 27 + overload(c) * 81;
  s = s * 2 + two(v);
  v = shift(v, 3);
  v = shift(v + Vec(1, 2), v.y);
  y[t] = s + v.x * 3 + v.y;
}

__global__ void names(const int* x, int* y) {
  const int t = threadIdx.x;
  int a = x[t], b = 2, r = 0;
  auto f = [&](int b) {
    const int r = b * a;
    return r + b;
  };
  auto g = [&](int t) { return f(t) - f(b) + a; };
  {
    int a = 1000;
    r += f(a) + g(a + 1);
  }
  for (int b = 0; b < 3; ++b)
    r = r * 3 + f(b) + g(b);
#define WIDTH 4
  auto row = [&](int i) { return i / WIDTH; };
#undef WIDTH
#define WIDTH 5
  r += row(t) * WIDTH;
  y[t] = r + b;
}

__global__ void generic(const int* x, int* y) {
  const int t = threadIdx.x;
  auto square = [](auto v) { return v * v; };
  auto larger = [](const auto& a, const auto& b) { return a < b ? b : a; };
  auto add = [](auto& to, auto v) { to += v; };
  auto factorial = [](auto self, int n) -> int { return n < 2 ? 1 : n * self(self, n - 1); };
  auto apply = [](auto f, int v) { return f(v) + 1; };
  auto sizeIn = [](auto v) { return int(sizeof(v)) * 3; };
  auto half = [](auto v) {
    const auto w = v / 2;
    return w + v;
  };
  float s = 0;
  add(s, square(x[t]));
  add(s, square(0.5f * t));
  add(s, larger(x[t], t));
  add(s, half(7) + half(7.0f));
  int n = factorial(factorial, t % 6) + apply(square, t) + sizeIn('c') + sizeIn(t);
  add(n, larger(2.5, 1.0));
  y[t] = int(s * 4) + n;
}

template <typename T, int N> __global__ void ofTypes(const int* x, int* y, T scale) {
  const int t = threadIdx.x;
  T row[N];
  for (int i = 0; i < N; ++i)
    row[i] = T(x[(t + i) % 64]);
  auto at = [&](int i) -> T { return row[(i + N) % N]; };
  auto scaled = [=](T v) {
    const T w = v * scale;
    return w + T(1);
  };
  auto twice = [](const T& v) { return v + v; };
  T s = 0;
  for (int i = 0; i < N; ++i)
    s += scaled(at(i - 1)) - twice(at(i + 1)) / T(4);
  y[t] = int(s * 2);
}

__global__ void atBarriers(const int* x, int* y) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  Complex mine{0.0f, 1.0f};
  int turn = 0;
  auto wrap = [&](int i) { return i < 0 ? i + 64 : i >= 64 ? i - 64 : i; };
  auto around = [&](int i) {
    const int left = tile[wrap(i - 1)];
    const int right = tile[wrap(i + 1)];
    return left - right;
  };
  auto weigh = [](const Complex& c, int v) { return Complex{c.re + v, c.im * 0.5f}; };
  auto count = [&turn](int by) { turn += by; };
  tile[t] = x[t];
  __syncthreads();
  for (int i = 0; i < 4; ++i) {
    const int v = around(t);
    mine = weigh(mine, v);
    __syncthreads();
    tile[t] += v / 2;
    count(v > 0);
    __syncthreads();
  }
  y[t] = int(mine.re) * 3 + int(mine.im * 64) + turn * 1000 + tile[t];
}

template <class K, class... A> void run(const char* name, K kernel, const int* x, int* y, A... more) {
  for (int i = 0; i < 64; ++i)
    y[i] = 0;
  kernel<<<1, 64>>>(x, y, more...);
  cudaDeviceSynchronize();
  long h = 0;
  for (int i = 0; i < 64; ++i)
    h = (h * 31 + (y[i] % 100003 + 100003)) % 1000003;
  printf("%s %ld %d %d %d\n", name, h, y[0], y[7], y[63]);
}

int main() {
  int *x, *y;
  cudaMallocManaged(&x, 64 * sizeof(int));
  cudaMallocManaged(&y, 64 * sizeof(int));
  for (int i = 0; i < 64; ++i)
    x[i] = (i * 37 + 11) % 50 - 5;
  run("conversions", conversions, x, y);
  run("escape", escape, x, y);
  run("severalStatements", severalStatements, x, y);
  run("copiesOfWhatChanges", copiesOfWhatChanges, x, y);
  run("changesWhatItNames", changesWhatItNames, x, y);
  run("constants", constants, x, y);
  run("names", names, x, y);
  run("generic", generic, x, y);
  run("ofTypes<int>", ofTypes<int, 4>, x, y, 3);
  run("ofTypes<float>", ofTypes<float, 5>, x, y, 1.5f);
  run("ofTypes<short>", ofTypes<short, 3>, x, y, short(700));
  run("atBarriers", atBarriers, x, y);
}
